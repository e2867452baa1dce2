// Cases taken from public reports, in words of our own: what teachers and operators elsewhere have
// met must not be met here. Each says what is expected: `accept`, `rebuild` (the item goes back to
// its author) or `reject` (the document is refused whole).

#include <re2/re2.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/extra_data.h"
#include "tests/validators/games.h"
#include "validators/expansion.h"
#include "validators/read_package.h"
#include "validators/text.h"

using namespace flagman::validators;
using flagman::tests::ten_kinds;

namespace {

std::optional<std::vector<Json>> cases_of(const std::string& kind, std::size_t least) {
  auto all = flagman::tests::extra_lines("cases/public_cases.jsonl");
  if (!all) return std::nullopt;
  std::erase_if(*all, [&](const Json& one) { return one.at("kind") != kind; });
  CHECK(all->size() >= least);
  return all;
}

std::string about(const Json& one) {
  return one.at("id").get<std::string>() + ": " + one.at("why").get<std::string>();
}

// A text, or {"repeat":u,"times":n,"then":t}.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  const auto unit = value.at("repeat").get<std::string>();
  for (int left = value.at("times").get<int>(); left > 0; --left) text += unit;
  return text + value.at("then").get<std::string>();
}

std::string package(const std::string& kind, const Json& game) {
  return Json{{"format", "flagman.package/1"}, {"games", {{kind, game}}}}.dump();
}

std::string package_of(const std::string& kind, const Json& items) {
  return package(kind, Json{{"data", items}});
}

PackageReading read(const std::string& bytes) {
  auto reading = read_package(bytes, ten_kinds(), {});
  // Nothing that is wrong with an item may cost the package.
  CAPTURE(bytes.substr(0, 200));
  CHECK_FALSE(reading.rejected());
  REQUIRE(reading.package.games.size() == 1);
  return reading;
}

const std::vector<Item>& items_of(const PackageReading& reading) {
  return reading.package.games.at(0).items;
}

std::string codes_of(const std::vector<Finding>& findings) {
  std::string codes;
  for (const auto& finding : findings) codes += std::string{name_of(finding.code)} + " ";
  return codes;
}

// Sound or flagged, as the case expects.
void check_item(const Json& one, const PackageReading& reading, std::size_t ordinal) {
  const auto& item = items_of(reading).at(ordinal);
  CAPTURE(ordinal, codes_of(item.all_findings()));
  if (one.at("expected") == "accept") {
    CHECK(codes_of(item.all_findings()).empty());
  } else {
    REQUIRE(one.at("expected") == "rebuild");
    CHECK_FALSE(item.sound());
  }
}

// ---- documents of another shape in ours, with the same fault at the same place ----

std::string in_our_format(std::string document) {
  RE2::GlobalReplace(&document, R"(\{"topic")", R"({"format":"flagman.package/1","topic")");
  RE2::GlobalReplace(&document, R"("games":\[\])", R"("games":{})");
  RE2::GlobalReplace(&document, R"re("games":\[\{"game":"quiz","text":(.*?)\}\])re",
                     R"("games":{"quiz":{"data":[{"q":\1}]}})");
  RE2::GlobalReplace(&document, R"re("games":\[\{"game":"(wheel)",(.*?)\}\])re",
                     R"("games":{"\1":{\2}})");
  return document;
}

std::string in_our_format(const Json& item) {
  const auto kind = item.at("game").get<std::string>();
  if (kind == "quiz") {
    return package_of(kind, Json::array({Json{{"q", item.at("text")},
                                              {"options", item.at("options")},
                                              {"key", item.at("key")}}}));
  }
  REQUIRE(kind == "sort");
  Json data = Json::array();
  for (const auto& one : item.at("items")) {
    data.push_back(Json{{"w", one.at("text")}, {"key", one.at("basket")}});
  }
  return package(kind, Json{{"baskets", item.at("baskets")}, {"data", data}});
}

std::string raw_of(const Json& input) {
  if (input.contains("raw")) return input.at("raw").get<std::string>();
  return flagman::tests::from_base64(input.at("raw_b64").get<std::string>());
}

void check_rejected(const std::string& document) {
  CAPTURE(document);
  const auto reading = read_package(document, ten_kinds(), {});
  CHECK(reading.rejected());
  CHECK(reading.package.games.empty());
}

}  // namespace

TEST_CASE("public cases: pairs that both solvers call an expansion", "[validators]") {
  const auto cases = cases_of("pair_expansion", 11);
  if (!cases) return;
  for (const auto& one : *cases) {
    const auto left = text_of(one.at("input").at("left"));
    const auto right = text_of(one.at("input").at("right"));
    CAPTURE(about(one), left.substr(0, 200), right.substr(0, 200));
    const auto start = std::chrono::steady_clock::now();
    const auto expansion = check_pair_expansion(tidy(left), tidy(right), {});
    const auto reading =
        read(package_of("pairs", Json::array({Json{{"left", left}, {"right", right}}})));
    const auto spent = std::chrono::steady_clock::now() - start;
    const auto& item = items_of(reading).at(0);
    CAPTURE(codes_of(item.all_findings()));
    const bool accepted = expansion == Expansion::expands && item.sound();
    CHECK(accepted == (one.at("expected") == "accept"));
    const bool long_side = longer_than(left, 500) || longer_than(right, 500);
    CHECK(codes_of(item.findings).starts_with("too_long") == long_side);
    if (one.contains("detail") && one.at("detail").contains("max_ms")) {
      CHECK(spent < std::chrono::milliseconds{one.at("detail").at("max_ms").get<int>()});
    }
  }
}

