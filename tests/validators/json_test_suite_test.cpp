// The parser files of JSONTestSuite: what a strict reader must take, must refuse, and may do as it
// likes with, as long as it answers.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/extra_data.h"
#include "validators/json.h"

using namespace flagman::validators;
using flagman::tests::extra_lines;
using flagman::tests::from_base64;

namespace {

// The suite lets the last of two equal names win. A package must not: nobody could tell which of
// two keys its author meant.
constexpr std::array<std::string_view, 2> stricter{"y_object_duplicated_key.json",
                                                   "y_object_duplicated_key_and_value.json"};

std::string outcome(const tl::expected<Json, JsonFault>& value) {
  return value ? value->dump() : value.error().what + " at " + std::to_string(value.error().byte);
}

void check_refusal(const JsonFault& fault, std::string_view bytes) {
  CAPTURE(fault.what, fault.byte, fault.place);
  CHECK_FALSE(fault.what.empty());
  CHECK(std::none_of(fault.what.begin(), fault.what.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
  CHECK(fault.byte < std::max<std::size_t>(bytes.size(), 1));
  CHECK_NOTHROW(Json::json_pointer{fault.place});
}

}  // namespace

TEST_CASE("the files of JSONTestSuite are taken and refused as it says", "[validators]") {
  const auto files = extra_lines("json_test_suite/parsing.jsonl");
  if (!files) return;
  std::map<char, int> seen;
  int refused_though_valid = 0;
  for (const auto& file : *files) {
    const auto name = file.at("name").get<std::string>();
    const auto bytes = from_base64(file.at("b64").get<std::string>());
    CAPTURE(name, bytes.substr(0, 80));
    ++seen[name.at(0)];
    tl::expected<Json, JsonFault> value;
    REQUIRE_NOTHROW(value = parse_json(bytes));
    CHECK(outcome(value) == outcome(parse_json_slowly(bytes)));
    if (!value) check_refusal(value.error(), bytes);
    if (std::find(stricter.begin(), stricter.end(), name) != stricter.end()) {
      CHECK_FALSE(value);
      ++refused_though_valid;
    } else if (name.starts_with("y_")) {
      CHECK(value);
    } else if (name.starts_with("n_")) {
      CHECK_FALSE(value);
    }
  }
  CHECK(files->size() == 318);
  CHECK(seen == std::map<char, int>{{'i', 35}, {'n', 188}, {'y', 95}});
  CHECK(refused_though_valid == 2);
}

TEST_CASE("what JSONTestSuite has read is written and read again as the same", "[validators]") {
  const auto files = extra_lines("json_test_suite/parsing.jsonl");
  if (!files) return;
  int read = 0;
  for (const auto& file : *files) {
    const auto value = parse_json(from_base64(file.at("b64").get<std::string>()));
    if (!value) continue;
    CAPTURE(file.at("name").get<std::string>());
    const auto again = parse_json(value->dump());
    REQUIRE(again);
    CHECK(*again == *value);
    ++read;
  }
  CHECK(read >= 93);
}
