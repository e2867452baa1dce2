#include "validators/package.h"

#include <algorithm>

namespace flagman::validators {

namespace {

bool any_flag(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::flag; });
}

}  // namespace

bool Item::well_formed() const { return face && key && !any_flag(findings); }

bool Item::sound() const { return well_formed() && !any_flag(relations); }

std::vector<Finding> Item::all_findings() const {
  auto all = findings;
  all.insert(all.end(), relations.begin(), relations.end());
  return all;
}

bool PackageReading::rejected() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::reject; });
}

}  // namespace flagman::validators
