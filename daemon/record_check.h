#pragma once
// Does what was decided follow from what came in, and does what people are shown follow from what
// was decided?
//
// The verifier (daemon/verify) knows the chain, the rows and the author's keys, and shares no code
// with the writer. It cannot know whether a package should have been accepted. This check does the
// whole way again with the state machine: the replies, revisions and acts on record in, and every
// entry that follows from them must stand in the journal word for word.

#include <string>
#include <vector>

#include "daemon/store/store.h"
#include "daemon/worker/rules.h"

namespace flagman::daemon {

struct RecordCheck {
  std::vector<std::string> faults;  // one clause each
  /// The version that judged the package, where that is another one: its decisions are its own, and
  /// nothing was checked.
  std::string judged_by;
};

/// `record` must be whole by the verifier; `items` are its rows as they are shown. Never throws on
/// a record of any content.
[[nodiscard]] RecordCheck check_record(const PackageRecord& record,
                                       const std::vector<ItemRow>& items, const Rules& rules);

}  // namespace flagman::daemon
