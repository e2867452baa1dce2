#pragma once
// The game kinds in force, with the exact text that they were read from: the record names that
// text by its digest.

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "validators/kinds.h"

namespace flagman::daemon {

struct GameRules {
  std::shared_ptr<const validators::Kinds> kinds;  // null: none
  std::string written;                             // canonical JSON
};

/// Reads `flagman.games/1`; an error is one clause for people.
[[nodiscard]] tl::expected<GameRules, std::string> read_game_rules(std::string_view text);

}  // namespace flagman::daemon
