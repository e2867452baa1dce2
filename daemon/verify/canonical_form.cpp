#include "daemon/verify/canonical_form.h"

#include <algorithm>
#include <string>

namespace flagman::daemon {
namespace {

constexpr int depth_max = 64;
constexpr std::string_view whole_max = "9007199254740991";  // 2^53 − 1

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// How many bytes the UTF-8 sequence at the front of `rest` has; 0 where it is none (cut short,
// longer than need be, a surrogate, beyond U+10FFFF).
std::size_t sequence_length(std::string_view rest) {
  const auto at = [&](std::size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U;
  };
  const auto lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && at(1) < 0xA0) || (lead == 0xF0 && at(1) < 0x90);
  const bool surrogate = lead == 0xED && at(1) > 0x9F;
  const bool beyond = lead == 0xF4 && at(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

// Each step takes what it stands for from the front, or says what is wrong and gives false.
class Walk {
 public:
  explicit Walk(std::string_view bytes) : bytes_(bytes) {}

  std::optional<FormFault> go() {
    if (value(1) && at_ != bytes_.size()) fail("something stands behind the value");
    if (what_.empty()) return std::nullopt;
    return FormFault{at_, what_};
  }

 private:
  bool fail(std::string_view what) {
    what_ = what;
    return false;
  }

  [[nodiscard]] char front() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }

  bool take(std::string_view word) {
    if (!bytes_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool value(int depth) {
    if (depth > depth_max) return fail("it is nested too deep");
    if (take("null") || take("true") || take("false")) return true;
    if (take("{")) return members(depth);
    if (take("[")) return elements(depth);
    std::string text;
    if (take("\"")) return string(text);
    if (front() == '-' || is_digit(front())) return number();
    return fail("no value begins here");
  }

  bool elements(int depth) {
    if (take("]")) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (take(","));
    return take("]") || fail("neither a comma nor the list's end");
  }

  bool members(int depth) {
    if (take("}")) return true;
    std::optional<std::string> before;
    do {
      std::string name;
      if (!take("\"")) return fail("no name begins here");
      if (!string(name)) return false;
      if (std::any_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; })) {
        return fail("a name is not ASCII");
      }
      if (before && name <= *before) return fail("the names are not sorted");
      before = std::move(name);
      if (!take(":")) return fail("no colon behind a name");
      if (!value(depth + 1)) return false;
    } while (take(","));
    return take("}") || fail("neither a comma nor the object's end");
  }

  // The rest of a string whose first quotation mark was taken; `text` is what it says.
  bool string(std::string& text) {
    while (at_ < bytes_.size()) {
      if (take("\"")) return true;
      if (static_cast<unsigned char>(front()) < 0x20) return fail("a bare control character");
      if (take("\\")) {
        if (!escape(text)) return fail("an escape that is not needed or not the shortest");
        continue;
      }
      const auto length = sequence_length(bytes_.substr(at_));
      if (length == 0) return fail("not UTF-8");
      text += bytes_.substr(at_, length);
      at_ += length;
    }
    return fail("a string has no end");
  }

  bool escape(std::string& text) {
    constexpr std::string_view letters = "\"\\bfnrt";
    constexpr std::string_view meant = "\"\\\b\f\n\r\t";
    if (const auto which = letters.find(front()); which != std::string_view::npos) {
      text += meant[which];
      ++at_;
      return true;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    if (bytes_.size() - at_ < 5 || !take("u00")) return false;
    const auto high = digits.find(bytes_[at_]);
    const auto low = digits.find(bytes_[at_ + 1]);
    if (high > 1 || low == std::string_view::npos) return false;
    const auto control = static_cast<char>(high * 16 + low);
    if (meant.find(control) != std::string_view::npos) return false;
    text += control;
    at_ += 2;
    return true;
  }

  bool number() {
    const bool negative = take("-");
    auto end = at_;
    while (end < bytes_.size() && is_digit(bytes_[end])) ++end;
    const auto digits = bytes_.substr(at_, end - at_);
    if (digits.empty()) return fail("a sign without a number");
    if (digits.front() == '0' && (negative || digits.size() > 1)) {
      return fail("a zero that is not needed");
    }
    if (digits.size() > whole_max.size() ||
        (digits.size() == whole_max.size() && digits > whole_max)) {
      return fail("a number beyond 2^53 - 1");
    }
    at_ = end;
    constexpr std::string_view of_floats = ".eE";
    if (at_ < bytes_.size() && of_floats.find(bytes_[at_]) != std::string_view::npos) {
      return fail("a number that is not written as a whole one");
    }
    return true;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string_view what_;  // empty until something is wrong
};

}  // namespace

std::optional<FormFault> check_canonical_form(std::string_view bytes) { return Walk{bytes}.go(); }

}  // namespace flagman::daemon
