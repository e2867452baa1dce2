#include "daemon/store/append_arrays.h"

#include <optional>
#include <string_view>

#include "validators/digest.h"

namespace flagman::daemon {
namespace {

std::string_view raw(const validators::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::optional<std::string> leave_word(Leave leave) {
  switch (leave) {
    case Leave::stay:
      return std::nullopt;
    case Leave::finish:
      return "finish";
    case Leave::release:
      break;
  }
  return "release";
}

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional{text};
}

template <typename Group>
void take_group(Group& group, std::vector<std::string>& parameters) {
  for (auto& array : group) parameters.push_back(array.take());
}

}  // namespace

void AppendArrays::add(const Change& change) {
  add_head(change);
  for (const auto& entry : change.entries) {
    journal_[0].add_number(change.package);
    journal_[1].add_number(entry.seq);
    journal_[2].add_bytes(entry.bytes);
    journal_[3].add_bytes(raw(entry.hash));
  }
  for (const auto& call : change.calls) {
    call_[0].add_number(change.package);
    call_[1].add_text(call.step);
    call_[2].add_number(call.call);
    call_[3].add_text(name_of(call.response.status));
    call_[4].add_bytes(call.request);
    call_[5].add_bytes(call.response.body);
  }
  for (const auto& key : change.keys) {
    key_[0].add_number(change.package);
    key_[1].add_text(to_text(key.item));
    key_[2].add_number(key.revision);
    key_[3].add_text(key.key);
    key_[4].add_bytes(key.salt);
    key_[5].add_bytes(raw(key.commitment));
  }
  for (const auto& item : change.items) add_item(change.package, item);
  for (const auto& rebuild : change.rebuilds) {
    rebuild_[0].add_number(change.package);
    rebuild_[1].add_text(to_text(rebuild.item));
    rebuild_[2].add_number(rebuild.revision);
    rebuild_[3].add_text(rebuild.brief);
  }
  for (const auto& [item, revision] : change.closed_rebuilds) {
    closed_[0].add_number(change.package);
    closed_[1].add_text(to_text(item));
    closed_[2].add_number(revision);
  }
  for (const auto& [inbox, seq] : change.taken) {
    taken_[0].add_number(change.package);
    taken_[1].add_number(inbox);
    taken_[2].add_number(seq);
  }
}

std::vector<std::string> AppendArrays::take() {
  std::vector<std::string> parameters;
  take_group(head_, parameters);
  take_group(journal_, parameters);
  take_group(call_, parameters);
  take_group(key_, parameters);
  take_group(item_, parameters);
  take_group(rebuild_, parameters);
  take_group(closed_, parameters);
  take_group(taken_, parameters);
  return parameters;
}

void AppendArrays::add_head(const Change& change) {
  head_[0].add_number(change.package);
  head_[1].add_number(change.epoch);
  head_[2].add_number(change.old_seq);
  head_[3].add_number(change.new_seq);
  head_[4].add_bytes(change.new_hash);
  head_[5].add_optional(change.status);
  head_[6].add_optional(change.reasons);
  head_[7].add_optional(leave_word(change.leave));
  head_[8].add_number(change.seen_inbox);
  std::optional<std::string> wake_after;
  if (change.wake_after) wake_after = std::to_string(change.wake_after->count()) + " milliseconds";
  head_[9].add_optional(wake_after);
}

void AppendArrays::add_item(std::int64_t package, const ItemRow& item) {
  item_[0].add_number(package);
  item_[1].add_text(item.item.kind);
  item_[2].add_number(item.item.ordinal);
  item_[3].add_number(item.revision);
  item_[4].add_text(item.outcome);
  item_[5].add_optional(if_any(item.route));
  item_[6].add_text(item.reasons);
  item_[7].add_text(item.written);
  item_[8].add_text(item.echo);
}

}  // namespace flagman::daemon
