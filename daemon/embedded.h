#pragma once
// Files of config/ built into the program, so that it runs without them.

#include <string_view>

namespace flagman::daemon::embedded {

extern const std::string_view games_json;
extern const std::string_view language_en_json;
extern const std::string_view language_ru_json;

}  // namespace flagman::daemon::embedded
