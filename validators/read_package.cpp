#include "validators/read_package.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "validators/characters.h"
#include "validators/duplicates.h"
#include "validators/json.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

// Bytes of a delivery that is no JSON may be anything: what is not UTF-8 is kept as U+FFFD.
std::string written(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member_of(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

std::string range_text(const SizeRange& range) {
  return std::to_string(range.min) + " to " + std::to_string(range.max);
}

// Collects findings of one severity about one thing: the document, a game or an item.
class Notes {
 public:
  Notes(std::vector<Finding>& findings, Severity severity, std::optional<ItemName> item)
      : findings_(findings), severity_(severity), item_(std::move(item)) {}

  void add(Reason code, std::string place, std::string detail) {
    findings_.push_back({code, severity_, item_, std::move(place), std::move(detail)});
  }

  void wrong_type(std::string place, std::string_view should) {
    add(Reason::wrong_type, std::move(place), "should be " + std::string{should});
  }

  // A text that people will see.
  void check_text(const std::string& text, const std::string& place, int characters_max,
                  LineBreaks line_breaks) {
    if (tidy(text).empty()) add(Reason::empty_text, place, "the text is empty");
    check_length(text, place, characters_max);
    check_characters(text, place, line_breaks);
  }

  void check_length(const std::string& text, const std::string& place, int characters_max) {
    if (longer_than(text, characters_max)) {
      add(Reason::too_long, place, "longer than " + std::to_string(characters_max) + " characters");
    }
  }

  void check_characters(const std::string& text, const std::string& place, LineBreaks line_breaks) {
    if (const auto bad = find_forbidden(text, line_breaks)) {
      add(Reason::forbidden_character, place,
          code_point_name(bad->character) + " at byte " + std::to_string(bad->byte) +
              " of the text");
    }
  }

  void check_count(std::size_t count, const SizeRange& range, const std::string& place) {
    if (count < static_cast<std::size_t>(range.min)) {
      add(Reason::too_few, place, std::to_string(count) + ", should be " + range_text(range));
    } else if (count > static_cast<std::size_t>(range.max)) {
      add(Reason::too_many, place, std::to_string(count) + ", should be " + range_text(range));
    }
  }

  // Texts that pupils would see as the same.
  void check_distinct(const std::vector<std::string>& texts, const std::string& place) {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!seen.insert(fold(texts[i])).second) {
        add(Reason::duplicate_option, pointer_to(place, i), "stands there twice: " + texts[i]);
      }
    }
  }

 private:
  std::vector<Finding>& findings_;
  Severity severity_;
  std::optional<ItemName> item_;
};

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string all;
  for (const auto& text : texts) {
    if (&text != &texts.front()) all += separator;
    all += text;
  }
  return all;
}

// Sorting by the tidy form takes the author's order away, which for steps is the key.
std::vector<std::string> sorted_by_tidy(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> keyed;
  keyed.reserve(texts.size());
  for (const auto& text : texts) keyed.emplace_back(tidy(text), text);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::string> sorted;
  sorted.reserve(texts.size());
  for (auto& [form, text] : keyed) sorted.push_back(std::move(text));
  return sorted;
}

class ItemReader {
 public:
  ItemReader(const GameKind& kind, const GameTerms& terms, const ItemName& name)
      : kind_(kind), terms_(terms), notes_(item_.findings, Severity::flag, name) {
    item_.key_written = "null";
  }

  Item read(const Json& value) {
    item_.written = written(value);
    if (kind_.item_is_text) {
      read_bare_text(value);
    } else if (!value.is_object()) {
      notes_.wrong_type(place_, "an object");
    } else {
      read_object(value);
    }
    check_gap();
    return std::move(item_);
  }

  Item unreadable(const JsonFault& fault, std::string_view bytes) {
    item_.written = written(Json(bytes));
    notes_.add(Reason::bad_json, place_ + fault.place,
               fault.what + " (byte " + std::to_string(fault.byte) + ")");
    return std::move(item_);
  }

