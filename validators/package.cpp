#include "validators/package.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validators/notes.h"

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

std::string Item::written() const { return source ? validators::written(*source) : "null"; }

std::string Item::key_written() const {
  return key_source != nullptr ? validators::written(*key_source) : "null";
}

std::string GameTerms::written() const {
  Json shared = Json::object();
  if (source) {
    for (const auto& [name, member] : source->items()) {
      if (name != "data") shared[name] = member;
    }
  }
  return validators::written(shared);
}

bool PackageReading::rejected() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::reject; });
}

}  // namespace flagman::validators
