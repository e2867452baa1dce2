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

/// The first character of `text` that may not stand there: controls (a tab too; line feed and
/// carriage return only where line breaks are allowed), U+00AD, zero-width characters outside an
/// emoji sequence, direction marks and controls, U+2060–U+2064, U+FEFF, U+FFF9–U+FFFD, private use
/// and noncharacters. Pure; linear; UTF-8 in, a bad byte counts as U+FFFD.
[[nodiscard]] std::optional<ForbiddenCharacter> find_forbidden(std::string_view text,
                                                               LineBreaks line_breaks);

/// "U+200B".
[[nodiscard]] std::string code_point_name(char32_t character);

/// True where the zero width joiner at `offset` joins two pictographs: `👨‍👩‍👧`.
[[nodiscard]] bool joins_emoji(std::string_view text, std::size_t offset);

}  // namespace flagman::validators