 private:
  void read_bare_text(const Json& value) {
    if (!value.is_string()) {
      notes_.wrong_type(place_, "a string");
      return;
    }
    const auto text = value.get<std::string>();
    notes_.check_text(text, place_, kind_.text_characters_max, LineBreaks::forbidden);
    item_.face = ItemFace{text, {}, {}, {}};
    item_.key = AuthorKey{std::monostate{}, {}};
  }

  void read_object(const Json& value) {
    check_names(value);
    std::string text;
    bool typed = true;
    if (!kind_.text_field.empty()) typed = read_text(value, kind_.text_field, text);
    std::string question;
    if (!kind_.optional_text_field.empty() && member_of(value, kind_.optional_text_field)) {
      read_text(value, kind_.optional_text_field, question);
    }
    std::vector<std::string> options;
    if (!kind_.options_field.empty()) typed = read_options(value, options) && typed;
    if (typed) make_face(std::move(text), std::move(question), options);
    if (kind_.may_ask) read_asks(value);
    read_key(value, options);
  }

  void check_names(const Json& value) {
    for (const auto& [name, member] : value.items()) {
      const bool known = name == kind_.text_field || name == kind_.optional_text_field ||
                         name == kind_.options_field || name == kind_.key_field ||
                         name == kind_.accept_field || (kind_.may_ask && name == "asks");
      if (!known || name.empty()) {
        notes_.add(Reason::unknown_field, pointer_to(place_, name),
                   "an item of " + kind_.name + " has no field «" + name + "»");
      }
    }
  }

  [[nodiscard]] LineBreaks line_breaks(const std::string& field) const {
    const auto& names = kind_.line_break_in;
    return std::find(names.begin(), names.end(), field) == names.end() ? LineBreaks::forbidden
                                                                       : LineBreaks::allowed;
  }

  const Json* required(const Json& value, const std::string& field) {
    const auto* member = member_of(value, field);
    if (member == nullptr) {
      notes_.add(Reason::missing_field, pointer_to(place_, field), "the field is missing");
    }
    return member;
  }

  bool read_text(const Json& value, const std::string& field, std::string& text) {
    const auto* member = required(value, field);
    if (member == nullptr) return false;
    const auto at = pointer_to(place_, field);
    if (!member->is_string()) {
      notes_.wrong_type(at, "a string");
      return false;
    }
    text = member->get<std::string>();
    notes_.check_text(text, at, kind_.text_characters_max, line_breaks(field));
    return true;
  }

  bool read_options(const Json& value, std::vector<std::string>& options) {
    const auto* member = required(value, kind_.options_field);
    if (member == nullptr) return false;
    const auto at = pointer_to(place_, kind_.options_field);
    if (!read_texts(*member, at, kind_.option_characters_max, options)) return false;
    notes_.check_count(options.size(), kind_.options, at);
    notes_.check_distinct(options, at);
    return true;
  }

