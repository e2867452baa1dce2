#include "validators/kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "validators/json.h"

namespace flagman::validators {
namespace {

// Thrown and caught within this file: a description is read by many small functions, and the first
// fault ends the reading.
struct BadDescription : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw BadDescription{place + ": " + what};
}

// An object of a description whose fields are all known.
class Fields {
 public:
  Fields(const Json& value, std::string place, std::initializer_list<std::string_view> known)
      : value_(value), place_(std::move(place)) {
    if (!value.is_object()) refuse(place_, "should be an object");
    for (const auto& [name, member] : value.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        refuse(place_, "unknown field «" + name + "»");
      }
    }
  }

  [[nodiscard]] const Json* find(std::string_view name) const {
    const auto member = value_.find(name);
    return member == value_.end() ? nullptr : &*member;
  }

  [[nodiscard]] std::string text(std::string_view name) const {
    const auto* member = find(name);
    if (member == nullptr) return {};
    if (!member->is_string()) refuse(at(name), "should be a string");
    return member->get<std::string>();
  }

  [[nodiscard]] int number(std::string_view name, int otherwise) const {
    const auto* member = find(name);
    if (member == nullptr) return otherwise;
    constexpr int largest = 1'000'000;
    if (!member->is_number_integer() || member->get<std::int64_t>() < 0 ||
        member->get<std::int64_t>() > largest) {
      refuse(at(name), "should be a whole number from 0 to " + std::to_string(largest));
    }
    return member->get<int>();
  }

  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const {
    const auto* member = find(name);
    if (member == nullptr) return {};
    if (!member->is_array()) refuse(at(name), "should be a list of strings");
    std::vector<std::string> list;
    for (const auto& element : *member) {
      if (!element.is_string()) refuse(at(name), "should be a list of strings");
      list.push_back(element.get<std::string>());
    }
    return list;
  }

  [[nodiscard]] SizeRange range() const {
    SizeRange range{number("min", 1), number("max", 0)};
    if (range.max < range.min) refuse(place_, "`max` should be at least `min`");
    return range;
  }

  [[nodiscard]] std::string at(std::string_view name) const { return pointer_to(place_, name); }

 private:
  const Json& value_;
  std::string place_;
};

template <typename Value, std::size_t Size>
Value one_of(const std::array<std::pair<std::string_view, Value>, Size>& known,
             const std::string& name, const std::string& place) {
  std::string names;
  for (const auto& [text, value] : known) {
    if (text == name) return value;
    names += (names.empty() ? "" : ", ") + std::string{text};
  }
  refuse(place, "should be one of " + names);
}

constexpr std::array answer_forms{
    std::pair{std::string_view{"option"}, AnswerForm::option},
    std::pair{std::string_view{"label"}, AnswerForm::label},
    std::pair{std::string_view{"partner"}, AnswerForm::partner},
    std::pair{std::string_view{"soundness"}, AnswerForm::soundness},
    std::pair{std::string_view{"short_text"}, AnswerForm::short_text},
    std::pair{std::string_view{"sequence"}, AnswerForm::sequence},
};

constexpr std::array echo_forms{
    std::pair{std::string_view{"text"}, EchoForm::text},
    std::pair{std::string_view{"text_and_options_where_repeated"},
              EchoForm::text_and_options_where_repeated},
    std::pair{std::string_view{"options"}, EchoForm::options},
};

void read_item_fields(GameKind& kind, const Json& item, const std::string& place) {
  if (item.is_string()) {
    if (item.get<std::string>() != "text") refuse(place, "should be \"text\" or an object");
    kind.item_is_text = true;
    return;
  }
  const Fields fields{
      item, place, {"text", "optional_text", "options", "key", "accept", "optional"}};
  kind.text_field = fields.text("text");
  kind.optional_text_field = fields.text("optional_text");
  kind.options_field = fields.text("options");
  kind.key_field = fields.text("key");
  kind.accept_field = fields.text("accept");
  for (const auto& name : fields.texts("optional")) {
    if (name != "asks") refuse(fields.at("optional"), "only \"asks\" may stand here");
    kind.may_ask = true;
  }
  if (kind.answer == AnswerForm::sequence) kind.options_field = kind.key_field;
}

