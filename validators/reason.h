#pragma once
// The stable vocabulary of why: every code that an item or a package can carry
// as its reason. Others hold on to these words, so there is one list of them,
// and each has a sentence for teachers in config/languages.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace flagman::validators {

enum class Reason {
  // What code sees in a package, without asking anybody.
  bad_json,
  wrong_format,
  missing_field,
  wrong_type,
  unknown_field,
  too_long,
  too_short,
  too_many,
  empty_text,
  too_few,
  key_outside_domain,
  forbidden_character,
  mixed_alphabet,
  markup,
  duplicate_item,
  near_duplicate_item,
  duplicate_option,
  ambiguous_pair,
  contradictory_keys,
  catalogue_duplicate,
  pair_almost_expands,
  gap_missing,
  giveaway,
  placeholder,
  filling_not_a_word,
  key_against_dictionary,
  several_right,
  none_right,
  // What follows from votes, or from their absence.
  solvers_disagree,
  solver_says_unsound,
  pair_does_not_expand,
  arbiter_disagrees,
  arbiter_unstable,
  arbiter_contradicts_itself,
  arbiter_none,
  no_valid_ballot,
  model_unavailable,
  rounds_exhausted,
  rebuild_overdue,
  arbiter_invalid,
  operator_decision,
};

/// The code as others read it, for instance "key_outside_domain".
[[nodiscard]] std::string_view name_of(Reason reason);

/// The reason with that code, if there is one.
[[nodiscard]] std::optional<Reason> reason_named(std::string_view name);

/// All reasons in the order of the enumeration.
[[nodiscard]] std::span<const Reason> all_reasons();

}  // namespace flagman::validators
