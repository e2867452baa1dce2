// Near duplicates: worth a look, never a decision.

#include "validators/near_duplicates.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/validators/games.h"
#include "validators/read_package.h"
#include "validators/text.h"

using namespace flagman::validators;

namespace {

// "item code other" of all findings of a package's games.
std::vector<std::string> found(const std::string& games, const CheckPolicy& policy = {}) {
  const auto reading = read_package(R"({"format":"flagman.package/1","games":{)" + games + "}}",
                                    flagman::tests::ten_kinds(), policy);
  std::vector<std::string> all;
  for (const auto& finding : reading.findings) {
    if (finding.code == Reason::near_duplicate_item) CHECK(finding.severity == Severity::warn);
    const auto other = finding.detail.rfind(' ');
    all.push_back(to_text(*finding.item) + " " + std::string{name_of(finding.code)} +
                  finding.detail.substr(other));
  }
  return all;
}

std::string statements(const std::vector<std::string>& texts) {
  std::string data;
  for (const auto& text : texts) {
    data += (data.empty() ? "" : ",") + (R"({"s":")" + text + R"(","key":"lie"})");
  }
  return R"("lie_detector":{"data":[)" + data + "]}";
}

using All = std::vector<std::string>;
const std::string river = "Волга впадает в Каспийское море, а не в Чёрное море";

}  // namespace

TEST_CASE("a text that nearly repeats another one is warned of", "[validators]") {
  struct Row {
    const char* why;
    std::string one, other;
    bool near;
  };
  const auto row = GENERATE(values<Row>({
      {"a letter changed", river, "Волга впадает в Каспийское море, а не в Чёрное горе", true},
      {"only a capital", river, "Волга впадает в Каспийское море, а не в чёрное море", false},
      {"another matter", river, "Байкал глубже всех озёр на всей нашей Земле", false},
      {"too short", "Снег белый весной", "Снег белый весной!", false},
      {"only a comma was moved",
       "Казнить нельзя, помиловать можно было бы его потом сегодня и завтра",
       "Казнить, нельзя помиловать можно было бы его потом сегодня и завтра", false},
      {"fuzzed: a number ends the one text alone", river + " после 12 и 30",
       river + " после 12 и 30 л", true},
      {"other digits", river + " с 1900 года", river + " с 1901 года", false},
      {"another sign before a number", river + " при -2 градусах", river + " при 2 градусах",
       false},
      {"another letter beside the gap", river + " и маши..ый", river + " и маше..ый", false},
      {"written apart", river + " несмотря на ветер и дождь", river + " не смотря на ветер и дождь",
       false},
  }));
  CAPTURE(row.why);
  const All want = row.near ? All{"lie_detector/1 near_duplicate_item lie_detector/0"} : All{};
  CHECK(found(statements({row.one, row.other})) == want);
}

TEST_CASE("near duplicates are sought in the whole package and reported once", "[validators]") {
  const auto changed = river + "!";
  CHECK(found(statements({river, river})) == All{"lie_detector/1 duplicate_item lie_detector/0"});
  CHECK(found(R"("wheel":{"data":[")" + river + R"("]},)" + statements({river})) ==
        All{"lie_detector/0 near_duplicate_item wheel/0"});
  CHECK(found(statements({river, "Волга впадает в Каспийское море, а не в Чёрное горе",
                          "Волга впадает в Каспийское море, а не в Чёрное воре"})) ==
        All{"lie_detector/1 near_duplicate_item lie_detector/0",
            "lie_detector/2 near_duplicate_item lie_detector/0"});
  CHECK(found(statements({river, "Волга впадает в Каспийское море, а не в Чёрное горе"}),
              {.near_duplicate = 0.99})
            .empty());
}

TEST_CASE("the same question with other options is no near duplicate", "[validators]") {
  const auto quiz = [](const std::string& one, const std::string& other) {
    return R"("quiz":{"data":[{"q":"В каком слове на месте пропуска две буквы?","options":[)" +
           one + R"(],"key":0},{"q":"В каком слове на месте пропуска две буквы?","options":[)" +
           other + R"(],"key":0}]})";
  };
  CHECK(found(quiz(R"("а..а","б..б")", R"("в..в","г..г")")).empty());
  CHECK(found(quiz(R"("а..а","б..б")", R"("б..б","а..а")")) ==
        All{"quiz/0 contradictory_keys quiz/1", "quiz/1 contradictory_keys quiz/0"});
}

TEST_CASE("the search finds what comparing all with all finds", "[validators]") {
  CHECK(rc::check("by trigrams alone", [] {
    const auto threshold = *rc::gen::inRange(50, 96) / 100.0;
    const std::string base = "кот и пёс идут по длинной дороге домой";
    std::vector<std::string> texts;
    const auto count = *rc::gen::inRange(2, 40);
    for (int i = 0; i < count; ++i) {
      std::string text = base;
      for (int edits = *rc::gen::inRange(0, 5); edits > 0; --edits) {
        const auto letter = *rc::gen::inRange(0, static_cast<int>(base.size()) / 2 - 1);
        const auto at = text.find_first_of(" ", static_cast<std::size_t>(letter));
        text.insert(at == std::string::npos ? 0 : at,
                    *rc::gen::elementOf(std::vector<std::string>{"а", "й", "я", "ж"}));
      }
      texts.push_back(text);
    }
    std::vector<NearText> near;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      near.push_back({texts[i], scan(texts[i]).points, "", static_cast<int>(i), true});
    }
    const auto trigrams = [](const std::string& text) {
      std::set<std::string> all;  // of Cyrillic and spaces: the bytes of three letters
      std::vector<std::string> points;
      for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) points.emplace_back();
        points.back() += c;
      }
      for (std::size_t i = 0; i + 3 <= points.size(); ++i) {
        all.insert(points[i] + points[i + 1] + points[i + 2]);
      }
      return all;
    };
    std::vector<std::pair<std::size_t, std::size_t>> want;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto one = trigrams(texts[i]);
        const auto other = trigrams(texts[j]);
        std::size_t common = 0;
        for (const auto& trigram : one) common += other.contains(trigram) ? 1U : 0U;
        const auto all = one.size() + other.size() - common;
        if (static_cast<double>(common) / static_cast<double>(all) <= threshold) continue;
        want.emplace_back(i, j);
        break;
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> got;
    for (const auto& pair : find_near_duplicates(near, threshold)) {
      got.emplace_back(pair.reported, pair.other);
    }
    RC_ASSERT(got == want);
    RC_CLASSIFY(!want.empty(), "some are near");
  }));
}
