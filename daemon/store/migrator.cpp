#include "daemon/store/migrator.h"

#include <pqxx/pqxx>
#include <string_view>

#include "daemon/configuration.h"
#include "daemon/embedded.h"

namespace flagman::daemon {
namespace {

struct Migration {
  int version;
  const char* name;
  std::string_view sql;
};

const Migration migrations[] = {
    {1, "tables", embedded::migration_0001_tables},
    {2, "guards", embedded::migration_0002_guards},
    {3, "generators", embedded::migration_0003_generators},
    {4, "workers", embedded::migration_0004_workers},
    {5, "roles", embedded::migration_0005_roles},
};

constexpr const char* sql_lock = "select pg_advisory_xact_lock(hashtext('flagman.migrate'))";
constexpr const char* sql_has_versions = "select to_regclass('flagman.schema_version') is not null";
constexpr const char* sql_version = "select coalesce(max(version), 0) from flagman.schema_version";
constexpr const char* sql_note =
    "insert into flagman.schema_version (version, name, applied_at) values ($1, $2, "
    "clock_timestamp())";

int version_in(pqxx::work& transaction) {
  if (!transaction.exec1(sql_has_versions)[0].as<bool>()) return 0;
  return transaction.exec1(sql_version)[0].as<int>();
}

}  // namespace

int schema_version_wanted() { return std::end(migrations)[-1].version; }

int migrate(const std::string& connection_string) {
  try {
    pqxx::connection connection{connection_string};
    int applied = 0;
    for (const auto& migration : migrations) {
      pqxx::work transaction{connection};
      transaction.exec(sql_lock);
      const int version = version_in(transaction);
      if (version > schema_version_wanted()) {
        throw UsageError{"the database is newer than this program: schema version " +
                         std::to_string(version) + ": use a flagman of that version"};
      }
      if (version >= migration.version) continue;
      transaction.exec(std::string{migration.sql});
      transaction.exec_params(sql_note, migration.version, migration.name);
      transaction.commit();
      ++applied;
    }
    return applied;
  } catch (const pqxx::broken_connection& error) {
    throw UsageError{"the database cannot be reached: " + std::string{error.what()} +
                     ": is it running, and is the connection string right?"};
  } catch (const pqxx::sql_error& error) {
    throw UsageError{"the database cannot be migrated: " + std::string{error.what()} +
                     ": the last migration was undone whole"};
  }
}

}  // namespace flagman::daemon
