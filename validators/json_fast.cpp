#include "validators/json_fast.h"

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace flagman::validators {
namespace {

using simdjson::dom::element_type;

// Objects of more members than this keep a set of their names; smaller ones are searched.
constexpr std::size_t small_object = 16;

class Builder {
 public:
  explicit Builder(int depth_max) : depth_max_(depth_max) {}

  // False where the document has a fault that the parser lets through.
  bool build(simdjson::dom::element element, int depth, Json& value) {
    switch (element.type()) {
      case element_type::ARRAY:
        return depth <= depth_max_ && build_array(element.get_array().value_unsafe(), depth, value);
      case element_type::OBJECT:
        return depth <= depth_max_ &&
               build_object(element.get_object().value_unsafe(), depth, value);
      case element_type::STRING:
        value = Json(std::string{element.get_string().value_unsafe()});
        return true;
      case element_type::INT64: {
        const auto number = element.get_int64().value_unsafe();
        value = number < 0 ? Json(number) : Json(static_cast<std::uint64_t>(number));
        return true;
      }
      case element_type::UINT64:
        value = Json(element.get_uint64().value_unsafe());
        return true;
      case element_type::DOUBLE:
        value = Json(element.get_double().value_unsafe());
        return true;
      case element_type::BOOL:
        value = Json(element.get_bool().value_unsafe());
        return true;
      case element_type::NULL_VALUE:
        value = Json(nullptr);
        return true;
    }
    return false;
  }

 private:
  bool build_array(simdjson::dom::array array, int depth, Json& value) {
    value = Json::array();
    auto& elements = value.get_ref<Json::array_t&>();
    elements.reserve(array.size());
    for (const auto element : array) {
      if (!build(element, depth + 1, elements.emplace_back())) return false;
    }
    return true;
  }

  bool build_object(simdjson::dom::object object, int depth, Json& value) {
    value = Json::object();
    // The container's own emplace_back: the map's emplace would search all members once more. With
    // room for all, it copies nothing (a member's name is const, so growing could not move it).
    using Members = std::vector<std::pair<const std::string, Json>>;
    auto& members = static_cast<Members&>(value.get_ref<Json::object_t&>());
    members.reserve(object.size());
    std::unordered_set<std::string_view> names;
    for (const auto member : object) {
      if (!is_new(members, names, member.key, object.size())) return false;
      auto& [name, inner] = members.emplace_back(std::string{member.key}, Json());
      if (!build(member.value, depth + 1, inner)) return false;
    }
    return true;
  }

  template <typename Members>
  static bool is_new(const Members& members, std::unordered_set<std::string_view>& names,
                     std::string_view name, std::size_t count) {
    if (count > small_object) return names.insert(name).second;
    for (const auto& [known, value] : members) {
      if (known == name) return false;
    }
    return true;
  }

  int depth_max_;
};

}  // namespace

std::optional<Json> parse_json_fast(std::string_view bytes, int depth_max) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const simdjson::padded_string padded{bytes};
  if (parser.parse(padded).get(root) != simdjson::SUCCESS) return std::nullopt;
  Json document;
  if (!Builder{depth_max}.build(root, 1, document)) return std::nullopt;
  return document;
}

}  // namespace flagman::validators
