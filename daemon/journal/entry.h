#pragma once
// Journal entries and the hash chain that binds them: one chain a package.
//
// An entry is its exact canonical bytes; it names the hash of the one before, so
// no entry can be changed, dropped, doubled or moved without a later one telling.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validators/digest.h"
#include "validators/json.h"

namespace flagman::daemon {

/// What a process says of itself in each entry it writes.
struct Writer {
  std::string worker;      // a process incarnation
  std::int64_t epoch = 1;  // the lease's fencing number
};

struct JournalEntry {
  std::int64_t seq = 1;       // from 1, without gaps
  std::string bytes;          // canonical JSON (RFC 8785), whole numbers within ±(2^53−1) alone
  validators::Digest hash{};  // SHA-256(0x00 ‖ bytes): the chain's link and an RFC 6962 leaf
};

/// The first `prev` of a chain: SHA-256 of "flagman.journal/1", the package's id and the SHA-256 of
/// its body, each but the last followed by a line feed.
[[nodiscard]] validators::Digest chain_root(std::string_view package, std::string_view body);

[[nodiscard]] validators::Digest entry_hash(std::string_view bytes);

/// A key's commitment: SHA-256(salt ‖ canonical key). Whoever knows salt and key can show that this
/// was the key; the commitment alone tells nothing.
[[nodiscard]] validators::Digest key_commitment(std::string_view salt,
                                                std::string_view key_written);

/// An entry's data in canonical form. Throws std::invalid_argument where it holds a number that is
/// no whole one within ±(2^53−1): a journal has none.
[[nodiscard]] std::string journal_data(const validators::Json& data);

/// One package's chain as it is written.
class Chain {
 public:
  Chain(std::string package, const validators::Digest& root);
  /// Goes on behind the entry `seq`, whose hash is `head`.
  Chain(std::string package, std::int64_t seq, const validators::Digest& head);

  /// The next entry: {"data", "epoch", "kind", "package", "prev", "schema", "seq", "time",
  /// "worker"}. `data` comes from journal_data; `time` is an RFC 3339 string.
  [[nodiscard]] JournalEntry next(std::string_view kind, std::string_view data,
                                  std::string_view time, const Writer& writer);

  [[nodiscard]] std::int64_t length() const { return seq_; }
  [[nodiscard]] const validators::Digest& head() const { return head_; }

 private:
  std::string package_;
  std::int64_t seq_ = 0;
  validators::Digest head_;
};

/// Why a chain is broken.
struct ChainFault {
  std::int64_t seq = 0;  // the first entry that is wrong, by its place from 1
  std::string what;
};

/// Recomputes every hash and link. No fault: an empty list. (The verifier of the database is a
/// program part of its own; this one serves the store in memory.)
[[nodiscard]] std::vector<ChainFault> check_chain(const std::vector<JournalEntry>& entries,
                                                  const validators::Digest& root);

}  // namespace flagman::daemon
