#include "daemon/commands/database.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "daemon/store/migrator.h"
#include "validators/json.h"
#include "validators/read_package.h"

namespace flagman::daemon {
namespace {

using validators::Json;

constexpr const char* no_such_thing = "P0002";  // SQLSTATE no_data_found

// Runs an act that the database may refuse: a refusal is exit 1, the name of something that is not
// there and an absent database exit 2.
template <typename Act>
int attempt(const CommandContext& context, const std::string& what, const std::string& where,
            Act&& act) {
  try {
    return act();
  } catch (const StoreRefused& refusal) {
    if (refusal.state == no_such_thing)
      throw UsageError{what + ": " + where + ": " + refusal.what()};
    context.err << "flagman: " << what << ": " << where << ": " << refusal.what() << '\n';
    return exit_found;
  } catch (const StoreUnavailable& trouble) {
    throw UsageError{"the database cannot be reached: " + where + ": " + trouble.what()};
  }
}

Json row_json(const Store::StatusRow& row) {
  Json line;
  line["package"] = row.name;
  line["id"] = row.id;
  line["status"] = row.status;
  line["reasons"] = row.reasons;
  line["teacher"] = row.teacher;
  line["submitted_at"] = row.submitted_at;
  line["items"] = row.items;
  line["accepted"] = row.accepted;
  line["rebuilt"] = row.rebuilt;
  line["flagged"] = row.flagged;
  line["rejected"] = row.rejected;
  line["manual_review"] = row.manual_review;
  line["open"] = row.open;
  return line;
}

void print_row(const Store::StatusRow& row, const CommandContext& context) {
  context.out << row.name << ": " << context.language.say("outcomes", row.status);
  if (!row.reasons.empty()) context.out << " (" << row.reasons << ')';
  context.out << ", " << row.items << " items: " << row.accepted << " accepted, " << row.rebuilt
              << " accepted after rebuild, " << row.flagged << " being rebuilt, "
              << row.manual_review << " waiting for a person, " << row.rejected << " rejected, "
              << row.open << " open\n";
}

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16384);
  const bool known =
      ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found;
  return known ? entry.pw_name : "operator";
}

bool is_settled(const std::string& status) {
  return status != "queued" && status != "running" && status != "awaiting_rebuild";
}

}  // namespace

Store open_store(const CommandContext& context) {
  try {
    return Store{context.configuration.database};
  } catch (const StoreUnavailable& trouble) {
    throw UsageError{"the database cannot be reached: " + std::string{trouble.what()} +
                     ": is it running, and is [database] connection right?"};
  } catch (const StoreRefused& refusal) {
    throw UsageError{"the database cannot be used: " + std::string{refusal.what()}};
  }
}

std::int64_t package_number(Store& store, const std::string& name) {
  const auto id = store.find_package(name);
  if (!id) throw UsageError{"no such package: " + name + ": flagman status lists them"};
  return *id;
}

std::vector<std::int64_t> package_numbers(Store& store, const std::vector<std::string>& names) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(names.size());
  for (const auto& name : names) numbers.push_back(package_number(store, name));
  return numbers;
}

int migrate_database(const CommandContext& context) {
  const int applied = migrate(context.configuration.database);
  context.out << "schema version " << schema_version_wanted() << ", " << applied
              << " migrations applied\n";
  return exit_ok;
}

int submit(const SubmitOptions& options, const CommandContext& context) {
  auto store = open_store(context);
  int exit = exit_ok;
  for (const auto& file : options.files) {
    const auto payload = read_file(file, validators::package_bytes_max);
    exit = std::max(exit, attempt(context, "the package was refused", file, [&] {
                      const auto submitted = store.submit(payload, options.teacher);
                      context.out << submitted.id << (submitted.is_new ? " new" : " known") << '\n';
                      return exit_ok;
                    }));
  }
  store.wake();
  return exit;
}

int status(const StatusOptions& options, const CommandContext& context) {
  auto store = open_store(context);
  std::optional<std::int64_t> package;
  if (options.package) package = package_number(store, *options.package);
  return attempt(context, "the status cannot be read", "database", [&] {
    for (const auto& row : store.statuses(package)) {
      if (options.json) {
        context.out << row_json(row).dump() << '\n';
      } else {
        print_row(row, context);
      }
    }
    if (!package) return exit_ok;
    for (const auto& item : store.items(*package)) {
      if (options.json) {
        const Json line{{"item", to_text(item.item)},
                        {"revision", item.revision},
                        {"outcome", item.outcome},
                        {"route", item.route},
                        {"reasons", item.reasons}};
        context.out << line.dump() << '\n';
      } else {
        context.out << "  " << to_text(item.item) << '@' << item.revision << ' ' << item.outcome
                    << (item.route.empty() ? "" : ", " + item.route)
                    << (item.reasons.empty() ? "" : ": " + item.reasons) << '\n';
      }
    }
    return exit_ok;
  });
}

int watch(const StatusOptions& options, const CommandContext& context) {
  auto store = open_store(context);
  std::optional<std::int64_t> package;
  if (options.package) package = package_number(store, *options.package);
  std::string shown;
  for (;;) {
    const auto rows = store.statuses(package);
    std::string text;
    for (const auto& row : rows) text += row_json(row).dump();
    if (text != shown) {
      for (const auto& row : rows) print_row(row, context);
      context.out.flush();
      shown = text;
    }
    if (std::all_of(rows.begin(), rows.end(),
                    [](const auto& row) { return is_settled(row.status); })) {
      return exit_ok;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
  }
}

int result(const std::string& package, const CommandContext& context) {
  auto store = open_store(context);
  const auto id = package_number(store, package);
  return attempt(context, "there is no result", package, [&] {
    context.out << store.result(id) << '\n';
    return exit_ok;
  });
}

int cancel(const std::string& package, const CommandContext& context) {
  auto store = open_store(context);
  const auto id = package_number(store, package);
  return attempt(context, "the package was not cancelled", package, [&] {
    store.cancel(id);
    store.wake();
    return exit_ok;
  });
}

int review_list(const CommandContext& context) {
  auto store = open_store(context);
  return attempt(context, "the reviews cannot be read", "database", [&] {
    for (const auto& row : store.open_reviews()) {
      context.out << row.name << ':' << row.item << '@' << row.revision << ' ' << row.reasons
                  << '\n';
    }
    return exit_ok;
  });
}

int review_resolve(const ReviewOptions& options, const CommandContext& context) {
  const int acts = int{options.accept} + int{options.reject} + int{options.rebuild};
  if (acts != 1) {
    throw UsageError{
        "no single decision: review resolve: give one of --accept, --reject, --rebuild"};
  }
  const auto colon = options.item.rfind(':');
  const auto package = colon == std::string::npos ? options.package : options.item.substr(0, colon);
  const auto item = colon == std::string::npos ? options.item : options.item.substr(colon + 1);
  if (package.empty() || !validators::parse_item_name(item)) {
    throw UsageError{"no item's name: " + options.item + ": name it like PACKAGE:sort/3"};
  }
  if (options.why.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw UsageError{"no reason: --why: say why, the journal keeps it"};
  }
  std::string who = options.who;
  if (who.empty()) {
    who = user_name();
  }
  const auto* decision = options.accept ? "accept" : options.reject ? "reject" : "rebuild";
  auto store = open_store(context);
  const auto id = package_number(store, package);
  return attempt(context, "the review was not taken", options.item, [&] {
    store.review(id, item, decision, who, options.why);
    store.wake();
    return exit_ok;
  });
}

}  // namespace flagman::daemon
