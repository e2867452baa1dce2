#include "arbiter/reply.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace flagman::arbiter;
using flagman::validators::Json;

namespace {

// "" where the object was opened, else the refusal's code.
std::string opened(const ModelResponse& response) {
  const auto reply = open_reply(response);
  return reply ? "" : std::string{name_of(reply.error())};
}

std::string nested(int arrays) {
  const auto count = static_cast<std::size_t>(arrays);
  return R"({"a":)" + std::string(count, '[') + std::string(count, ']') + "}";
}

}  // namespace

TEST_CASE("a reply is exactly one JSON object, bare or in one fence", "[arbiter]") {
  struct Row {
    const char* why;
    std::string body, want;
  };
  const auto row = GENERATE(values<Row>({
      {"bare", R"({"a":1})", ""},
      {"white space around", " \r\n\t{\"a\":1}\n ", ""},
      {"a byte order mark is skipped", "\uFEFF{\"a\":1}", ""},
      {"one byte order mark alone is skipped", "\uFEFF\uFEFF{\"a\":1}", "not_json"},
      {"a byte order mark before a fence", "\uFEFF```\n{\"a\":1}\n```", ""},

      {"fence", "```\n{\"a\":1}\n```", ""},
      {"fence with a tag, recorded run", "```json\n{\"a\":1}\n```\n", ""},
      {"any tag", "``` whatever it is\n{\"a\":1}\n```", ""},
      {"lines end in CR LF", "```json\r\n{\"a\":1}\r\n```\r\n", ""},
      {"prose around", "Вот ответ:\n```json\n{\"a\":1}\n```\nНадеюсь, помог.", ""},
      {"prose with a closing brace alone", "} и так\n```\n{\"a\":1}\n```\n}", ""},
      {"a brace before the fence", "{ }\n```\n{\"a\":1}\n```", "not_json"},
      {"a brace after the fence", "```\n{\"a\":1}\n```\n{\"a\":2}", "not_json"},
      {"two fenced objects", "```\n{\"a\":1}\n```\n```\n{\"a\":2}\n```", "not_json"},
      {"a second fence without a brace is prose", "```\n{\"a\":1}\n```\n```\nтекст\n```", ""},
      {"the first fence counts", "```\nтекст\n```\n```\nтекст\n```", "not_json"},
      {"never closed", "```json\n{\"a\":1}\n", "not_json"},
      {"opened and that is all", "```", "not_json"},
      {"closed in the middle of a line", "```\n{\"a\":1} ```", "not_json"},
      {"opened in the middle of a line", "Ответ: ```\n{\"a\":1}\n```", "not_json"},
      {"opened after a space", " ```\n{\"a\":1}\n```", "not_json"},
      {"nothing inside", "```\n```", "not_json"},
      {"prose inside", "```\nОтвет: {\"a\":1}\n```", "not_json"},
      {"a fence in one line", "```{\"a\":1}```", "not_json"},
      {"backticks within a string are no line", "{\"a\":\"\\n```\\n\"}", ""},

      {"prose before, no fence", "Вот: {\"a\":1}", "not_json"},
      {"prose behind, no fence", "{\"a\":1} готово", "not_json"},
      {"two objects", "{\"a\":1}{\"a\":2}", "not_json"},
      {"cut off", "{\"a\":", "not_json"},
      {"trailing comma", "{\"a\":1,}", "not_json"},
      {"single quotes", "{'a':1}", "not_json"},
      {"a comment", "{\"a\":1} // да", "not_json"},
      {"not a number", "{\"a\":NaN}", "not_json"},
      {"infinity", "{\"a\":Infinity}", "not_json"},
      {"beyond a double", "{\"a\":1e999}", "not_json"},
      {"a name twice", R"({"a":1,"a":1})", "not_json"},
      {"a name twice, once escaped", R"({"a":1,"\u0061":1})", "not_json"},
      {"a name twice, deep within", R"({"a":[{"b":1,"b":2}]})", "not_json"},
      {"a lone surrogate", R"({"a":"\ud83d"})", "not_json"},
      {"a surrogate pair", R"({"a":"\ud83d\ude00"})", ""},
      {"bytes that are not UTF-8", "{\"a\":\"\xC3\"}", "not_json"},
      {"a bare line break in a string", "{\"a\":\"\n\"}", "not_json"},
      {"64 levels", nested(63), ""},
      {"65 levels", nested(64), "not_json"},
      {"a stack of them", nested(100'000), "not_json"},

      {"nothing", "", "empty"},
      {"white space alone", " \r\n\t", "empty"},
      {"a byte order mark alone", "\uFEFF\n", "empty"},
      {"an array", "[1]", "wrong_shape"},
      {"a string", "\"a\"", "wrong_shape"},
      {"a fenced array", "```\n[]\n```", "wrong_shape"},
  }));
  CAPTURE(row.why);
  CHECK(opened({ResponseStatus::ok, row.body}) == row.want);
}

TEST_CASE("what the provider said counts before what the text says", "[arbiter]") {
  const std::string body = GENERATE("{\"a\":1}", "", "{", "[]");
  CAPTURE(body);
  CHECK(opened({ResponseStatus::truncated, body}) == "truncated");
  CHECK(opened({ResponseStatus::refused, body}) == "refusal");
}

TEST_CASE("a timeout and an error are no reply that could be refused", "[arbiter]") {
  CHECK_FALSE(reply_came({ResponseStatus::timeout, "{}"}));
  CHECK_FALSE(reply_came({ResponseStatus::error, "{}"}));
  CHECK(reply_came({ResponseStatus::ok, ""}));
  CHECK(reply_came({ResponseStatus::refused, ""}));
  CHECK(reply_came({ResponseStatus::truncated, ""}));
}

TEST_CASE("refusals come in the order in which they count", "[arbiter]") {
  // The contract's list; another place orders by the enumeration.
  const char* const codes[] = {"truncated",   "refusal",       "empty",           "not_json",
                               "wrong_shape", "unknown_index", "duplicate_index", "echo_mismatch",
                               "incomplete",  "outside_domain"};
  int at = 0;
  for (const auto* code : codes) CHECK(name_of(static_cast<Refusal>(at++)) == code);
}

TEST_CASE("exactly these fields means no more and no fewer", "[arbiter]") {
  const auto value = Json::parse(R"({"b":1,"a":null})");
  CHECK(has_exactly(value, {"a", "b"}));
  CHECK_FALSE(has_exactly(value, {"a"}));
  CHECK_FALSE(has_exactly(value, {"a", "b", "c"}));
  CHECK_FALSE(has_exactly(value, {"a", "c"}));
  CHECK_FALSE(has_exactly(Json::parse(R"(["a","b"])"), {"a", "b"}));
}

TEST_CASE("an object in a fence is opened as it is without one", "[arbiter]") {
  CHECK(rc::check("fence", [] {
    // Prose without a line that begins with a fence, and without a brace.
    const auto text =
        rc::gen::container<std::string>(rc::gen::element('a', '`', ' ', '"', '}', '[', '.'));
    const auto before = "x" + *text, after = *text, tag = *text, value = *text;
    const auto object = Json{{"a", value}}.dump();
    const auto reply = open_reply(
        {ResponseStatus::ok, before + "\n```" + tag + "\n" + object + "\n```\n" + after});
    RC_ASSERT(reply.has_value());
    RC_ASSERT(reply->dump() == object);
  }));
}

TEST_CASE("no bytes at all bring the reader down", "[arbiter]") {
  CHECK(rc::check("any bytes", [] {
    const auto body = *rc::gen::container<std::string>(
        rc::gen::element('{', '}', '[', ']', '"', ':', ',', '`', '\n', '\\', 'u', 'd', '8', '0',
                         'e', '-', '\0', '\xD0', '\xFF', ' '));
    const auto reply = open_reply({ResponseStatus::ok, body});
    RC_ASSERT(!reply || reply->is_object());
  }));
}

TEST_CASE("nothing hides behind a NUL in a reply", "[arbiter]") {
  std::string body = R"({"answers":[]})";
  REQUIRE(open_reply({ResponseStatus::ok, body}));
  body += std::string(1, '\0') + R"({"answers":[1]})";
  const auto reply = open_reply({ResponseStatus::ok, body});
  REQUIRE_FALSE(reply);
  CHECK(reply.error() == Refusal::not_json);
}
