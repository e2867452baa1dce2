#pragma once
// Markup left in a text: pupils would read the tag, not the bold word.

#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

/// The first left-over that the check meets, as it stands in the text: a tag of HTML («<b>», not
/// «a < b и b > 3», «x<y>z» or «vector<int>»), an entity («&nbsp;», not «AT&T»), a sign of Markdown
/// («**слово**», a heading, a link, not «2 * 3» or «*2») or a closing tag of BBCode. Nothing where
/// there is none. Time is linear in texts of ordinary length; a text should be within its limit.
[[nodiscard]] std::optional<std::string> find_markup(std::string_view text);

}  // namespace flagman::validators
