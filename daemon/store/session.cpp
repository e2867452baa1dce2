#include "daemon/store/session.h"

namespace flagman::daemon {
namespace {

// Errors that pass: the server goes down or comes up, is full, is a standby, or two met in a lock.
bool passes(const std::string& state) {
  return state == "25006" || state.starts_with("57P0") || state.starts_with("08") ||
         state.starts_with("53") || state.starts_with("58") || state == "40001" ||
         state == "40P01" || state == "55P03";
}

std::string after(std::string_view message, std::string_view mark) {
  const auto at = message.find(mark);
  if (at == std::string_view::npos) return {};
  const auto rest = message.substr(at + mark.size());
  const auto begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string{rest.substr(begin, rest.find('\n', begin) - begin)};
}

}  // namespace

// PostgreSQL's own text: "ERROR:  what\nHINT:  …\nCONTEXT:  …".
std::string one_line_of(std::string_view message) {
  auto line = std::string{message.substr(0, message.find('\n'))};
  for (const auto* level : {"ERROR:", "FATAL:"}) {
    if (const auto what = after(message, level); !what.empty()) {
      line = what;
      break;
    }
  }
  const auto hint = after(message, "\nHINT:");
  return hint.empty() ? line : line + ": " + hint;
}

std::string bytes_of(const pqxx::field& field) {
  if (field.is_null()) return {};
  const pqxx::binarystring binary{field};
  return {binary.get(), binary.size()};
}

void Store::Session::rethrow(const pqxx::failure& error) {
  const auto what = one_line_of(error.what());
  if (const auto* sql = dynamic_cast<const pqxx::sql_error*>(&error)) {
    if (!passes(sql->sqlstate())) throw StoreRefused{what, sql->sqlstate()};
  }
  // The rest is a connection that broke, a commit in doubt, or two transactions that met.
  throw StoreUnavailable{what};
}

}  // namespace flagman::daemon
