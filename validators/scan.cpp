#include "validators/scan.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace flagman::validators {
namespace {

constexpr std::size_t table_size = 0x800;  // what UTF-8 writes with one or two bytes

// Beside the traits: a sign whose neighbours matter.
constexpr std::uint32_t needs_neighbours = 1U << 15U;

// The ordinary repertoire. None of it is touched by NFC, whatever ordinary character stands beside.
constexpr std::array<std::uint16_t, table_size> traits_of_point = [] {
  std::array<std::uint16_t, table_size> table{};
  for (auto& traits : table) traits = has_uncommon;
  const auto set = [&](std::size_t from, std::size_t to, std::uint32_t traits) {
    for (std::size_t c = from; c <= to; ++c) table[c] = static_cast<std::uint16_t>(traits);
  };
  set(0x00, 0x1F, has_control | has_untidy);
  set(0x20, 0x7E, 0);
  set(0x7F, 0x7F, has_control | has_untidy);
  set(' ', ' ', has_space | needs_neighbours);
  set('.', '.', needs_neighbours);
  set('0', '9', has_digit);
  set('A', 'Z', has_latin);
  set('a', 'z', has_latin);
  for (const char c : {'<', '*', '~', '#', '%', '@', '|', '+'}) {
    table[static_cast<unsigned char>(c)] = has_sign;
  }
  table['-'] = table[':'] = table['>'] = has_pointer;
  table['<'] |= has_pointer;
  table['('] = has_bracket;
  table['['] = table['{'] = has_sign | has_bracket;
  table['&'] = table['`'] = has_sign | has_folding;
  table['\''] = has_folding;
  table['_'] = has_sign | has_untidy;
  set(0xA0, 0xA0, has_space | has_untidy);
  set(0xAB, 0xAB, has_folding);
  set(0xBB, 0xBB, has_folding);
  set(0xB0, 0xB0, 0);  // °
  set(0xD7, 0xD7, 0);  // ×
  set(0x0400, 0x045F, has_cyrillic);
  // These are composed with a stress mark, which some forms take off.
  for (const unsigned c :
       {0x0400U, 0x0403U, 0x040CU, 0x040DU, 0x0450U, 0x0453U, 0x045CU, 0x045DU}) {
    table[c] = has_cyrillic | has_uncommon;
  }
  table[0x0401] = table[0x0451] = has_cyrillic | has_folding;
  return table;
}();

// The common signs among what begins with the byte E2.
std::uint32_t traits_of_sign(unsigned second, unsigned third) {
  if (second == 0x80) {
    if (third == 0xA6) return has_untidy;                                  // …
    if (third >= 0x90 && third <= 0x95) return has_folding | has_pointer;  // dashes
    if (third >= 0x98 && third <= 0x9F) return has_folding;                // quotes
  }
  if (second == 0x84 && third == 0x96) return 0;                          // №
  if (second == 0x88 && third == 0x92) return has_folding | has_pointer;  // minus
  return has_uncommon;
}

bool is_trail(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

template <typename Word>
Word load(const unsigned char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// True of bytes that are letters from А to я alone, two bytes each, several looked at together.
// Every second byte of them is D0 or D1 and the other a trailing one. It may say no of letters that
// are plain (it does where the machine keeps the bytes in the other order); these take the longer
// way.
template <typename Word>
bool are_plain_cyrillic(Word bytes) {
  constexpr auto each = [](unsigned pair) {
    Word word = 0;
    for (std::size_t i = 0; i < sizeof word; i += 2) word |= static_cast<Word>(pair) << (8 * i);
    return word;
  };
  if ((bytes & each(0xC0FE)) != each(0x80D0)) return false;
  // With D0 the trailing byte is 90 or more (А and on), with D1 less than 90 (to я).
  const auto high = static_cast<Word>(bytes & each(0x3000));  // zero below 90
  const auto is_d1 = static_cast<Word>((bytes & each(0x0001)) << 12U);
  const auto above_90 = static_cast<Word>((high | (high >> 1U)) & each(0x1000));
  return ((above_90 ^ is_d1) & each(0x1000)) == each(0x1000);
}

// Of a space or a full stop at `at`: one space is tidy within a text, two stops are a gap.
std::uint32_t traits_of_run(const unsigned char* begin, const unsigned char* at,
                            const unsigned char* end) {
  const unsigned char sign = *at;
  const bool same_before = at != begin && at[-1] == sign;
  if (sign == ' ') {
    return same_before || at == begin || at + 1 == end ? std::uint32_t{has_untidy} : 0U;
  }
  if (!same_before) return 0;
  return at - begin > 1 && at[-2] == sign ? has_dots | has_untidy : has_dots;
}

}  // namespace

Scan scan(std::string_view text) {
  constexpr std::uint32_t both_alphabets = has_latin | has_cyrillic;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const begin = at;
  const auto* const end = at + text.size();
  std::uint32_t all = 0;
  std::uint32_t word = 0;  // the traits of the letters and digits of the word in hand
  std::size_t points = 0;
  while (at != end) {
    const unsigned char lead = *at;
    std::uint32_t traits = has_uncommon;
    std::size_t taken = 1;
    if (lead < 0x80) {
      traits = traits_of_point[lead];
      if ((traits & needs_neighbours) != 0) traits |= traits_of_run(begin, at, end);
      ++at;
    } else if (end - at >= 8 && are_plain_cyrillic(load<std::uint64_t>(at))) {
      traits = has_cyrillic;
      taken = 4;
      at += 8;
    } else if (end - at >= 4 && are_plain_cyrillic(load<std::uint32_t>(at))) {
      traits = has_cyrillic;
      taken = 2;
      at += 4;
    } else if (lead >= 0xC2 && lead < 0xE0 && end - at > 1 && is_trail(at[1])) {
      traits = traits_of_point[((lead & 0x1FU) << 6U) | (at[1] & 0x3FU)];
      at += 2;
    } else if (lead == 0xE2 && end - at > 2 && is_trail(at[1]) && is_trail(at[2])) {
      traits = traits_of_sign(at[1], at[2]);
      at += 3;
    } else {
      ++at;
    }
    word = (traits & (both_alphabets | has_digit)) != 0 ? word | traits : 0;
    if ((word & both_alphabets) == both_alphabets) all |= has_mixed_word;
    all |= traits;
    points += taken;
  }
  return {all & ~needs_neighbours, points};
}

}  // namespace flagman::validators
