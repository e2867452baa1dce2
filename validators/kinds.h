#pragma once
// Game kinds are data: where the text, the key and the answers of a kind lie,
// how big it may be. config/games.json describes the ten; a new kind that fits
// one of the answer forms below needs no code.

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace flagman::validators {

/// What a solver gives as an answer, and what the author's key is.
enum class AnswerForm {
  option,      // key: index into the item's options; answer: the option, word for word
  label,       // key and answer: one of the game's labels
  partner,     // key: the right side; answer: one of all right sides of the game
  soundness,   // no key and no answer: only whether the item is sound
  short_text,  // key and answer: a short text
  sequence,    // key and answer: all steps in order
};

/// Which text a solver repeats word for word to show which item it judged.
enum class EchoForm {
  text,                             // the item's text field
  text_and_options_where_repeated,  // with the options behind it where the game has the text twice
  options,                          // the options, joined by "; "
};

struct SizeRange {
  int min = 0;
  int max = 0;
};

/// The checks that a kind can do without, where what they look for is its matter: tags in a game
/// about web pages, say. All others serve every kind.
struct OptionalChecks {
  bool mixed_alphabet = true;
  bool markup = true;
  bool placeholder = true;
  bool giveaway = true;
  bool near_duplicate_item = true;
  bool pair_almost_expands = true;
};

struct GameKind {
  std::string name;
  AnswerForm answer = AnswerForm::soundness;
  EchoForm echo = EchoForm::text;
  bool item_is_text = false;  // the item is a bare string, not an object

  // Names of an item's fields; empty where the kind has none.
  std::string text_field;
  std::string optional_text_field;  // shown beside what is echoed
  std::string options_field;        // options, words; of a sequence the same as key_field
  std::string key_field;
  std::string accept_field;  // further right forms of a short text
  bool may_ask = false;      // an item may carry `asks`: the filling that the right option takes
  std::vector<std::string> line_break_in;  // fields whose text may have several lines

  SizeRange options;
  int option_characters_max = 0;
  int option_characters_min = 0;

  std::string labels_field;               // the game's field that lists the labels, or
  std::vector<std::string> fixed_labels;  // the labels that every game of the kind has
  SizeRange labels;
  std::map<std::string, std::string> default_fillings;  // label → filling of the gap

  std::map<std::string, bool>
      shared_texts;      // further text fields of the game → line breaks allowed
  std::string gap_also;  // characters beside letters that may fill a gap: hyphen, space or both

  OptionalChecks checks;

  SizeRange items{1, 200};
  int text_characters_max = 500;
  int text_characters_min = 0;  // 0 and 1: nothing but empty is too short
};

/// Kinds by name.
using Kinds = std::map<std::string, GameKind, std::less<>>;

/// Reads `flagman.games/1`. An unknown field, a missing one or a combination that makes no game is
/// an error: one line that names the kind, the field and what it should be.
[[nodiscard]] tl::expected<Kinds, std::string> parse_kinds(std::string_view bytes);

}  // namespace flagman::validators