  // A list of texts; true where it is one, whatever else is wrong with them.
  bool read_texts(const Json& list, const std::string& at, int characters_max,
                  std::vector<std::string>& texts) {
    if (!list.is_array()) {
      notes_.wrong_type(at, "a list of strings");
      return false;
    }
    bool typed = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string()) {
        notes_.wrong_type(pointer_to(at, i), "a string");
        typed = false;
        continue;
      }
      texts.push_back(list[i].get<std::string>());
      notes_.check_text(texts.back(), pointer_to(at, i), characters_max, LineBreaks::forbidden);
    }
    return typed;
  }

  void make_face(std::string text, std::string question, const std::vector<std::string>& options) {
    ItemFace face;
    face.text = kind_.echo == EchoForm::options ? joined(options, "; ") : std::move(text);
    face.question = std::move(question);
    if (kind_.echo == EchoForm::text_and_options_where_repeated) {
      face.text_with_options = face.text + " | " + joined(options, " | ");
    }
    face.options = sorted_by_tidy(options);
    item_.face = std::move(face);
  }

  void read_asks(const Json& value) {
    const auto* member = member_of(value, "asks");
    if (member == nullptr) return;
    if (member->is_string()) {
      item_.asks = member->get<std::string>();
    } else {
      notes_.wrong_type(pointer_to(place_, "asks"), "a string");
    }
  }

  void read_key(const Json& value, const std::vector<std::string>& options) {
    const auto at = pointer_to(place_, kind_.key_field);
    if (const auto* member = member_of(value, kind_.key_field))
      item_.key_written = written(*member);
    switch (kind_.answer) {
      case AnswerForm::option:
        read_index(value, options, at);
        break;
      case AnswerForm::label:
        read_label(value, at);
        break;
      case AnswerForm::partner:
      case AnswerForm::short_text:
        read_text_key(value);
        break;
      case AnswerForm::sequence:
        // The steps were read as options, in the author's order; untyped ones have no face.
        if (item_.face) item_.key = AuthorKey{options, {}};
        break;
      case AnswerForm::soundness:
        item_.key = AuthorKey{std::monostate{}, {}};
        break;
    }
  }

  void read_index(const Json& value, const std::vector<std::string>& options,
                  const std::string& at) {
    const auto* member = required(value, kind_.key_field);
    if (member == nullptr) return;
    if (!member->is_number_integer()) {
      notes_.wrong_type(at, "the index of an option, from 0");
      return;
    }
    if (!item_.face) return;  // without its options an index says nothing
    const bool in_domain =
        member->is_number_unsigned() ? member->get<std::uint64_t>() < options.size() : false;
    if (!in_domain) {
      notes_.add(Reason::key_outside_domain, at,
                 "there is no option " + written(*member) + ": there are " +
                     std::to_string(options.size()) + ", from 0");
      return;
    }
    item_.key = AuthorKey{options[member->get<std::size_t>()], {}};
  }

  void read_label(const Json& value, const std::string& at) {
    const auto* member = required(value, kind_.key_field);
    if (member == nullptr) return;
    if (!member->is_string()) {
      notes_.wrong_type(at, "a string");
      return;
    }
    const auto label = member->get<std::string>();
    const bool in_domain =
        std::any_of(terms_.labels.begin(), terms_.labels.end(),
                    [&](const std::string& known) { return same_text(known, label); });
    if (in_domain) {
      item_.key = AuthorKey{label, {}};
    } else {
      notes_.add(Reason::key_outside_domain, at,
                 "«" + label + "» is none of: " + joined(terms_.labels, ", "));
    }
  }

  void read_text_key(const Json& value) {
    std::string text;
    const bool typed = read_text(value, kind_.key_field, text);
    std::vector<std::string> accept;
    if (!kind_.accept_field.empty()) {
      if (const auto* member = member_of(value, kind_.accept_field)) {
        read_texts(*member, pointer_to(place_, kind_.accept_field), kind_.text_characters_max,
                   accept);
      }
    }
    if (typed) item_.key = AuthorKey{std::move(text), std::move(accept)};
  }

  // Where the game says what fills the gap, every item needs one: in its text or in its options.
  void check_gap() {
    if (!terms_.has_fillings || !item_.face) return;
    const auto has_gap = [](const std::string& text) { return find_gap(tidy(text)).has_value(); };
    const auto& face = *item_.face;
    if (!has_gap(face.text) && std::none_of(face.options.begin(), face.options.end(), has_gap)) {
      notes_.add(Reason::gap_missing, place_, "the game has fillings, but the text has no gap");
    }
  }

  const GameKind& kind_;
  const GameTerms& terms_;
  const std::string place_;  // places begin at the item
  Item item_;
  Notes notes_;
};

class PackageReader {
 public:
  explicit PackageReader(std::shared_ptr<const Kinds> kinds)
      : notes_(reading_.findings, Severity::reject, std::nullopt) {
    reading_.package.kinds = std::move(kinds);
  }

  PackageReading read(const Json& document) {
    if (document.is_object()) {
      read_document(document);
    } else {
      notes_.wrong_type("", "an object");
    }
    if (reading_.rejected()) reading_.package.games.clear();
    return std::move(reading_);
  }

