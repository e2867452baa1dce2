#include "arbiter/reply.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace flagman::arbiter {
namespace {

using validators::Json;

constexpr std::string_view fence = "```";

// Where the first line at or after `from` begins that begins with a fence.
std::optional<std::size_t> find_fence(std::string_view text, std::size_t from) {
  for (auto at = text.find(fence, from); at != std::string_view::npos;
       at = text.find(fence, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return at;
  }
  return std::nullopt;
}

std::string_view from_next_line(std::string_view text, std::size_t at) {
  const auto end = text.find('\n', at);
  return end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
}

// The text that should be the object; nothing where a fence is not closed, or a brace outside it
// might be a second object.
std::optional<std::string_view> unfence(std::string_view text) {
  const auto opening = find_fence(text, 0);
  if (!opening) return text;
  const auto inside = from_next_line(text, *opening);
  const auto closing = find_fence(inside, 0);
  if (!closing) return std::nullopt;
  const auto outside = {text.substr(0, *opening), from_next_line(inside, *closing)};
  for (const auto prose : outside) {
    if (prose.find('{') != std::string_view::npos) return std::nullopt;
  }
  return inside.substr(0, *closing);
}

}  // namespace

bool reply_came(const ModelResponse& response) {
  return response.status != ResponseStatus::timeout && response.status != ResponseStatus::error;
}

std::string_view name_of(Refusal refusal) {
  constexpr std::array<std::string_view, 10> names{
      "truncated",     "refusal",         "empty",         "not_json",   "wrong_shape",
      "unknown_index", "duplicate_index", "echo_mismatch", "incomplete", "outside_domain"};
  return names.at(static_cast<std::size_t>(refusal));
}

std::string_view name_of(ResponseStatus status) {
  constexpr std::array<std::string_view, 5> names{"ok", "timeout", "error", "refused", "truncated"};
  return names.at(static_cast<std::size_t>(status));
}

tl::expected<Json, Refusal> open_reply(const ModelResponse& response) {
  if (response.status == ResponseStatus::truncated) return tl::unexpected{Refusal::truncated};
  if (response.status == ResponseStatus::refused) return tl::unexpected{Refusal::refusal};
  const auto text = validators::skip_byte_order_mark(response.body);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return tl::unexpected{Refusal::empty};
  }
  const auto object = unfence(text);
  if (!object) return tl::unexpected{Refusal::not_json};
  auto value = validators::parse_json(*object);
  if (!value) return tl::unexpected{Refusal::not_json};
  if (!value->is_object()) return tl::unexpected{Refusal::wrong_shape};
  return std::move(*value);
}

bool has_exactly(const Json& value, std::initializer_list<std::string_view> fields) {
  return value.is_object() && value.size() == fields.size() &&
         std::all_of(fields.begin(), fields.end(),
                     [&](std::string_view field) { return value.contains(field); });
}

}  // namespace flagman::arbiter
