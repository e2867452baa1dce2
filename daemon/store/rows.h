#pragma once
// What goes into the database and comes out of it, as values.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/outcome.h"
#include "arbiter/reply.h"
#include "daemon/journal/entry.h"
#include "validators/finding.h"

namespace flagman::daemon {

/// A package whose lease was just taken.
struct ClaimedPackage {
  std::int64_t id = 0;
  std::int64_t epoch = 0;     // the fencing number of this lease
  std::int64_t head_seq = 0;  // 0: nothing is journaled yet
  std::string head_hash;      // 32 bytes, or empty
  int crashes = 0;            // workers that died with it
  std::int64_t inbox_count = 0;
};

/// An act from outside the lease.
struct InboxRow {
  std::int64_t id = 0;
  std::string kind;  // revision, review, cancel
  std::string item;
  int revision = 0;
  std::string body;
  std::string who, why, decision;
  bool taken = false;
};

struct CallRow {
  std::string step;
  int call = 1;
  arbiter::ModelResponse response;
  std::string request;
};

struct KeyRow {
  validators::ItemName item;
  int revision = 1;
  std::string key;   // canonical JSON
  std::string salt;  // 32 random bytes
  validators::Digest commitment{};
};

/// Everything that is on record of one package.
struct PackageRecord {
  std::int64_t id = 0;
  std::string name;  // the generator's id, or the number where it gave none
  std::string teacher;
  std::string status;
  std::string reasons;  // codes joined by commas
  std::string body;
  std::string body_digest;           // 32 bytes, as noted when it came in
  std::vector<std::string> entries;  // the journal, in order
  std::vector<CallRow> calls;
  std::vector<InboxRow> inbox;  // in order
};

struct ItemRow {
  validators::ItemName item;
  int revision = 1;
  std::string outcome;
  std::string route;    // or empty
  std::string reasons;  // codes joined by commas
  std::string written;
  std::string echo;
};

struct RebuildRow {
  validators::ItemName item;
  int revision = 2;
  std::string brief;
};

/// What becomes of the lease with an append.
enum class Leave {
  stay,     // goes on under the same lease
  finish,   // the package is settled
  release,  // nothing to do until the inbox has something, or `wake_after` is over
};

/// One event of one package, to be made true in one transaction with others.
struct Change {
  std::int64_t package = 0;
  std::int64_t epoch = 0;
  std::int64_t old_seq = 0;
  std::int64_t new_seq = 0;
  std::string new_hash;
  std::optional<std::string> status;
  std::optional<std::string> reasons;
  Leave leave = Leave::stay;
  std::int64_t seen_inbox = 0;
  std::optional<std::chrono::milliseconds> wake_after;  // of a release: come back by then
  std::vector<JournalEntry> entries;
  std::vector<CallRow> calls;
  std::vector<KeyRow> keys;
  std::vector<ItemRow> items;
  std::vector<RebuildRow> rebuilds;
  std::vector<std::pair<validators::ItemName, int>> closed_rebuilds;
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;  // inbox row, journal seq
};

struct Appended {
  std::int64_t package = 0;
  std::int64_t inbox_count = 0;
};

}  // namespace flagman::daemon
