#include "validators/json.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

using namespace flagman::validators;
using Catch::Matchers::Contains;

namespace {

std::string nested(int depth, char open, char close) {
  return std::string(static_cast<std::size_t>(depth), open) +
         std::string(static_cast<std::size_t>(depth), close);
}

std::string object_of(const std::vector<std::string>& names) {
  std::string text = "{";
  for (const auto& name : names) {
    text += text.size() > 1 ? "," : "";
    text += "\"" + name + "\":0";
  }
  return text + "}";
}

}  // namespace

TEST_CASE("strict JSON takes one value as it stands", "[validators]") {
  struct Row {
    const char* why;
    std::string text, want;
  };
  const auto row = GENERATE(values<Row>({
      {"members keep their order", R"({"b":1,"a":2,"":3})", R"({"b":1,"a":2,"":3})"},
      {"white space around", " \t\r\n[ 1 , 2 ] \n", "[1,2]"},
      {"a bare value", "null", "null"},
      {"literals and numbers", "[true,false,null,-2,0.5]", "[true,false,null,-2,0.5]"},
      {"a surrogate pair is one character", R"(["\ud83d\ude00"])", "[\"😀\"]"},
      {"escapes", R"(["\u044f\/\"\\"])", "[\"я/\\\"\\\\\"]"},
      {"an escaped NUL is a character", R"(["\u0000"])", R"(["\u0000"])"},
      {"2^64 - 1 is an integer", "[18446744073709551615]", "[18446744073709551615]"},
      {"-2^63 is an integer", "[-9223372036854775808]", "[-9223372036854775808]"},
      {"a fraction stays one", "[3.0,1e0]", "[3.0,1.0]"},
      {"the same name in two objects", R"([{"a":1},{"a":2,"b":{"a":3}}])",
       R"([{"a":1},{"a":2,"b":{"a":3}}])"},
      {"names that differ in case or composition", "{\"a\":1,\"A\":2,\"й\":3,\"и\u0306\":4}",
       "{\"a\":1,\"A\":2,\"й\":3,\"и\u0306\":4}"},
      {"a byte order mark within a string is a character", "[\"\uFEFF\"]", "[\"\uFEFF\"]"},
  }));
  CAPTURE(row.why);
  const auto value = parse_json(row.text);
  REQUIRE(value);
  CHECK(value->dump() == row.want);
}

TEST_CASE("an integer beyond 64 bits does not wrap round to a small one", "[validators]") {
  const auto value = parse_json("[18446744073709551616,-9223372036854775809]");
  REQUIRE(value);
  CHECK((*value)[0].is_number_float());
  CHECK((*value)[1].is_number_float());
}

