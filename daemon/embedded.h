#pragma once
// Files of config/ and migrations/ and a recorded run, built into the program, so that it runs
// without them.

#include <string_view>

namespace flagman::daemon::embedded {

extern const std::string_view games_json;
extern const std::string_view language_en_json;
extern const std::string_view language_ru_json;
extern const std::string_view demo_run;
extern const std::string_view migration_0001_tables;
extern const std::string_view migration_0002_guards;
extern const std::string_view migration_0003_generators;
extern const std::string_view migration_0004_workers;
extern const std::string_view migration_0005_roles;

}  // namespace flagman::daemon::embedded
