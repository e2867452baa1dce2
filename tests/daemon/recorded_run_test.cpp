#include "daemon/recorded_run.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

using namespace flagman;
using namespace flagman::daemon;
using Catch::Matchers::Contains;

namespace {

const std::string head = R"({"type":"run","format":"flagman.run/1"})"
                         "\n";
const std::string end = R"({"type":"end"})"
                        "\n";
const std::string call =
    R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok","body":"x"}})"
    "\n";
const std::string rebuild =
    R"({"type":"rebuild","package":"p","item":"sort/3","revision":2,"data":"x"})"
    "\n";
const std::string decision =
    R"({"type":"decision","package":"p","item":"sort/3","revision":1,"outcome":"accepted","reasons":[],"key":"a"})"
    "\n";

auto read(const std::string& text) {
  std::istringstream file{text};
  return read_run(file);
}

}  // namespace

TEST_CASE("a run is read with its defaults and in its order", "[run]") {
  const auto run = read(
      R"({"type":"run","format":"flagman.run/1","flagman":"1","started_at":"2026-01-02T03:04:05Z","policy":{"max_rounds":3}})"
      "\n"
      R"({"type":"package","package":"b","body":{"z":1,"a":2}})"
      "\n" +
      call + rebuild + decision +
      R"({"type":"package","package":"a","body":"no json {"})"
      "\n"
      R"({"type":"call","package":"p","step":"s","call":2,"response":{"status":"timeout"}})"
      "\n" +
      end);
  REQUIRE(run);
  CHECK(run->policy.max_rounds == 3);
  CHECK(run->policy.solvers == std::vector<std::string>{"strict", "methodist"});
  REQUIRE(run->packages.size() == 2);
  CHECK(run->packages[0].id == "b");
  CHECK(run->packages[0].body == R"({"z":1,"a":2})");
  CHECK(run->packages[1].body == "no json {");
  REQUIRE(run->calls.size() == 2);
  CHECK(run->calls.at({"p", "s", 1}).body == "x");
  CHECK(run->calls.at({"p", "s", 2}).status == arbiter::ResponseStatus::timeout);
  CHECK(run->rebuilds.at({"p", {"sort", 3}, 2}) == "\"x\"");
  REQUIRE(run->decisions.size() == 1);
  CHECK(run->decisions[0].key == "\"a\"");
}

TEST_CASE("an unusable run is named with its line", "[run]") {
  struct Row {
    const char* why;
    std::string text;
    std::size_t line;
    std::string says;
  };
  const auto with_policy = [](const std::string& policy) {
    return R"({"type":"run","format":"flagman.run/1","policy":)" + policy + "}\n";
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"empty", "", 0, "empty"},
      {"no end", head, 0, "cut off"},
      {"cut within a line", head + R"({"type":"ca)", 2, "not JSON"},
      {"something after the end", head + end + call, 3, "after the line of type end"},
      {"a blank line at the end", head + end + "\n", 3, "blank"},
      {"a blank line within", head + "\n" + end, 2, "blank"},
      {"the first line is another", end, 1, "first line"},
      {"two heads", head + head + end, 2, "second line of type run"},
      {"another format",
       R"({"type":"run","format":"flagman.run/2"})"
       "\n",
       1, "flagman.run/1"},
      {"an unknown type",
       head +
           R"({"type":"note"})"
           "\n" +
           end,
       2, "unknown type «note»"},
      {"no type", head + "{}\n" + end, 2, "with a \"type\""},
      {"an array", head + "[]\n" + end, 2, "with a \"type\""},
      {"an unknown field",
       head + R"({"type":"end","x":1})"
              "\n",
       2, "unknown field «x»"},
      {"a missing field",
       head +
           R"({"type":"package","package":"p"})"
           "\n" +
           end,
       2, "lacks the field «body»"},
      {"a name twice",
       head + R"({"type":"end","type":"end"})"
              "\n",
       2, "stands twice"},
      {"the same call twice", head + call + call + end, 3, "twice"},
      {"the same rebuild twice", head + rebuild + rebuild + end, 3, "twice"},
      {"the same package twice",
       head +
           R"({"type":"package","package":"p","body":{}})"
           "\n" +
           R"({"type":"package","package":"p","body":{}})"
           "\n" +
           end,
       3, "twice"},
      {"call 0",
       head +
           R"({"type":"call","package":"p","step":"s","call":0,"response":{"status":"ok"}})"
           "\n" +
           end,
       2, "from 1"},
      {"call 1.0",
       head +
           R"({"type":"call","package":"p","step":"s","call":1.0,"response":{"status":"ok"}})"
           "\n" +
           end,
       2, "from 1"},
      {"an unknown status",
       head +
           R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"good"}})"
           "\n" +
           end,
       2, "status"},
      {"an unknown field of a response",
       head +
           R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok","text":""}})"
           "\n" +
           end,
       2, "unknown field «text»"},
      {"a body that is no string",
       head +
           R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok","body":{}}})"
           "\n" +
           end,
       2, "should be a string"},
      {"a request that was changed",
       head +
           R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok"},"request":{"model":"m"},"request_sha256":"00"})"
           "\n" +
           end,
       2, "not the digest"},
      {"no item's name",
       head +
           R"({"type":"rebuild","package":"p","item":"sort","revision":2,"data":{}})"
           "\n" +
           end,
       2, "name an item"},
      {"an unknown policy field", with_policy(R"({"max_round":2})"), 1,
       "«max_round» is an unknown field"},
      {"one solver", with_policy(R"({"solvers":["a"]})"), 1, "at least two"},
      {"one solver twice", with_policy(R"({"solvers":["a","a"]})"), 1, "once"},
      {"a byte that is not UTF-8", head + "{\"type\":\"\xFF\"}\n", 2, "not JSON"},
      {"a byte order mark", "\xEF\xBB\xBF" + head + end, 1, "byte order mark"},
      {"binary",
       std::string("\x7F"
                   "ELF\0\0\0",
                   7),
       1, "not JSON"},
      {"games of its own that are none",
       R"({"type":"run","format":"flagman.run/1","games":{}})"
       "\n",
       1, "«games»"},
  }));
  CAPTURE(row.why);
  const auto run = read(row.text);
  REQUIRE_FALSE(run);
  CHECK(run.error().line == row.line);
  CHECK_THAT(run.error().what, Contains(row.says));
  CHECK(run.error().what.find('\n') == std::string::npos);
}

TEST_CASE("a request beside its right digest is taken", "[run]") {
  // The digest of {"model":"m"} in its RFC 8785 form, whatever the order and spaces here.
  const auto run = read(
      head +
      R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok"},"request": { "model" : "m" },)"
      R"("request_sha256":"cc6e2e3d4b6ed3b1b4d0d2a2f1c2b2a8"})"
      "\n" +
      end);
  CHECK_FALSE(run);
  const auto right = read(
      head +
      R"({"type":"call","package":"p","step":"s","call":1,"response":{"status":"ok"},"request": { "model" : "m" },)"
      R"("request_sha256":"548f58d1c36c715b44f0863472074a97c448d5b8d18164b92adf55592b127f86"})"
      "\n" +
      end);
  CHECK(right);
}

TEST_CASE("a line has an end", "[run]") {
  const auto run = read(std::string(run_line_bytes_max + 1, ' '));
  REQUIRE_FALSE(run);
  CHECK_THAT(run.error().what, Contains("longer than 64 MiB"));
}
