#include "daemon/language.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "arbiter/outcome.h"
#include "arbiter/reply.h"
#include "daemon/embedded.h"
#include "validators/kinds.h"
#include "validators/reason.h"

using flagman::daemon::Language;
namespace embedded = flagman::daemon::embedded;

namespace {

std::set<std::string> placeholders(const std::string& phrase) {
  std::set<std::string> names;
  for (auto open = phrase.find('{'); open != std::string::npos; open = phrase.find('{', open + 1)) {
    const auto close = phrase.find('}', open);
    REQUIRE(close != std::string::npos);
    names.insert(phrase.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace

TEST_CASE("every code has words of its own in both languages", "[language]") {
  const std::string name = GENERATE("en", "ru");
  const Language language{name};
  CAPTURE(name);
  const auto check = [&](std::string_view section, const std::string& code) {
    CAPTURE(section, code);
    // English routes are the very words; everything else is told in words of its own.
    CHECK((language.say(section, code) != code || section == "routes"));
    CHECK_FALSE(language.say(section, code).empty());
  };
  for (const auto reason : flagman::validators::all_reasons()) {
    check("reasons", std::string{name_of(reason)});
  }
  for (int i = 0; i <= static_cast<int>(flagman::arbiter::Refusal::outside_domain); ++i) {
    check("refusals", std::string{name_of(static_cast<flagman::arbiter::Refusal>(i))});
  }
  for (const auto route : {"structural", "authority", "solvers", "arbiter", "operator"}) {
    check("routes", route);
  }
  const auto kinds = flagman::validators::parse_kinds(embedded::games_json);
  REQUIRE(kinds);
  REQUIRE(kinds->size() == 10);
  for (const auto& [kind, description] : *kinds) check("kinds", kind);
}

TEST_CASE("both languages have the same codes and the same names to fill in", "[language]") {
  const auto en = nlohmann::json::parse(embedded::language_en_json);
  const auto ru = nlohmann::json::parse(embedded::language_ru_json);
  for (const auto& [section, words] : en.items()) {
    if (!words.is_object()) continue;
    REQUIRE(ru[section].size() == words.size());
    for (const auto& [code, phrase] : words.items()) {
      CAPTURE(section, code);
      REQUIRE(ru[section].contains(code));
      CHECK(placeholders(phrase.get<std::string>()) ==
            placeholders(ru[section][code].get<std::string>()));
    }
  }
}

TEST_CASE("a phrase gets its names, and text that looks like a name stays text", "[language]") {
  const Language language{"en"};
  CHECK(language.tell("by", {{"route", "{route} {x"}}) == ", by {route} {x");
  CHECK_THROWS_AS(Language{"fr"}, std::invalid_argument);
}
