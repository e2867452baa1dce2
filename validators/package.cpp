#include "validators/package.h"

#include <algorithm>

namespace flagman::validators {

bool Item::sound() const {
  return face && key && std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
           return finding.severity == Severity::flag;
         });
}

bool PackageReading::rejected() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::reject;
  });
}

}  // namespace flagman::validators