void read_labels(GameKind& kind, const Json& labels, const std::string& place) {
  const Fields fields{labels, place, {"field", "fixed", "min", "max", "fillings"}};
  kind.labels_field = fields.text("field");
  kind.fixed_labels = fields.texts("fixed");
  if (kind.labels_field.empty() == kind.fixed_labels.empty()) {
    refuse(place, "should have either `field` or `fixed`");
  }
  if (!kind.labels_field.empty()) kind.labels = fields.range();
  if (const auto* fillings = fields.find("fillings"); fillings != nullptr) {
    if (!fillings->is_object()) refuse(fields.at("fillings"), "should be an object of strings");
    for (const auto& [label, filling] : fillings->items()) {
      if (!filling.is_string()) refuse(fields.at("fillings"), "should be an object of strings");
      kind.default_fillings[label] = filling.get<std::string>();
    }
  }
}

constexpr std::array optional_checks{
    std::pair{std::string_view{"mixed_alphabet"}, &OptionalChecks::mixed_alphabet},
    std::pair{std::string_view{"markup"}, &OptionalChecks::markup},
    std::pair{std::string_view{"placeholder"}, &OptionalChecks::placeholder},
    std::pair{std::string_view{"giveaway"}, &OptionalChecks::giveaway},
    std::pair{std::string_view{"near_duplicate_item"}, &OptionalChecks::near_duplicate_item},
    std::pair{std::string_view{"pair_almost_expands"}, &OptionalChecks::pair_almost_expands},
};

void check_whole(const GameKind& kind, const std::string& place) {
  const bool has_options = !kind.options_field.empty();
  const bool has_labels = !kind.labels_field.empty() || !kind.fixed_labels.empty();
  const bool wants_options =
      kind.answer == AnswerForm::option || kind.answer == AnswerForm::sequence;
  if (has_options != wants_options) {
    refuse(place, wants_options ? "this answer form needs `options`"
                                : "this answer form has no `options`");
  }
  if (has_options && kind.options.max == 0) refuse(place, "`options` needs `min` and `max`");
  if (has_labels != (kind.answer == AnswerForm::label)) {
    refuse(place, has_labels ? "only the answer form label has `labels`" : "needs `labels`");
  }
  if (kind.key_field.empty() != (kind.answer == AnswerForm::soundness)) {
    refuse(place, "every answer form but soundness needs `key`, and soundness has none");
  }
  if (!kind.accept_field.empty() && kind.answer != AnswerForm::short_text) {
    refuse(place, "only the answer form short_text has `accept`");
  }
  const bool echoes_options = kind.echo == EchoForm::options;
  if (!kind.item_is_text && kind.text_field.empty() != echoes_options) {
    refuse(place, "needs `text`, or the options as its echo");
  }
  if (kind.echo != EchoForm::text && kind.answer != AnswerForm::option) {
    refuse(place, "only the answer form option can be echoed by its options");
  }
}

