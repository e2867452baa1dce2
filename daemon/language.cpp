#include "daemon/language.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "daemon/embedded.h"

namespace flagman::daemon {
namespace {

std::string_view text_of(std::string_view name) {
  if (name == "en") return embedded::language_en_json;
  if (name == "ru") return embedded::language_ru_json;
  throw std::invalid_argument{"there is no language «" + std::string{name} + "»"};
}

}  // namespace

Language::Language(std::string_view name) {
  const auto document = nlohmann::json::parse(text_of(name));
  for (const auto& [section, words] : document.items()) {
    if (words.is_object()) sections_[section] = words.get<std::map<std::string, std::string>>();
  }
}

const std::string& Language::say(std::string_view section, const std::string& code) const {
  const auto& words = sections_.find(section)->second;
  const auto found = words.find(code);
  return found == words.end() ? code : found->second;
}

std::string Language::tell(const std::string& phrase,
                           const std::map<std::string, std::string, std::less<>>& names) const {
  const auto& pattern = sections_.find("story")->second.at(phrase);
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    const auto open = pattern.find('{', at);
    text += pattern.substr(at, open - at);
    if (open == std::string::npos) break;
    const auto close = pattern.find('}', open);
    text += names.find(std::string_view{pattern}.substr(open + 1, close - open - 1))->second;
    at = close + 1;
  }
  return text;
}

}  // namespace flagman::daemon
