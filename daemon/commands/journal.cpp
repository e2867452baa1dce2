#include "daemon/commands/journal.h"

#include <algorithm>
#include <sstream>

#include "daemon/commands/database.h"
#include "daemon/commands/progress.h"
#include "daemon/record_check.h"
#include "daemon/verify/verifier.h"
#include "daemon/version.h"
#include "validators/digest.h"

namespace flagman::daemon {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{1} << 30;

std::string in_words(const VerifierFault& fault) {
  return (fault.seq ? "entry " + std::to_string(*fault.seq) + " " : "") + fault.what;
}

std::string hex_of(const std::string& hash) {
  validators::Digest digest{};
  if (hash.size() != digest.size()) return "none";
  std::copy(hash.begin(), hash.end(), digest.begin());
  return validators::hex(digest);
}

// The games that the package was read with; those of the configuration where the record has none.
std::shared_ptr<const validators::Kinds> kinds_of(const VerifierRows& rows,
                                                  const CommandContext& context) {
  if (rows.games) {
    if (auto games = read_game_rules(*rows.games)) return games->kinds;
  }
  return context.configuration.games.kinds;
}

// What is wrong with a package's record; a remark where that could not be told whole.
struct Judgement {
  std::vector<std::string> faults;
  std::string remark;
};

Judgement judge(Store& store, const AuditedPackage& package, const CommandContext& context) {
  Judgement judgement;
  for (const auto& fault : verify_package(package.rows, kinds_of(package.rows, context))) {
    judgement.faults.push_back(in_words(fault));
  }
  // What follows from a record can be told only while that is whole.
  if (!judgement.faults.empty() || package.rows.journal.empty()) return judgement;
  auto check = check_record(package.record, package.items,
                            rules_on_record(store, package.record, make_rules({}, {})));
  judgement.faults = std::move(check.faults);
  if (!check.judged_by.empty()) {
    judgement.remark = "judged by version " + check.judged_by +
                       ": chain, rows and keys are whole, "
                       "what was decided is not derived anew by version " +
                       version;
  }
  return judgement;
}

int verify_file(const std::string& file, const CommandContext& context) {
  std::istringstream text{read_file(file, file_bytes_max)};
  std::vector<std::string> entries;
  for (std::string line; std::getline(text, line);) entries.push_back(line);
  const auto reading = verify_entries(entries);
  for (const auto& fault : reading.faults) {
    context.out << file << ": broken: " << in_words(fault) << '\n';
  }
  if (!reading.faults.empty()) return exit_found;
  if (entries.empty())
    throw UsageError{"no entries: " + file + ": flagman journal show makes such a file"};
  context.out << file << ": the chain of " << reading.package << " is whole: " << entries.size()
              << " entries, head " << reading.head << '\n';
  return exit_ok;
}

}  // namespace

int journal_show(const std::string& package, const CommandContext& context) {
  auto store = open_store(context);
  for (const auto& entry : store.load(package_number(store, package)).entries) {
    context.out << entry << '\n';
  }
  return exit_ok;
}

int journal_verify(const JournalOptions& options, const CommandContext& context) {
  if (options.file) {
    if (!options.packages.empty()) {
      throw UsageError{"both packages and a file: journal verify: give one of the two"};
    }
    return verify_file(*options.file, context);
  }
  auto store = open_store(context);
  const auto packages = options.packages.empty() ? store.packages(std::nullopt)
                                                 : package_numbers(store, options.packages);
  return verify_packages(store, packages, context);
}

int verify_packages(Store& store, const std::vector<std::int64_t>& packages,
                    const CommandContext& context) {
  Progress progress{context.err};
  std::size_t entries = 0;
  std::size_t broken = 0;
  std::size_t done = 0;
  for (const auto id : packages) {
    progress.show(std::to_string(done++) + " of " + std::to_string(packages.size()) + " packages");
    const auto package = store.load_for_audit(id);
    const auto& rows = package.rows;
    const auto [faults, remark] = judge(store, package, context);
    if (!remark.empty()) context.out << rows.package << ": " << remark << '\n';
    entries += rows.journal.size();
    if (!faults.empty()) ++broken;
    for (const auto& fault : faults) {
      context.out << rows.package << ": broken: " << fault << '\n';
    }
    if (faults.empty() && packages.size() == 1) {
      context.out << rows.package << ": head " << hex_of(rows.head->hash) << '\n';
    }
  }
  const auto count = std::to_string(packages.size()) +
                     (packages.size() == 1 ? " package, " : " packages, ") +
                     std::to_string(entries) + " entries";
  if (broken > 0) {
    context.out << "journal: broken in " << broken << " of " << count << '\n';
    return exit_found;
  }
  context.out << "journal: verified, whole: " << count << '\n';
  return exit_ok;
}

}  // namespace flagman::daemon
