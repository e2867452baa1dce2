#include "validators/notes.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <unordered_set>

#include "validators/alphabets.h"
#include "validators/markup.h"
#include "validators/placeholder.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

// A character on the board may be many code points (an emoji of a family, stacked marks), but a
// text of this many a character is no text, and would cost more than it may.
constexpr std::size_t points_a_character_max = 16;

std::string range_text(const SizeRange& range) {
  return std::to_string(range.min) + " to " + std::to_string(range.max);
}

std::string with_plain_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 c = next_point(text, at);
    append_point(out, c >= 0x80 && u_isUWhiteSpace(c) != 0 ? ' ' : c);
  }
  return out;
}

}  // namespace

std::string written(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member_of(const Json& object, std::string_view name) {
  for (const auto& [known, value] : object.get_ref<const Json::object_t&>()) {
    if (known == name) return &value;
  }
  return nullptr;
}

void Notes::add(Reason code, const Place& place, std::string detail) {
  std::string pointer = base_;
  if (!place.member.empty()) pointer = pointer_to(pointer, place.member);
  if (place.index) pointer = pointer_to(pointer, *place.index);
  findings_.push_back({code, severity_, item_, std::move(pointer), std::move(detail)});
}

void Notes::add_at(Reason code, std::string_view pointer, std::string detail) {
  findings_.push_back({code, severity_, item_, base_ + std::string{pointer}, std::move(detail)});
}

void Notes::missing(std::string_view member) {
  add(Reason::missing_field, {member}, "the field is missing");
}

void Notes::wrong_type(const Place& place, std::string_view should) {
  add(Reason::wrong_type, place, "should be " + std::string{should});
}

void Notes::check_text(const SeenText& text, const Place& place, const TextLimits& limits) {
  const auto length = check_length(text.written(), place, limits);
  if (length == Length::fits && text.tidied().empty()) {
    add(Reason::empty_text, place, "the text is empty");
  } else if (limits.characters_min > 0 && shorter_than(text.written(), limits.characters_min)) {
    add(Reason::too_short, place,
        "shorter than " + std::to_string(limits.characters_min) + " characters");
  }
  if (text.may_have(has_control | has_uncommon)) {
    check_characters(text.written(), place, limits.line_breaks);
  }
  if (length == Length::fits) check_content(text, place, limits.checks);
}

void Notes::check_note(std::string_view text, const Place& place, const TextLimits& limits) {
  check_length(text, place, limits);
  check_characters(text, place, limits.line_breaks);
}

Notes::Length Notes::check_length(std::string_view text, const Place& place,
                                  const TextLimits& limits) {
  const auto most = static_cast<std::size_t>(limits.characters_max);
  if (text.size() <= most) return Length::fits;
  if (scan(text).points <= most * points_a_character_max &&
      !longer_than(text, limits.characters_max)) {
    return Length::fits;
  }
  add(Reason::too_long, place,
      "longer than " + std::to_string(limits.characters_max) + " characters");
  return Length::too_long;
}

void Notes::check_characters(std::string_view text, const Place& place, LineBreaks line_breaks) {
  if (const auto bad = find_forbidden(text, line_breaks)) {
    add(Reason::forbidden_character, place,
        code_point_name(bad->character) + " at byte " + std::to_string(bad->byte) + " of the text");
  }
}

void Notes::check_content(const SeenText& text, const Place& place, const OptionalChecks& checks) {
  // A tag with a no-break space in it is one to the eye.
  const bool may_be_spaced =
      text.may_have(has_uncommon) ||
      (text.may_have(has_untidy) && text.written().find("\u00A0") != std::string_view::npos);
  const auto spaced = may_be_spaced ? with_plain_spaces(text.written()) : std::string{};
  const auto whole = spaced.empty() ? text.written() : std::string_view{spaced};
  if (checks.mixed_alphabet && text.may_have(has_mixed_word | has_uncommon)) {
    if (const auto mixed = find_mixed_word(whole)) {
      add(Reason::mixed_alphabet, place, mixed->letters + " in «" + mixed->word + "»");
    }
  }
  if (checks.markup && text.may_have(has_sign)) {
    if (const auto markup = find_markup(whole)) add(Reason::markup, place, "«" + *markup + "»");
  }
  if (checks.placeholder && text.may_have(has_sign | has_latin)) {
    if (const auto placeholder = find_placeholder(whole)) {
      add(Reason::placeholder, place, "«" + *placeholder + "»");
    }
  }
}

void Notes::check_count(std::size_t count, const SizeRange& range, const Place& place) {
  if (count < static_cast<std::size_t>(range.min)) {
    add(Reason::too_few, place, std::to_string(count) + ", should be " + range_text(range));
  } else if (count > static_cast<std::size_t>(range.max)) {
    add(Reason::too_many, place, std::to_string(count) + ", should be " + range_text(range));
  }
}

void Notes::check_distinct(const std::vector<Folded>& texts, std::string_view member) {
  constexpr std::size_t few = 16;  // so many are compared one by one
  std::unordered_set<std::string_view> many;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto form = texts[i].view();
    const auto here = texts.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_new = texts.size() > few
                            ? many.insert(form).second
                            : std::none_of(texts.begin(), here, [&](const Folded& earlier) {
                                return earlier.view() == form;
                              });
    if (!is_new) {
      add(Reason::duplicate_option, {member, i}, "stands there twice: " + std::string{form});
    }
  }
}

}  // namespace flagman::validators
