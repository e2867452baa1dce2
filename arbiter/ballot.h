#pragma once
// Ballots: a solver's reply, read as strictly as it is asked for, or refused
// whole. A refused reply is never half used.

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "arbiter/blind_sheet.h"
#include "arbiter/reply.h"
#include "validators/package.h"

namespace flagman::arbiter {

/// What a solver says a pair is; only games of partners have it.
enum class Relation { expansion, other };

/// One accepted answer of one solver about one item.
struct Ballot {
  bool sound = false;         // the item itself is sound
  validators::Answer answer;  // in the solver's words
  std::optional<Relation> relation;
  std::string why;
};

/// The ballots of a reply, one for each item of the sheet, in the sheet's order. `echoes` are the
/// texts of all items of the game by ordinal, as they stand now: an answer about an item that is
/// not on the sheet must echo it too, and is otherwise ignored. Pure; never throws on any bytes
/// (but std::bad_alloc).
[[nodiscard]] tl::expected<std::vector<Ballot>, Refusal> parse_ballots(
    const ModelResponse& response, const BlindSheet& sheet, const std::vector<std::string>& echoes);

}  // namespace flagman::arbiter
