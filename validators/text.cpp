#include "validators/text.h"

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "validators/characters.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr UChar32 ellipsis = 0x2026;

// Walks the code points of a text that may hold anything.
class Points {
 public:
  explicit Points(std::string_view text) : text_(text) {}

  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }

  UChar32 next() {
    const UChar32 c = next_point(text_, at_);
    return c < 0 ? 0xFFFD : c;
  }

  [[nodiscard]] UChar32 peek() const {
    Points ahead = *this;
    return ahead.more() ? ahead.next() : -1;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_invisible(UChar32 c) {
  return c == 0xAD || (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF;
}

std::string drop_invisible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (Points points{text}; points.more();) {
    const auto start = points.offset();
    const UChar32 c = points.next();
    if (is_invisible(c) && !(c == 0x200D && joins_emoji(text, start))) continue;
    append_point(out, c);
  }
  return out;
}

std::string compose(std::string text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::bad_alloc{};  // ICU's own data: only memory can be lacking
  if (nfc->isNormalizedUTF8(text, status)) return text;
  std::string out;
  icu::StringByteSink<std::string> sink{&out, static_cast<std::int32_t>(text.size())};
  nfc->normalizeUTF8(0, text, sink, nullptr, status);
  if (U_FAILURE(status)) throw std::bad_alloc{};
  return out;
}

std::string write_gaps(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  UChar32 before = 0;
  for (Points points{text}; points.more();) {
    const auto start = points.offset();
    const UChar32 c = points.next();
    if (c != '.' && c != ellipsis && c != '_') {
      append_point(out, c);
      before = c;
      continue;
    }
    int length = 1;
    while (points.peek() == c) {
      points.next();
      ++length;
    }
    const bool punctuation = c != '_' && (before == '?' || before == '!');
    if (punctuation || (c == '.' && length == 1)) {
      out += text.substr(start, points.offset() - start);
      // A run of the other sort after it still follows the same `?`.
      if (!punctuation) before = c;
    } else {
      out += gap_spelling;
      before = c;
    }
  }
  return out;
}

std::string write_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool space = false;
  for (Points points{text}; points.more();) {
    const UChar32 c = points.next();
    if (u_isUWhiteSpace(c) != 0) {
      space = true;
      continue;
    }
    if (space && !out.empty()) out += ' ';
    space = false;
    append_point(out, c);
  }
  return out;
}

icu::UnicodeString wide(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string narrow(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

// The entities that turn up in texts written by models and editors; numeric ones are decoded too.
constexpr std::array<std::pair<std::string_view, UChar32>, 16> entities{{
    {"amp", '&'},
    {"lt", '<'},
    {"gt", '>'},
    {"quot", '"'},
    {"apos", '\''},
    {"nbsp", 0xA0},
    {"laquo", 0xAB},
    {"raquo", 0xBB},
    {"ldquo", 0x201C},
    {"rdquo", 0x201D},
    {"lsquo", 0x2018},
    {"rsquo", 0x2019},
    {"ndash", 0x2013},
    {"mdash", 0x2014},
    {"hellip", 0x2026},
    {"shy", 0xAD},
}};

// The character that `name` (between & and ;) stands for, or a negative number.
UChar32 entity(std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    int base = 10;
    if (name.starts_with('x') || name.starts_with('X')) {
      name.remove_prefix(1);
      base = 16;
    }
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value, base);
    const bool whole = error == std::errc{} && end == name.data() + name.size();
    const bool scalar = value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
    return whole && scalar ? static_cast<UChar32>(value) : -1;
  }
  for (const auto& [known, character] : entities) {
    if (known == name) return character;
  }
  return -1;
}

std::string decode_entities(std::string_view text) {
  constexpr std::size_t longest = 10;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const auto semicolon = text.substr(at, longest + 1).find(';');
      const auto c =
          semicolon == std::string_view::npos ? -1 : entity(text.substr(at + 1, semicolon - 1));
      if (c >= 0) {
        append_point(out, c);
        at += semicolon + 1;
        continue;
      }
    }
    out += text[at++];
  }
  return out;
}

bool is_quote(UChar32 c) {
  switch (c) {
    case '"':
    case '\'':
    case '`':
    case 0xB4:
    case 0xAB:
    case 0xBB:
    case 0x2032:
    case 0x2033:
    case 0x2039:
    case 0x203A:
    case 0x02BC:
      return true;
    default:
      return c >= 0x2018 && c <= 0x201F;
  }
}

bool is_dash(UChar32 c) { return c == 0x2212 || u_charType(c) == U_DASH_PUNCTUATION; }

bool is_cyrillic(UChar32 c) { return u_isalpha(c) != 0 && c >= 0x0400 && c <= 0x052F; }

// Only letters that look the same in an ordinary upright typeface.
UChar32 cyrillic_twin(UChar32 c) {
  constexpr std::array<std::pair<char, UChar32>, 19> twins{{
      {'A', 0x0410}, {'B', 0x0412}, {'C', 0x0421}, {'E', 0x0415}, {'H', 0x041D},
      {'K', 0x041A}, {'M', 0x041C}, {'O', 0x041E}, {'P', 0x0420}, {'T', 0x0422},
      {'X', 0x0425}, {'Y', 0x0423}, {'a', 0x0430}, {'c', 0x0441}, {'e', 0x0435},
      {'o', 0x043E}, {'p', 0x0440}, {'x', 0x0445}, {'y', 0x0443},
  }};
  for (const auto& [latin, cyrillic] : twins) {
    if (c == latin) return cyrillic;
  }
  return c;
}

