#include "daemon/game_rules.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/journal/canonical.h"
#include "validators/json.h"

namespace flagman::daemon {

tl::expected<GameRules, std::string> read_game_rules(std::string_view text) {
  auto kinds = validators::parse_kinds(text);
  if (!kinds) return tl::unexpected{std::move(kinds.error())};
  // It was read as JSON a line above.
  const auto document = validators::parse_json(validators::skip_byte_order_mark(text));
  return GameRules{std::make_shared<const validators::Kinds>(std::move(*kinds)),
                   canonical_json(*document)};
}

}  // namespace flagman::daemon