TEST_CASE("what usual parsers let through is refused with its place", "[validators]") {
  using namespace std::string_literals;
  struct Row {
    const char* why;
    std::string text, says, place;
    std::size_t byte;
  };
  const auto row = GENERATE(values<Row>({
      {"a name twice", R"({"a":1,"b":2,"a":3})", "«a» stands twice", "/b", 15},
      {"a name twice, once escaped", R"({"x":[0,{"a":1,"\u0061":3}]})", "«a» stands twice",
       "/x/1/a", 22},
      {"the empty name twice", R"({"":1,"":2})", "stands twice", "/", 7},
      {"a name with a line break twice", R"({"a\nb":1,"a\nb":2})", "«a b» stands twice", "/a\nb",
       15},
      {"a lone high surrogate", R"(["\ud83d"])", "surrogate", "/0", 8},
      {"a high surrogate before a letter", R"(["\ud83dx"])", "surrogate", "/0", 8},
      {"a low surrogate first", R"(["\ude00\ud83d"])", "surrogate", "/0", 7},
      {"two high surrogates", R"(["\ud83d\ud83d"])", "surrogate", "/0", 13},
      {"NaN", "[0,NaN]", "literal", "/1", 3},
      {"infinity", "[Infinity]", "literal", "/0", 1},
      {"minus infinity", "[-Infinity]", "number", "/0", 2},
      {"a number beyond a double", "[1e999]", "", "/0", 6},
      {"a trailing comma in a list", "[1,]", "']'", "/1", 3},
      {"a trailing comma in an object", R"({"a":1,})", "'}'", "/a", 7},
      {"two documents", "{}{}", "'{'", "", 2},
      {"words behind the document", "{} ok", "", "", 3},
      {"a NUL behind the document hides nothing", "{}\0{\"a\":1}"s, "NUL", "", 2},
      {"a NUL at the very end", "[1]\0"s, "NUL", "", 3},
      {"a NUL within a list", "[1,\0 2]"s, "end of input", "/1", 3},
      {"a NUL within a string", "[\"a\0b\"]"s, "U+0000", "/0", 3},
      {"nothing", "", "end of input", "", 0},
      {"only white space", " \n", "end of input", "", 1},
      {"cut behind a colon", R"({"a":)", "end of input", "/a", 4},
      {"cut within a string", R"(["a)", "missing closing quote", "/0", 2},
      {"a comment", "[1 /*x*/]", "", "/1", 3},
      {"a line comment", "[1] // x", "", "", 4},
      {"single quotes", "{'a':1}", "", "", 1},
      {"a bare name", "{a:1}", "", "", 1},
      {"a number as a name", "{1:2}", "", "", 2},
      {"no comma", "[1 2]", "", "/1", 4},
      {"a leading zero", "[01]", "", "/1", 3},
      {"a leading plus", "[+1]", "", "/0", 1},
      {"no digit before the point", "[.5]", "", "/0", 1},
      {"no digit behind the point", "[1.]", "", "/0", 3},
      {"a hexadecimal number", "[0x10]", "", "/1", 2},
      {"a capital literal", "[True]", "", "/0", 1},
      {"an unknown escape", R"(["\x41"])", "backslash", "/0", 3},
      {"a short escape", R"(["\u12"])", "hex digits", "/0", 6},
      {"an overlong form", "[\"\xC0\xAF\"]", "UTF-8", "/0", 2},
      {"a character without its second byte", "[\"\xC3\x28\"]", "UTF-8", "/0", 3},
      {"a cut character", "[\"\xD0\"]", "UTF-8", "/0", 3},
      {"a surrogate in UTF-8", "[\"\xED\xA0\x80\"]", "UTF-8", "/0", 3},
      {"beyond the last code point", "[\"\xF5\x80\x80\x80\"]", "UTF-8", "/0", 2},
      {"bad UTF-8 outside of strings", "[\xFF]", "", "/0", 1},
      {"a raw line break in a string", "[\"a\nb\"]", "U+000A", "/0", 3},
      {"a raw tab in a string", "[\"a\tb\"]", "U+0009", "/0", 3},
      {"no-break space as white space", "[\u00A0]", "", "/0", 1},
      {"a byte order mark", "\xEF\xBB\xBF[]", "byte order mark", "", 0},
      {"UTF-16", "[\0]\0"s, "", "/0", 1},
  }));
  CAPTURE(row.why);
  const auto value = parse_json(row.text);
  REQUIRE_FALSE(value);
  CHECK_THAT(value.error().what, Contains(row.says));
  CHECK(value.error().place == row.place);
  CHECK(value.error().byte == row.byte);
  CHECK_FALSE(value.error().what.empty());
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

TEST_CASE("minus zero is the whole number zero", "[validators]") {
  const auto value = parse_json("[-0]");
  REQUIRE(value);
  CHECK((*value)[0].is_number_unsigned());
  CHECK((*value)[0] == 0);
}

TEST_CASE("depth is bounded exactly", "[validators]") {
  CHECK(parse_json(nested(json_depth_max, '[', ']')));
  const auto deeper = parse_json(nested(json_depth_max + 1, '[', ']'));
  REQUIRE_FALSE(deeper);
  CHECK_THAT(deeper.error().what, Contains("nested deeper than 64"));
  CHECK(deeper.error().byte == json_depth_max);
  CHECK(parse_json("[[],[],[[]]]", 3));
  CHECK_FALSE(parse_json("[[],[],[[[]]]]", 3));
  CHECK(parse_json("7", 0));
  CHECK_FALSE(parse_json("[]", 0));
}

TEST_CASE("depth of a hostile document costs no stack", "[validators]") {
  CHECK_FALSE(parse_json(std::string(1'000'000, '[')));
  CHECK(parse_json(nested(5'000, '[', ']'), 5'000));
}

TEST_CASE("a name is found twice wherever the two stand, in small objects and in large ones",
          "[validators]") {
  for (std::size_t count = 2; count <= 40; ++count) {
    std::vector<std::string> names(count);
    for (std::size_t i = 0; i < count; ++i) names[i] = std::to_string(i);
    REQUIRE(parse_json(object_of(names)));
    for (std::size_t first = 0; first + 1 < count; ++first) {
      auto twice = names;
      twice[count - 1] = names[first];
      CAPTURE(count, first);
      REQUIRE_FALSE(parse_json(object_of(twice)));
      std::swap(twice[count - 1], twice[std::min(first + 1, count - 1)]);
      REQUIRE_FALSE(parse_json(object_of(twice)));
    }
  }
}

TEST_CASE("an object of a thousand names is searched to its end", "[validators]") {
  std::vector<std::string> names;
  for (int i = 0; i < 1'000; ++i) names.push_back(std::to_string(i));
  names.emplace_back("x");
  CHECK(parse_json(object_of(names)));
  names.back() = "3";
  CHECK_FALSE(parse_json(object_of(names)));
  names.back() = "999";
  CHECK_FALSE(parse_json(object_of(names)));
}

TEST_CASE("an object is taken exactly when its names differ", "[validators]") {
  CHECK(rc::check("names", [] {
    const auto numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60));
    std::vector<std::string> names;
    for (const int number : numbers) names.push_back(std::to_string(number));
    const bool distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
    RC_ASSERT(parse_json(object_of(names)).has_value() == distinct);
  }));
}

TEST_CASE("a string survives writing and strict reading", "[validators]") {
  CHECK(rc::check("round trip", [] {
    std::string text;
    const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "\"", "\\", "/", "\n", "\u0001", "я", "😀", "\uFEFF", "\u2028", "{", "a", "\\u"));
    for (const auto& part : parts) text += part;
    const auto value = parse_json(Json{{text, text}}.dump());
    RC_ASSERT(value);
    RC_ASSERT(value->at(text).get<std::string>() == text);
  }));
}

