#include "validators/number.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "validators/text.h"

namespace flagman::validators {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr std::size_t number_bytes_max = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The library takes a leading zero for octal.
cpp_int decimal(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');
  return first == std::string::npos ? cpp_int{0} : cpp_int{digits.substr(first)};
}

cpp_int power_of_ten(std::size_t exponent) {
  return boost::multiprecision::pow(cpp_int{10}, static_cast<unsigned>(exponent));
}

class NumberReader {
 public:
  explicit NumberReader(std::string_view tidied) : rest_(tidied) {}

  std::optional<cpp_rational> read() {
    const bool negative = take_sign();
    const auto whole = take_grouped_digits();
    if (!whole) return std::nullopt;
    cpp_rational value{decimal(*whole)};
    if (take(",") || take(".")) {
      const auto fraction = take_digits();
      if (!fraction) return std::nullopt;
      value += cpp_rational{decimal(*fraction), power_of_ten(fraction->size())};
      if (take_percent()) value /= 100;
    } else if (take("/") || take(" /")) {
      take(" ");
      const auto denominator = take_grouped_digits();
      if (!denominator || decimal(*denominator) == 0) return std::nullopt;
      value /= cpp_rational{decimal(*denominator)};
    } else if (take_percent()) {
      value /= 100;
    }
    if (!rest_.empty()) return std::nullopt;
    return negative ? cpp_rational{-value} : value;
  }

 private:
  bool take(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  bool take_percent() { return take("%") || take(" %"); }

  bool take_sign() {
    if (take("\u2212") || take("-")) return true;
    take("+");
    return false;
  }

  std::optional<std::string> take_digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    if (count == 0) return std::nullopt;
    std::string digits{rest_.substr(0, count)};
    rest_.remove_prefix(count);
    return digits;
  }

  // "1 234 567" or "1234567": one to three digits, then groups of exactly three.
  std::optional<std::string> take_grouped_digits() {
    auto digits = take_digits();
    if (!digits || digits->size() > 3) return digits;
    while (rest_.size() >= 4 && rest_[0] == ' ' && is_digit(rest_[1]) && is_digit(rest_[2]) &&
           is_digit(rest_[3]) && (rest_.size() == 4 || !is_digit(rest_[4]))) {
      *digits += rest_.substr(1, 3);
      rest_.remove_prefix(4);
    }
    return digits;
  }

  std::string_view rest_;
};

std::optional<cpp_rational> read_number(std::string_view text) {
  if (text.size() > number_bytes_max) return std::nullopt;
  const auto tidied = tidy(text);
  return NumberReader{tidied}.read();
}

}  // namespace

bool same_number(std::string_view one, std::string_view other) {
  const auto left = read_number(one);
  if (!left) return false;
  const auto right = read_number(other);
  return right && *left == *right;
}

bool is_number(std::string_view text) { return read_number(text).has_value(); }

}  // namespace flagman::validators
