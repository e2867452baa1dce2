#pragma once
// The blind sheet: what one solver is asked about the open items of one game.
//
// It is made of faces, never of items: there is no way in for a key or for
// another vote. What is shuffled is shuffled by a seed made of the shown texts
// themselves, so that not even an order tells anything.

#include <string>
#include <vector>

#include "arbiter/setting.h"
#include "validators/package.h"

namespace flagman::arbiter {

/// A game without its keys, its items by ordinal.
struct GameFaces {
  const validators::GameKind* kind = nullptr;
  Setting setting;
  std::vector<const validators::ItemFace*> faces;  // null where an item has none
  std::vector<std::string> echoes;                 // the text to be repeated; empty without a face
  std::vector<std::string>
      right_sides;  // of a game of partners: all, in an order that tells nothing
};

struct SheetItem {
  int ordinal = 0;
  std::string text;                  // to be repeated word for word
  std::string question;              // or empty
  std::vector<std::string> options;  // shuffled
};

struct BlindSheet {
  Setting setting;
  validators::AnswerForm answer = validators::AnswerForm::soundness;
  std::vector<std::string> right_sides;  // shuffled; of a game of partners
  std::vector<SheetItem> items;
};

/// The sheet of the items `ordinals`, each of which has a face.
[[nodiscard]] BlindSheet make_blind_sheet(const GameFaces& game, const std::vector<int>& ordinals);

/// The sheet as one line of JSON: what a prompt is made of, and what the non-interference tests
/// compare byte for byte.
[[nodiscard]] std::string to_json(const BlindSheet& sheet);

/// An order that depends on the texts alone: by SHA-256 of all of them, sorted, and each one.
[[nodiscard]] std::vector<std::string> shuffled(const std::vector<std::string>& texts);

}  // namespace flagman::arbiter
