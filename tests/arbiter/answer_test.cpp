#include "arbiter/answer.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace flagman::arbiter;
using flagman::validators::Answer;
using flagman::validators::AnswerForm;
using flagman::validators::AuthorKey;

TEST_CASE("a word equals the key when its tidy form does", "[arbiter]") {
  struct Row {
    const char* why;
    std::string answer, key;
    bool want;
  };
  const auto row = GENERATE(values<Row>({
      {"the same bytes", "Две НН", "Две НН", true},
      {"another kind of space", "Две\u00A0НН", "Две НН", true},
      {"another spelling of the gap", "маши…ый", "маши..ый", true},
      {"case is spelling", "две НН", "Две НН", false},
      {"a stress mark is spelling", "звони\u0301т", "звонит", false},
      {"ё is a letter of its own", "еж", "ёж", false},
      {"numbers are words here", "0,5", "0.5", false},
  }));
  const auto form = GENERATE(AnswerForm::option, AnswerForm::label, AnswerForm::partner);
  CAPTURE(row.why, row.answer, row.key);
  CHECK(equals_key(Answer{row.answer}, AuthorKey{row.key, {}}, form, {}) == row.want);
}

TEST_CASE("a short answer equals the key as text, as an accepted form or as a number",
          "[arbiter]") {
  struct Row {
    const char* why;
    std::string answer, key;
    std::vector<std::string> accept;
    bool with_numbers, without;
  };
  const auto row = GENERATE(values<Row>({
      {"the key itself", "3/4", "3/4", {}, true, true},
      {"the key but for spaces", " три  четверти ", "три четверти", {}, true, true},
      {"an accepted form", "три четверти", "3/4", {"75 процентов", "три четверти"}, true, true},
      {"the key's number", "0,75", "3/4", {}, true, false},
      {"an accepted form's number", "75 %", "три четверти", {"6/8"}, true, false},
      {"another number", "0,74", "3/4", {"три четверти"}, false, false},
      {"case stays", "Три четверти", "три четверти", {}, false, false},
      {"no accepted form, another text", "да", "нет", {}, false, false},
  }));
  CAPTURE(row.why, row.answer, row.key);
  const AuthorKey key{row.key, row.accept};
  Authority authority;
  CHECK(equals_key(Answer{row.answer}, key, AnswerForm::short_text, authority) == row.with_numbers);
  authority.short_answers = false;
  CHECK(equals_key(Answer{row.answer}, key, AnswerForm::short_text, authority) == row.without);
}

TEST_CASE("steps equal the key when each does, in order and number", "[arbiter]") {
  using Steps = std::vector<std::string>;
  const AuthorKey key{Steps{"раз", "два", "раз и два"}, {}};
  struct Row {
    const char* why;
    Steps answer;
    bool want;
  };
  const auto row = GENERATE(values<Row>({
      {"the author's order", {"раз", "два", "раз и два"}, true},
      {"by tidy", {"раз ", "два", "раз\u00A0и два"}, true},
      {"two steps exchanged", {"два", "раз", "раз и два"}, false},
      {"one step fewer", {"раз", "два"}, false},
      {"one step more", {"раз", "два", "раз и два", "три"}, false},
  }));
  CAPTURE(row.why);
  CHECK(equals_key(Answer{row.answer}, key, AnswerForm::sequence, {}) == row.want);
}

TEST_CASE("an answer is spoken as people read it", "[arbiter]") {
  CHECK(spoken(Answer{std::string{"Две НН"}}) == "Две НН");
  CHECK(spoken(Answer{std::vector<std::string>{"раз", "два", "три"}}) == "раз → два → три");
  CHECK(spoken(Answer{std::vector<std::string>{"раз"}}) == "раз");
  CHECK(spoken(Answer{}) == "sound");
}
