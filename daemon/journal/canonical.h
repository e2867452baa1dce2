#pragma once
// Canonical JSON (RFC 8785): one value, one sequence of bytes, so that a hash
// of it means something.

#include <string>

#include "validators/json.h"

namespace flagman::daemon {

/// Members sorted by their UTF-16 code units, no white space, strings escaped as little as JSON
/// permits, numbers as ECMAScript writes them. Requests may carry floating-point parameters; the
/// journal's own entries hold whole numbers alone (journal/entry.h).
[[nodiscard]] std::string canonical_json(const validators::Json& value);

/// The same for a number alone: 1e21 for 10^21, 0.7, 100.
[[nodiscard]] std::string canonical_number(double value);

}  // namespace flagman::daemon
