#pragma once
// The connection inside a store; for the store's own files alone.

#include <pqxx/pqxx>
#include <string>
#include <string_view>

#include "daemon/store/store.h"

namespace flagman::daemon {

struct Store::Session {
  explicit Session(const std::string& connection_string) : connection(connection_string) {}

  /// Runs `work(transaction)` in one transaction and gives its result. The library's many
  /// exceptions become the two that callers know.
  template <typename Transaction = pqxx::work, typename Work>
  auto run(Work&& work) {
    try {
      Transaction transaction{connection};
      auto result = work(transaction);
      transaction.commit();
      return result;
    } catch (const pqxx::failure& error) {
      rethrow(error);
    }
  }

  pqxx::connection connection;

 private:
  [[noreturn]] static void rethrow(const pqxx::failure& error);
};

/// The first line of PostgreSQL's message, without "ERROR:", and its hint.
[[nodiscard]] std::string one_line_of(std::string_view message);

[[nodiscard]] std::string bytes_of(const pqxx::field& field);

/// Where there is nothing to give back.
inline constexpr auto nothing = [] { return 0; };

}  // namespace flagman::daemon