TEST_CASE("one leading byte order mark is skipped, no other", "[validators]") {
  CHECK(skip_byte_order_mark("\xEF\xBB\xBF{}") == "{}");
  CHECK(skip_byte_order_mark("\xEF\xBB\xBF\xEF\xBB\xBF{}") == "\xEF\xBB\xBF{}");
  CHECK(skip_byte_order_mark(" \xEF\xBB\xBF{}") == " \xEF\xBB\xBF{}");
  CHECK(skip_byte_order_mark("\xEF\xBB") == "\xEF\xBB");
}

TEST_CASE("the quick reader and the one that knows places read the same", "[validators]") {
  // What the quick one is not sure of, what it lets through, and what both take.
  const std::string text = GENERATE(values<std::string>(
      {R"({"a":[1,-1,0,-0,0.5,-0.0,1e3,1E-400,true,false,null,"я\ud83d\ude00\n"],"б":{}})",
       "18446744073709551615",
       "18446744073709551616",
       "-9223372036854775808",
       "-9223372036854775809",
       "123456789012345678901234567890",
       "1e400",
       "4.9e-324",
       "0.1000000000000000055511151231257827",
       R"({"a":1,"a":1})",
       R"(["\ud83d"])",
       R"(["\ude00"])",
       R"(["\ud83d\u0041"])",
       "[1]\n{}",
       "[1,]",
       "",
       " ",
       "\xEF\xBB\xBF[1]",
       "[\"\xFF\"]",
       "[\"\xED\xA0\x80\"]",
       "[\"\t\"]",
       "[NaN]",
       "5",
       "\"а\"",
       nested(json_depth_max, '[', ']'),
       nested(json_depth_max + 1, '[', ']'),
       nested(2000, '[', ']')}));
  CAPTURE(text.substr(0, 80));
  const auto quick = parse_json(text);
  const auto slow = parse_json_slowly(text);
  REQUIRE(quick.has_value() == slow.has_value());
  if (quick) {
    CHECK(quick->dump() == slow->dump());
    CHECK((quick->type() == slow->type()));
  } else {
    CHECK(quick.error().what == slow.error().what);
    CHECK(quick.error().byte == slow.error().byte);
    CHECK(quick.error().place == slow.error().place);
  }
}

TEST_CASE("a pointer's names are escaped", "[validators]") {
  CHECK(pointer_to("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(pointer_to("/a", "~1") == "/a/~01");
  CHECK(pointer_to("", "") == "/");
  CHECK(pointer_to("", std::size_t{7}) == "/7");
}
