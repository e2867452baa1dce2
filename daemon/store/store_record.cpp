// What is on record of a package: for workers, for exports, for the verifier.

#include <nlohmann/json.hpp>

#include "daemon/store/session.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

constexpr const char* sql_package =
    "select coalesce(p.idempotency_key, p.id::text), coalesce(p.teacher, ''), p.status, b.body, "
    "array_to_string(p.reasons, ','), p.payload_sha256 from flagman.package p join "
    "flagman.package_body b on b.package_id = p.id where p.id = $1";
constexpr const char* sql_journal =
    "select seq, entry, hash from flagman.journal where package_id = $1 order by seq";
constexpr const char* sql_calls =
    "select step, call, status, body, request from flagman.call where package_id = $1 "
    "order by step, call";
constexpr const char* sql_inbox =
    "select i.id, i.kind, coalesce(i.item, ''), coalesce(i.revision, 0), coalesce(i.body, ''), "
    "coalesce(i.who, ''), coalesce(i.why, ''), coalesce(i.decision, ''), "
    "exists (select from flagman.inbox_taken t where t.inbox_id = i.id) "
    "from flagman.inbox i where i.package_id = $1 order by i.id";
constexpr const char* sql_items =
    "select kind, ordinal, revision, outcome, coalesce(route, ''), array_to_string(reasons, ','), "
    "written, echo from flagman.item where package_id = $1 order by kind, ordinal";
constexpr const char* sql_keys =
    "select item, revision, key, salt, commitment from flagman.author_key where package_id = $1";
constexpr const char* sql_rebuilds =
    "select item, revision, brief from flagman.rebuild where package_id = $1";
// While a package has a task, the task says where the chain stands.
constexpr const char* sql_head =
    "select coalesce(t.head_seq, p.head_seq), coalesce(t.head_hash, p.head_hash) "
    "from flagman.package p left join flagman.task t on t.package_id = p.id where p.id = $1";
constexpr const char* sql_setting =
    "select bytes from flagman.setting where sha256 = decode($1, 'hex')";
constexpr const char* sql_packages =
    "select id from flagman.package where $1::timestamptz is null or submitted_at >= $1 order by "
    "id";

using ReadOnly = pqxx::transaction<pqxx::repeatable_read, pqxx::read_only>;

arbiter::ResponseStatus status_named(const std::string& name) {
  using enum arbiter::ResponseStatus;
  for (const auto status : {ok, timeout, error, refused, truncated}) {
    if (name == name_of(status)) return status;
  }
  throw StoreRefused{"a call has the unknown status «" + name + "»"};
}

std::vector<InboxRow> read_inbox(ReadOnly& transaction, std::int64_t package) {
  std::vector<InboxRow> inbox;
  for (const auto& row : transaction.exec_params(sql_inbox, package)) {
    inbox.push_back({row[0].as<std::int64_t>(), row[1].as<std::string>(), row[2].as<std::string>(),
                     row[3].as<int>(), bytes_of(row[4]), row[5].as<std::string>(),
                     row[6].as<std::string>(), row[7].as<std::string>(), row[8].as<bool>()});
  }
  return inbox;
}

std::optional<std::string> read_setting(ReadOnly& transaction, const std::string& digest) {
  std::optional<std::string> bytes;
  for (const auto& row : transaction.exec_params(sql_setting, digest)) bytes = bytes_of(row[0]);
  return bytes;
}

// The digests of the settings that the first entry names, as far as it can be read.
std::optional<std::string> digest_in(const std::string& entry, const char* name) {
  const auto value = validators::parse_json(entry);
  if (!value || !value->is_object() || !value->contains("data")) return std::nullopt;
  const auto& data = (*value)["data"];
  if (!data.is_object() || !data.contains(name) || !data[name].is_string()) return std::nullopt;
  auto digest = data[name].get<std::string>();
  const bool hexadecimal =
      digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  return hexadecimal ? std::optional{std::move(digest)} : std::nullopt;
}

PackageRecord read_record(ReadOnly& transaction, std::int64_t package) {
  PackageRecord record;
  const auto head = transaction.exec_params1(sql_package, package);
  record.id = package;
  record.name = head[0].as<std::string>();
  record.teacher = head[1].as<std::string>();
  record.status = head[2].as<std::string>();
  record.body = bytes_of(head[3]);
  record.reasons = head[4].as<std::string>();
  record.body_digest = bytes_of(head[5]);
  for (const auto& row : transaction.exec_params(sql_journal, package)) {
    record.entries.push_back(bytes_of(row[1]));
  }
  for (const auto& row : transaction.exec_params(sql_calls, package)) {
    record.calls.push_back({row[0].as<std::string>(),
                            row[1].as<int>(),
                            {status_named(row[2].as<std::string>()), bytes_of(row[3])},
                            bytes_of(row[4])});
  }
  record.inbox = read_inbox(transaction, package);
  return record;
}

