#include "daemon/store/array_text.h"

#include <catch2/catch.hpp>
#include <string>

using flagman::daemon::ArrayText;

TEST_CASE("an array's text keeps every element apart", "[store]") {
  ArrayText array;
  CHECK(array.take() == "{}");
  array.add_number(-7);
  array.add_number(9'007'199'254'740'993);
  CHECK(array.take() == "{-7,9007199254740993}");
  array.add_text("");
  array.add_text("NULL");
  array.add_text(R"(a,b{}"c\d)");
  array.add_optional(std::nullopt);
  array.add_optional("x");
  CHECK(array.take() == R"({"","NULL","a,b{}\"c\\d",NULL,"x"})");
  array.add_bytes(std::string("\0\xFF\x1f", 3));
  array.add_bytes("");
  CHECK(array.take() == R"({"\\x00ff1f","\\x"})");
  CHECK(array.take() == "{}");
}

TEST_CASE("U+0000, which no text of PostgreSQL holds, becomes U+FFFD", "[store]") {
  ArrayText array;
  array.add_text(std::string("a\0b", 3));
  CHECK(array.take() == "{\"a\uFFFDb\"}");
}
