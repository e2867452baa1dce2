#include "validators/json.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace flagman::validators;
using Catch::Matchers::Contains;

TEST_CASE("strict JSON takes one value and keeps its order", "[validators]") {
  const auto value = parse_json(R"( {"b":1,"a":[true,null,-2,0.5,"\u044f\ud83d\ude00"]} )");
  REQUIRE(value);
  CHECK(value->dump() == "{\"b\":1,\"a\":[true,null,-2,0.5,\"я😀\"]}");
}

TEST_CASE("what usual parsers let through is refused with its place", "[validators]") {
  struct Row {
    const char* why;
    std::string text, says, place;
  };
  const auto row = GENERATE(values<Row>({
      {"a name twice", R"({"a":1,"b":2,"a":3})", "stands twice", "/b"},
      {"a name twice, escaped", R"({"x":[0,{"a":1,"\u0061":3}]})", "stands twice", "/x/1/a"},
      {"a lone surrogate", R"(["\ud83d"])", "surrogate", "/0"},
      {"a low surrogate first", R"(["\ude00\ud83d"])", "surrogate", "/0"},
      {"NaN", "[NaN]", "", "/0"},
      {"a trailing comma", "[1,]", "", "/1"},
      {"two documents", "{}{}", "", ""},
      {"nothing", "", "", ""},
      {"cut", R"({"a":)", "", "/a"},
      {"a comment", "[1 /*x*/]", "", "/1"},
      {"single quotes", "{'a':1}", "", ""},
      {"invalid UTF-8", "[\"\xC3\x28\"]", "UTF-8", "/0"},
      {"an overlong form", "[\"\xC0\xAF\"]", "UTF-8", "/0"},
      {"a control character", "[\"a\nb\"]", "control", "/0"},
      {"a number beyond a double", "[1e999]", "", ""},
      {"a leading zero", "[01]", "", "/1"},
      {"a byte order mark", "\xEF\xBB\xBF[]", "byte order mark", ""},
  }));
  CAPTURE(row.why);
  const auto value = parse_json(row.text);
  REQUIRE_FALSE(value);
  CHECK_THAT(value.error().what, Contains(row.says));
  if (!row.place.empty()) CHECK(value.error().place == row.place);
  CHECK(value.error().byte <= row.text.size());
  CHECK(value.error().what.find('\n') == std::string::npos);
}

TEST_CASE("a NUL byte does not end a document", "[validators]") {
  // The lexer takes it for the end of its input: what stood behind it went unseen.
  const auto text = GENERATE(values<std::string>({
      std::string("{}\0{}", 5),
      std::string("{}\0", 3),
      std::string("[1]  \0 garbage \xFF", 16),
      std::string("\0{}", 3),
      std::string("{\0}", 3),
      std::string("[\"a\0b\"]", 7),
      std::string("7\0", 2),
  }));
  CHECK_FALSE(parse_json(text));
  const auto glued = parse_json(std::string_view{"{}\0{}", 5});
  REQUIRE_FALSE(glued);
  CHECK_THAT(glued.error().what, Contains("NUL"));
  CHECK(glued.error().byte == 2);
}

TEST_CASE("a fault is one line, whatever the document's names hold", "[validators]") {
  const auto value = parse_json(R"({"a\nb":1,"a\nb":2})");
  REQUIRE_FALSE(value);
  CHECK(value.error().what.find('\n') == std::string::npos);
}

TEST_CASE("minus zero is the whole number zero", "[validators]") {
  const auto value = parse_json("[-0]");
  REQUIRE(value);
  CHECK((*value)[0].is_number_unsigned());
  CHECK((*value)[0] == 0);
}

TEST_CASE("depth is bounded exactly", "[validators]") {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  CHECK(parse_json(nested(json_depth_max)));
  const auto deeper = parse_json(nested(json_depth_max + 1));
  REQUIRE_FALSE(deeper);
  CHECK_THAT(deeper.error().what, Contains("nested deeper than 64"));
  CHECK(deeper.error().byte == json_depth_max);
  CHECK_FALSE(parse_json(std::string(1'000'000, '[')));
}

TEST_CASE("large objects are searched for equal names too", "[validators]") {
  std::string text = "{";
  for (int i = 0; i < 1'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  CHECK(parse_json(text + "\"x\":0}"));
  CHECK_FALSE(parse_json(text + "\"3\":0}"));
  CHECK_FALSE(parse_json(text + "\"999\":0}"));
}

TEST_CASE("a pointer's names are escaped", "[validators]") {
  CHECK(pointer_to("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(pointer_to("", std::size_t{7}) == "/7");
}
