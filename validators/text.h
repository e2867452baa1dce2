#pragma once
// The normal forms of text. One form for everything would be wrong: an echo
// must tell `звОнит` from `звонИт`, a duplicate must not hide behind another
// kind of quotation mark.
//
// All functions are pure, linear in their input and throw only std::bad_alloc.
// Input is UTF-8; a byte sequence that is not becomes U+FFFD.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "validators/scan.h"

namespace flagman::validators {

/// How every gap is spelled after `tidy`.
inline constexpr std::string_view gap_spelling = "..";

/// For word-for-word comparison. Drops the invisible (soft hyphen, zero width outside an emoji
/// sequence, byte order mark, word joiner), composes (NFC), writes every gap as `..`, makes one
/// space of every run of spaces and line breaks, trims. Letters, case, stress marks, quotes,
/// dashes, signs and punctuation stay.
/// A gap is a run of two or more full stops, of one or more `…`, or of one or more `_`. Dots and
/// `…` right after `?` or `!` are punctuation and stay as they are.
[[nodiscard]] std::string tidy(std::string_view text);

/// A text that stays where it is, looked at once: what it may hold, and its tidy form, which is
/// mostly the text itself.
class SeenText {
 public:
  SeenText() = default;
  /// `written` must outlive this.
  explicit SeenText(std::string_view written);

  [[nodiscard]] std::string_view written() const { return written_; }
  [[nodiscard]] std::string_view tidied() const { return other_ ? *other_ : written_; }
  /// Of the text as written.
  [[nodiscard]] const Scan& seen() const { return seen_; }
  [[nodiscard]] bool may_have(std::uint32_t traits) const { return seen_.may_have(traits); }
  [[nodiscard]] bool has_gap() const { return has_gap_; }
  /// Code points of the tidy form.
  [[nodiscard]] std::size_t points() const { return points_; }

 private:
  std::string_view written_;
  Scan seen_;
  std::size_t points_ = 0;
  bool has_gap_ = false;
  std::optional<std::string> other_;  // where the tidy form is another text
};

/// For duplicates: `tidy`, then HTML entities decoded, ё as е, all quotes as `"`, all hyphens,
/// dashes and the minus sign as `-`, Latin look-alikes inside a word with Cyrillic letters as
/// Cyrillic. Case, stress marks and punctuation stay.
[[nodiscard]] std::string fold(std::string_view text);

/// The folded form of a text that stays where it is.
class Folded {
 public:
  /// `text` must outlive this.
  explicit Folded(const SeenText& text);
  [[nodiscard]] std::string_view view() const { return other_ ? *other_ : tidied_; }
  [[nodiscard]] std::size_t points() const { return points_; }

 private:
  std::string_view tidied_;
  std::size_t points_ = 0;
  std::optional<std::string> other_;  // where the folded form is another text
};

/// For the dictionary: `tidy`, lower case, stress marks (acute and grave) dropped; ё stays.
[[nodiscard]] std::string lookup(std::string_view word);

/// For "apart from case": `tidy`, then Unicode's full case folding.
[[nodiscard]] std::string caseless(std::string_view text);
[[nodiscard]] std::string caseless(const SeenText& text);

/// True where both texts have the same `tidy` form.
[[nodiscard]] bool same_text(std::string_view one, std::string_view other);

/// Byte offset of the first gap at or after `from` in a tidied text. Dots after `?` or `!` are
/// none.
[[nodiscard]] std::optional<std::size_t> find_gap(std::string_view tidied, std::size_t from = 0);

/// True where the text has user-perceived characters (extended grapheme clusters, UAX 29) beyond
/// `characters_max`.
[[nodiscard]] bool longer_than(std::string_view text, int characters_max);
/// True where it has fewer than `characters_min`.
[[nodiscard]] bool shorter_than(std::string_view text, int characters_min);

}  // namespace flagman::validators