UChar32 fold_sign(UChar32 c) {
  if (c == 0x0451) return 0x0435;
  if (c == 0x0401) return 0x0415;
  if (is_quote(c)) return '"';
  if (is_dash(c)) return '-';
  return c;
}

// A word of the look-alike check: letters and their marks. A gap or a hyphen ends it, so that
// «USB-кабель» stays two words.
bool is_word_part(UChar32 c) { return u_isalpha(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

std::string fold_signs(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::u32string word;
  bool cyrillic = false;
  const auto flush = [&] {
    for (const char32_t letter : word) {
      const auto c = static_cast<UChar32>(letter);
      append_point(out, fold_sign(cyrillic ? cyrillic_twin(c) : c));
    }
    word.clear();
    cyrillic = false;
  };
  for (Points points{text}; points.more();) {
    const UChar32 c = points.next();
    if (is_word_part(c)) {
      word += static_cast<char32_t>(c);
      cyrillic = cyrillic || is_cyrillic(c);
      continue;
    }
    flush();
    append_point(out, fold_sign(c));
  }
  flush();
  return out;
}

bool is_word_character(UChar32 c) {
  return u_isalpha(c) != 0 || u_isdigit(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

UChar32 point_before(std::string_view text, std::size_t offset) {
  return offset == 0 ? -1 : previous_point(text, offset);
}

UChar32 point_at(std::string_view text, std::size_t offset) {
  return Points{text.substr(std::min(offset, text.size()))}.peek();
}

bool belongs_to_word(UChar32 c) {
  return c >= 0 && (is_word_character(c) || c == '-' || c == 0x2010 || c == 0x2011 || c == '\'' ||
                    c == 0x2019);
}

std::size_t length_of(UChar32 c) { return static_cast<std::size_t>(U8_LENGTH(c)); }

}  // namespace

std::string tidy(std::string_view text) {
  return write_spaces(write_gaps(compose(drop_invisible(text))));
}

std::string fold(std::string_view text) {
  std::string plain = tidy(text);
  // What was an entity may be a space, a gap or a soft hyphen: tidy once more.
  if (plain.find('&') != std::string::npos) plain = tidy(decode_entities(plain));
  return fold_signs(plain);
}

std::string lookup(std::string_view word) {
  auto letters = wide(tidy(word));
  letters.toLower(icu::Locale::getRoot());
  icu::UnicodeString bare;
  for (std::int32_t at = 0; at < letters.length(); at = letters.moveIndex32(at, 1)) {
    UChar32 c = letters.char32At(at);
    // Of the Cyrillic letters these two are composed with their stress mark: ѐ and ѝ.
    if (c == 0x0450) c = 0x0435;
    if (c == 0x045D) c = 0x0438;
    if (c != 0x0300 && c != 0x0301) bare.append(c);
  }
  return narrow(bare);
}

std::string caseless(std::string_view text) {
  auto folded = wide(tidy(text));
  folded.foldCase();
  return narrow(folded);
}

bool same_text(std::string_view one, std::string_view other) {
  return one == other || tidy(one) == tidy(other);
}

std::optional<std::size_t> find_gap(std::string_view tidied, std::size_t from) {
  for (auto at = tidied.find(gap_spelling, from); at != std::string_view::npos;
       at = tidied.find(gap_spelling, at)) {
    // The whole run decides: dots after `?` are punctuation, however many there are.
    const char before = at == 0 ? '\0' : tidied[at - 1];
    if (before != '?' && before != '!') return at;
    at = tidied.find_first_not_of('.', at);
    if (at == std::string_view::npos) break;
  }
  return std::nullopt;
}

bool longer_than(std::string_view text, int characters_max) {
  if (text.size() <= static_cast<std::size_t>(characters_max)) return false;
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<std::int64_t>(text.size()), &status);
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> breaks{
      ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status), &ubrk_close};
  ubrk_setUText(breaks.get(), &source, &status);
  if (U_FAILURE(status)) throw std::bad_alloc{};
  int count = 0;
  while (count <= characters_max && ubrk_next(breaks.get()) != UBRK_DONE) ++count;
  utext_close(&source);
  return count > characters_max;
}

bool word_character_before(std::string_view text, std::size_t offset) {
  const UChar32 c = point_before(text, offset);
  return c >= 0 && is_word_character(c);
}

bool word_character_at(std::string_view text, std::size_t offset) {
  const UChar32 c = point_at(text, offset);
  return c >= 0 && is_word_character(c);
}

std::string word_filled(std::string_view tidied, std::string_view filling) {
  const auto gap = find_gap(tidied);
  if (!gap) return {};
  std::size_t begin = *gap;
  for (UChar32 c = point_before(tidied, begin); belongs_to_word(c);
       c = point_before(tidied, begin)) {
    begin -= length_of(c);
  }
  std::string word{tidied.substr(begin, *gap - begin)};
  for (std::size_t at = *gap; at < tidied.size();) {
    if (tidied.substr(at).starts_with(gap_spelling) && find_gap(tidied, at) == at) {
      word += filling;
      at += gap_spelling.size();
      continue;
    }
    const UChar32 c = point_at(tidied, at);
    if (!belongs_to_word(c)) break;
    word += tidied.substr(at, length_of(c));
    at += length_of(c);
  }
  return word;
}

}  // namespace flagman::validators
