#include "daemon/verify/author_keys.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validators/json.h"
#include "validators/read_package.h"

namespace flagman::daemon {
namespace {

using validators::Json;

std::string key_in(const Json& item, const validators::GameKind& kind) {
  if (kind.item_is_text || !item.is_object()) return "null";
  const auto key = item.find(kind.key_field);
  return key == item.end() ? "null" : key->dump();
}

bool same(const Json& one, const Json& other) {
  if (one.is_number() && other.is_number()) return one.get<double>() == other.get<double>();
  if (one.type() != other.type() || one.size() != other.size()) return false;
  if (one.is_array()) return std::equal(one.begin(), one.end(), other.begin(), same);
  if (!one.is_object()) return one == other;
  for (const auto& [name, member] : one.items()) {
    const auto twin = other.find(name);
    if (twin == other.end() || !same(member, *twin)) return false;
  }
  return true;
}

}  // namespace

std::map<validators::ItemName, std::string> keys_of_body(
    std::string_view body, const std::shared_ptr<const validators::Kinds>& kinds) {
  if (validators::read_package(body, kinds, {}).rejected()) return {};
  const auto document = validators::parse_json(validators::skip_byte_order_mark(body));
  // A document that was not rejected has games of known kinds, each with its list of items.
  if (!document) return {};
  std::map<validators::ItemName, std::string> keys;
  for (const auto& [name, game] : document->at("games").items()) {
    const auto& kind = kinds->at(name);
    int ordinal = 0;
    for (const auto& item : game.at("data")) keys[{name, ordinal++}] = key_in(item, kind);
  }
  return keys;
}

std::string key_of_revision(std::string_view written, const validators::GameKind& kind) {
  const auto item = validators::parse_json(validators::skip_byte_order_mark(written));
  return item ? key_in(*item, kind) : "null";
}

bool same_json(std::string_view one, std::string_view other) {
  const auto left = validators::parse_json(one);
  const auto right = validators::parse_json(other);
  return left && right && same(*left, *right);
}

}  // namespace flagman::daemon
