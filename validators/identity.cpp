#include "validators/identity.h"

#include <algorithm>

namespace flagman::validators {

Identity::Identity(const SeenText& text, const std::vector<SeenText>& options)
    : whole_(Folded{text}.view()), text_size_(whole_.size()) {
  std::vector<Folded> folded{options.begin(), options.end()};
  std::sort(folded.begin(), folded.end(),
            [](const Folded& one, const Folded& other) { return one.view() < other.view(); });
  for (const auto& option : folded) {
    whole_ += '\0';
    whole_ += option.view();
  }
}

}  // namespace flagman::validators
