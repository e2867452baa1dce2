#pragma once
// PostgreSQL array literals: libpqxx 6 has no array parameters, so arrays travel as text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::daemon {

/// A text as PostgreSQL can hold it: U+0000, which it cannot, becomes U+FFFD.
[[nodiscard]] std::string storable_text(std::string_view text);

/// Collects one array parameter, element by element.
class ArrayText {
 public:
  void add_number(std::int64_t value);
  void add_text(std::string_view value);                       // as storable_text has it
  void add_optional(const std::optional<std::string>& value);  // NULL where there is none
  void add_bytes(std::string_view value);                      // as bytea

  /// `{…}`; the collector is empty again then.
  [[nodiscard]] std::string take();

 private:
  void separate();
  std::string text_ = "{";
};

}  // namespace flagman::daemon
