#include "daemon/recorded_run.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "daemon/journal/canonical.h"
#include "validators/digest.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

using validators::Json;

// The body of a package may be as deep as a package alone may be, and its line adds a level or two.
constexpr int line_depth_max = validators::json_depth_max + 4;

// Thrown and caught within this file.
struct BadLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One line's object whose fields are all known.
class Fields {
 public:
  Fields(const Json& value, std::string name, std::initializer_list<std::string_view> required,
         std::initializer_list<std::string_view> optional)
      : value_(value), name_(std::move(name)), required_(required) {
    if (!value.is_object()) throw BadLine{name_ + " should be an object"};
    const auto among = [](auto names, std::string_view one) {
      return std::find(names.begin(), names.end(), one) != names.end();
    };
    for (const auto& [field, member] : value.items()) {
      if (!among(required, field) && !among(optional, field)) {
        throw BadLine{name_ + " has an unknown field «" + field + "»"};
      }
    }
    for (const auto field : required) {
      if (!value.contains(field)) {
        throw BadLine{name_ + " lacks the field «" + std::string{field} + "»"};
      }
    }
  }

  // A field that may be absent may be null as well.
  [[nodiscard]] const Json* find(std::string_view field) const {
    const auto member = value_.find(field);
    const bool absent = member == value_.end() || (member->is_null() && !is_required(field));
    return absent ? nullptr : &*member;
  }
  [[nodiscard]] const Json& at(std::string_view field) const { return *value_.find(field); }

  [[nodiscard]] std::string text(std::string_view field) const {
    const auto* member = find(field);
    if (member == nullptr) return {};
    if (!member->is_string()) wrong(field, "should be a string");
    return member->get<std::string>();
  }

  [[nodiscard]] int positive(std::string_view field) const {
    const auto& member = at(field);
    if (!member.is_number_unsigned() || member.get<std::uint64_t>() < 1 ||
        member.get<std::uint64_t>() > std::numeric_limits<int>::max()) {
      wrong(field, "should be a whole number from 1");
    }
    return member.get<int>();
  }

  [[nodiscard]] validators::ItemName item(std::string_view field) const {
    const auto name = validators::parse_item_name(text(field));
    if (!name) wrong(field, "should name an item, for instance \"sort/3\"");
    return *name;
  }

  void check_object(std::string_view field) const {
    const auto* member = find(field);
    if (member != nullptr && !member->is_object()) wrong(field, "should be an object");
  }

  void check_number(std::string_view field) const {
    const auto* member = find(field);
    if (member != nullptr && !member->is_number()) wrong(field, "should be a number");
  }

  [[noreturn]] void wrong(std::string_view field, const std::string& what) const {
    throw BadLine{name_ + " field «" + std::string{field} + "» " + what};
  }

 private:
  [[nodiscard]] bool is_required(std::string_view field) const {
    return std::find(required_.begin(), required_.end(), field) != required_.end();
  }

  const Json& value_;
  std::string name_;
  std::vector<std::string_view> required_;  // of literals
};

arbiter::ResponseStatus read_status(const Fields& fields) {
  using enum arbiter::ResponseStatus;
  const auto name = fields.text("status");
  for (const auto status : {ok, timeout, error, refused, truncated}) {
    if (name == name_of(status)) return status;
  }
  fields.wrong("status", "should be ok, timeout, error, refused or truncated");
}