  PackageReading refuse(Reason code, std::string place, std::string detail) {
    notes_.add(code, std::move(place), std::move(detail));
    return std::move(reading_);
  }

 private:
  void read_document(const Json& document) {
    auto& package = reading_.package;
    read_format(document);
    package.id = optional_text(document, "id");
    package.topic = optional_text(document, "topic");
    package.subject = optional_text(document, "subject");
    package.language = optional_text(document, "language");
    package.teacher = optional_text(document, "teacher");
    read_grade(document);
    const auto* games = member_of(document, "games");
    if (games == nullptr) {
      notes_.add(Reason::missing_field, "/games", "the field is missing");
    } else if (!games->is_object()) {
      notes_.wrong_type("/games", "an object: kind of game to game");
    } else if (games->empty()) {
      notes_.add(Reason::too_few, "/games", "a package has at least one game");
    } else {
      for (const auto& [name, game] : games->items()) read_game(name, game);
    }
  }

  void read_format(const Json& document) {
    const auto* format = member_of(document, "format");
    if (format == nullptr) {
      notes_.add(Reason::missing_field, "/format", "the field is missing");
    } else if (*format != "flagman.package/1") {
      notes_.add(Reason::wrong_format, "/format", "should be \"flagman.package/1\"");
    }
  }

  std::string optional_text(const Json& document, const std::string& name) {
    const auto* member = member_of(document, name);
    if (member == nullptr) return {};
    const auto place = pointer_to("", name);
    if (!member->is_string()) {
      notes_.wrong_type(place, "a string");
      return {};
    }
    auto text = member->get<std::string>();
    notes_.check_length(text, place, text_characters_max);
    notes_.check_characters(text, place, LineBreaks::forbidden);
    return text;
  }

  void read_grade(const Json& document) {
    const auto* grade = member_of(document, "grade");
    if (grade == nullptr) return;
    if (grade->is_number_unsigned() &&
        grade->get<std::uint64_t>() <= std::numeric_limits<int>::max()) {
      reading_.package.grade = grade->get<int>();
    } else {
      notes_.wrong_type("/grade", "a whole number");
    }
  }

  void read_game(const std::string& name, const Json& value) {
    const auto place = pointer_to("/games", name);
    const auto& kinds = *reading_.package.kinds;
    const auto kind = kinds.find(name);
    if (kind == kinds.end()) {
      notes_.add(Reason::unknown_field, place, "there is no kind of game «" + name + "»");
      return;
    }
    if (!value.is_object()) {
      notes_.wrong_type(place, "an object");
      return;
    }
    Game game;
    game.kind = &kind->second;
    read_terms(game, value, place);
    const auto* data = member_of(value, "data");
    if (data == nullptr) {
      notes_.add(Reason::missing_field, place + "/data", "the field is missing");
      return;
    }
    if (!data->is_array()) {
      notes_.wrong_type(place + "/data", "a list of items");
      return;
    }
    notes_.check_count(data->size(), game.kind->items, place + "/data");
    // Past the limit the package is refused anyway, and its items are not judged.
    if (data->size() > static_cast<std::size_t>(game.kind->items.max)) return;
    read_items(game, *data, place + "/data");
    reading_.package.games.push_back(std::move(game));
  }