TEST_CASE("public cases: cards of one game that a pupil sees as the same", "[validators]") {
  const auto cases = cases_of("duplicate", 8);
  if (!cases) return;
  for (const auto& one : *cases) {
    const auto& texts = one.at("input").at("items");
    CAPTURE(about(one), texts.dump());
    REQUIRE(texts.size() == 2);
    const bool same = one.at("expected") == "rebuild";
    CHECK((fold(text_of(texts.at(0))) == fold(text_of(texts.at(1)))) == same);
    const auto reading = read(package_of("wheel", texts));
    CHECK(items_of(reading).at(0).sound());
    check_item(one, reading, 1);
    // A card that is faulty by itself is no other card's duplicate: its fault comes first.
    const auto& later = items_of(reading).at(1);
    const bool twice =
        later.relations.size() == 1 && later.relations[0].code == Reason::duplicate_item;
    CHECK(twice == (same && later.findings.empty()));
  }
}

TEST_CASE("public cases: texts", "[validators]") {
  const auto cases = cases_of("text", 9);
  if (!cases) return;
  for (const auto& one : *cases) {
    const auto text = text_of(one.at("input").at("text"));
    CAPTURE(about(one), Json(text).dump());
    check_item(one, read(package_of("wheel", Json::array({text}))), 0);
    check_item(one,
               read(package_of("lie_detector", Json::array({Json{{"s", text}, {"key", "truth"}}}))),
               0);
  }
}

TEST_CASE("public cases: a fault of a text is one wherever the text stands", "[validators]") {
  const auto cases = cases_of("text", 9);
  if (!cases) return;
  for (const auto& one : *cases) {
    const auto text = text_of(one.at("input").at("text"));
    CAPTURE(about(one), Json(text).dump());
    const auto quiz = [&](const Json& question, const Json& option) {
      return package_of(
          "quiz", Json::array({Json{
                      {"q", question}, {"options", Json::array({option, "иное"})}, {"key", 0}}}));
    };
    check_item(one, read(quiz(text, "слово")), 0);
    check_item(one, read(quiz("вопрос", text)), 0);
    check_item(one, read(package_of("memory", Json::array({Json{{"a", "слово"}, {"b", text}}}))),
               0);
    check_item(one,
               read(package_of("gap", Json::array({Json{{"q", "вопрос"},
                                                        {"key", "ответ"},
                                                        {"accept", Json::array({text})}}}))),
               0);
    const auto steps = Json::array({"первое", text});
    check_item(
        one, read(package_of("order", Json::array({Json{{"q", "вопрос"}, {"steps", steps}}}))), 0);
    const auto labelled =
        package("sort", Json{{"baskets", Json::array({text, "иное"})},
                             {"data", Json::array({Json{{"w", "слово"}, {"key", "иное"}}})}});
    CHECK(read_package(labelled, ten_kinds(), {}).rejected() == (one.at("expected") == "rebuild"));
  }
}

TEST_CASE("public cases: documents that are refused before anybody is asked", "[validators]") {
  const auto cases = cases_of("schema", 12);
  if (!cases) return;
  int refused = 0;
  for (const auto& one : *cases) {
    if (one.at("expected") != "reject") continue;
    CAPTURE(about(one));
    const auto raw = raw_of(one.at("input"));
    check_rejected(raw);
    const auto ours = in_our_format(raw);
    check_rejected(ours);
    // The fault is what refuses it, not what was lost on the way into our format.
    const auto codes = codes_of(read_package(ours, ten_kinds(), {}).findings);
    CAPTURE(ours, codes);
    const bool meant = codes == "bad_json " || codes == "too_few ";
    CHECK(meant);
    ++refused;
  }
  CHECK(refused >= 5);
}

TEST_CASE("public cases: items of a document", "[validators]") {
  const auto cases = cases_of("schema", 12);
  if (!cases) return;
  int judged = 0;
  for (const auto& one : *cases) {
    if (one.at("expected") == "reject") continue;
    const auto& input = one.at("input");
    const auto ours =
        input.contains("item") ? in_our_format(input.at("item")) : in_our_format(raw_of(input));
    CAPTURE(about(one), ours);
    const auto reading = read(ours);
    const auto& items = items_of(reading);
    // The fault is in the last item, where there are several.
    for (std::size_t i = 0; i + 1 < items.size(); ++i) CHECK(items[i].sound());
    check_item(one, reading, items.size() - 1);
    // Whatever is wrong, the author's key stays as it was written.
    if (input.contains("item") && input.at("item").contains("key")) {
      CHECK(items.back().key_written() == input.at("item").at("key").dump());
    } else if (input.contains("item")) {
      CHECK(items.back().key_written() == input.at("item").at("items").back().at("basket").dump());
    }
    ++judged;
  }
  CHECK(judged >= 7);
}
