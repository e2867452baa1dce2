#pragma once
// Is the record of a package whole, and are its keys the author's own?
//
// A reader beside the writer: it shares none of the code that makes entries,
// hashes or commitments (a test reads the #include lines), so that a mistake
// there, or a hand in the database, does not confirm itself. It goes by the
// format alone, as ARCHITECTURE.md's first promise needs it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validators/kinds.h"

namespace flagman::daemon {

/// Everything that is on record of one package, as its rows are. Any bytes are fit to be looked at.
struct VerifierRows {
  struct Journal {
    std::int64_t seq = 0;
    std::string entry;
    std::string hash;  // 32 bytes
  };
  struct Key {
    std::string item;  // "sort/3"
    std::int64_t revision = 1;
    std::string key;         // canonical JSON
    std::string salt;        // 32 bytes
    std::string commitment;  // 32 bytes
  };
  struct Call {
    std::string step;
    std::int64_t call = 1;
    std::string status;
    std::string body;
    std::optional<std::string> request{};  // the question as it was asked; absent: not looked at
  };
  struct Rebuild {
    std::string item;
    std::int64_t revision = 2;
    std::string brief;
  };
  /// A person's decision about an item.
  struct Review {
    std::string item, act, who, why;
    friend bool operator==(const Review&, const Review&) = default;
  };
  struct Revision {
    std::string item;
    std::int64_t revision = 2;
    std::string written;  // the bytes as delivered
  };
  /// The chain's end, as the task or the package says it.
  struct Head {
    std::int64_t seq = 0;  // 0: nothing is journaled yet
    std::string hash;      // 32 bytes; empty where seq is 0
  };

  std::string package;  // the id that the entries name: the generator's own where it gave one
  std::string body;     // as received
  std::vector<Journal> journal;  // by seq
  std::vector<Key> keys;
  std::vector<Call> calls;
  std::vector<Revision> revisions;  // those that a lease holder has dealt with
  std::optional<Head> head;         // absent: nobody says it (a file)
  bool finished = false;            // its status is a final one
  // The settings that the package was judged by; absent: they are not held against the record.
  std::optional<std::string> policy{}, games{};
  std::vector<Rebuild> rebuilds{};
  std::vector<Review> reviews{};  // those that a lease holder has dealt with, as are the cancels
  std::int64_t cancels = 0;
};

struct VerifierFault {
  std::optional<std::int64_t>
      seq;           // the entry that is broken; absent: a row that no entry speaks of
  std::string what;  // a sentence's rest for people, one line of ASCII
};

/// What is wrong, the first broken entry first, rows without an entry last; empty: the record is
/// whole. `kinds` are the games that the package was read with (`rows.games`), never null. Never
/// throws on any bytes (but std::bad_alloc, and std::runtime_error where the cryptographic library
/// refuses). Linear in the record's size but for the order of its names.
///
/// A whole record: entries from 1 without gaps, each in canonical form, under its hash, naming
/// package, place and schema and the hash before it, the first one the package's id and body;
/// epochs never fall; the last one is the head. One `package_received` fits the body and the
/// settings (a package that was set aside unread has none yet); each `answered` follows its one
/// `asked`, and the two and one call belong together; so do each `revision_taken` and one delivered
/// revision (one may also have been refused, or have come after `cancel_asked`), and each
/// `author_key` and one key. A key opens the commitment of its entry and is what the author's bytes
/// say; no item or revision taken is without its key. A finished package ends in `package_decided`,
/// after which only refused deliveries and kinds of entry unknown here may stand. Unknown kinds are
/// part of the chain and no more.
[[nodiscard]] std::vector<VerifierFault> verify_package(
    const VerifierRows& rows, const std::shared_ptr<const validators::Kinds>& kinds);

struct ChainReading {
  std::string package;  // as the first entry names it
  std::string head;     // the last entry's hash, hexadecimal: to be held against what others keep
  std::vector<VerifierFault> faults;
};

/// What can be said of entries alone, without the package and its rows: each in canonical form,
/// numbered from 1 without gaps, of one package, following the hash before it. Where the chain
/// begins and whether it ends too early only the package can tell.
[[nodiscard]] ChainReading verify_entries(const std::vector<std::string>& entries);

}  // namespace flagman::daemon
