#include "validators/read_item.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "validators/expansion.h"
#include "validators/giveaway.h"
#include "validators/notes.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

template <typename Texts>
std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  for (const auto& text : texts) {
    if (&text != &texts.front()) all += separator;
    if constexpr (std::is_same_v<Texts, std::vector<SeenText>>) {
      all += text.written();
    } else {
      all += text;
    }
  }
  return all;
}

// Sorting by the tidy form takes the author's order away, which for steps is the key.
std::vector<std::string> sorted_by_tidy(const std::vector<SeenText>& texts) {
  std::vector<const SeenText*> order;
  order.reserve(texts.size());
  for (const auto& text : texts) order.push_back(&text);
  std::sort(order.begin(), order.end(), [](const SeenText* one, const SeenText* other) {
    const auto tidied = one->tidied().compare(other->tidied());
    return tidied == 0 ? one->written() < other->written() : tidied < 0;
  });
  std::vector<std::string> sorted;
  sorted.reserve(texts.size());
  for (const auto* text : order) sorted.emplace_back(text->written());
  return sorted;
}

class ItemReader {
 public:
  ItemReader(const GameKind& kind, const GameTerms& terms, const ItemName& name,
             const CheckPolicy& policy, Item& item)
      : kind_(kind),
        terms_(terms),
        policy_(policy),
        item_(item),
        notes_(item.findings, Severity::flag, name, "") {}

  void read(std::shared_ptr<const Json> source) {
    item_.source = std::move(source);
    const auto& value = *item_.source;
    if (kind_.item_is_text) {
      read_bare_text(value);
    } else if (!value.is_object()) {
      notes_.wrong_type({}, "an object");
    } else {
      read_object(value);
    }
    check_gap();
    if (item_.well_formed()) check_answer();
  }

  void read_unreadable(const JsonFault& fault, std::string_view bytes) {
    item_.source = std::make_shared<const Json>(bytes);
    notes_.add_at(Reason::bad_json, fault.place,
                  fault.what + " (byte " + std::to_string(fault.byte) + ")");
  }

 private:
  void read_bare_text(const Json& value) {
    if (!value.is_string()) {
      notes_.wrong_type({}, "a string");
      return;
    }
    text_ = SeenText{value.get_ref<const std::string&>()};
    notes_.check_text(text_, {}, text_limits(LineBreaks::forbidden));
    item_.face = ItemFace{std::string{text_.written()}, {}, {}};
    item_.identity = Identity{Folded{text_}, {}};
    item_.key.emplace(Answer{}, std::vector<std::string>{});
  }

  void read_object(const Json& value) {
    check_names(value);
    bool typed = true;
    if (!kind_.text_field.empty()) typed = read_text(value, kind_.text_field, text_);
    if (!kind_.optional_text_field.empty() && member_of(value, kind_.optional_text_field)) {
      read_text(value, kind_.optional_text_field, question_);
    }
    if (!kind_.options_field.empty()) typed = read_options(value) && typed;
    if (typed) make_face();
    if (kind_.may_ask) read_asks(value);
    read_key(value);
  }

