// What generators and operators ask of the database.

#include "daemon/store/session.h"

namespace flagman::daemon {
namespace {

constexpr const char* sql_submit = "select flagman.submit($1::bytea, $2::text, null::text)";
constexpr const char* sql_is_new = "select submitted_at = now() from flagman.package where id = $1";
constexpr const char* sql_wake = "select flagman.wake()";
constexpr const char* sql_cancel = "select flagman.cancel($1)";
constexpr const char* sql_result = "select flagman.package_result($1)";
constexpr const char* sql_deliver = "select flagman.deliver_rebuild($1, $2)";
constexpr const char* sql_review = "select flagman.review($1, $2, $3, $4, $5)";
constexpr const char* sql_find =
    "select id from flagman.package where idempotency_key = $1 or id::text = $1 "
    "order by (idempotency_key is not distinct from $1) desc limit 1";
constexpr const char* sql_rebuilds =
    "select r.id, coalesce(p.idempotency_key, p.id::text), r.item, r.revision, r.brief "
    "from flagman.rebuilds_open r join flagman.package p on p.id = r.package order by r.id";
constexpr const char* sql_statuses =
    "select id, coalesce(idempotency_key, id::text), coalesce(teacher, ''), status, "
    "array_to_string(reasons, ','), "
    "to_char(submitted_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
    "coalesce(items, 0), accepted, rebuilt, flagged, rejected, manual_review, open "
    "from flagman.package_status where $1::bigint is null or id = $1 order by id desc limit 1000";
constexpr const char* sql_reviews =
    "select r.package_id, coalesce(p.idempotency_key, p.id::text), r.item, "
    "array_to_string(r.reasons, ','), r.revision from flagman.reviews_open r "
    "join flagman.package p on p.id = r.package_id order by r.package_id, r.item";

}  // namespace

Store::Submitted Store::submit(const std::string& payload,
                               const std::optional<std::string>& teacher) {
  return session_->run([&](pqxx::work& transaction) {
    const auto id = transaction.exec_params1(sql_submit, pqxx::binarystring(payload), teacher)[0]
                        .as<std::int64_t>();
    return Submitted{id, transaction.exec_params1(sql_is_new, id)[0].as<bool>()};
  });
}

void Store::wake() {
  session_->run([](pqxx::work& transaction) {
    transaction.exec(sql_wake);
    return nothing();
  });
}

void Store::cancel(std::int64_t package) {
  session_->run([&](pqxx::work& transaction) {
    transaction.exec_params(sql_cancel, package);
    return nothing();
  });
}

std::string Store::result(std::int64_t package) {
  return session_->run([&](pqxx::work& transaction) {
    return transaction.exec_params1(sql_result, package)[0].as<std::string>();
  });
}

void Store::deliver_rebuild(std::int64_t rebuild, const std::string& item) {
  session_->run([&](pqxx::work& transaction) {
    transaction.exec_params(sql_deliver, rebuild, item);
    return nothing();
  });
}

void Store::review(std::int64_t package, const std::string& item, const std::string& decision,
                   const std::string& who, const std::string& why) {
  session_->run([&](pqxx::work& transaction) {
    transaction.exec_params(sql_review, package, item, decision, who, why);
    return nothing();
  });
}

std::optional<std::int64_t> Store::find_package(const std::string& name) {
  return session_->run([&](pqxx::work& transaction) {
    std::optional<std::int64_t> id;
    for (const auto& row : transaction.exec_params(sql_find, name)) id = row[0].as<std::int64_t>();
    return id;
  });
}

std::vector<Store::OpenRebuild> Store::open_rebuilds() {
  return session_->run([&](pqxx::work& transaction) {
    std::vector<OpenRebuild> rebuilds;
    for (const auto& row : transaction.exec(sql_rebuilds)) {
      rebuilds.push_back({row[0].as<std::int64_t>(), row[1].as<std::string>(),
                          row[2].as<std::string>(), row[3].as<int>(), row[4].as<std::string>()});
    }
    return rebuilds;
  });
}

std::vector<Store::StatusRow> Store::statuses(const std::optional<std::int64_t>& package) {
  return session_->run([&](pqxx::work& transaction) {
    std::vector<StatusRow> statuses;
    for (const auto& row : transaction.exec_params(sql_statuses, package)) {
      statuses.push_back({row[0].as<std::int64_t>(), row[1].as<std::string>(),
                          row[2].as<std::string>(), row[3].as<std::string>(),
                          row[4].as<std::string>(), row[5].as<std::string>(), row[6].as<int>(),
                          row[7].as<int>(), row[8].as<int>(), row[9].as<int>(), row[10].as<int>(),
                          row[11].as<int>(), row[12].as<int>()});
    }
    return statuses;
  });
}

std::vector<Store::ReviewRow> Store::open_reviews() {
  return session_->run([&](pqxx::work& transaction) {
    std::vector<ReviewRow> reviews;
    for (const auto& row : transaction.exec(sql_reviews)) {
      reviews.push_back({row[0].as<std::int64_t>(), row[1].as<std::string>(),
                         row[2].as<std::string>(), row[3].as<std::string>(), row[4].as<int>()});
    }
    return reviews;
  });
}

}  // namespace flagman::daemon
