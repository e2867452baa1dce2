// The normal forms take any bytes, and nothing of what they drop is left.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "validators/characters.h"
#include "validators/text.h"

using namespace flagman::validators;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto tidied = tidy(bytes);
  // A bad byte grows to the three of U+FFFD; composing grows a character at most threefold.
  if (tidied.size() > 9 * size + 9) std::abort();
  if (tidied.starts_with(' ') || tidied.ends_with(' ') || tidied.find("  ") != std::string::npos) {
    std::abort();
  }
  if (tidied.find("\u2026") != std::string::npos &&
      bytes.find_first_of("?!") == std::string_view::npos) {
    std::abort();
  }
  if (!same_text(bytes, bytes)) std::abort();
  static_cast<void>(fold(bytes));
  static_cast<void>(lookup(bytes));
  static_cast<void>(caseless(bytes));
  static_cast<void>(find_forbidden(bytes, LineBreaks::allowed));
  static_cast<void>(longer_than(bytes, 5));
  static_cast<void>(word_filled(tidied, "н"));
  return 0;
}
