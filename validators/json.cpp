#include "validators/json.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

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

class StrictBuilder {
 public:
  StrictBuilder(std::string_view bytes, const char** front, int depth_max)
      : bytes_(bytes), front_(front), depth_max_(depth_max) {}

  bool null() { return put(Json(nullptr)); }
  bool boolean(bool value) { return put(Json(value)); }
  // Below zero, or -0, which is 0.
  bool number_integer(Json::number_integer_t value) {
    return value == 0 ? number_unsigned(0) : put(Json(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) { return put(Json(value)); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(Json(value)); }
  bool string(std::string& value) { return put(Json(std::move(value))); }
  bool binary(Json::binary_t&) { return fail("binary data is not JSON"); }

  bool start_object(std::size_t) { return open(Json::value_t::object); }
  bool start_array(std::size_t) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& level = levels_.back();
    if (has_name(level, name)) return fail("the name «" + name + "» stands twice in one object");
    if (level.names.empty()) {
      if (level.value->size() >= small_object) {
        for (const auto& member : level.value->items()) level.names.insert(member.key());
        level.names.insert(name);
      }
    } else {
      level.names.insert(name);
    }
    level.name = std::move(name);
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
  struct Level {
    Json* value;
    std::string name;                       // the member in hand, where `value` is an object
    std::unordered_set<std::string> names;  // empty while the object is small
  };

  static bool has_name(const Level& level, const std::string& name) {
    if (!level.names.empty()) return level.names.contains(name);
    const auto& members = level.value->get_ref<const Json::object_t&>();
    for (const auto& member : members) {
      if (member.first == name) return true;
    }
    return false;
  }

  // The container's own push_back: the map's emplace would search all members once more.
  Json* attach(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& level = levels_.back();
    if (level.value->is_array()) {
      auto& elements = level.value->get_ref<Json::array_t&>();
      elements.push_back(std::move(value));
      return &elements.back();
    }
    auto& members = level.value->get_ref<Json::object_t&>();
    using Members = std::vector<std::pair<const std::string, Json>>;
    static_cast<Members&>(members).emplace_back(level.name, std::move(value));
    return &members.back().second;
  }

  bool put(Json value) {
    attach(std::move(value));
    return true;
  }

  bool open(Json::value_t type) {
    if (levels_.size() >= static_cast<std::size_t>(depth_max_)) {
      return fail("nested deeper than " + std::to_string(depth_max_) + " levels");
    }
    // A pointer into the parent's storage stays good while this level is open: the parent grows
    // only after it is closed.
    Json* value = attach(Json(type));
    levels_.push_back({value, {}, {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
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

  [[nodiscard]] std::string place() const {
    std::string pointer;
    for (const auto& level : levels_) {
      const bool innermost = &level == &levels_.back();
      if (level.value->is_array()) {
        // Of an outer array the element in hand is already in; of the innermost it is yet to come.
        pointer = pointer_to(pointer, level.value->size() - (innermost ? 0 : 1));
      } else if (!level.value->empty() || !level.name.empty()) {
        pointer = pointer_to(pointer, level.name);
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
  int depth_max_;
  Json root_;
  std::vector<Level> levels_;
  JsonFault fault_;
};

}  // namespace

tl::expected<Json, JsonFault> parse_json(std::string_view bytes, int depth_max) {
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
