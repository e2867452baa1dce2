// How fast the checks are. Run by validators_bench.py, which compares the figures with one another
// and with a second implementation in Python; FLAGMAN_BENCH_PACKAGES names the folder of packages.

#include <benchmark/benchmark.h>
#include <re2/re2.h>

#include <algorithm>
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

// ---- worst cases, over sizes: the time should grow as the argument does ----

std::string repeated(std::string_view unit, std::size_t times) {
  std::string text;
  text.reserve(unit.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += unit;
  return text;
}

std::string package_of(const char* kind, Json items) {
  Json package;
  package["format"] = "flagman.package/1";
  package["games"][kind]["data"] = std::move(items);
  return package.dump();
}

void read_whole(benchmark::State& state, const std::string& bytes) {
  static const auto kinds = kinds_with(1'000'000);
  for (auto round : state) {
    auto reading = read_package(bytes, kinds, {});
    benchmark::DoNotOptimize(reading);
  }
}

// One item of so many bytes, of one unit again and again.
void long_item(benchmark::State& state, const char* unit) {
  const auto times = static_cast<std::size_t>(state.range(0)) / std::string_view{unit}.size();
  const auto text = "а" + repeated(unit, times);
  read_whole(state, package_of("pairs", Json::array({Json{{"left", text}, {"right", "а"}}})));
}
#define LONG_ITEM(name, unit) \
  BENCHMARK_CAPTURE(long_item, name, unit)->RangeMultiplier(10)->Range(100'000, 10'000'000)
LONG_ITEM(letters, "а");
LONG_ITEM(gaps, "а..");
LONG_ITEM(marks, "\u0301\u0323");
LONG_ITEM(joined_emoji, "👨\u200D");
LONG_ITEM(entities, "&amp;");
LONG_ITEM(tags, "<b>");

void many_items(benchmark::State& state, Json (*make)(std::size_t)) {
  Json items = Json::array();
  for (std::size_t i = 0; i < static_cast<std::size_t>(state.range(0)); ++i) {
    items.push_back(make(i));
  }
  read_whole(state, package_of(items[0].contains("left") ? "pairs" : "lie_detector", items));
}
Json different_items(std::size_t i) {
  return {{"s", "Столица страны " + std::to_string(i) + " стоит на реке"}, {"key", "lie"}};
}
Json equal_items(std::size_t) { return {{"s", "Столица стоит на большой реке"}, {"key", "lie"}}; }
Json near_items(std::size_t i) {
  std::string name;
  for (auto rest = i; name.size() < 4; rest /= 26) name += static_cast<char>('a' + rest % 26);
  return {{"s", "Столица страны " + name + " стоит на большой реке, текущей с севера на юг"},
          {"key", "lie"}};
}
Json pairs_of_one_word(std::size_t i) {
  return {{"left", "сло..о"}, {"right", "слово" + std::to_string(i)}};
}
#define MANY_ITEMS(kind)                    \
  BENCHMARK_CAPTURE(many_items, kind, kind) \
      ->RangeMultiplier(10)                 \
      ->Range(1'000, 100'000)               \
      ->Iterations(1)
MANY_ITEMS(different_items);
MANY_ITEMS(equal_items);
MANY_ITEMS(near_items);
MANY_ITEMS(pairs_of_one_word);

// One pair with so many gaps, each in its word.
void many_gaps(benchmark::State& state) {
  const auto gaps = static_cast<std::size_t>(state.range(0));
  const auto left = repeated("сло..о ", gaps) + "конец";
  const auto right = repeated("слово ", gaps) + "конец";
  for (auto round : state) benchmark::DoNotOptimize(check_pair_expansion(left, right, {}));
}
BENCHMARK(many_gaps)->RangeMultiplier(10)->Range(10, 10'000);

}  // namespace

BENCHMARK_MAIN();