  void read_items(Game& game, const Json& data, const std::string& place) {
    game.items.reserve(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      const ItemName name{game.kind->name, static_cast<int>(i)};
      ItemReader reader{*game.kind, game.terms, name};
      game.items.push_back(reader.read(data[i]));
    }
    std::vector<DuplicateSubject> subjects;
    subjects.reserve(game.items.size());
    for (const auto& item : game.items) subjects.push_back({&item, item.well_formed()});
    for (auto& finding : check_duplicates(*game.kind, subjects)) {
      auto& item = game.items[static_cast<std::size_t>(finding.item->ordinal)];
      item.relations.push_back(std::move(finding));
    }
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      for (auto& finding : game.items[i].all_findings()) {
        finding.place.insert(0, pointer_to(place, i));
        reading_.findings.push_back(std::move(finding));
      }
    }
  }

  void read_terms(Game& game, const Json& value, const std::string& place) {
    auto& terms = game.terms;
    const auto& kind = *game.kind;
    Json rest = Json::object();
    for (const auto& [name, member] : value.items()) {
      if (name != "data") rest[name] = member;
    }
    terms.written = written(rest);
    terms.labels = kind.fixed_labels;
    if (!kind.labels_field.empty()) read_labels(game, value, pointer_to(place, kind.labels_field));
    for (const auto& [field, line_break] : kind.shared_texts) {
      read_shared_text(terms, value, place, field,
                       line_break ? LineBreaks::allowed : LineBreaks::forbidden);
    }
    for (const auto& [label, filling] : kind.default_fillings) {
      terms.fillings[tidy(label)] = filling;
    }
    if (const auto* fillings = member_of(value, "fillings")) {
      read_fillings(terms, *fillings, pointer_to(place, "fillings"));
    }
  }

  void read_labels(Game& game, const Json& value, const std::string& place) {
    const auto* labels = member_of(value, game.kind->labels_field);
    if (labels == nullptr) {
      notes_.add(Reason::missing_field, place, "the field is missing");
      return;
    }
    if (!labels->is_array()) {
      notes_.wrong_type(place, "a list of strings");
      return;
    }
    for (std::size_t i = 0; i < labels->size(); ++i) {
      if (!(*labels)[i].is_string()) {
        notes_.wrong_type(pointer_to(place, i), "a string");
        continue;
      }
      game.terms.labels.push_back((*labels)[i].get<std::string>());
      notes_.check_text(game.terms.labels.back(), pointer_to(place, i),
                        game.kind->text_characters_max, LineBreaks::forbidden);
    }
    notes_.check_count(labels->size(), game.kind->labels, place);
    notes_.check_distinct(game.terms.labels, place);
  }

  void read_shared_text(GameTerms& terms, const Json& value, const std::string& place,
                        const std::string& field, LineBreaks line_breaks) {
    const auto* member = member_of(value, field);
    if (member == nullptr) return;
    const auto at = pointer_to(place, field);
    if (!member->is_string()) {
      notes_.wrong_type(at, "a string");
      return;
    }
    terms.texts[field] = member->get<std::string>();
    notes_.check_length(terms.texts[field], at, text_characters_max);
    notes_.check_characters(terms.texts[field], at, line_breaks);
  }

  // A list of fillings, or an object label → filling.
  void read_fillings(GameTerms& terms, const Json& fillings, const std::string& place) {
    if (!fillings.is_array() && !fillings.is_object()) {
      notes_.wrong_type(place, "a list of fillings, or an object label to filling");
      return;
    }
    terms.has_fillings = !fillings.empty();
    for (const auto& [name, filling] : fillings.items()) {
      const auto at = pointer_to(place, name);
      if (!filling.is_string()) {
        notes_.wrong_type(at, "a string");
      } else if (fillings.is_object()) {
        terms.fillings[tidy(name)] = filling.get<std::string>();
      }
    }
  }

  static constexpr int text_characters_max = 500;

  PackageReading reading_;
  Notes notes_;
};

}  // namespace

PackageReading read_package(std::string_view bytes, std::shared_ptr<const Kinds> kinds) {
  PackageReader reader{std::move(kinds)};
  if (bytes.size() > package_bytes_max) {
    return reader.refuse(Reason::too_long, "", "larger than 16 MiB");
  }
  const auto document = parse_json(skip_byte_order_mark(bytes));
  if (!document) {
    const auto& fault = document.error();
    return reader.refuse(Reason::bad_json, fault.place,
                         fault.what + " (byte " + std::to_string(fault.byte) + ")");
  }
  return reader.read(*document);
}

Item read_item(std::string_view bytes, const GameKind& kind, const GameTerms& terms,
               const ItemName& name) {
  ItemReader reader{kind, terms, name};
  const auto value = parse_json(skip_byte_order_mark(bytes));
  if (!value) return reader.unreadable(value.error(), bytes);
  return reader.read(*value);
}

}  // namespace flagman::validators
