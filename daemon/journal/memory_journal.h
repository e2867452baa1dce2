#pragma once
// The journal's store in memory: what an offline run writes its record to.

#include <string>
#include <utility>
#include <vector>

#include "daemon/journal/entry.h"
#include "daemon/journal/record.h"

namespace flagman::daemon {

/// One package's journal.
class MemoryJournal {
 public:
  /// `time` stands in every entry: an offline run has no clock of its own.
  MemoryJournal(std::string package, std::string_view body, std::string time)
      : root_(chain_root(package, body)),
        chain_(std::move(package), root_),
        time_(std::move(time)) {}

  void append(const Fact& fact) {
    entries_.push_back(chain_.next(fact.kind, fact.data, time_, {"replay", 1}));
  }

  [[nodiscard]] const std::vector<JournalEntry>& entries() const { return entries_; }
  [[nodiscard]] const validators::Digest& root() const { return root_; }
  [[nodiscard]] const validators::Digest& head() const { return chain_.head(); }

 private:
  validators::Digest root_;
  Chain chain_;
  std::string time_;
  std::vector<JournalEntry> entries_;
};

}  // namespace flagman::daemon
