#include "daemon/commands/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validators/digest.h"

namespace flagman::daemon {
namespace {

using arbiter::Decision;
using arbiter::ItemProgress;
using arbiter::Outcome;
using arbiter::RoundState;
using validators::Json;

Json codes(const std::vector<validators::Reason>& reasons) {
  Json list = Json::array();
  for (const auto reason : reasons) list.push_back(name_of(reason));
  return list;
}

Json route_json(const Decision& decision) {
  return decision.route ? Json(name_of(*decision.route)) : Json(nullptr);
}

Json history_entry(const ItemProgress& item, std::size_t at) {
  const auto& decision = item.history[at];
  return {{"revision", decision.revision},
          {"outcome", name_of(decision.outcome)},
          {"route", route_json(decision)},
          {"reasons", codes(decision.reasons)},
          {"key", Json::parse(item.keys_written[at])}};
}

// Every item of a package that was done has at least one decision.
const Decision& last(const ItemProgress& item) { return item.history.back(); }

std::string item_name(const arbiter::GameProgress& game, std::size_t ordinal) {
  return to_text(validators::ItemName{game.kind->name, static_cast<int>(ordinal)});
}

// In code points: the letters of a table are as wide as one cell.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

using Row = std::vector<std::string>;

void print_rows(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

std::string sentences(const std::vector<validators::Reason>& reasons, const Language& language) {
  std::string text;
  for (const auto reason : reasons) {
    if (!text.empty()) text += ' ';
    text += language.say("reasons", std::string{name_of(reason)});
  }
  return text;
}

}  // namespace

std::string counted_as(const ItemProgress& item) {
  if (item.outcome == Outcome::accepted && item.revision > 1) return "rebuilt";
  return std::string{name_of(item.outcome)};
}

void Totals::add(const RoundState& state) {
  ++packages;
  for (const auto& game : state.games) {
    for (const auto& item : game.items) {
      ++items;
      ++by_outcome[counted_as(item)];
      if (const auto route = last(item).route) ++by_route[std::string{name_of(*route)}];
    }
  }
}

std::vector<Difference> find_differences(const RecordedRun& run, const RoundState& state) {
  std::vector<Difference> differences;
  for (const auto& recorded : run.decisions) {
    if (recorded.package != state.package) continue;
    Difference difference{&recorded, {}, {}, true, true};
    if (const auto* item = find_item(state, recorded.item)) {
      for (std::size_t i = 0; i < item->history.size(); ++i) {
        if (item->history[i].revision != recorded.revision) continue;
        difference.outcome_now = name_of(item->history[i].outcome);
        difference.key_now = item->keys_written[i];
        difference.outcome_differs = difference.outcome_now != recorded.outcome;
        difference.key_differs = Json::parse(difference.key_now) != Json::parse(recorded.key);
      }
    }
    if (difference.outcome_differs || difference.key_differs) differences.push_back(difference);
  }
  return differences;
}

void print_json(const RoundState& state, std::ostream& out) {
  for (const auto& game : state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& item = game.items[i];
      Json line;
      line["package"] = state.package;
      line["item"] = item_name(game, i);
      line.update(history_entry(item, item.history.size() - 1));
      line["history"] = Json::array();
      for (std::size_t at = 0; at < item.history.size(); ++at) {
        line["history"].push_back(history_entry(item, at));
      }
      out << line.dump() << '\n';
    }
  }
  const Json line{{"package", state.package},
                  {"outcome", name_of(*state.outcome)},
                  {"reasons", codes(state.reasons)}};
  out << line.dump() << '\n';
}

void print_json(const std::vector<Difference>& differences, std::ostream& out) {
  for (const auto& difference : differences) {
    const auto& recorded = *difference.recorded;
    Json line;
    line["package"] = recorded.package;
    line["item"] = to_text(recorded.item);
    line["revision"] = recorded.revision;
    line["recorded"] = {{"outcome", recorded.outcome}, {"key", Json::parse(recorded.key)}};
    if (difference.outcome_now.empty()) {
      line["now"] = nullptr;
    } else {
      line["now"] = {{"outcome", difference.outcome_now}, {"key", Json::parse(difference.key_now)}};
    }
    out << line.dump() << '\n';
  }
}

void print_table(const ReplayedPackage& package, const CommandContext& context) {
  const auto& language = context.language;
  const auto& state = package.state;
  context.out << "package " << state.package << ": "
              << language.say("outcomes", std::string{name_of(*state.outcome)}) << '\n';
  context.out << "journal: " << package.journal.entries().size() << " entries, head "
              << validators::hex(package.journal.head()) << '\n';
  for (const auto& finding : package.findings) {
    if (finding.severity != validators::Severity::reject) continue;
    context.out << "  " << name_of(finding.code) << " at "
                << (finding.place.empty() ? "the document" : finding.place) << ": "
                << finding.detail << '\n';
  }
  print_items(state, context);
}

void print_items(const RoundState& state, const CommandContext& context) {
  const auto& language = context.language;
  std::vector<Row> rows{{"item", "outcome", "revision", "route", "reason"}};
  for (const auto& game : state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& item = game.items[i];
      const auto& decision = last(item);
      rows.push_back(
          {item_name(game, i), language.say("outcomes", counted_as(item)),
           std::to_string(decision.revision),
           decision.route ? language.say("routes", std::string{name_of(*decision.route)}) : "-",
           sentences(decision.reasons, language)});
    }
  }
  if (rows.size() > 1) print_rows(rows, context.out);
}

void print_text(const std::vector<Difference>& differences, const CommandContext& context) {
  for (const auto& difference : differences) {
    const auto& recorded = *difference.recorded;
    auto& out = context.out;
    out << to_text(recorded.item) << '@' << recorded.revision << " of " << recorded.package << ": ";
    if (difference.outcome_now.empty()) {
      out << "recorded as " << recorded.outcome << ", not decided now\n";
      continue;
    }
    if (difference.outcome_differs) {
      out << "outcome was " << recorded.outcome << ", is " << difference.outcome_now;
    }
    if (difference.key_differs) {
      if (difference.outcome_differs) out << "; ";
      out << "key was rewritten to " << recorded.key << ", is the author's " << difference.key_now
          << ", unchanged";
    }
    out << '\n';
  }
}

void print_text(const Totals& totals, const CommandContext& context) {
  const auto list = [&](const char* section, const std::map<std::string, int>& counts) {
    std::string text;
    for (const auto& [code, count] : counts) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
              context.language.say(section, code);
    }
    return text.empty() ? std::string{"none"} : text;
  };
  context.out << "total: " << totals.packages
              << (totals.packages == 1 ? " package, " : " packages, ") << totals.items
              << " items: " << list("outcomes", totals.by_outcome) << '\n'
              << "by route: " << list("routes", totals.by_route) << '\n';
}

}  // namespace flagman::daemon
