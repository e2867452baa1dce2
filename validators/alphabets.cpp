#include "validators/alphabets.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "validators/characters.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

struct Twin {
  char32_t latin;
  std::string_view cyrillic;
};

// Only letters that look the same in an ordinary upright typeface. The accented ones become the
// Cyrillic letter with its mark.
constexpr std::array twins{
    Twin{U'A', "А"},       Twin{U'B', "В"},       Twin{U'C', "С"},       Twin{U'E', "Е"},
    Twin{U'H', "Н"},       Twin{U'K', "К"},       Twin{U'M', "М"},       Twin{U'O', "О"},
    Twin{U'P', "Р"},       Twin{U'T', "Т"},       Twin{U'X', "Х"},       Twin{U'Y', "У"},
    Twin{U'a', "а"},       Twin{U'c', "с"},       Twin{U'e', "е"},       Twin{U'k', "к"},
    Twin{U'o', "о"},       Twin{U'p', "р"},       Twin{U'x', "х"},       Twin{U'y', "у"},
    Twin{U'À', "А\u0300"}, Twin{U'Á', "А\u0301"}, Twin{U'È', "Ѐ"},       Twin{U'É', "Е\u0301"},
    Twin{U'Ë', "Ё"},       Twin{U'Ò', "О\u0300"}, Twin{U'Ó', "О\u0301"}, Twin{U'Ý', "У\u0301"},
    Twin{U'à', "а\u0300"}, Twin{U'á', "а\u0301"}, Twin{U'è', "ѐ"},       Twin{U'é', "е\u0301"},
    Twin{U'ë', "ё"},       Twin{U'ò', "о\u0300"}, Twin{U'ó', "о\u0301"}, Twin{U'ý', "у\u0301"},
};

constexpr std::u32string_view latin_look_alikes = U"ABCEHKMOPTXYaceopxyk";
constexpr std::u32string_view greek_look_alikes = U"ΑΒΕΗΚΜΟΡΤΧο";
constexpr std::u32string_view cyrillic_look_alikes = U"АВЕКМНОРСТУХаеорсухкѕіј";

// What stands as an index beside the sign of a quantity: «Tкип», «Eк», «Pатм».
constexpr std::array<std::u32string_view, 32> formula_indexes{
    U"к",    U"п",     U"пл",     U"кип",  U"атм",  U"макс", U"мин",   U"тр",
    U"тяж",  U"упр",   U"ср",     U"нач",  U"кон",  U"внеш", U"внутр", U"вн",
    U"полн", U"полез", U"полезн", U"затр", U"погл", U"общ",  U"эл",    U"дв",
    U"вх",   U"вых",   U"сопр",   U"возд", U"вод",  U"нагр", U"об",    U"эф"};

enum class Side { cyrillic, foreign, neither };

Side side_of(UChar32 c) {
  if (c < 0x80) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? Side::foreign : Side::neither;
  }
  if (u_isalpha(c) == 0) return Side::neither;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_CYRILLIC:
      return Side::cyrillic;
    case USCRIPT_LATIN:
    case USCRIPT_GREEK:
      return Side::foreign;
    default:
      return Side::neither;
  }
}

bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

// The letter without its accents: what the eye compares.
char32_t base_letter(UChar32 c) {
  if (c < 0x80) return static_cast<char32_t>(c);
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfd = unorm2_getNFDInstance(&status);
  if (U_FAILURE(status)) throw std::bad_alloc{};  // ICU's own data: only memory can be lacking
  std::array<UChar, 32> letters{};
  const auto length = unorm2_getDecomposition(nfd, c, letters.data(),
                                              static_cast<std::int32_t>(letters.size()), &status);
  return length > 0 && U_SUCCESS(status) ? letters[0] : static_cast<char32_t>(c);
}

bool looks_foreign(char32_t c) { return cyrillic_look_alikes.find(c) != std::u32string_view::npos; }

