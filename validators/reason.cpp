#include "validators/reason.h"

#include <algorithm>
#include <array>
#include <utility>

namespace flagman::validators {
namespace {

using enum Reason;

constexpr std::array names{
    std::pair{bad_json, std::string_view{"bad_json"}},
    std::pair{wrong_format, std::string_view{"wrong_format"}},
    std::pair{missing_field, std::string_view{"missing_field"}},
    std::pair{wrong_type, std::string_view{"wrong_type"}},
    std::pair{unknown_field, std::string_view{"unknown_field"}},
    std::pair{too_long, std::string_view{"too_long"}},
    std::pair{too_short, std::string_view{"too_short"}},
    std::pair{too_many, std::string_view{"too_many"}},
    std::pair{empty_text, std::string_view{"empty_text"}},
    std::pair{too_few, std::string_view{"too_few"}},
    std::pair{key_outside_domain, std::string_view{"key_outside_domain"}},
    std::pair{forbidden_character, std::string_view{"forbidden_character"}},
    std::pair{mixed_alphabet, std::string_view{"mixed_alphabet"}},
    std::pair{markup, std::string_view{"markup"}},
    std::pair{duplicate_item, std::string_view{"duplicate_item"}},
    std::pair{near_duplicate_item, std::string_view{"near_duplicate_item"}},
    std::pair{duplicate_option, std::string_view{"duplicate_option"}},
    std::pair{ambiguous_pair, std::string_view{"ambiguous_pair"}},
    std::pair{contradictory_keys, std::string_view{"contradictory_keys"}},
    std::pair{catalogue_duplicate, std::string_view{"catalogue_duplicate"}},
    std::pair{pair_almost_expands, std::string_view{"pair_almost_expands"}},
    std::pair{gap_missing, std::string_view{"gap_missing"}},
    std::pair{giveaway, std::string_view{"giveaway"}},
    std::pair{placeholder, std::string_view{"placeholder"}},
    std::pair{filling_not_a_word, std::string_view{"filling_not_a_word"}},
    std::pair{key_against_dictionary, std::string_view{"key_against_dictionary"}},
    std::pair{several_right, std::string_view{"several_right"}},
    std::pair{none_right, std::string_view{"none_right"}},
    std::pair{solvers_disagree, std::string_view{"solvers_disagree"}},
    std::pair{solver_says_unsound, std::string_view{"solver_says_unsound"}},
    std::pair{pair_does_not_expand, std::string_view{"pair_does_not_expand"}},
    std::pair{arbiter_disagrees, std::string_view{"arbiter_disagrees"}},
    std::pair{arbiter_unstable, std::string_view{"arbiter_unstable"}},
    std::pair{arbiter_contradicts_itself, std::string_view{"arbiter_contradicts_itself"}},
    std::pair{arbiter_none, std::string_view{"arbiter_none"}},
    std::pair{no_valid_ballot, std::string_view{"no_valid_ballot"}},
    std::pair{model_unavailable, std::string_view{"model_unavailable"}},
    std::pair{rounds_exhausted, std::string_view{"rounds_exhausted"}},
    std::pair{rebuild_overdue, std::string_view{"rebuild_overdue"}},
    std::pair{arbiter_invalid, std::string_view{"arbiter_invalid"}},
    std::pair{operator_decision, std::string_view{"operator_decision"}},
};

constexpr auto reasons = [] {
  std::array<Reason, names.size()> list{};
  for (std::size_t i = 0; i < names.size(); ++i) list[i] = names[i].first;
  return list;
}();

// The table is looked up by position, so it must stand in the enumeration's order.
static_assert([] {
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (static_cast<std::size_t>(reasons[i]) != i) return false;
  }
  return reasons.back() == operator_decision;
}());

}  // namespace

std::string_view name_of(Reason reason) { return names[static_cast<std::size_t>(reason)].second; }

std::optional<Reason> reason_named(std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& entry) { return entry.second == name; });
  if (found == names.end()) return std::nullopt;
  return found->first;
}

std::span<const Reason> all_reasons() { return reasons; }

}  // namespace flagman::validators
