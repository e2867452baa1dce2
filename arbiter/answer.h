#pragma once
// When is an answer the author's? Words by their tidy form; short answers also
// as exact numbers, where the policy lets code decide so.

#include <string>
#include <vector>

#include "arbiter/policy.h"
#include "validators/package.h"

namespace flagman::arbiter {

/// True where `answer` equals the author's key. A short text equals it when it is the key or one of
/// the accepted forms, or, with `authority.short_answers`, the same exact number as one of them.
[[nodiscard]] bool equals_key(const validators::Answer& answer, const validators::AuthorKey& key,
                              validators::AnswerForm form, const Authority& authority);

/// An answer as people read it: steps joined by " → "; of a kind without answers "sound".
[[nodiscard]] std::string spoken(const validators::Answer& answer);

}  // namespace flagman::arbiter
