#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "daemon/journal/entry.h"
#include "daemon/journal/memory_journal.h"

using namespace flagman::daemon;
using flagman::validators::Digest;
using flagman::validators::hex;
using flagman::validators::sha256;
using Json = flagman::validators::Json;

namespace {

std::string raw(const Digest& digest) { return {digest.begin(), digest.end()}; }

std::vector<JournalEntry> three_entries(const Digest& root) {
  Chain chain{"p-1", root};
  std::vector<JournalEntry> entries;
  for (const int n : {1, 2, 3}) {
    entries.push_back(
        chain.next("note", journal_data(Json{{"n", n}}), "2026-01-02T03:04:05Z", {"w-1", 7}));
  }
  return entries;
}

}  // namespace

TEST_CASE("a journal entry is its canonical bytes, chained by hash", "[journal]") {
  const auto root = chain_root("p-1", "body");
  CHECK(root == sha256("flagman.journal/1\np-1\n" + raw(sha256("body"))));
  const auto entries = three_entries(root);
  CHECK(entries[0].bytes ==
        R"({"data":{"n":1},"epoch":7,"kind":"note","package":"p-1","prev":")" + hex(root) +
            R"(","schema":1,"seq":1,"time":"2026-01-02T03:04:05Z","worker":"w-1"})");
  CHECK(entries[0].hash == sha256(std::string(1, '\0') + entries[0].bytes));
  CHECK(entries[1].bytes.find(R"("prev":")" + hex(entries[0].hash)) != std::string::npos);
  CHECK(check_chain(entries, root).empty());
  CHECK(check_chain({}, root).empty());
}

TEST_CASE("a chain tells of every change to it, at the first entry that is wrong", "[journal]") {
  const auto root = chain_root("p-1", "body");
  struct Row {
    const char* why;
    void (*spoil)(std::vector<JournalEntry>&);
    std::int64_t seq;
  };
  const auto row = GENERATE(values<Row>({
      {"one byte changed",
       [](auto& e) { e[1].bytes.replace(e[1].bytes.find(R"("n":2)"), 5, R"("n":9)"); }, 2},
      {"one byte changed and hashed anew",
       [](auto& e) {
         e[1].bytes.replace(e[1].bytes.find(R"("n":2)"), 5, R"("n":9)");
         e[1].hash = entry_hash(e[1].bytes);
       },
       3},
      {"the first dropped", [](auto& e) { e.erase(e.begin()); }, 1},
      {"one dropped in the middle", [](auto& e) { e.erase(e.begin() + 1); }, 2},
      {"one doubled", [](auto& e) { e.insert(e.begin() + 1, e[0]); }, 2},
      {"two swapped", [](auto& e) { std::swap(e[1], e[2]); }, 2},
      {"not JSON",
       [](auto& e) {
         e[2].bytes = "{";
         e[2].hash = entry_hash(e[2].bytes);
       },
       3},
      {"white space added and hashed anew",
       [](auto& e) {
         e[2].bytes += ' ';
         e[2].hash = entry_hash(e[2].bytes);
       },
       3},
  }));
  CAPTURE(row.why);
  auto entries = three_entries(root);
  row.spoil(entries);
  const auto faults = check_chain(entries, root);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].seq == row.seq);
}

TEST_CASE("a chain belongs to one package and one body", "[journal]") {
  const auto entries = three_entries(chain_root("p-1", "body"));
  CHECK_FALSE(check_chain(entries, chain_root("p-1", "other body")).empty());
  CHECK_FALSE(check_chain(entries, chain_root("p-2", "body")).empty());
}

TEST_CASE("a journal holds exact whole numbers alone", "[journal]") {
  CHECK_THROWS_AS(journal_data(Json{{"cost", 0.1}}), std::invalid_argument);
  CHECK_THROWS_AS(journal_data(Json::parse(R"([[{"n":9007199254740992}]])")),
                  std::invalid_argument);
  CHECK_THROWS_AS(journal_data(Json::parse(R"([-9007199254740992])")), std::invalid_argument);
  CHECK(journal_data(Json::parse(R"([9007199254740991,-9007199254740991])")) ==
        "[9007199254740991,-9007199254740991]");
}

TEST_CASE("a key's commitment depends on the salt and on the key, not on how it was spaced",
          "[journal]") {
  CHECK(key_commitment("salt", R"(["a", "b"])") == sha256(R"(salt["a","b"])"));
  CHECK(key_commitment("salt", "1") != key_commitment("other", "1"));
  CHECK(key_commitment("salt", "1") != key_commitment("salt", "2"));
}
