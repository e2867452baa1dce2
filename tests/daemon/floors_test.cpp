// The floors: arrows of inclusion run down only, and the lower two touch no clock, file, socket,
// thread or log. Read from the `#include` lines themselves.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

struct Inclusion {
  std::string file;
  std::string header;
};

std::vector<Inclusion> inclusions_of(const std::string& floor) {
  std::vector<Inclusion> all;
  const auto root = std::filesystem::path{FLAGMAN_SOURCE_DIR} / floor;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{root}) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream file{entry.path()};
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("#include ")) continue;
      const auto end = line.find_last_of("\">");
      all.push_back({entry.path().filename().string(), line.substr(10, end - 10)});
    }
  }
  return all;
}

bool begins_with_any(const std::string& header, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return header.starts_with(prefix); });
}

void check_floor(const std::string& floor, const std::vector<std::string>& own_floors) {
  // The standard library has no slash in its names; what of it touches the world is listed.
  const std::set<std::string> world{
      "chrono", "ctime",  "filesystem", "fstream", "iostream", "random", "thread",
      "mutex",  "atomic", "future",     "cstdlib", "csignal",  "cstdio", "condition_variable"};
  const std::vector<std::string> libraries{
      "nlohmann/", "unicode/", "re2/", "libxml/", "openssl/evp.h", "boost/multiprecision/", "tl/"};
  const auto all = inclusions_of(floor);
  REQUIRE(all.size() > 20);
  for (const auto& [file, header] : all) {
    CAPTURE(floor, file, header);
    if (header.find('/') == std::string::npos) {
      CHECK(!world.contains(header));
    } else {
      CHECK((begins_with_any(header, own_floors) || begins_with_any(header, libraries)));
    }
  }
}

}  // namespace

TEST_CASE("validators include nothing above themselves and nothing of the world", "[floors]") {
  check_floor("validators", {"validators/"});
}

TEST_CASE("the arbiter includes validators alone and nothing of the world", "[floors]") {
  check_floor("arbiter", {"arbiter/", "validators/"});
}
