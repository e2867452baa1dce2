#pragma once
// Inside the readers alone: collects findings of one severity about one thing, and the checks of
// texts and counts that documents, games and items share.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validators/characters.h"
#include "validators/finding.h"
#include "validators/json.h"
#include "validators/kinds.h"

namespace flagman::validators {

/// The value as JSON text. Bytes of a delivery that is no JSON may be anything: what is not UTF-8
/// is kept as U+FFFD.
[[nodiscard]] std::string written(const Json& value);

/// The member with that name, or null.
[[nodiscard]] const Json* member_of(const Json& object, std::string_view name);

class Notes {
 public:
  Notes(std::vector<Finding>& findings, Severity severity, std::optional<ItemName> item)
      : findings_(findings), severity_(severity), item_(std::move(item)) {}

  void add(Reason code, std::string place, std::string detail);
  void wrong_type(std::string place, std::string_view should);

  /// A text that people will see: not empty, not too long, no forbidden character.
  void check_text(const std::string& text, const std::string& place, int characters_max,
                  LineBreaks line_breaks);
  void check_length(const std::string& text, const std::string& place, int characters_max);
  void check_characters(const std::string& text, const std::string& place, LineBreaks line_breaks);
  void check_count(std::size_t count, const SizeRange& range, const std::string& place);
  /// No two texts that pupils would see as the same.
  void check_distinct(const std::vector<std::string>& texts, const std::string& place);

 private:
  std::vector<Finding>& findings_;
  Severity severity_;
  std::optional<ItemName> item_;
};

}  // namespace flagman::validators
