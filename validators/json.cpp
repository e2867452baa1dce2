#include "validators/json.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "validators/json_fast.h"

namespace flagman::validators {
namespace {

// Hands bytes to the lexer and tells how far it has read: the event interface itself has no places.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** front) : at_(at), front_(front) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *front_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** front_;
};

// Objects of more members than this keep a set of their names; smaller ones are searched.
constexpr std::size_t small_object = 16;

// Builds from the leaves up: what is read of an open array or object is kept aside and handed over
// whole when it closes, because a member's name is const and a growing object would copy, not move,
// what it holds.
// Builds from the leaves up: what is read of an open array or object is kept aside and handed over
// whole when it closes, because a member's name is const and a growing object would copy, not move,
// what it holds.
class StrictBuilder {
 public:
  StrictBuilder(std::string_view bytes, const char** front, int depth_max)
      : bytes_(bytes), front_(front), depth_max_(static_cast<std::size_t>(depth_max)) {}

  bool null() { return put(Json(nullptr)); }
  bool boolean(bool value) { return put(Json(value)); }
  // Below zero, or -0, which is 0.
  bool number_integer(Json::number_integer_t value) {
    return value == 0 ? number_unsigned(0) : put(Json(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) { return put(Json(value)); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(Json(value)); }
  // The lexer goes on with its buffer, so its text is copied.
  bool string(std::string& value) { return put(Json(std::as_const(value))); }
  bool binary(Json::binary_t&) { return fail("binary data is not JSON"); }

  bool start_object(std::size_t) { return open(true); }
  bool start_array(std::size_t) { return open(false); }

  bool end_object() {
    auto& level = levels_[--depth_];
    Json object = Json::object();
    // The container's own emplace_back: the map's emplace would search all members once more.
    auto& members = static_cast<Members&>(object.get_ref<Json::object_t&>());
    members.reserve(level.values.size());
    for (std::size_t i = 0; i < level.values.size(); ++i) {
      members.emplace_back(std::move(level.names[i]), std::move(level.values[i]));
    }
    level.values.clear();
    level.names.clear();
    return put(std::move(object));
  }

  bool end_array() {
    auto& level = levels_[--depth_];
    Json array = Json::array();
    auto& elements = array.get_ref<Json::array_t&>();
    elements.reserve(level.values.size());
    std::move(level.values.begin(), level.values.end(), std::back_inserter(elements));
    level.values.clear();
    return put(std::move(array));
  }

  bool key(std::string& name) {
    auto& level = levels_[depth_ - 1];
    if (is_known(level, name)) {
      return fail("the name «" + name + "» stands twice in one object");
    }
    level.names.emplace_back(std::as_const(name));
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    fault_.byte = byte();
    fault_.place = place();
    fault_.what = describe(error.what());
    return false;
  }

  [[nodiscard]] Json& root() { return root_; }
  [[nodiscard]] JsonFault& fault() { return fault_; }

 private:
  using Members = std::vector<std::pair<const std::string, Json>>;

  // An open array or object. A level is used again by the next one at its depth.
  struct Level {
    bool object = false;
    std::vector<Json> values;
    std::vector<std::string> names;  // one more than `values` while a member's value is read
    std::unordered_set<std::string> many_names;  // the same, where they are many
  };

  static bool is_known(Level& level, const std::string& name) {
    if (level.names.size() < small_object) {
      return std::find(level.names.begin(), level.names.end(), name) != level.names.end();
    }
    if (level.many_names.empty()) {
      level.many_names.insert(level.names.begin(), level.names.end());
    }
    return !level.many_names.insert(name).second;
  }

  bool put(Json value) {
    if (depth_ == 0) {
      root_ = std::move(value);
    } else {
      levels_[depth_ - 1].values.push_back(std::move(value));
    }
    return true;
  }

  bool open(bool object) {
    if (depth_ >= depth_max_) {
      return fail("nested deeper than " + std::to_string(depth_max_) + " levels");
    }
    if (depth_ == levels_.size()) levels_.emplace_back();
    levels_[depth_].object = object;
    levels_[depth_].many_names.clear();
    ++depth_;
    return true;
  }

  bool fail(std::string_view what) {
    fault_.what = one_line(what);
    fault_.byte = byte();
    fault_.place = place();
    return false;
  }

  [[nodiscard]] std::size_t byte() const {
    const auto read = static_cast<std::size_t>(*front_ - bytes_.data());
    return read == 0 ? 0 : read - 1;
  }

  // Of the value in hand, or, between two members, of the last one.
  [[nodiscard]] std::string place() const {
    std::string pointer;
    for (std::size_t i = 0; i < depth_; ++i) {
      const auto& level = levels_[i];
      if (!level.object) {
        pointer = pointer_to(pointer, level.values.size());
      } else if (!level.names.empty()) {
        pointer = pointer_to(pointer, level.names.back());
      }
    }
    return pointer;
  }

  // The library's text is "[json.exception.parse_error.101] parse error at line 1, column 2: what;
  // last read: '…'". Its place is given by us, and what it read last may hold any byte.
  static std::string describe(std::string_view text) {
    auto begin = text.find(": ");
    if (begin == std::string_view::npos) return "not JSON";
    text.remove_prefix(begin + 2);
    if (const auto end = text.find("; last read"); end != std::string_view::npos) {
      text = text.substr(0, end);
    }
    return one_line(text);
  }

  static std::string one_line(std::string_view text) {
    std::string clean;
    for (const char c : text) clean += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return clean;
  }

  std::string_view bytes_;
  const char** front_;
  std::size_t depth_max_;
  Json root_;
  std::vector<Level> levels_;  // the first `depth_` are open
  std::size_t depth_ = 0;
  JsonFault fault_;
};

}  // namespace

tl::expected<Json, JsonFault> parse_json(std::string_view bytes, int depth_max) {
  if (auto document = parse_json_fast(bytes, depth_max)) return std::move(*document);
  return parse_json_slowly(bytes, depth_max);
}

tl::expected<Json, JsonFault> parse_json_slowly(std::string_view bytes, int depth_max) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    return tl::unexpected{JsonFault{"a byte order mark is no part of JSON", 0, ""}};
  }
  const char* front = bytes.data();
  StrictBuilder builder{bytes, &front, depth_max};
  const CountingIterator first{front, &front};
  const CountingIterator last{front + bytes.size(), &front};
  if (!Json::sax_parse(first, last, &builder)) return tl::unexpected{std::move(builder.fault())};
  // The lexer takes a NUL for the end of its input, and whatever stands behind it would go unseen.
  if (const auto nul = bytes.find('\0'); nul != std::string_view::npos) {
    return tl::unexpected{JsonFault{"a NUL byte is no part of JSON", nul, ""}};
  }
  return std::move(builder.root());
}

std::string_view skip_byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return bytes;
}

std::string pointer_to(std::string_view base, std::string_view member) {
  std::string pointer{base};
  pointer += '/';
  for (const char c : member) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string pointer_to(std::string_view base, std::size_t index) {
  return std::string{base} + "/" + std::to_string(index);
}

}  // namespace flagman::validators
