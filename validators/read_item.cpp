#include "validators/read_item.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "validators/notes.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

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
    item_.key.emplace(Answer{}, std::vector<std::string>{});
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
        item_.key.emplace(Answer{}, std::vector<std::string>{});
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

}  // namespace

Item read_item(std::string_view bytes, const GameKind& kind, const GameTerms& terms,
               const ItemName& name) {
  ItemReader reader{kind, terms, name};
  const auto value = parse_json(skip_byte_order_mark(bytes));
  if (!value) return reader.unreadable(value.error(), bytes);
  return reader.read(*value);
}

Item read_item_value(const Json& value, const GameKind& kind, const GameTerms& terms,
                     const ItemName& name) {
  return ItemReader{kind, terms, name}.read(value);
}

}  // namespace flagman::validators