  void check_names(const Json& value) {
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      const bool known = name == kind_.text_field || name == kind_.optional_text_field ||
                         name == kind_.options_field || name == kind_.key_field ||
                         name == kind_.accept_field || (kind_.may_ask && name == "asks");
      if (!known || name.empty()) {
        notes_.add_at(Reason::unknown_field, pointer_to("", name),
                      "an item of " + kind_.name + " has no field «" + name + "»");
      }
    }
  }

  [[nodiscard]] TextLimits text_limits(LineBreaks line_breaks) const {
    return {kind_.text_characters_max, line_breaks, kind_.text_characters_min, kind_.checks};
  }

  [[nodiscard]] LineBreaks line_breaks(const std::string& field) const {
    const auto& names = kind_.line_break_in;
    return std::find(names.begin(), names.end(), field) == names.end() ? LineBreaks::forbidden
                                                                       : LineBreaks::allowed;
  }

  const Json* required(const Json& value, const std::string& field) {
    const auto* member = member_of(value, field);
    if (member == nullptr) notes_.missing(field);
    return member;
  }

  bool read_text(const Json& value, const std::string& field, SeenText& text) {
    const auto* member = required(value, field);
    if (member == nullptr) return false;
    if (!member->is_string()) {
      notes_.wrong_type({field}, "a string");
      return false;
    }
    text = SeenText{member->get_ref<const std::string&>()};
    notes_.check_text(text, {field}, text_limits(line_breaks(field)));
    return true;
  }

  bool read_options(const Json& value) {
    const auto* member = required(value, kind_.options_field);
    if (member == nullptr) return false;
    const TextLimits limits{kind_.option_characters_max, LineBreaks::forbidden,
                            kind_.option_characters_min, kind_.checks};
    if (!read_texts(*member, kind_.options_field, limits, options_)) return false;
    notes_.check_count(options_.size(), kind_.options, {kind_.options_field});
    folded_options_ = {options_.begin(), options_.end()};
    notes_.check_distinct(folded_options_, kind_.options_field);
    return true;
  }

  // A list of texts; true where it is one, whatever else is wrong with them.
  bool read_texts(const Json& list, const std::string& field, const TextLimits& limits,
                  std::vector<SeenText>& texts) {
    if (!list.is_array()) {
      notes_.wrong_type({field}, "a list of strings");
      return false;
    }
    bool typed = true;
    texts.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string()) {
        notes_.wrong_type({field, i}, "a string");
        typed = false;
        continue;
      }
      texts.emplace_back(list[i].get_ref<const std::string&>());
      notes_.check_text(texts.back(), {field, i}, limits);
    }
    return typed;
  }

  static std::vector<std::string> written_texts(const std::vector<SeenText>& texts) {
    std::vector<std::string> written;
    written.reserve(texts.size());
    for (const auto& text : texts) written.emplace_back(text.written());
    return written;
  }

  void make_face() {
    auto& face = item_.face.emplace();
    if (kind_.echo == EchoForm::options) {
      face.text = joined(options_, "; ");
    } else {
      face.text = text_.written();
    }
    face.question = question_.written();
    if (!options_.empty()) face.options = sorted_by_tidy(options_);
    if (kind_.echo == EchoForm::options) {
      const SeenText shown{face.text};
      item_.identity = Identity{Folded{shown}, folded_options_};
    } else {
      item_.identity = Identity{Folded{text_}, folded_options_};
    }
  }

  void read_asks(const Json& value) {
    const auto* member = member_of(value, "asks");
    if (member == nullptr) return;
    if (member->is_string()) {
      item_.asks = member->get<std::string>();
    } else {
      notes_.wrong_type({"asks"}, "a string");
    }
  }

  void read_key(const Json& value) {
    if (!kind_.key_field.empty()) item_.key_source = member_of(value, kind_.key_field);
    switch (kind_.answer) {
      case AnswerForm::option:
        read_index(value);
        break;
      case AnswerForm::label:
        read_label(value);
        break;
      case AnswerForm::partner:
      case AnswerForm::short_text:
        read_text_key(value);
        break;
      case AnswerForm::sequence:
        // The steps were read as options, in the author's order; untyped ones have no face.
        if (item_.face) item_.key.emplace(written_texts(options_), std::vector<std::string>{});
        break;
      case AnswerForm::soundness:
        item_.key.emplace(Answer{}, std::vector<std::string>{});
        break;
    }
  }

  void read_index(const Json& value) {
    const auto* member = required(value, kind_.key_field);
    if (member == nullptr) return;
    if (!member->is_number_integer()) {
      notes_.wrong_type({kind_.key_field}, "the index of an option, from 0");
      return;
    }
    if (!item_.face) return;  // without its options an index says nothing
    const bool in_domain =
        member->is_number_unsigned() ? member->get<std::uint64_t>() < options_.size() : false;
    if (!in_domain) {
      notes_.add(Reason::key_outside_domain, {kind_.key_field},
                 "there is no option " + written(*member) + ": there are " +
                     std::to_string(options_.size()) + ", from 0");
      return;
    }
    right_ = member->get<std::size_t>();
    item_.key.emplace(std::string{options_[right_].written()}, std::vector<std::string>{});
  }

  void read_label(const Json& value) {
    const auto* member = required(value, kind_.key_field);
    if (member == nullptr) return;
    if (!member->is_string()) {
      notes_.wrong_type({kind_.key_field}, "a string");
      return;
    }
    const auto& label = member->get_ref<const std::string&>();
    const bool in_domain =
        std::any_of(terms_.labels.begin(), terms_.labels.end(),
                    [&](const std::string& known) { return same_text(known, label); });
    if (in_domain) {
      item_.key.emplace(label, std::vector<std::string>{});
    } else {
      notes_.add(Reason::key_outside_domain, {kind_.key_field},
                 "«" + label + "» is none of: " + joined(terms_.labels, ", "));
    }
  }

  void read_text_key(const Json& value) {
    const bool typed = read_text(value, kind_.key_field, key_text_);
    if (!kind_.accept_field.empty()) {
      if (const auto* member = member_of(value, kind_.accept_field)) {
        read_texts(*member, kind_.accept_field, text_limits(LineBreaks::forbidden), accept_);
      }
    }
    if (typed) item_.key.emplace(std::string{key_text_.written()}, written_texts(accept_));
  }

  // Where the game says what fills the gap, every item needs one: in its text or in its options.
  void check_gap() {
    if (!terms_.has_fillings || !item_.face) return;
    const auto has_gap = [](const SeenText& text) { return text.has_gap(); };
    if (!has_gap(text_) && std::none_of(options_.begin(), options_.end(), has_gap)) {
      notes_.add(Reason::gap_missing, {}, "the game has fillings, but the text has no gap");
    }
  }

  // What a well-formed item tells of its answer.
  void check_answer() {
    if (kind_.checks.giveaway) {
      if (auto told = find_told()) notes_.add(Reason::giveaway, {}, std::move(*told));
    }
    if (kind_.answer == AnswerForm::partner && kind_.checks.pair_almost_expands) check_pair();
  }

  [[nodiscard]] std::optional<std::string> find_told() const {
    switch (kind_.answer) {
      case AnswerForm::option:
        return find_told_option(kind_.echo == EchoForm::options ? question_ : text_, options_,
                                right_);
      case AnswerForm::label:
        return find_told_label(text_, std::get<std::string>(item_.key->answer()), kind_, terms_);
      case AnswerForm::short_text:
        return find_told_form();
      case AnswerForm::sequence:
        return find_numbering(options_);
      case AnswerForm::partner:
      case AnswerForm::soundness:
        break;
    }
    return std::nullopt;
  }

  // The key, or a further form of it, in the question.
  [[nodiscard]] std::optional<std::string> find_told_form() const {
    auto told = find_told_answer(text_, key_text_);
    for (auto form = accept_.begin(); !told && form != accept_.end(); ++form) {
      told = find_told_answer(text_, *form);
    }
    return told;
  }

  void check_pair() {
    const FillingPolicy filling{.letters_max = policy_.gap_max, .also = kind_.gap_also};
    const bool left_has_gap = text_.has_gap();
    if (!left_has_gap && !key_text_.has_gap()) return;
    const auto gapped = left_has_gap ? text_.tidied() : key_text_.tidied();
    const auto other = left_has_gap ? key_text_.tidied() : text_.tidied();
    if (check_pair_expansion(gapped, other, filling) == Expansion::expands) return;
    if (check_near_expansion(gapped, other, filling) == NearExpansion::not_almost) return;
    notes_.add(Reason::pair_almost_expands, {left_has_gap ? kind_.key_field : kind_.text_field},
               "«" + std::string{other} + "» is nearly, but not quite, «" + std::string{gapped} +
                   "» filled in");
  }

  const GameKind& kind_;
  const GameTerms& terms_;
  const CheckPolicy& policy_;
  Item& item_;
  Notes notes_;  // their places begin at the item

  // The item's texts, views into its source: the options in the author's order.
  SeenText text_, question_, key_text_;
  std::vector<SeenText> options_, accept_;
  std::vector<Folded> folded_options_;
  std::size_t right_ = 0;  // of the options, where one is the key
};

}  // namespace

Item read_item(std::string_view bytes, const GameKind& kind, const GameTerms& terms,
               const ItemName& name, const CheckPolicy& policy) {
  Item item;
  ItemReader reader{kind, terms, name, policy, item};
  if (auto value = parse_json(skip_byte_order_mark(bytes))) {
    reader.read(std::make_shared<const Json>(std::move(*value)));
  } else {
    reader.read_unreadable(value.error(), bytes);
  }
  return item;
}

void read_item_value(std::shared_ptr<const Json> value, const GameKind& kind,
                     const GameTerms& terms, const ItemName& name, const CheckPolicy& policy,
                     Item& item) {
  ItemReader{kind, terms, name, policy, item}.read(std::move(value));
}

}  // namespace flagman::validators
