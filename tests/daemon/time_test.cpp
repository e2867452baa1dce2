#include "daemon/journal/time.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <string>

using flagman::daemon::parse_time;
using flagman::daemon::Time;
using flagman::daemon::to_rfc3339;

TEST_CASE("a time reads back as it was written", "[journal]") {
  CHECK(to_rfc3339(Time{}) == "1970-01-01T00:00:00.000Z");
  CHECK(to_rfc3339(Time{std::chrono::milliseconds{951'782'399'999}}) == "2000-02-28T23:59:59.999Z");
  CHECK(rc::check("any time of four-digit years", [] {
    const Time time{
        std::chrono::milliseconds{*rc::gen::inRange<std::int64_t>(0, 253'402'300'799'999)}};
    const auto text = to_rfc3339(time);
    RC_ASSERT(text.size() == 24U);
    RC_ASSERT(parse_time(text) == time);
  }));
}

TEST_CASE("what is no such time is refused", "[journal]") {
  const std::string text =
      GENERATE("", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678", "2026-01-02 03:04:05.678Z",
               "2026-13-02T03:04:05.678Z", "2026-02-29T03:04:05.678Z", "2026-01-02T24:04:05.678Z",
               "2026-01-02T03:60:05.678Z", "2026-01-02T03:04:60.678Z", "2026-01-02T03:04:-5.678Z",
               "2026-01-02T03:04:05.678z", "+026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.6789");
  CAPTURE(text);
  CHECK_FALSE(parse_time(text));
}