bool looks_cyrillic(char32_t c) {
  const char32_t base = base_letter(static_cast<UChar32>(c));
  return latin_look_alikes.find(base) != std::u32string_view::npos ||
         greek_look_alikes.find(base) != std::u32string_view::npos;
}

// The letters of one word by side, and how they alternate.
class Word {
 public:
  void add(UChar32 c) {
    const auto side = side_of(c);
    if (side == Side::neither) return;
    if (side != last_) ++blocks_;
    if (blocks_ == 1) first_ = side;
    last_ = side;
    (side == Side::cyrillic ? cyrillic_ : foreign_) += static_cast<char32_t>(c);
  }

  // The letters that should be of the other alphabet; empty where the word is all right.
  [[nodiscard]] std::u32string strangers() const {
    if (blocks_ < 2) return {};
    if (blocks_ > 2) return cyrillic_.size() < foreign_.size() ? cyrillic_ : foreign_;
    if (is_abbreviation_with_ending() || is_quantity_with_index()) return {};
    if (std::all_of(foreign_.begin(), foreign_.end(), looks_cyrillic)) return foreign_;
    if (foreign_.size() > 1 && std::all_of(cyrillic_.begin(), cyrillic_.end(), looks_foreign)) {
      return cyrillic_;
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_quantity_with_index() const {
    return first_ == Side::foreign && foreign_.size() == 1 &&
           std::find(formula_indexes.begin(), formula_indexes.end(), cyrillic_) !=
               formula_indexes.end();
  }

  [[nodiscard]] bool is_abbreviation_with_ending() const {
    return first_ == Side::foreign && foreign_.size() > 1 &&
           std::all_of(foreign_.begin(), foreign_.end(),
                       [](char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }) &&
           std::all_of(cyrillic_.begin(), cyrillic_.end(),
                       [](char32_t c) { return u_islower(static_cast<UChar32>(c)) != 0; });
  }

  std::u32string cyrillic_, foreign_;
  int blocks_ = 0;
  Side first_ = Side::neither;
  Side last_ = Side::neither;
};

std::string named(std::u32string letters) {
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  std::string names;
  for (const char32_t letter : letters) {
    if (!names.empty()) names += ", ";
    names += "«";
    append_point(names, static_cast<UChar32>(letter));
    names += "» " + code_point_name(letter);
  }
  return names;
}

bool is_cyrillic(UChar32 c) { return side_of(c) == Side::cyrillic; }

void append_as_cyrillic(std::string& out, char32_t letter) {
  const auto* twin = std::find_if(twins.begin(), twins.end(),
                                  [&](const Twin& known) { return known.latin == letter; });
  if (twin == twins.end()) {
    append_point(out, static_cast<UChar32>(letter));
  } else {
    out += twin->cyrillic;
  }
}

}  // namespace

std::optional<MixedWord> find_mixed_word(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = at;
    auto end = at;
    Word word;
    while (at < text.size()) {
      const UChar32 c = next_point(text, at);
      if (c < 0 || (u_isalpha(c) == 0 && u_isdigit(c) == 0 && !is_mark(c))) break;
      word.add(c);
      end = at;
    }
    const auto strangers = word.strangers();
    if (!strangers.empty()) {
      return MixedWord{std::string{text.substr(begin, end - begin)}, named(strangers)};
    }
  }
  return std::nullopt;
}

std::string with_cyrillic_look_alikes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::u32string word;
  bool cyrillic = false;
  const auto flush = [&] {
    for (const char32_t letter : word) {
      if (cyrillic) {
        append_as_cyrillic(out, letter);
      } else {
        append_point(out, static_cast<UChar32>(letter));
      }
    }
    word.clear();
    cyrillic = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 c = next_point(text, at);
    if (c >= 0 && (u_isalpha(c) != 0 || is_mark(c))) {
      word += static_cast<char32_t>(c);
      cyrillic = cyrillic || is_cyrillic(c);
      continue;
    }
    flush();
    append_point(out, c);
  }
  flush();
  return out;
}

}  // namespace flagman::validators
