#pragma once
// The rebuild brief: what the generator is asked when an item was flagged. It is
// made without votes: nothing that a solver or the arbiter said has a way in,
// so that nobody's wrong explanation becomes the next key.

#include <optional>
#include <string>
#include <vector>

#include "validators/finding.h"
#include "validators/package.h"

namespace flagman::arbiter {

struct RebuildBrief {
  std::string package;  // its id
  validators::ItemName item;
  int revision = 2;  // the revision that is asked for
  std::string topic, subject, language;
  std::optional<int> grade;
  std::string game;                           // what the game's items share, as JSON text
  std::string current;                        // the author's item, as JSON text
  std::vector<std::string> neighbours;        // the echoed texts of the game's other items
  std::vector<validators::Finding> findings;  // of validators, with no vote in hand
};

/// `flagman.rebuild/1`, one line of JSON. The instruction is one fixed sentence, English where the
/// package's language begins with "en", Russian elsewhere.
[[nodiscard]] std::string to_json(const RebuildBrief& brief);

}  // namespace flagman::arbiter