class RunReader {
 public:
  // The number of the line in hand is kept by the caller.
  void read_line(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) throw BadLine{"the line is blank"};
    const auto parsed = validators::parse_json(line, line_depth_max);
    if (!parsed) {
      throw BadLine{"not JSON: " + parsed.error().what + " (byte " +
                    std::to_string(parsed.error().byte) + ")"};
    }
    const auto& value = *parsed;
    if (!value.is_object() || !value.contains("type") || !value["type"].is_string()) {
      throw BadLine{"should be an object with a \"type\""};
    }
    const auto type = value["type"].get<std::string>();
    if (ended_) throw BadLine{"stands after the line of type end"};
    if (!begun_ && type != "run") throw BadLine{"the first line should be of type run"};
    if (type == "run") {
      read_head(value);
    } else if (type == "package") {
      read_package(value);
    } else if (type == "call") {
      read_call(value);
    } else if (type == "rebuild") {
      read_rebuild(value);
    } else if (type == "decision") {
      read_decision(value);
    } else if (type == "end") {
      const Fields fields{value, "end", {"type"}, {}};
      ended_ = true;
    } else {
      throw BadLine{"unknown type «" + type + "»"};
    }
  }

  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool ended() const { return ended_; }
  RecordedRun take() { return std::move(run_); }

 private:
  void read_head(const Json& value) {
    if (begun_) throw BadLine{"a second line of type run"};
    const Fields fields{
        value, "run", {"type", "format"}, {"flagman", "started_at", "policy", "games", "prompts"}};
    if (fields.text("format") != "flagman.run/1") {
      fields.wrong("format", "should be \"flagman.run/1\"");
    }
    run_.flagman = fields.text("flagman");
    run_.started_at = fields.text("started_at");
    if (const auto* policy = fields.find("policy")) {
      auto parsed = arbiter::parse_policy(*policy);
      if (!parsed) throw BadLine{parsed.error()};
      run_.policy = std::move(*parsed);
    }
    if (const auto* games = fields.find("games")) {
      auto rules = read_game_rules(games->dump());
      if (!rules) throw BadLine{"run field «games»: " + rules.error()};
      run_.games = std::move(*rules);
    }
    fields.check_object("prompts");
    begun_ = true;
  }

  void read_package(const Json& value) {
    const Fields fields{value, "package", {"type", "package", "body"}, {}};
    RecordedPackage package;
    package.id = fields.text("package");
    const auto& body = fields.at("body");
    package.body = body.is_string() ? body.get<std::string>() : body.dump();
    if (!ids_.insert(package.id).second) {
      throw BadLine{"package «" + package.id + "» stands in the run twice"};
    }
    run_.packages.push_back(std::move(package));
  }

  void read_call(const Json& value) {
    const Fields fields{value,
                        "call",
                        {"type", "package", "step", "call", "response"},
                        {"request", "request_sha256", "model", "usage", "latency_ms", "at"}};
    CallName name{fields.text("package"), fields.text("step"), fields.positive("call")};
    static_cast<void>(fields.text("model"));
    static_cast<void>(fields.text("at"));
    fields.check_object("usage");
    fields.check_number("latency_ms");
    check_request(fields);
    const Fields response{fields.at("response"), "response", {"status"}, {"http", "body"}};
    arbiter::ModelResponse answer;
    answer.status = read_status(response);
    const auto* body = response.find("body");
    if (body != nullptr) answer.body = response.text("body");
    const auto* http = response.find("http");
    if (http != nullptr && !http->is_number_integer()) {
      response.wrong("http", "should be a whole number");
    }
    if (!run_.calls.emplace(name, std::move(answer)).second) {
      throw BadLine{"call " + std::to_string(std::get<2>(name)) + " of step «" + std::get<1>(name) +
                    "» of package «" + std::get<0>(name) + "» stands in the run twice"};
    }
  }

  // A request that does not match its own digest was changed after it was recorded.
  static void check_request(const Fields& fields) {
    fields.check_object("request");
    const auto digest = fields.text("request_sha256");
    const auto* request = fields.find("request");
    if (request == nullptr || digest.empty()) return;
    if (validators::hex(validators::sha256(canonical_json(*request))) != digest) {
      fields.wrong("request_sha256", "is not the digest of the request beside it");
    }
  }

  void read_rebuild(const Json& value) {
    const Fields fields{value, "rebuild", {"type", "package", "item", "revision", "data"}, {}};
    RevisionName name{fields.text("package"), fields.item("item"), fields.positive("revision")};
    if (!run_.rebuilds.emplace(name, fields.at("data").dump()).second) {
      throw BadLine{"revision " + std::to_string(std::get<2>(name)) + " of item " +
                    to_text(std::get<1>(name)) + " of package «" + std::get<0>(name) +
                    "» stands in the run twice"};
    }
  }

  void read_decision(const Json& value) {
    const Fields fields{value,
                        "decision",
                        {"type", "package", "item", "revision", "outcome", "reasons", "key"},
                        {"route"}};
    RecordedDecision decision;
    decision.package = fields.text("package");
    decision.item = fields.item("item");
    decision.revision = fields.positive("revision");
    decision.outcome = fields.text("outcome");
    const auto* route = fields.find("route");
    if (route != nullptr) decision.route = fields.text("route");
    const auto& reasons = fields.at("reasons");
    if (!reasons.is_array()) fields.wrong("reasons", "should be a list of strings");
    for (const auto& reason : reasons) {
      if (!reason.is_string()) fields.wrong("reasons", "should be a list of strings");
      decision.reasons.push_back(reason.get<std::string>());
    }
    decision.key = fields.at("key").dump();
    run_.decisions.push_back(std::move(decision));
  }

  RecordedRun run_;
  std::set<std::string> ids_;
  bool begun_ = false;
  bool ended_ = false;
};

// Like std::getline, but a line that does not end within bounds is a fault, not a full memory.
bool next_line(std::istream& file, std::string& line) {
  line.clear();
  auto* buffer = file.rdbuf();
  for (int c = buffer->sbumpc(); c != std::char_traits<char>::eof(); c = buffer->sbumpc()) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
    if (line.size() > run_line_bytes_max) throw BadLine{"the line is longer than 64 MiB"};
  }
  return !line.empty();
}

}  // namespace

tl::expected<RecordedRun, RunFault> read_run(std::istream& file) {
  RunReader reader;
  std::string line;
  std::size_t number = 0;
  try {
    for (;;) {
      ++number;
      if (!next_line(file, line)) break;
      reader.read_line(line);
    }
  } catch (const BadLine& bad) {
    return tl::unexpected{RunFault{number, bad.what()}};
  }
  if (!reader.begun()) return tl::unexpected{RunFault{0, "the file is empty"}};
  if (!reader.ended()) {
    return tl::unexpected{RunFault{0, "the run has no line of type end: it was cut off"}};
  }
  return reader.take();
}

}  // namespace flagman::daemon
