#pragma once
// HTML entities: what a text that came through a web page has left in it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

struct Entity {
  std::size_t begin = 0;              // of the ampersand
  std::size_t end = 0;                // behind the semicolon
  std::optional<char32_t> character;  // nothing where its number is no character's
};

/// The first entity at or after `from`: a decimal or hexadecimal number, or a name of
/// HTML 4 or `apos`, between `&` and `;`. A bare ampersand («AT&T», «R&B;») is none.
[[nodiscard]] std::optional<Entity> find_entity(std::string_view text, std::size_t from = 0);

/// Every entity that has one replaced by its character, once: what comes out is not read again.
[[nodiscard]] std::string decode_entities(std::string_view text);

}  // namespace flagman::validators
