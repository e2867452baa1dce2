#include "daemon/commands/check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validators/json.h"
#include "validators/read_package.h"

namespace flagman::daemon {
namespace {

using validators::Finding;
using validators::Severity;

void print_json(const std::string& file, const Finding& finding, const CommandContext& context) {
  validators::Json line;
  line["file"] = file;
  line["item"] =
      finding.item ? validators::Json(to_text(*finding.item)) : validators::Json(nullptr);
  line["code"] = name_of(finding.code);
  line["severity"] = name_of(finding.severity);
  line["detail"] = finding.place + ": " + finding.detail;
  // A file's name may be any bytes.
  context.out << line.dump(-1, ' ', false, validators::Json::error_handler_t::replace) << '\n';
}

void print_text(const std::string& file, const Finding& finding, const CommandContext& context) {
  const std::string code{name_of(finding.code)};
  context.out << file << ": " << name_of(finding.severity) << ' ' << code << " at "
              << (finding.place.empty() ? "the document" : finding.place) << ": " << finding.detail
              << "\n    " << context.language.say("reasons", code) << '\n';
}

int check_file(const std::string& file, const CheckOptions& options,
               const CommandContext& context) {
  const auto bytes = read_file(file, validators::package_bytes_max);
  const auto reading = validators::read_package(bytes, context.configuration.games.kinds, {});
  for (const auto& finding : reading.findings) {
    if (options.json) {
      print_json(file, finding, context);
    } else {
      print_text(file, finding, context);
    }
  }
  const bool clean =
      std::all_of(reading.findings.begin(), reading.findings.end(),
                  [](const Finding& finding) { return finding.severity == Severity::warn; });
  if (!options.json && reading.findings.empty()) context.out << file << ": no findings\n";
  return clean ? exit_ok : exit_found;
}

}  // namespace

int check(const CheckOptions& options, const CommandContext& context) {
  int exit = exit_ok;
  for (const auto& file : options.files) {
    try {
      exit = std::max(exit, check_file(file, options, context));
    } catch (const UsageError& error) {
      context.err << "flagman: " << error.what() << '\n';
      exit = exit_unusable;
    }
  }
  return exit;
}

}  // namespace flagman::daemon
