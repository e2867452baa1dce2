#pragma once
// A model's reply, from the text that came to one JSON object, or refused with
// its reason. Nothing is ever repaired: a text that needs mending is not an
// answer, and a second ask costs less than a wrong key.

#include <initializer_list>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "validators/json.h"

namespace flagman::arbiter {

enum class ResponseStatus { ok, timeout, error, refused, truncated };

/// What came back from one ask.
struct ModelResponse {
  ResponseStatus status = ResponseStatus::ok;
  std::string body;  // the model's text
};

/// False for a timeout and an error: then there is no reply that could be refused.
[[nodiscard]] bool reply_came(const ModelResponse& response);

/// Why a reply is refused whole. Where several hold, the first of these counts.
enum class Refusal {
  truncated,
  refusal,
  empty,
  not_json,
  wrong_shape,
  unknown_index,
  duplicate_index,
  echo_mismatch,
  incomplete,
  outside_domain,
};

[[nodiscard]] std::string_view name_of(Refusal refusal);
[[nodiscard]] std::string_view name_of(ResponseStatus status);

/// The one JSON object of a reply that came. It may stand in one Markdown code fence, with prose
/// around it as long as no `{` stands there; a leading byte order mark is skipped. Gives the
/// reasons truncated, refusal, empty, not_json and wrong_shape (JSON, but no object).
[[nodiscard]] tl::expected<validators::Json, Refusal> open_reply(const ModelResponse& response);

/// True where `value` is an object with exactly these fields.
[[nodiscard]] bool has_exactly(const validators::Json& value,
                               std::initializer_list<std::string_view> fields);

}  // namespace flagman::arbiter
