#pragma once
// The hearing of a disputed item: the arbiter sees the candidates, not whose
// they are, in both orders, and either upholds the author or flags the item.

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "arbiter/ballot.h"
#include "arbiter/blind_sheet.h"
#include "arbiter/policy.h"
#include "arbiter/reply.h"
#include "arbiter/step.h"
#include "arbiter/verdict.h"
#include "validators/package.h"

namespace flagman::arbiter {

/// What the arbiter is asked in one order. Nothing says which candidate is the author's.
struct HearingQuestion {
  Setting setting;
  int ordinal = 0;
  std::string text;      // to be repeated word for word
  std::string question;  // or empty
  std::vector<std::string> candidates;
};

/// A hearing's candidates with what an explanation may call them by.
struct Candidate {
  std::string text;
  std::string word;  // the word that its filling of the gap gives, or empty
  bool authors = false;
};

/// The author's answer and every other answer that does not equal it, each once (by `tidy`), sorted
/// by their tidy bytes. For a kind without answers: "sound" (the author's) and "unsound".
[[nodiscard]] std::vector<Candidate> make_candidates(const validators::Item& item,
                                                     const validators::GameKind& kind,
                                                     const validators::GameTerms& terms,
                                                     const std::vector<Ballot>& ballots,
                                                     const Policy& policy);

/// The question in that order; `ba` is `ab` reversed.
[[nodiscard]] HearingQuestion make_question(const Setting& setting, int ordinal,
                                            const std::string& echo, const std::string& question,
                                            const std::vector<Candidate>& candidates, Order order);

/// The question as one line of JSON.
[[nodiscard]] std::string to_json(const HearingQuestion& question);

/// A reply of the arbiter that could be read.
struct Ruling {
  std::optional<std::size_t> choice;  // index into the candidates; nothing: cannot be decided
  std::string why;
};

/// `echoes` as in parse_ballots. An answer about another item of the game is `incomplete`, or
/// `echo_mismatch` where it does not even echo that one.
[[nodiscard]] tl::expected<Ruling, Refusal> parse_ruling(const ModelResponse& response, int ordinal,
                                                         const std::vector<Candidate>& candidates,
                                                         const std::vector<std::string>& echoes);

/// `rulings` holds one an order that was asked, at least one. The first that holds counts: choices
/// that differ, no choice, not the author's, an explanation against its own choice.
[[nodiscard]] Verdict decide_hearing(const std::vector<Candidate>& candidates,
                                     const std::vector<Ruling>& rulings);

}  // namespace flagman::arbiter
