#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "daemon/journal/canonical.h"
#include "validators/json.h"

using flagman::daemon::canonical_json;
using flagman::daemon::canonical_number;
using flagman::validators::parse_json;

TEST_CASE("numbers are written as ECMAScript writes them", "[journal]") {
  struct Row {
    const char* why;
    double value;
    std::string want;
  };
  // The rows with hexadecimal origins are from RFC 8785, appendix B.
  const auto row = GENERATE(values<Row>({
      {"zero", 0.0, "0"},
      {"minus zero", -0.0, "0"},
      {"smallest", 5e-324, "5e-324"},
      {"smallest negative", -5e-324, "-5e-324"},
      {"largest", 1.7976931348623157e308, "1.7976931348623157e+308"},
      {"largest exact whole", 9007199254740992.0, "9007199254740992"},
      {"2^68", 295147905179352830000.0, "295147905179352830000"},
      {"just under 1e21", 999999999999999900000.0, "999999999999999900000"},
      {"1e21 turns to an exponent", 1e21, "1e+21"},
      {"1e23 as its shortest", 1e23, "1e+23"},
      {"just above 1e23", 1.0000000000000001e23, "1.0000000000000001e+23"},
      {"six zeros stay", 0.000001, "0.000001"},
      {"seven turn to an exponent", 1e-7, "1e-7"},
      {"a temperature", 0.7, "0.7"},
      {"a third", 333333333.3333332, "333333333.3333332"},
      {"a whole with a fraction", 100.5, "100.5"},
      {"trailing zeros of a whole", 1200.0, "1200"},
      {"negative", -3.25, "-3.25"},
  }));
  CAPTURE(row.why);
  CHECK(canonical_number(row.value) == row.want);
}

TEST_CASE("canonical JSON is one sequence of bytes for one value", "[journal]") {
  struct Row {
    const char* why;
    std::string text, want;
  };
  const auto row = GENERATE(values<Row>({
      {"names sorted, no space", R"({ "b" : 1, "a" : [ true, null ] })",
       R"({"a":[true,null],"b":1})"},
      {"by UTF-16 code units: an emoji's surrogate comes before U+FB33",
       "{\"\uFB33\":1,\"\U0001F600\":2,\"\u20AC\":3}",
       "{\"\u20AC\":3,\"\U0001F600\":2,\"\uFB33\":1}"},
      {"control characters as RFC 8785 writes them",
       R"("\u0008\u0009\u000A\u000b\u000C\u000d\u001f")", R"("\b\t\n\u000b\f\r\u001f")"},
      {"a solidus and Cyrillic need no escape", R"("\/\u044f")", "\"/\u044F\""},
      {"1.0 is 1", "[1.0,1e2,0.50]", "[1,100,0.5]"},
      {"whole numbers beyond 2^53 are doubles", "[9007199254740993,-9007199254740993]",
       "[9007199254740992,-9007199254740992]"},
      {"empty things", R"({"":{},"a":[]})", R"({"":{},"a":[]})"},
  }));
  CAPTURE(row.why);
  const auto value = parse_json(row.text);
  REQUIRE(value);
  const auto canonical = canonical_json(*value);
  CHECK(canonical == row.want);
  const auto again = parse_json(canonical);
  REQUIRE(again);
  CHECK(canonical_json(*again) == canonical);
}