std::vector<ItemRow> read_items(ReadOnly& transaction, std::int64_t package) {
  std::vector<ItemRow> items;
  for (const auto& row : transaction.exec_params(sql_items, package)) {
    items.push_back({{row[0].as<std::string>(), row[1].as<int>()},
                     row[2].as<int>(),
                     row[3].as<std::string>(),
                     row[4].as<std::string>(),
                     row[5].as<std::string>(),
                     row[6].as<std::string>(""),
                     row[7].as<std::string>("")});
  }
  return items;
}

VerifierRows read_verifier_rows(ReadOnly& transaction, std::int64_t package) {
  VerifierRows rows;
  const auto head = transaction.exec_params1(sql_package, package);
  rows.package = head[0].as<std::string>();
  const auto status = head[2].as<std::string>();
  rows.finished = status == "accepted" || status == "rejected" || status == "manual_review" ||
                  status == "cancelled";
  rows.body = bytes_of(head[3]);
  for (const auto& row : transaction.exec_params(sql_journal, package)) {
    rows.journal.push_back({row[0].as<std::int64_t>(), bytes_of(row[1]), bytes_of(row[2])});
  }
  for (const auto& row : transaction.exec_params(sql_keys, package)) {
    rows.keys.push_back({row[0].as<std::string>(), row[1].as<std::int64_t>(),
                         row[2].as<std::string>(), bytes_of(row[3]), bytes_of(row[4])});
  }
  for (const auto& row : transaction.exec_params(sql_calls, package)) {
    rows.calls.push_back({row[0].as<std::string>(), row[1].as<std::int64_t>(),
                          row[2].as<std::string>(), bytes_of(row[3]), bytes_of(row[4])});
  }
  for (auto& act : read_inbox(transaction, package)) {
    if (!act.taken) continue;
    if (act.kind == "revision") {
      rows.revisions.push_back({act.item, act.revision, std::move(act.body)});
    } else if (act.kind == "review") {
      rows.reviews.push_back({act.item, act.decision, act.who, act.why});
    } else {
      ++rows.cancels;
    }
  }
  for (const auto& row : transaction.exec_params(sql_rebuilds, package)) {
    rows.rebuilds.push_back(
        {row[0].as<std::string>(), row[1].as<std::int64_t>(), row[2].as<std::string>()});
  }
  const auto end = transaction.exec_params1(sql_head, package);
  rows.head = VerifierRows::Head{end[0].as<std::int64_t>(), bytes_of(end[1])};
  if (rows.journal.empty()) return rows;
  const auto& first = rows.journal.front().entry;
  if (const auto digest = digest_in(first, "policy_sha256")) {
    rows.policy = read_setting(transaction, *digest).value_or("");
  }
  if (const auto digest = digest_in(first, "games_sha256")) {
    rows.games = read_setting(transaction, *digest).value_or("");
  }
  return rows;
}

}  // namespace

PackageRecord Store::load(std::int64_t package) {
  return session_->run<ReadOnly>(
      [&](ReadOnly& transaction) { return read_record(transaction, package); });
}

std::vector<ItemRow> Store::items(std::int64_t package) {
  return session_->run<ReadOnly>(
      [&](ReadOnly& transaction) { return read_items(transaction, package); });
}

std::vector<InboxRow> Store::load_inbox(std::int64_t package) {
  return session_->run<ReadOnly>(
      [&](ReadOnly& transaction) { return read_inbox(transaction, package); });
}

AuditedPackage Store::load_for_audit(std::int64_t package) {
  return session_->run<ReadOnly>([&](ReadOnly& transaction) {
    return AuditedPackage{read_verifier_rows(transaction, package),
                          read_record(transaction, package), read_items(transaction, package)};
  });
}

std::string Store::setting(const std::string& digest) {
  const auto bytes = session_->run<ReadOnly>(
      [&](ReadOnly& transaction) { return read_setting(transaction, digest); });
  if (!bytes) throw StoreRefused{"a setting that the journal names is not there: " + digest};
  return *bytes;
}

std::vector<std::int64_t> Store::packages(const std::optional<std::string>& since) {
  return session_->run<ReadOnly>([&](ReadOnly& transaction) {
    std::vector<std::int64_t> ids;
    for (const auto& row : transaction.exec_params(sql_packages, since)) {
      ids.push_back(row[0].as<std::int64_t>());
    }
    return ids;
  });
}

}  // namespace flagman::daemon
