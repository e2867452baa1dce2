#pragma once
// The arrays of one append: many changes as the parameters of one statement.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/store/array_text.h"
#include "daemon/store/rows.h"

namespace flagman::daemon {

class AppendArrays {
 public:
  void add(const Change& change);

  /// The parameters after the worker's, in the order of flagman.append; the collector is done then.
  [[nodiscard]] std::vector<std::string> take();

 private:
  void add_head(const Change& change);
  void add_item(std::int64_t package, const ItemRow& item);

  // Each group's arrays in the order of the function's parameters.
  std::array<ArrayText, 10> head_;
  std::array<ArrayText, 4> journal_;
  std::array<ArrayText, 6> call_;
  std::array<ArrayText, 6> key_;
  std::array<ArrayText, 9> item_;
  std::array<ArrayText, 4> rebuild_;
  std::array<ArrayText, 3> closed_;
  std::array<ArrayText, 3> taken_;
};

}  // namespace flagman::daemon
