// How fast the checks are. Run by validators_bench.py, which compares the figures with one another
// and with a second implementation in Python; FLAGMAN_BENCH_PACKAGES names the folder of packages.

#include <benchmark/benchmark.h>
#include <re2/re2.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "validators/expansion.h"
#include "validators/json.h"
#include "validators/near_duplicates.h"
#include "validators/read_package.h"
#include "validators/text.h"

namespace {

using namespace flagman::validators;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error{"cannot read " + path.string()};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::shared_ptr<const Kinds> kinds_with(int items_max) {
  const auto text = read_file(std::string{FLAGMAN_SOURCE_DIR} + "/config/games.json");
  auto kinds = parse_kinds(text);
  if (!kinds) throw std::runtime_error{kinds.error()};
  if (items_max > 0) {
    for (auto& [name, kind] : *kinds) kind.items.max = items_max;
  }
  return std::make_shared<const Kinds>(std::move(*kinds));
}

const std::shared_ptr<const Kinds>& ten_kinds() {
  static const auto kinds = kinds_with(0);
  return kinds;
}

struct Material {
  std::vector<std::string> packages;
  std::vector<std::shared_ptr<const Json>> documents;
  std::size_t items = 0;
  std::size_t bytes = 0;
};

const Material& material() {
  static const auto made = [] {
    const char* folder = std::getenv("FLAGMAN_BENCH_PACKAGES");
    if (folder == nullptr) throw std::runtime_error{"FLAGMAN_BENCH_PACKAGES is not set"};
    Material all;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      all.packages.push_back(read_file(file));
      all.bytes += all.packages.back().size();
      auto document = parse_json(all.packages.back());
      if (!document) throw std::runtime_error{file.string() + ": " + document.error().what};
      for (const auto& game : document->at("games")) all.items += game.at("data").size();
      all.documents.push_back(std::make_shared<const Json>(std::move(*document)));
    }
    if (all.items == 0) throw std::runtime_error{"no items in the packages"};
    return all;
  }();
  return made;
}

void count_material(benchmark::State& state) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["items"] = benchmark::Counter(rounds * static_cast<double>(material().items),
                                               benchmark::Counter::kIsRate);
  state.counters["bytes"] = benchmark::Counter(rounds * static_cast<double>(material().bytes),
                                               benchmark::Counter::kIsRate);
}

void parse_into_document(benchmark::State& state) {
  for (auto round : state) {
    for (const auto& bytes : material().packages) {
      auto document = nlohmann::json::parse(bytes);
      benchmark::DoNotOptimize(document);
    }
  }
  count_material(state);
}
BENCHMARK(parse_into_document);

void bytes_to_findings(benchmark::State& state) {
  for (auto round : state) {
    for (const auto& bytes : material().packages) {
      auto reading = read_package(bytes, ten_kinds(), {});
      benchmark::DoNotOptimize(reading);
    }
  }
  count_material(state);
}
BENCHMARK(bytes_to_findings);

void document_to_findings(benchmark::State& state) {
  for (auto round : state) {
    for (const auto& document : material().documents) {
      auto reading = read_document(document, ten_kinds(), {});
      benchmark::DoNotOptimize(reading);
    }
  }
  count_material(state);
}
BENCHMARK(document_to_findings);

// ---- pair expansion ----

struct Pair {
  std::string left, right;
};

// The pairs of the packages that have a gap, tidied.
const std::vector<Pair>& pairs() {
  static const auto made = [] {
    std::vector<Pair> all;
    for (const auto& document : material().documents) {
      const auto& games = document->at("games");
      if (!games.contains("pairs")) continue;
      for (const auto& item : games.at("pairs").at("data")) {
        Pair pair{tidy(item.at("left").get<std::string>()),
                  tidy(item.at("right").get<std::string>())};
        if (find_gap(pair.left)) all.push_back(std::move(pair));
      }
    }
    if (all.empty()) throw std::runtime_error{"no pairs with a gap in the packages"};
    return all;
  }();
  return made;
}

std::size_t next_pair(std::size_t at) { return at + 1 == pairs().size() ? 0 : at + 1; }

void expand_pair(benchmark::State& state) {
  std::size_t at = 0;
  for (auto round : state) {
    const auto& [left, right] = pairs()[at];
    benchmark::DoNotOptimize(check_pair_expansion(left, right, {}));
    at = next_pair(at);
  }
}
BENCHMARK(expand_pair);

void expand_pair_by_re2(benchmark::State& state) {
  std::size_t at = 0;
  for (auto round : state) {
    const auto& [left, right] = pairs()[at];
    std::string pattern;
    std::size_t from = 0;
    for (auto gap = find_gap(left); gap; gap = find_gap(left, from)) {
      pattern += re2::RE2::QuoteMeta(left.substr(from, *gap - from));
      pattern += R"((?:\pL\pM*){0,6})";
      from = *gap + gap_spelling.size();
    }
    pattern += re2::RE2::QuoteMeta(left.substr(from));
    benchmark::DoNotOptimize(re2::RE2::FullMatch(right, re2::RE2{pattern}));
    at = next_pair(at);
  }
}
BENCHMARK(expand_pair_by_re2);

// Every byte of both texts is looked at once, whatever they are.
void compare_pair_bytes(benchmark::State& state) {
  const auto copies = pairs();
  std::size_t at = 0;
  for (auto round : state) {
    const auto& [left, right] = pairs()[at];
    benchmark::DoNotOptimize(std::memcmp(left.data(), copies[at].left.data(), left.size()));
    benchmark::DoNotOptimize(std::memcmp(right.data(), copies[at].right.data(), right.size()));
    at = next_pair(at);
  }
}
BENCHMARK(compare_pair_bytes);

}  // namespace

BENCHMARK_MAIN();
