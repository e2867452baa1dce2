#include "daemon/journal/time.h"

#include <fmt/format.h>

#include <charconv>

namespace flagman::daemon {
namespace {

using namespace std::chrono;

// The number in `text[from, from + length)`; nothing where anything but digits stands there.
std::optional<int> digits(std::string_view text, std::size_t from, std::size_t length) {
  int value = 0;
  const auto* begin = text.data() + from;
  const auto [end, error] = std::from_chars(begin, begin + length, value);
  if (error != std::errc{} || end != begin + length || *begin == '-') return std::nullopt;
  return value;
}

}  // namespace

std::string to_rfc3339(Time time) {
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<Time> parse_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  if (text.size() != form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '0' && form[i] != text[i]) return std::nullopt;
  }
  const auto y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const auto h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  const auto ms = digits(text, 20, 3);
  if (!y || !mo || !d || !h || !mi || !s || !ms) return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)},
                            day{static_cast<unsigned>(*d)}};
  if (!date.ok() || *h > 23 || *mi > 59 || *s > 59) return std::nullopt;
  return Time{sys_days{date}} + hours{*h} + minutes{*mi} + seconds{*s} + milliseconds{*ms};
}

}  // namespace flagman::daemon
