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
#include "validators/text.h"

namespace flagman::validators {

/// The value as JSON text. Bytes of a delivery that is no JSON may be anything: what is not UTF-8
/// is kept as U+FFFD.
[[nodiscard]] std::string written(const Json& value);

/// The member with that name, or null.
[[nodiscard]] const Json* member_of(const Json& object, std::string_view name);

/// Where a value stands within the thing that is read: a member, or an element of a member. Written
/// out as a JSON Pointer only where something is found, which is seldom.
struct Place {
  std::string_view member;  // empty: the thing itself
  std::optional<std::size_t> index = std::nullopt;
};

/// What a text may be like.
struct TextLimits {
  int characters_max = 0;
  LineBreaks line_breaks = LineBreaks::forbidden;
  int characters_min = 0;
  OptionalChecks checks = {};
};

class Notes {
 public:
  /// Places begin with `base`, a JSON Pointer.
  Notes(std::vector<Finding>& findings, Severity severity, std::optional<ItemName> item,
        std::string base)
      : findings_(findings), severity_(severity), item_(std::move(item)), base_(std::move(base)) {}

  void add(Reason code, const Place& place, std::string detail);
  /// The same of a place that is a JSON Pointer within the thing.
  void add_at(Reason code, std::string_view pointer, std::string detail);
  void missing(std::string_view member);
  void wrong_type(const Place& place, std::string_view should);

  /// A text that people will see: not empty, of the right length, without a forbidden character, a
  /// word of two alphabets, markup or a placeholder.
  void check_text(const SeenText& text, const Place& place, const TextLimits& limits);
  /// A text that says what the package is about: its length and characters alone.
  void check_note(std::string_view text, const Place& place, const TextLimits& limits);
  void check_count(std::size_t count, const SizeRange& range, const Place& place);
  /// No two texts that pupils would see as the same.
  void check_distinct(const std::vector<Folded>& texts, std::string_view member);

 private:
  enum class Length { fits, too_long };
  Length check_length(std::string_view text, const Place& place, const TextLimits& limits);
  void check_characters(std::string_view text, const Place& place, LineBreaks line_breaks);
  void check_content(const SeenText& text, const Place& place, const OptionalChecks& checks);

  std::vector<Finding>& findings_;
  Severity severity_;
  std::optional<ItemName> item_;
  std::string base_;
};

}  // namespace flagman::validators
