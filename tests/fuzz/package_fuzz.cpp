// Any bytes are a package or findings; each sound item has both halves and reads back as it was.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tests/validators/games.h"
#include "validators/echo.h"
#include "validators/notes.h"
#include "validators/read_package.h"

using namespace flagman::validators;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_item(const Item& item, const Game& game) {
  if (item.sound()) require(item.face && item.key);
  require(parse_json(item.key_written()).has_value());
  const auto again = read_item(item.written(), *game.kind, game.terms, {game.kind->name, 0}, {});
  require(again.well_formed() == item.well_formed());
  require(again.findings.size() == item.findings.size());
  require(again.written() == item.written() && again.key_written() == item.key_written());
}

void check_game(const Game& game) {
  require(!game.items.empty());
  require(parse_json(game.terms.written()).has_value());
  std::vector<const Item*> items;
  for (const auto& item : game.items) {
    check_item(item, game);
    items.push_back(&item);
  }
  const auto echoes = echo_texts(*game.kind, items);
  require(echoes.size() == items.size());
  for (std::size_t i = 0; i < items.size(); ++i) require(items[i]->face || echoes[i].empty());
}

// The quick reader and the one that knows places are one to everybody.
void check_readers(std::string_view bytes) {
  const auto quick = parse_json(bytes);
  const auto slow = parse_json_slowly(bytes);
  require(quick.has_value() == slow.has_value());
  if (quick) {
    require(*quick == *slow && written(*quick) == written(*slow));
  } else {
    require(!quick.error().what.empty() && quick.error().byte <= bytes.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  check_readers(bytes);
  const auto reading = read_package(bytes, flagman::tests::ten_kinds(), {});
  require(reading.rejected() == reading.package.games.empty());
  for (const auto& finding : reading.findings) {
    require(!finding.detail.empty());
    static_cast<void>(Json::json_pointer{finding.place});  // throws where it is none
  }
  for (const auto& game : reading.package.games) check_game(game);
  return 0;
}
