#include "validators/notes.h"

#include <unordered_set>

#include "validators/text.h"

namespace flagman::validators {
namespace {

std::string range_text(const SizeRange& range) {
  return std::to_string(range.min) + " to " + std::to_string(range.max);
}

}  // namespace

std::string written(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member_of(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

void Notes::add(Reason code, std::string place, std::string detail) {
  findings_.push_back({code, severity_, item_, std::move(place), std::move(detail)});
}

void Notes::wrong_type(std::string place, std::string_view should) {
  add(Reason::wrong_type, std::move(place), "should be " + std::string{should});
}

void Notes::check_text(const std::string& text, const std::string& place, int characters_max,
                       LineBreaks line_breaks) {
  if (tidy(text).empty()) add(Reason::empty_text, place, "the text is empty");
  check_length(text, place, characters_max);
  check_characters(text, place, line_breaks);
}

void Notes::check_length(const std::string& text, const std::string& place, int characters_max) {
  if (longer_than(text, characters_max)) {
    add(Reason::too_long, place, "longer than " + std::to_string(characters_max) + " characters");
  }
}

void Notes::check_characters(const std::string& text, const std::string& place,
                             LineBreaks line_breaks) {
  if (const auto bad = find_forbidden(text, line_breaks)) {
    add(Reason::forbidden_character, place,
        code_point_name(bad->character) + " at byte " + std::to_string(bad->byte) + " of the text");
  }
}

void Notes::check_count(std::size_t count, const SizeRange& range, const std::string& place) {
  if (count < static_cast<std::size_t>(range.min)) {
    add(Reason::too_few, place, std::to_string(count) + ", should be " + range_text(range));
  } else if (count > static_cast<std::size_t>(range.max)) {
    add(Reason::too_many, place, std::to_string(count) + ", should be " + range_text(range));
  }
}

void Notes::check_distinct(const std::vector<std::string>& texts, const std::string& place) {
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!seen.insert(fold(texts[i])).second) {
      add(Reason::duplicate_option, pointer_to(place, i), "stands there twice: " + texts[i]);
    }
  }
}

}  // namespace flagman::validators
