#pragma once
// Is this text in the one form that a journal entry may have? A hash means something only where
// one value has one spelling.
//
// The check walks over the bytes and writes nothing: a form that is made again and compared would
// share its maker's mistakes.

#include <cstddef>
#include <optional>
#include <string_view>

namespace flagman::daemon {

/// Where the form is broken first, and how.
struct FormFault {
  std::size_t byte = 0;
  std::string_view what;  // a clause for people
};

/// The narrow profile of RFC 8785: one JSON value without white space; names ASCII, each once,
/// sorted by their code units; whole numbers within ±(2^53−1) and no others; UTF-8 with `"`, `\`
/// and controls alone escaped, as short as can be (`\n`, else `\u001f` in lower case); at most 64
/// levels deep. Nothing where the bytes are in this form. Pure; linear; throws only std::bad_alloc.
[[nodiscard]] std::optional<FormFault> check_canonical_form(std::string_view bytes);

}  // namespace flagman::daemon
