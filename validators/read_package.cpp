#include "validators/read_package.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "validators/characters.h"
#include "validators/json.h"
#include "validators/notes.h"
#include "validators/read_item.h"
#include "validators/relations.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

class PackageReader {
 public:
  PackageReader(std::shared_ptr<const Kinds> kinds, const CheckPolicy& policy)
      : policy_(policy), notes_(reading_.findings, Severity::reject, std::nullopt, "") {
    reading_.package.kinds = std::move(kinds);
  }

  PackageReading read(std::shared_ptr<const Json> document) {
    document_ = std::move(document);
    if (document_->is_object()) {
      read_document(*document_);
    } else {
      notes_.wrong_type({}, "an object");
    }
    if (reading_.rejected()) {
      reading_.package.games.clear();
    } else {
      compare_items();
      collect_findings();
    }
    return std::move(reading_);
  }

  PackageReading refuse(Reason code, std::string_view place, std::string detail) {
    notes_.add_at(code, place, std::move(detail));
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
      notes_.missing("games");
    } else if (!games->is_object()) {
      notes_.wrong_type({"games"}, "an object: kind of game to game");
    } else if (games->empty()) {
      notes_.add(Reason::too_few, {"games"}, "a package has at least one game");
    } else {
      for (const auto& [name, game] : games->get_ref<const Json::object_t&>()) {
        read_game(name, game);
      }
    }
  }

  void read_format(const Json& document) {
    const auto* format = member_of(document, "format");
    if (format == nullptr) {
      notes_.missing("format");
    } else if (!format->is_string() ||
               format->get_ref<const std::string&>() != "flagman.package/1") {
      notes_.add(Reason::wrong_format, {"format"}, "should be \"flagman.package/1\"");
    }
  }

  std::string optional_text(const Json& document, std::string_view name) {
    const auto* member = member_of(document, name);
    if (member == nullptr) return {};
    if (!member->is_string()) {
      notes_.wrong_type({name}, "a string");
      return {};
    }
    auto text = member->get<std::string>();
    notes_.check_note(text, {name}, {.characters_max = text_characters_max});
    return text;
  }

  void read_grade(const Json& document) {
    const auto* grade = member_of(document, "grade");
    if (grade == nullptr) return;
    if (grade->is_number_unsigned() &&
        grade->get<std::uint64_t>() <= std::numeric_limits<int>::max()) {
      reading_.package.grade = grade->get<int>();
    } else {
      notes_.wrong_type({"grade"}, "a whole number");
    }
  }

  void read_game(const std::string& name, const Json& value) {
    const auto place = pointer_to("/games", name);
    const auto& kinds = *reading_.package.kinds;
    const auto kind = kinds.find(name);
    if (kind == kinds.end()) {
      notes_.add_at(Reason::unknown_field, place, "there is no kind of game «" + name + "»");
      return;
    }
    Notes notes{reading_.findings, Severity::reject, std::nullopt, place};
    if (!value.is_object()) {
      notes.wrong_type({}, "an object");
      return;
    }
    Game game;
    game.kind = &kind->second;
    game.terms.source = shared(value);
    read_terms(game, value, notes);
    const auto* data = member_of(value, "data");
    if (data == nullptr) {
      notes.missing("data");
      return;
    }
    if (!data->is_array()) {
      notes.wrong_type({"data"}, "a list of items");
      return;
    }
    notes.check_count(data->size(), game.kind->items, {"data"});
    // Past the limit the package is refused anyway, and its items are not judged.
    if (data->size() > static_cast<std::size_t>(game.kind->items.max)) return;
    game.items.reserve(data->size());
    for (std::size_t i = 0; i < data->size(); ++i) {
      const ItemName item{game.kind->name, static_cast<int>(i)};
      read_item_value(shared((*data)[i]), *game.kind, game.terms, item, policy_,
                      game.items.emplace_back());
    }
    reading_.package.games.push_back(std::move(game));
  }

  // A part of the document, which lives as long as the part is held.
  [[nodiscard]] std::shared_ptr<const Json> shared(const Json& part) const {
    return {document_, &part};
  }

  // What items say of one another.
  void compare_items() {
    std::vector<RelatedItems> games;
    games.reserve(reading_.package.games.size());
    for (const auto& game : reading_.package.games) {
      auto& related = games.emplace_back(RelatedItems{game.kind, {}, {}});
      related.items.reserve(game.items.size());
      for (const auto& item : game.items) related.items.push_back(&item);
      related.open.assign(game.items.size(), true);
    }
    for (auto& finding : check_relations(games, policy_)) {
      item_named(*finding.item).relations.push_back(std::move(finding));
    }
  }

  Item& item_named(const ItemName& name) {
    const auto game =
        std::find_if(reading_.package.games.begin(), reading_.package.games.end(),
                     [&](const Game& candidate) { return candidate.kind->name == name.kind; });
    return game->items[static_cast<std::size_t>(name.ordinal)];
  }

  void collect_findings() {
    for (const auto& game : reading_.package.games) {
      for (std::size_t i = 0; i < game.items.size(); ++i) {
        const auto& item = game.items[i];
        if (item.findings.empty() && item.relations.empty()) continue;
        const auto place = pointer_to(pointer_to("/games", game.kind->name) + "/data", i);
        for (auto& finding : item.all_findings()) {
          finding.place.insert(0, place);
          reading_.findings.push_back(std::move(finding));
        }
      }
    }
  }

  void read_terms(Game& game, const Json& value, Notes& notes) {
    auto& terms = game.terms;
    const auto& kind = *game.kind;
    terms.labels = kind.fixed_labels;
    if (!kind.labels_field.empty()) read_labels(game, value, notes);
    for (const auto& [field, line_break] : kind.shared_texts) {
      read_shared_text(game, value, field, line_break ? LineBreaks::allowed : LineBreaks::forbidden,
                       notes);
    }
    for (const auto& [label, filling] : kind.default_fillings) {
      terms.fillings[tidy(label)] = filling;
    }
    if (const auto* fillings = member_of(value, "fillings")) read_fillings(terms, *fillings, notes);
  }

  static void read_labels(Game& game, const Json& value, Notes& notes) {
    const auto& kind = *game.kind;
    const auto* labels = member_of(value, kind.labels_field);
    if (labels == nullptr) {
      notes.missing(kind.labels_field);
      return;
    }
    if (!labels->is_array()) {
      notes.wrong_type({kind.labels_field}, "a list of strings");
      return;
    }
    std::vector<SeenText> seen;
    seen.reserve(labels->size());
    for (std::size_t i = 0; i < labels->size(); ++i) {
      if (!(*labels)[i].is_string()) {
        notes.wrong_type({kind.labels_field, i}, "a string");
        continue;
      }
      const auto& label = seen.emplace_back((*labels)[i].get_ref<const std::string&>());
      game.terms.labels.emplace_back(label.written());
      notes.check_text(label, {kind.labels_field, i},
                       {kind.text_characters_max, LineBreaks::forbidden, 0, kind.checks});
    }
    notes.check_count(labels->size(), kind.labels, {kind.labels_field});
    notes.check_distinct({seen.begin(), seen.end()}, kind.labels_field);
  }

  static void read_shared_text(Game& game, const Json& value, const std::string& field,
                               LineBreaks line_breaks, Notes& notes) {
    const auto* member = member_of(value, field);
    if (member == nullptr) return;
    if (!member->is_string()) {
      notes.wrong_type({field}, "a string");
      return;
    }
    const auto& text = game.terms.texts[field] = member->get<std::string>();
    if (text.empty()) return;  // no rule is a rule that was left out
    notes.check_text(SeenText{text}, {field},
                     {text_characters_max, line_breaks, 0, game.kind->checks});
  }

  // A list of fillings, or an object label → filling.
  static void read_fillings(GameTerms& terms, const Json& fillings, Notes& notes) {
    if (!fillings.is_array() && !fillings.is_object()) {
      notes.wrong_type({"fillings"}, "a list of fillings, or an object label to filling");
      return;
    }
    terms.has_fillings = !fillings.empty();
    for (const auto& [name, filling] : fillings.items()) {
      if (!filling.is_string()) {
        notes.add_at(Reason::wrong_type, pointer_to("/fillings", name), "should be a string");
      } else if (fillings.is_object()) {
        terms.fillings[tidy(name)] = filling.get<std::string>();
      }
    }
  }

  static constexpr int text_characters_max = 500;

  const CheckPolicy& policy_;
  std::shared_ptr<const Json> document_;
  PackageReading reading_;
  Notes notes_;
};

}  // namespace

PackageReading read_package(std::string_view bytes, std::shared_ptr<const Kinds> kinds,
                            const CheckPolicy& policy) {
  PackageReader reader{std::move(kinds), policy};
  if (bytes.size() > package_bytes_max) {
    return reader.refuse(Reason::too_long, "", "larger than 16 MiB");
  }
  auto document = parse_json(skip_byte_order_mark(bytes));
  if (!document) {
    const auto& fault = document.error();
    return reader.refuse(Reason::bad_json, fault.place,
                         fault.what + " (byte " + std::to_string(fault.byte) + ")");
  }
  return reader.read(std::make_shared<const Json>(std::move(*document)));
}

PackageReading read_document(std::shared_ptr<const Json> document,
                             std::shared_ptr<const Kinds> kinds, const CheckPolicy& policy) {
  return PackageReader{std::move(kinds), policy}.read(std::move(document));
}

}  // namespace flagman::validators
