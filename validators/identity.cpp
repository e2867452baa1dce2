#include "validators/identity.h"

#include <algorithm>

namespace flagman::validators {

Identity::Identity(const Folded& text, const std::vector<Folded>& options)
    : text_size_(text.view().size()), text_points_(text.points()) {
  std::vector<std::string_view> sorted;
  sorted.reserve(options.size());
  auto size = text_size_;
  for (const auto& option : options) {
    sorted.push_back(option.view());
    size += option.view().size() + 1;
  }
  std::sort(sorted.begin(), sorted.end());
  whole_.reserve(size);
  whole_ = text.view();
  for (const auto option : sorted) {
    whole_ += '\0';
    whole_ += option;
  }
}

}  // namespace flagman::validators
