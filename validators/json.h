#pragma once
// Strict JSON in: what may come from strangers is read once, strictly, here.
//
// The usual parsers let through what later misleads: of two equal names the
// last wins, a document may be followed by another one, depth is bounded only
// by the stack. Here each of these is a fault with its place.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace flagman::validators {

/// Member order is the document's; integers outside 64 bits arrive as floating-point numbers.
using Json = nlohmann::ordered_json;

/// Deeper nesting than this is refused everywhere (the root is depth 1).
inline constexpr int json_depth_max = 64;

struct JsonFault {
  std::string what;  // one clause for people, no line break, for instance "name «a» stands twice"
  std::size_t byte = 0;  // offset of the last byte that was read when the fault was seen
  std::string place;     // JSON Pointer of the value in hand when it was seen
};

/// Reads exactly one JSON text (RFC 8259). Refused: bytes that are not UTF-8, duplicate names, lone
/// surrogates, NaN and infinities, numbers beyond a double, comments, anything after the value but
/// white space, nesting deeper than `depth_max`, a byte order mark (skip it before, where it is
/// allowed). Linear in the input; its stack use does not grow with the nesting.
[[nodiscard]] tl::expected<Json, JsonFault> parse_json(std::string_view bytes,
                                                       int depth_max = json_depth_max);

/// The same, read byte by byte. `parse_json` comes here for the place of a fault; the two agree on
/// every input.
[[nodiscard]] tl::expected<Json, JsonFault> parse_json_slowly(std::string_view bytes,
                                                              int depth_max = json_depth_max);

/// `bytes` without a leading UTF-8 byte order mark.
[[nodiscard]] std::string_view skip_byte_order_mark(std::string_view bytes);

/// One more reference token at the end of a JSON Pointer, escaped (RFC 6901).
[[nodiscard]] std::string pointer_to(std::string_view base, std::string_view member);
[[nodiscard]] std::string pointer_to(std::string_view base, std::size_t index);

}  // namespace flagman::validators
