#include "daemon/store/store.h"

#include <algorithm>
#include <set>

#include "daemon/store/append_arrays.h"
#include "daemon/store/migrator.h"
#include "daemon/store/session.h"
#include "validators/digest.h"

namespace flagman::daemon {
namespace {

constexpr const char* sql_has_schema = "select to_regclass('flagman.schema_version') is not null";
constexpr const char* sql_version = "select coalesce(max(version), 0) from flagman.schema_version";
constexpr const char* sql_register = "select flagman.register_worker($1::uuid, $2::interval)";
constexpr const char* sql_heartbeat = "select flagman.heartbeat($1::uuid)";
constexpr const char* sql_claim =
    "select package_id, epoch, head_seq, head_hash, crashes, inbox_count "
    "from flagman.claim($1::uuid, $2, $3)";
constexpr const char* sql_append =
    "select package_id, inbox_count from flagman.append($1::uuid, "
    "$2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::text[], "
    "$9::text[], $10::bigint[], $11::interval[], "
    "$12::bigint[], $13::bigint[], $14::bytea[], $15::bytea[], "
    "$16::bigint[], $17::text[], $18::int[], $19::text[], $20::bytea[], $21::bytea[], "
    "$22::bigint[], $23::text[], $24::int[], $25::text[], $26::bytea[], $27::bytea[], "
    "$28::bigint[], $29::text[], $30::int[], $31::int[], $32::text[], $33::text[], $34::text[], "
    "$35::text[], $36::text[], "
    "$37::bigint[], $38::text[], $39::int[], $40::text[], "
    "$41::bigint[], $42::text[], $43::int[], "
    "$44::bigint[], $45::bigint[], $46::bigint[])";
constexpr const char* sql_committed =
    "select count(*) from flagman.journal where package_id = $1 and seq = $2 and hash = $3";
constexpr const char* sql_rescue = "select count(*) from flagman.rescue($1::interval)";
constexpr const char* sql_retire = "select flagman.retire($1::uuid)";
constexpr const char* sql_give_up = "select flagman.give_up($1::uuid, $2, $3, $4)";
constexpr const char* sql_acts_waiting = "select flagman.acts_waiting($1::uuid)";
constexpr const char* sql_tell =
    "select flagman.tell($1::bigint[], $2::bigint[], $3::text[], $4::int[])";
constexpr const char* sql_keep_setting =
    "insert into flagman.setting (sha256, kind, bytes) values ($1, $2, $3) on conflict do nothing";
constexpr const char* sql_clock = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

// Each of the worker's acts is one statement and commits by itself: between a BEGIN and a COMMIT of
// ours a process may fall asleep, and hold its locks against everybody.
using Single = pqxx::nontransaction;

std::string interval(std::chrono::milliseconds duration) {
  return std::to_string(duration.count()) + " milliseconds";
}

pqxx::binarystring binary(const validators::Digest& digest) {
  return pqxx::binarystring{digest.data(), digest.size()};
}

}  // namespace

Store::Store(const std::string& connection_string) {
  try {
    session_ = std::make_unique<Session>(connection_string);
  } catch (const pqxx::broken_connection& error) {
    throw StoreUnavailable{one_line_of(error.what())};
  }
  const int version = session_->run([](pqxx::work& transaction) {
    if (!transaction.exec1(sql_has_schema)[0].as<bool>()) return 0;
    return transaction.exec1(sql_version)[0].as<int>();
  });
  const int wanted = schema_version_wanted();
  if (version == wanted) return;
  throw StoreRefused{"the database has schema version " + std::to_string(version) +
                     ", this program needs " + std::to_string(wanted) +
                     (version < wanted ? ": run flagman migrate" : ": use a newer flagman")};
}

Store::Store(Store&&) noexcept = default;

Store::~Store() = default;

void Store::register_worker(const std::string& worker, std::chrono::milliseconds lease) {
  session_->run<Single>([&](Single& transaction) {
    transaction.exec_params(sql_register, worker, interval(lease));
    return nothing();
  });
}

bool Store::heartbeat(const std::string& worker) {
  return session_->run<Single>([&](Single& transaction) {
    return transaction.exec_params1(sql_heartbeat, worker)[0].as<bool>();
  });
}

std::vector<ClaimedPackage> Store::claim(const std::string& worker, int count, std::int64_t after) {
  return session_->run<Single>([&](Single& transaction) {
    std::vector<ClaimedPackage> claimed;
    for (const auto& row : transaction.exec_params(sql_claim, worker, count, after)) {
      claimed.push_back({row[0].as<std::int64_t>(), row[1].as<std::int64_t>(),
                         row[2].as<std::int64_t>(), bytes_of(row[3]), row[4].as<int>(),
                         row[5].as<std::int64_t>()});
    }
    return claimed;
  });
}

std::vector<Appended> Store::append(const std::string& worker, const std::vector<Change>& changes) {
  AppendArrays arrays;
  for (const auto& change : changes) arrays.add(change);
  auto parameters = arrays.take();
  parameters.insert(parameters.begin(), worker);
  return session_->run<Single>([&](Single& transaction) {
    std::vector<Appended> appended;
    const auto rows =
        transaction.exec_params(sql_append, pqxx::prepare::make_dynamic_params(parameters));
    for (const auto& row : rows) {
      appended.push_back({row[0].as<std::int64_t>(), row[1].as<std::int64_t>()});
    }
    return appended;
  });
}

void Store::tell(const std::vector<Change>& changes, const std::vector<Appended>& made) {
  std::set<std::int64_t> ours;
  for (const auto& one : made) ours.insert(one.package);
  ArrayText packages, rebuild_packages, items, revisions;
  bool any = false;
  for (const auto& change : changes) {
    if (!ours.contains(change.package)) continue;
    if (change.status) packages.add_number(change.package);
    for (const auto& rebuild : change.rebuilds) {
      rebuild_packages.add_number(change.package);
      items.add_text(to_text(rebuild.item));
      revisions.add_number(rebuild.revision);
    }
    any = any || change.status || !change.rebuilds.empty();
  }
  if (!any) return;
  session_->run<Single>([&](Single& transaction) {
    transaction.exec_params(sql_tell, packages.take(), rebuild_packages.take(), items.take(),
                            revisions.take());
    return nothing();
  });
}

std::vector<std::int64_t> Store::committed(const std::vector<Change>& changes) {
  return session_->run<Single>([&](Single& transaction) {
    std::vector<std::int64_t> made;
    for (const auto& change : changes) {
      if (change.entries.empty()) continue;
      const auto count = transaction.exec_params1(sql_committed, change.package, change.new_seq,
                                                  pqxx::binarystring(change.new_hash))[0];
      if (count.as<int>() > 0) made.push_back(change.package);
    }
    return made;
  });
}

int Store::rescue(std::chrono::milliseconds grace) {
  return session_->run<Single>([&](Single& transaction) {
    return transaction.exec_params1(sql_rescue, interval(grace))[0].as<int>();
  });
}

void Store::retire(const std::string& worker) {
  session_->run<Single>([&](Single& transaction) {
    transaction.exec_params(sql_retire, worker);
    return nothing();
  });
}

void Store::give_up(const std::string& worker, std::int64_t package, std::int64_t epoch,
                    bool failed) {
  session_->run<Single>([&](Single& transaction) {
    transaction.exec_params(sql_give_up, worker, package, epoch, failed);
    return nothing();
  });
}

std::vector<std::int64_t> Store::acts_waiting(const std::string& worker) {
  return session_->run<Single>([&](Single& transaction) {
    std::vector<std::int64_t> packages;
    for (const auto& row : transaction.exec_params(sql_acts_waiting, worker)) {
      packages.push_back(row[0].as<std::int64_t>());
    }
    return packages;
  });
}

void Store::keep_setting(const std::string& kind, const std::string& bytes) {
  session_->run<Single>([&](Single& transaction) {
    transaction.exec_params(sql_keep_setting, binary(validators::sha256(bytes)), kind,
                            pqxx::binarystring(bytes));
    return nothing();
  });
}

Time Store::clock() {
  return session_->run<Single>([](Single& transaction) {
    return Time{std::chrono::milliseconds{transaction.exec1(sql_clock)[0].as<std::int64_t>()}};
  });
}

}  // namespace flagman::daemon
