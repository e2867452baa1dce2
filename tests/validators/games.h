#pragma once
// The ten kinds of the repository, for tests that read packages.

#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "validators/kinds.h"

namespace flagman::tests {

inline std::shared_ptr<const validators::Kinds> ten_kinds() {
  static const auto kinds = [] {
    std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/config/games.json"};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto parsed = validators::parse_kinds(text);
    if (!parsed) throw std::runtime_error{parsed.error()};
    return std::make_shared<const validators::Kinds>(std::move(*parsed));
  }();
  return kinds;
}

}  // namespace flagman::tests
