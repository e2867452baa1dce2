#include "validators/markup.h"

#include <algorithm>
#include <array>

#include "validators/entities.h"
#include "validators/patterns.h"

namespace flagman::validators {
namespace {

using namespace std::string_view_literals;

// The elements of the HTML standard and those it has given up; sorted.
constexpr std::array elements{
    "a"sv,        "abbr"sv,     "acronym"sv, "address"sv,    "applet"sv,     "area"sv,
    "article"sv,  "aside"sv,    "audio"sv,   "b"sv,          "base"sv,       "bdi"sv,
    "bdo"sv,      "big"sv,      "blink"sv,   "blockquote"sv, "body"sv,       "br"sv,
    "button"sv,   "canvas"sv,   "caption"sv, "center"sv,     "cite"sv,       "code"sv,
    "col"sv,      "colgroup"sv, "data"sv,    "datalist"sv,   "dd"sv,         "del"sv,
    "details"sv,  "dfn"sv,      "dialog"sv,  "dir"sv,        "div"sv,        "dl"sv,
    "dt"sv,       "em"sv,       "embed"sv,   "fieldset"sv,   "figcaption"sv, "figure"sv,
    "font"sv,     "footer"sv,   "form"sv,    "frame"sv,      "frameset"sv,   "h1"sv,
    "h2"sv,       "h3"sv,       "h4"sv,      "h5"sv,         "h6"sv,         "head"sv,
    "header"sv,   "hgroup"sv,   "hr"sv,      "html"sv,       "i"sv,          "iframe"sv,
    "img"sv,      "input"sv,    "ins"sv,     "kbd"sv,        "label"sv,      "legend"sv,
    "li"sv,       "link"sv,     "main"sv,    "map"sv,        "mark"sv,       "marquee"sv,
    "math"sv,     "menu"sv,     "meta"sv,    "meter"sv,      "nav"sv,        "nobr"sv,
    "noscript"sv, "object"sv,   "ol"sv,      "optgroup"sv,   "option"sv,     "output"sv,
    "p"sv,        "param"sv,    "picture"sv, "pre"sv,        "progress"sv,   "q"sv,
    "rp"sv,       "rt"sv,       "ruby"sv,    "s"sv,          "samp"sv,       "script"sv,
    "section"sv,  "select"sv,   "slot"sv,    "small"sv,      "source"sv,     "span"sv,
    "strike"sv,   "strong"sv,   "style"sv,   "sub"sv,        "summary"sv,    "sup"sv,
    "svg"sv,      "table"sv,    "tbody"sv,   "td"sv,         "template"sv,   "textarea"sv,
    "tfoot"sv,    "th"sv,       "thead"sv,   "time"sv,       "title"sv,      "tr"sv,
    "track"sv,    "tt"sv,       "u"sv,       "ul"sv,         "var"sv,        "video"sv,
    "wbr"sv};
static_assert(std::is_sorted(elements.begin(), elements.end()));

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string lower_case(std::string_view name) {
  std::string lower{name};
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lower;
}

// «a<b>c»: two comparisons of letters read as a tag that nobody closes.
bool is_comparison(std::string_view text, std::string_view tag, std::string_view name) {
  const auto begin = static_cast<std::size_t>(tag.data() - text.data());
  const auto end = begin + tag.size();
  const bool bare =
      name.size() == 1 && tag[1] != '/' && tag.find_first_not_of(" \t\n\f\r", 2) == tag.size() - 1;
  return bare && begin > 0 && is_alphanumeric(text[begin - 1]) && end < text.size() &&
         is_alphanumeric(text[end]) &&
         lower_case(text).find("</" + lower_case(name) + ">") == std::string::npos;
}

std::optional<std::string> find_tag(std::string_view text) {
  static const Pattern tag{
      R"re((</?([A-Za-z][A-Za-z0-9]*)(?:\s+(?:[A-Za-z_:@][-A-Za-z0-9_:.]*\s*=\s*)re"
      R"re((?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|disabled|checked|hidden|selected|readonly|required|)re"
      R"re(controls|autoplay|loop|muted|nowrap))*\s*/?>))re"};
  static const Pattern declaration{R"((?i)<!--|<!doctype|<\?xml|<!\[cdata\[)"};
  std::string_view name;
  for (auto rest = text; const auto found = tag.find(rest, &name);) {
    const bool known =
        std::binary_search(elements.begin(), elements.end(), std::string_view{lower_case(name)});
    if (known && !is_comparison(text, *found, name)) return std::string{*found};
    rest.remove_prefix(static_cast<std::size_t>(found->data() - rest.data()) + 1);
  }
  return as_string(declaration.find(text));
}

std::optional<std::string> find_html_entity(std::string_view text) {
  if (const auto entity = find_entity(text)) {
    return std::string{text.substr(entity->begin, entity->end - entity->begin)};
  }
  // Browsers read some names without their semicolon too.
  static const Pattern bare{
      R"((&(?:nbsp|quot|laquo|raquo|mdash|ndash|hellip|shy|amp|lt|gt|#[0-9]{2,7}))(?:[^A-Za-z0-9;=]|$))"};
  return as_string(bare.find(text));
}

std::optional<std::string> find_markdown(std::string_view text) {
  static const PatternList patterns{
      R"((?:^|[^\pL\pN_*)])(\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*)(?:$|[^\pL\pN_*(]))",
      // Of the emphasis with one star, some letter must be emphasized: «*2*» may be arithmetic.
      R"((?:^|[^\pL\pN_*)])(\*(?:\pL|[\pN«"„(][^*\n]*\pL)(?:[^*\n]*[\pL\pN»"“.,!?)])?\*)(?:$|[^\pL\pN_*(]))",
      R"((`[^`\n]+`))",
      R"((```))",
      R"((~~[^~\n]+~~))",
      R"((?m)^[ \t]{0,3}(#{1,6}[ \t]+\S))",
      R"((?m)^[ \t]*(\*[ \t]+\pL))",
      R"((!\[[^\]\n]*\]\([^)\n]*\)))",
      R"((\[[^\]\n]+\]\((?:https?://|www\.|mailto:|/|#|\./)[^)\s]*\)))",
      R"((?m)^[ \t]*\|?[ \t]*(:?-{3,}:?[ \t]*\|))",
      R"((?i)(\[/(?:b|i|u|s|url|img|quote|code|color|size|center|spoiler)\]))",
  };
  return patterns.find(text);
}

}  // namespace

std::optional<std::string> find_markup(std::string_view text) {
  if (text.find('<') != std::string_view::npos) {
    if (auto tag = find_tag(text)) return tag;
  }
  if (text.find('&') != std::string_view::npos) {
    if (auto entity = find_html_entity(text)) return entity;
  }
  if (text.find_first_of("*`~#[|") != std::string_view::npos) return find_markdown(text);
  return std::nullopt;
}

}  // namespace flagman::validators
