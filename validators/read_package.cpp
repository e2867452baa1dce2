#include "validators/read_package.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "validators/characters.h"
#include "validators/duplicates.h"
#include "validators/json.h"
#include "validators/notes.h"
#include "validators/read_item.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

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
      game.items.push_back(read_item_value(data[i], *game.kind, game.terms, name));
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

}  // namespace flagman::validators
