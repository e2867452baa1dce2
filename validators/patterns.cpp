#include "validators/patterns.h"

#include <array>
#include <stdexcept>

namespace flagman::validators {
namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

std::string_view view(re2::StringPiece text) { return {text.data(), text.size()}; }

}  // namespace

Pattern::Pattern(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  compiled_ = std::make_unique<const re2::RE2>(piece(pattern), options);
  if (!compiled_->ok()) throw std::logic_error{compiled_->error() + " in " + std::string{pattern}};
}

std::optional<std::string_view> Pattern::find(std::string_view text,
                                              std::string_view* inner) const {
  std::array<re2::StringPiece, 3> groups;
  const bool found = compiled_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED,
                                      groups.data(), static_cast<int>(groups.size()));
  if (!found) return std::nullopt;
  if (inner != nullptr) *inner = view(groups[2]);
  return view(groups[groups[1].data() == nullptr ? 0 : 1]);
}

bool Pattern::matches(std::string_view text) const {
  return compiled_->Match(piece(text), 0, text.size(), re2::RE2::ANCHOR_BOTH, nullptr, 0);
}

PatternList::PatternList(std::initializer_list<std::string_view> patterns) {
  patterns_.reserve(patterns.size());
  for (const auto pattern : patterns) patterns_.emplace_back(pattern);
}

std::optional<std::string> PatternList::find(std::string_view text) const {
  for (const auto& pattern : patterns_) {
    if (const auto found = pattern.find(text)) return std::string{*found};
  }
  return std::nullopt;
}

}  // namespace flagman::validators
