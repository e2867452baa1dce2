#pragma once
// Inside the validators alone: regular expressions of ours, compiled once a process. Content is
// only ever searched, never made into a pattern.

#include <re2/re2.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagman::validators {

class Pattern {
 public:
  /// A pattern of RE2's syntax over UTF-8. One that does not compile is a mistake in our source:
  /// throws std::logic_error with what RE2 says.
  explicit Pattern(std::string_view pattern);

  /// The first match within `text`: of the pattern's first group where it has groups, else whole.
  /// `inner`: the second group.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text,
                                                     std::string_view* inner = nullptr) const;
  /// The whole text matches.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> compiled_;
};

/// Patterns that are tried one after another.
class PatternList {
 public:
  PatternList(std::initializer_list<std::string_view> patterns);

  /// What the first pattern with a match finds.
  [[nodiscard]] std::optional<std::string> find(std::string_view text) const;

 private:
  std::vector<Pattern> patterns_;
};

[[nodiscard]] inline std::optional<std::string> as_string(std::optional<std::string_view> found) {
  if (!found) return std::nullopt;
  return std::string{*found};
}

}  // namespace flagman::validators
