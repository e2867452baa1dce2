#pragma once
// Raw text in, typed package or findings out. Nothing is repaired on the way:
// a label is not moved to the nearest one, a number not read out of a string.

#include <cstddef>
#include <memory>
#include <string_view>

#include "validators/package.h"
#include "validators/read_item.h"

namespace flagman::validators {

/// A document beyond this is refused unread.
inline constexpr std::size_t package_bytes_max = std::size_t{16} << 20;

/// Reads a `flagman.package/1` document (a leading byte order mark is skipped), every structural
/// check, the exact duplicates within each game and the near ones in the whole package included.
/// `kinds` says which games there are. Never throws on any bytes (but std::bad_alloc); a document
/// that is no package has findings of severity `reject` alone and no games: its items are not
/// judged. Time and memory are linear in the bytes.
[[nodiscard]] PackageReading read_package(std::string_view bytes,
                                          std::shared_ptr<const Kinds> kinds,
                                          const CheckPolicy& policy);

/// The same of a document that was parsed already (json.h); the package shares it.
[[nodiscard]] PackageReading read_document(std::shared_ptr<const Json> document,
                                           std::shared_ptr<const Kinds> kinds,
                                           const CheckPolicy& policy);

}  // namespace flagman::validators
