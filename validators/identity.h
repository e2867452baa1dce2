#pragma once
// What makes two items the same item to a pupil.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "validators/text.h"

namespace flagman::validators {

/// The folded text of an item and its folded options, words or steps, sorted: their order on the
/// board is shuffled. Two items of a game with equal identities are the same item.
class Identity {
 public:
  Identity() = default;
  Identity(const Folded& text, const std::vector<Folded>& options);

  [[nodiscard]] std::string_view whole() const { return whole_; }
  [[nodiscard]] std::string_view text() const { return whole().substr(0, text_size_); }
  /// Code points of `text`.
  [[nodiscard]] std::size_t text_points() const { return text_points_; }
  [[nodiscard]] std::string_view options() const { return whole().substr(text_size_); }

 private:
  std::string whole_;
  std::size_t text_size_ = 0;
  std::size_t text_points_ = 0;
};

}  // namespace flagman::validators