GameKind read_kind(const std::string& name, const Json& value, const GameKind& defaults,
                   const std::string& place) {
  const Fields fields{value,
                      place,
                      {"answer", "item", "echo", "line_break_in", "options", "labels", "shared",
                       "gap_also", "items", "characters_min", "characters_max", "skip"}};
  GameKind kind = defaults;
  kind.name = name;
  kind.text_characters_max = fields.number("characters_max", defaults.text_characters_max);
  kind.text_characters_min = fields.number("characters_min", defaults.text_characters_min);
  if (kind.text_characters_max < kind.text_characters_min) {
    refuse(place, "`characters_max` should be at least `characters_min`");
  }
  kind.answer = one_of(answer_forms, fields.text("answer"), fields.at("answer"));
  if (fields.find("echo") != nullptr) {
    kind.echo = one_of(echo_forms, fields.text("echo"), fields.at("echo"));
  }
  const auto* item = fields.find("item");
  if (item == nullptr) refuse(place, "`item` is missing");
  read_item_fields(kind, *item, fields.at("item"));
  kind.line_break_in = fields.texts("line_break_in");
  if (const auto* options = fields.find("options"); options != nullptr) {
    const Fields sizes{
        *options, fields.at("options"), {"min", "max", "characters_min", "characters_max"}};
    kind.options = sizes.range();
    kind.option_characters_max = sizes.number("characters_max", kind.text_characters_max);
    kind.option_characters_min = sizes.number("characters_min", 0);
    if (kind.option_characters_max < kind.option_characters_min) {
      refuse(fields.at("options"), "`characters_max` should be at least `characters_min`");
    }
  }
  if (const auto* labels = fields.find("labels"); labels != nullptr) {
    read_labels(kind, *labels, fields.at("labels"));
  }
  if (const auto* shared = fields.find("shared"); shared != nullptr) {
    if (!shared->is_object()) refuse(fields.at("shared"), "should be an object");
    for (const auto& [field, description] : shared->items()) {
      const auto at = pointer_to(fields.at("shared"), field);
      const Fields text{description, at, {"line_break"}};
      const auto* line_break = text.find("line_break");
      if (line_break != nullptr && !line_break->is_boolean())
        refuse(at, "`line_break` is no boolean");
      kind.shared_texts[field] = line_break != nullptr && line_break->get<bool>();
    }
  }
  kind.gap_also = fields.text("gap_also");
  if (kind.gap_also.find_first_not_of("- ") != std::string::npos) {
    refuse(fields.at("gap_also"), "may hold a hyphen and a space alone");
  }
  for (const auto& code : fields.texts("skip")) {
    kind.checks.*one_of(optional_checks, code, fields.at("skip")) = false;
  }
  if (const auto* items = fields.find("items"); items != nullptr) {
    kind.items = Fields{*items, fields.at("items"), {"min", "max"}}.range();
  }
  check_whole(kind, place);
  return kind;
}

}  // namespace

tl::expected<Kinds, std::string> parse_kinds(std::string_view bytes) {
  const auto document = parse_json(skip_byte_order_mark(bytes));
  if (!document) {
    const auto& fault = document.error();
    return tl::unexpected{"not JSON: " + fault.what + " (byte " + std::to_string(fault.byte) + ")"};
  }
  try {
    const Fields fields{*document, "", {"format", "kinds", "limits"}};
    if (fields.text("format") != "flagman.games/1") {
      refuse("/format", "should be \"flagman.games/1\"");
    }
    GameKind defaults;
    if (const auto* limits = fields.find("limits"); limits != nullptr) {
      const Fields sizes{*limits,
                         "/limits",
                         {"items_min", "items_max", "text_characters_min", "text_characters_max"}};
      defaults.items = {sizes.number("items_min", 1), sizes.number("items_max", 200)};
      if (defaults.items.max < defaults.items.min) {
        refuse("/limits", "`items_max` should be at least `items_min`");
      }
      defaults.text_characters_min = sizes.number("text_characters_min", 0);
      defaults.text_characters_max = sizes.number("text_characters_max", 500);
    }
    const auto* list = fields.find("kinds");
    if (list == nullptr || !list->is_object() || list->empty()) {
      refuse("/kinds", "should be an object with at least one kind");
    }
    Kinds kinds;
    for (const auto& [name, value] : list->items()) {
      const auto place = pointer_to("/kinds", name);
      if (name.empty() || name.find_first_of("/@# ") != std::string::npos) {
        refuse(place, "a kind's name is not empty and holds no «/», «@», «#» or space");
      }
      kinds.emplace(name, read_kind(name, value, defaults, place));
    }
    return kinds;
  } catch (const BadDescription& bad) {
    return tl::unexpected{std::string{bad.what()}};
  }
}

}  // namespace flagman::validators
