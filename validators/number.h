#pragma once
// Exact numbers in short answers: «0,75», «75 %» and «6/8» are one number.

#include <string_view>

namespace flagman::validators {

/// True where both texts (tidied here) are numbers and equal as exact rationals. A number is
/// `[sign] digits [, or . digits] [%]` or `[sign] digits / digits`; thousands may be set off by
/// single spaces in groups of three, spaces may stand around `/` and before `%`, U+2212 is a
/// minus. No mixed numbers, no exponents; a text of more than 1,000 bytes or with a zero
/// denominator is no number. Pure.
[[nodiscard]] bool same_number(std::string_view one, std::string_view other);

/// True where the text (tidied here) is such a number.
[[nodiscard]] bool is_number(std::string_view text);

}  // namespace flagman::validators
