#pragma once
// Placeholders: a template that was never filled, now on its way to the board.

#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

/// The first placeholder of a template that was never filled: «{{слово}}», «${name}», «%s»,
/// «[[пропуск-7]]», «<слово>», «[вставьте ответ]», «TODO», … Sets («{1; 2}»), transcriptions
/// («[малако]»), notes («[1]») and per cents are none. Time is linear in
/// texts of ordinary length; a text should be within its limit.
[[nodiscard]] std::optional<std::string> find_placeholder(std::string_view text);

}  // namespace flagman::validators
