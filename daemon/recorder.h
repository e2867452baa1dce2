#pragma once
// Recorded runs out of the database: what `flagman record` writes and `explain` tells from.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "daemon/recorded_run.h"
#include "daemon/store/store.h"
#include "daemon/worker/package_run.h"

namespace flagman::daemon {

/// The packages as one run, with what was decided about each revision so far. Throws UsageError
/// where they were judged by different rules: one run has one policy.
[[nodiscard]] RecordedRun record_packages(Store& store, const std::vector<std::int64_t>& packages,
                                          const Rules& otherwise);

/// Writes it as `flagman.run/1`, policy and games whole, so that it stands alone.
void write_run(const RecordedRun& run, std::ostream& out);

}  // namespace flagman::daemon
