#pragma once
// What a package is, once it has been read: games of items, each in two halves
// that never travel together to a model. The face is all that a solver may see;
// the author key is what the item came with, and nothing here can change it.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "validators/finding.h"
#include "validators/identity.h"
#include "validators/json.h"
#include "validators/kinds.h"

namespace flagman::validators {

/// An answer in words: nothing (wheel), one text, or a sequence of steps.
using Answer = std::variant<std::monostate, std::string, std::vector<std::string>>;

/// The half of an item that may be shown. It is the same whatever the key is.
struct ItemFace {
  std::string text;      // the author's words; where the options are echoed, these, joined
  std::string question;  // the optional text beside what is echoed
  std::vector<std::string> options;  // sorted by their tidy bytes: their order tells nothing
};

/// The half that stays here. Never assigned after reading; a wrong item comes back as a new
/// revision.
class AuthorKey {
 public:
  AuthorKey(Answer answer, std::vector<std::string> accept)
      : answer_(std::move(answer)), accept_(std::move(accept)) {}

  [[nodiscard]] const Answer& answer() const { return answer_; }
  /// Further right forms of a short text.
  [[nodiscard]] const std::vector<std::string>& accept() const { return accept_; }

 private:
  Answer answer_;
  std::vector<std::string> accept_;
};

/// One revision of an item as its author wrote it.
struct Item {
  std::optional<ItemFace> face;     // absent: its texts could not be typed
  std::optional<AuthorKey> key;     // absent: its key could not be typed or lies outside its domain
  std::optional<std::string> asks;  // the filling that the right option stands for
  std::vector<Finding> findings;    // of the item itself; their places begin at it: "/key"
  std::vector<Finding> relations;   // to other items: duplicates, contradictions
  Identity identity;                // of an item that has a face
  std::shared_ptr<const Json> source;  // the item as it was parsed
  const Json* key_source = nullptr;    // the key within it, null where there is none

  /// The item as JSON text; bytes of a delivery that was no JSON as a string.
  [[nodiscard]] std::string written() const;
  /// The key as the package has it, as JSON text; `null` without one.
  [[nodiscard]] std::string key_written() const;

  /// Typed whole and without a fault of its own; it may still be another's duplicate.
  [[nodiscard]] bool well_formed() const;
  /// May be judged: well formed, and in no faulty relation to another item.
  [[nodiscard]] bool sound() const;
  /// `findings`, then `relations`.
  [[nodiscard]] std::vector<Finding> all_findings() const;
};

/// What the items of a game share.
struct GameTerms {
  std::vector<std::string> labels;              // as the author wrote them; empty for other forms
  std::map<std::string, std::string> fillings;  // tidy label → filling of the gap
  bool has_fillings = false;                 // the game itself gives fillings: its items have gaps
  std::map<std::string, std::string> texts;  // the kind's shared text fields, for instance `rule`
  std::shared_ptr<const Json> source;        // the game as it was parsed

  /// All fields of the game but its items, as JSON text.
  [[nodiscard]] std::string written() const;
};

struct Game {
  const GameKind* kind = nullptr;  // owned by the package's `kinds`
  GameTerms terms;
  std::vector<Item> items;
};

struct Package {
  std::shared_ptr<const Kinds> kinds;
  std::string id, topic, subject, language, teacher;  // empty where absent
  std::optional<int> grade;
  std::vector<Game> games;  // in the order of the package's own text
};

/// What came out of reading a document.
struct PackageReading {
  Package package;  // empty of games where the document is rejected
  std::vector<Finding>
      findings;  // of the document, its games and its items; places begin at the root

  [[nodiscard]] bool rejected() const;
};

}  // namespace flagman::validators
