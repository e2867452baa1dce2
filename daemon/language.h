#pragma once
// Sentences for people: each stable code in words, in one language.

#include <map>
#include <string>
#include <string_view>

namespace flagman::daemon {

class Language {
 public:
  /// The language with that name, "en" or "ru". Throws std::invalid_argument for another.
  explicit Language(std::string_view name);

  /// Words for a code of that section ("reasons", "outcomes", "routes", "kinds", "refusals"); the
  /// code itself where the section has no words for it (a kind of somebody's own).
  [[nodiscard]] const std::string& say(std::string_view section, const std::string& code) const;

  /// A phrase of the section "story" with its {names} filled in.
  [[nodiscard]] std::string tell(
      const std::string& phrase,
      const std::map<std::string, std::string, std::less<>>& names = {}) const;

 private:
  std::map<std::string, std::map<std::string, std::string>, std::less<>> sections_;
};

}  // namespace flagman::daemon
