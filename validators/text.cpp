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
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "validators/alphabets.h"
#include "validators/characters.h"
#include "validators/entities.h"
#include "validators/scan.h"
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

std::string drop_invisible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (Points points{text}; points.more();) {
    const auto start = points.offset();
    const UChar32 c = points.next();
    if (is_invisible(static_cast<char32_t>(c)) && !belongs_to_emoji(text, start)) continue;
    append_point(out, c);
  }
  return out;
}

// More marks on one letter than any writing has (UAX 15, the stream-safe text format). To sort them
// takes the square of their number, and nobody could read the outcome.
bool has_endless_marks(const icu::Normalizer2& nfc, std::string_view text) {
  constexpr int marks_max = 30;
  int marks = 0;
  for (Points points{text}; points.more();) {
    const UChar32 c = points.next();
    marks = c >= 0x300 && nfc.getCombiningClass(c) != 0 ? marks + 1 : 0;
    if (marks > marks_max) return true;
  }
  return false;
}

// NFC; a text with endless marks stays as it is.
std::string compose(std::string text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::bad_alloc{};  // ICU's own data: only memory can be lacking
  if (has_endless_marks(*nfc, text)) return text;
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

std::string tidy_any(std::string_view text) {
  return write_spaces(write_gaps(compose(drop_invisible(text))));
}

// Bytes at which the quick copying of ordinary text stops.
constexpr std::array<bool, 256> may_be_gap_or_space = [] {
  std::array<bool, 256> stops{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', '.', '_'}) {
    stops[static_cast<unsigned char>(c)] = true;
  }
  stops[0xC2] = stops[0xE2] = true;
  return stops;
}();

// `tidy` of ordinary characters alone (scan.h): nothing to compose or to drop, and one pass over
// the bytes writes the gaps and the spaces.
std::string tidy_ordinary(std::string_view text) {
  constexpr std::string_view ellipsis_bytes = "\xE2\x80\xA6";
  // One `_` becomes two bytes; everything else stays as long or becomes shorter.
  std::string out(2 * text.size(), '\0');
  char* end = out.data();
  const auto put = [&](std::string_view bytes) {
    end = std::copy(bytes.begin(), bytes.end(), end);
  };
  bool space = false;
  char before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool no_break_space = c == '\xC2' && text[at + 1] == '\xA0';
    if (c == ' ' || (c >= '\t' && c <= '\r') || no_break_space) {
      space = true;
      before = ' ';
      at += no_break_space ? 2 : 1;
      continue;
    }
    if (space && end != out.data()) *end++ = ' ';
    space = false;
    const bool is_ellipsis = c == '\xE2' && text.substr(at).starts_with(ellipsis_bytes);
    if (c != '.' && c != '_' && !is_ellipsis) {
      do {
        *end++ = text[at++];
      } while (at < text.size() && !may_be_gap_or_space[static_cast<unsigned char>(text[at])]);
      before = text[at - 1];
      continue;
    }
    const auto begin = at;
    const auto sign = is_ellipsis ? ellipsis_bytes : text.substr(at, 1);
    do {
      at += sign.size();
    } while (text.substr(at).starts_with(sign));
    const bool punctuation = c != '_' && (before == '?' || before == '!');
    const bool stop = c == '.' && at - begin == 1;
    put(punctuation || stop ? text.substr(begin, at - begin) : gap_spelling);
    if (!punctuation) before = c;
  }
  out.resize(static_cast<std::size_t>(end - out.data()));
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

UChar32 fold_sign(UChar32 c) {
  if (c == 0x0451) return 0x0435;
  if (c == 0x0401) return 0x0415;
  if (is_quote(c)) return '"';
  if (is_dash(c)) return '-';
  return c;
}

std::string fold_signs(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (Points points{text}; points.more();) append_point(out, fold_sign(points.next()));
  return out;
}

// The same of ordinary characters alone (scan.h), in one pass over the bytes.
std::string fold_signs_of_ordinary(std::string_view text) {
  std::string out(text.size(), '\0');  // none becomes longer
  char* end = out.data();
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      *end++ = lead == '\'' || lead == '`' ? '"' : text[at];
      ++at;
      continue;
    }
    const auto second = static_cast<unsigned char>(text[at + 1]);
    if (lead < 0xE0) {
      at += 2;
      if (lead == 0xC2 && (second == 0xAB || second == 0xBB)) {  // « »
        *end++ = '"';
        continue;
      }
      const bool is_yo = (lead == 0xD1 && second == 0x91) || (lead == 0xD0 && second == 0x81);
      *end++ = is_yo ? '\xD0' : static_cast<char>(lead);
      *end++ = static_cast<char>(is_yo ? (lead == 0xD1 ? 0xB5 : 0x95) : second);
      continue;
    }
    const auto third = static_cast<unsigned char>(text[at + 2]);
    at += 3;
    if (second == 0x80 && third >= 0x98 && third <= 0x9F) {
      *end++ = '"';
    } else if ((second == 0x80 && third < 0x98) || second == 0x88) {  // dashes, the minus sign
      *end++ = '-';
    } else {
      *end++ = static_cast<char>(lead);
      *end++ = static_cast<char>(second);
      *end++ = static_cast<char>(third);
    }
  }
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

