// Any bytes are a package or findings; each sound item has both halves.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto kinds = flagman::tests::ten_kinds();
  const auto reading = read_package(bytes, kinds);
  if (reading.rejected() != reading.package.games.empty()) std::abort();
  for (const auto& game : reading.package.games) {
    for (const auto& item : game.items) {
      if (item.sound() && !(item.face && item.key)) std::abort();
      // What was written reads back to the same item.
      const auto again = read_item(item.written, *game.kind, game.terms, {game.kind->name, 0});
      if (again.well_formed() != item.well_formed()) std::abort();
    }
  }
  return 0;
}
