#include "daemon/journal/entry.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "daemon/journal/canonical.h"

namespace flagman::daemon {
namespace {

using validators::Digest;
using validators::hex;
using validators::Json;
using validators::sha256;

bool has_inexact_number(const Json& value) {
  constexpr std::int64_t whole_max = (std::int64_t{1} << 53) - 1;
  if (value.is_structured()) return std::any_of(value.begin(), value.end(), has_inexact_number);
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>() > static_cast<std::uint64_t>(whole_max);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>() < -whole_max;
  return value.is_number_float();
}

std::string json_string(std::string_view text) { return Json(text).dump(); }

std::string raw(const Digest& digest) { return {digest.begin(), digest.end()}; }

}  // namespace

Digest chain_root(std::string_view package, std::string_view body) {
  return sha256("flagman.journal/1\n" + std::string{package} + "\n" + raw(sha256(body)));
}

Digest entry_hash(std::string_view bytes) {
  return sha256(std::string(1, '\0') + std::string{bytes});
}

Digest key_commitment(std::string_view salt, std::string_view key_written) {
  // The key was written by us from a parsed value: it reads back.
  return sha256(std::string{salt} + canonical_json(Json::parse(key_written)));
}

Chain::Chain(std::string package, const Digest& root) : package_(std::move(package)), head_(root) {}

Chain::Chain(std::string package, std::int64_t seq, const Digest& head)
    : package_(std::move(package)), seq_(seq), head_(head) {}

std::string journal_data(const Json& data) {
  if (has_inexact_number(data)) {
    throw std::invalid_argument{"a journal entry holds exact whole numbers alone"};
  }
  return canonical_json(data);
}

JournalEntry Chain::next(std::string_view kind, std::string_view data, std::string_view time,
                         const Writer& writer) {
  // Written out in the canonical order of the names.
  std::string bytes = "{\"data\":";
  bytes += data;
  bytes += ",\"epoch\":" + std::to_string(writer.epoch);
  bytes += ",\"kind\":" + json_string(kind);
  bytes += ",\"package\":" + json_string(package_);
  bytes += ",\"prev\":\"" + hex(head_);
  bytes += "\",\"schema\":1,\"seq\":" + std::to_string(seq_ + 1);
  bytes += ",\"time\":" + json_string(time);
  bytes += ",\"worker\":" + json_string(writer.worker) + "}";
  JournalEntry entry{seq_ + 1, std::move(bytes), {}};
  entry.hash = entry_hash(entry.bytes);
  seq_ = entry.seq;
  head_ = entry.hash;
  return entry;
}

std::vector<ChainFault> check_chain(const std::vector<JournalEntry>& entries, const Digest& root) {
  Digest prev = root;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const auto seq = static_cast<std::int64_t>(i) + 1;
    const auto value = Json::parse(entry.bytes, nullptr, false);
    if (value.is_discarded() || !value.is_object()) return {{seq, "is not JSON"}};
    if (canonical_json(value) != entry.bytes) return {{seq, "is not in canonical form"}};
    if (entry.seq != seq || value.value("seq", std::int64_t{0}) != seq) {
      return {{seq, "has another number than its place"}};
    }
    if (entry_hash(entry.bytes) != entry.hash) return {{seq, "does not have its hash"}};
    if (value.value("prev", std::string{}) != hex(prev)) {
      return {{seq, "does not follow the entry before it"}};
    }
    prev = entry.hash;
  }
  return {};
}

}  // namespace flagman::daemon