// Of UTF-8 text, as every tidy form is.
std::size_t points_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

// User-perceived characters, counted no further than one beyond `enough`.
int characters_up_to(std::string_view text, int enough) {
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<std::int64_t>(text.size()), &status);
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> breaks{
      ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status), &ubrk_close};
  ubrk_setUText(breaks.get(), &source, &status);
  if (U_FAILURE(status)) throw std::bad_alloc{};
  int count = 0;
  while (count <= enough && ubrk_next(breaks.get()) != UBRK_DONE) ++count;
  utext_close(&source);
  return count;
}

std::string fold_uncommon(std::string plain) {
  // What was an entity may be a space, a gap or a soft hyphen: tidy once more.
  if (plain.find('&') != std::string::npos) plain = tidy(decode_entities(plain));
  return fold_signs(compose(with_cyrillic_look_alikes(plain)));
}

// Lower case of ordinary characters alone (scan.h), for which it is their full case folding too.
std::string caseless_of_ordinary(std::string_view text) {
  std::string out{text};
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto byte = static_cast<unsigned char>(out[at]);
    if (byte >= 'A' && byte <= 'Z') out[at] = static_cast<char>(byte + 0x20);
    if (byte != 0xD0 || at + 1 == out.size()) continue;
    const auto next = static_cast<unsigned char>(out[at + 1]);
    if (next < 0x90) {  // Ѐ to Џ
      out[at] = '\xD1';
      out[at + 1] = static_cast<char>(next + 0x10);
    } else if (next < 0xA0) {  // А to П
      out[at + 1] = static_cast<char>(next + 0x20);
    } else if (next < 0xB0) {  // Р to Я
      out[at] = '\xD1';
      out[at + 1] = static_cast<char>(next - 0x20);
    }
  }
  return out;
}

}  // namespace

std::string tidy(std::string_view text) {
  const auto seen = scan(text);
  if (seen.tidy()) return std::string{text};
  return seen.may_have(has_uncommon) ? tidy_any(text) : tidy_ordinary(text);
}

SeenText::SeenText(std::string_view written) : written_(written), seen_(scan(written)) {
  if (seen_.tidy()) {
    points_ = seen_.points;
    has_gap_ = seen_.may_have(has_dots) && find_gap(written);
  } else {
    other_ = seen_.may_have(has_uncommon) ? tidy_any(written) : tidy_ordinary(written);
    points_ = points_in(*other_);
    has_gap_ = find_gap(*other_).has_value();
  }
}

Folded::Folded(const SeenText& text) : tidied_(text.tidied()), points_(text.points()) {
  if (text.seen().folds_to_tidy()) return;
  if (text.may_have(has_uncommon | has_mixed_word) || tidied_.find('&') != std::string_view::npos) {
    other_ = fold_uncommon(std::string{tidied_});
    points_ = points_in(*other_);
  } else {
    other_ = fold_signs_of_ordinary(tidied_);
  }
}

std::string fold(std::string_view text) {
  const SeenText seen{text};
  return std::string{Folded{seen}.view()};
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

std::string caseless(std::string_view text) { return caseless(SeenText{text}); }

std::string caseless(const SeenText& text) {
  if (!text.may_have(has_uncommon)) return caseless_of_ordinary(text.tidied());
  auto folded = wide(text.tidied());
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
  const auto most = static_cast<std::size_t>(characters_max);
  if (text.size() <= most) return false;
  const auto seen = scan(text);
  if (!seen.may_have(has_uncommon | has_control)) return seen.points > most;
  return characters_up_to(text, characters_max) > characters_max;
}

bool shorter_than(std::string_view text, int characters_min) {
  return characters_up_to(text, characters_min) < characters_min;
}

}  // namespace flagman::validators
