#pragma once
// Inside json.cpp alone: the quick way of a document that has no fault.

#include <optional>
#include <string_view>

#include "validators/json.h"

namespace flagman::validators {

/// The document, where it is one JSON text without a fault that `parse_json` names. Nothing where
/// it has one, and where the quick reader is not sure (whole numbers beyond 64 bits): the slow one,
/// which knows the place of every fault, then has the say.
[[nodiscard]] std::optional<Json> parse_json_fast(std::string_view bytes, int depth_max);

}  // namespace flagman::validators
