#pragma once
// Characters that may not stand in any text of a package: nobody sees them on
// the board, and they break search, comparison or the line itself.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

enum class LineBreaks { allowed, forbidden };

struct ForbiddenCharacter {
  char32_t character = 0;
  std::size_t byte = 0;  // offset in the text
};

/// The first character of `text` that may not stand there: controls (a tab too; a line feed,
/// carriage return, U+2028 or U+2029 only where line breaks are allowed), what is invisible and
/// belongs to no emoji, direction marks and controls, U+FFF9–U+FFFD, private use and noncharacters.
/// Pure; linear; UTF-8 in, a bad byte counts as U+FFFD.
[[nodiscard]] std::optional<ForbiddenCharacter> find_forbidden(std::string_view text,
                                                               LineBreaks line_breaks);

/// True of characters that take no room and change nothing: the soft hyphen, zero width space,
/// joiner and non-joiner, word joiner, invisible operators, byte order mark, variation selectors,
/// tags, fillers. `tidy` drops them where they belong to no emoji; direction marks it keeps.
[[nodiscard]] bool is_invisible(char32_t character);

/// True where the invisible character at `offset` is part of an emoji: a joiner between two
/// pictographs (a family of three), a variation selector behind one or behind a keycap's base, a
/// tag of a flag.
[[nodiscard]] bool belongs_to_emoji(std::string_view text, std::size_t offset);

/// "U+200B".
[[nodiscard]] std::string code_point_name(char32_t character);

}  // namespace flagman::validators
