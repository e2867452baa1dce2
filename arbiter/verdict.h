#pragma once
// The verdict: all that an arbiter can bring about. It can uphold the author or
// flag the item; there is no place in it for another key.

#include <type_traits>

namespace flagman::arbiter {

enum class Verdict : unsigned char {
  uphold,
  flag_disagrees,           // the arbiter chose something else than the author, in both orders
  flag_unstable,            // the choice followed the position of the candidates
  flag_contradicts_itself,  // the explanation names another candidate as right
  flag_none,                // the arbiter says that the item cannot be decided
};

// One of five values in one byte: whatever an arbiter wrote, no text of its can travel in here.
static_assert(sizeof(Verdict) == 1 && std::is_enum_v<Verdict>);

}  // namespace flagman::arbiter
