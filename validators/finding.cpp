#include "validators/finding.h"

#include <algorithm>
#include <charconv>

namespace flagman::validators {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::reject:
      return "reject";
    case Severity::flag:
      return "flag";
    case Severity::warn:
      break;
  }
  return "warn";
}

std::string to_text(const ItemName& item) { return item.kind + "/" + std::to_string(item.ordinal); }

std::optional<ItemName> parse_item_name(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  const auto digits = text.substr(slash + 1);
  int ordinal = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc{} || end != digits.data() + digits.size() || ordinal < 0) {
    return std::nullopt;
  }
  ItemName name{std::string{text.substr(0, slash)}, ordinal};
  if (to_text(name) != text) return std::nullopt;
  return name;
}

std::vector<Reason> reasons_of(const std::vector<Finding>& findings, Severity severity) {
  std::vector<Reason> codes;
  for (const auto& finding : findings) {
    if (finding.severity != severity) continue;
    if (std::find(codes.begin(), codes.end(), finding.code) == codes.end()) {
      codes.push_back(finding.code);
    }
  }
  return codes;
}

}  // namespace flagman::validators
