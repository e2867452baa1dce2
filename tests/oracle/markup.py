"""`markup` (§5): HTML, entities and Markdown that a board would show as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import name2codepoint

from characters import LETTER

ELEMENTS = frozenset(
    """a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
    ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript object ol optgroup option
    output p param picture pre progress q rp rt ruby s samp script section select slot small source span strike strong
    style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
    wbr""".split()
)
# Without one of these there is no markup of any sort.
_SIGN = re.compile(r"[<&*`~#\[|]")
_TAG = re.compile(
    r"""</?([A-Za-z][A-Za-z0-9]*)((?:\s+(?:[A-Za-z_:@][-A-Za-z0-9_:.]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)"""
    r"""|disabled|checked|hidden|selected|readonly|required|controls|autoplay|loop|muted|nowrap))*)\s*/?>"""
)
_DECLARATION = re.compile(r"<!--|<!doctype|<\?xml|<!\[CDATA\[", re.IGNORECASE)
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OPEN_ENTITY = re.compile(r"&(?:nbsp|quot|laquo|raquo|mdash|ndash|hellip|shy|amp|lt|gt|#[0-9]{2,7})(?![A-Za-z0-9;=])")
_BOLD = re.compile(r"(?<![\w*)])\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*(?![\w*(])")
# The part between the stars is looked at, not taken: a closing star may open the next part.
_ITALIC = re.compile(
    r"""(?<![\w*)])\*(?=((?:[^\W_]|[«"„(])(?:[^*\n]*(?:[^\W_]|[»"“.,!?)]))?)\*(?![\w*(]))"""
)
_HAS_LETTER = re.compile(LETTER)
_CODE = re.compile(r"`[^`\n]+`|```")
_STRUCK = re.compile(r"~~[^~\n]+~~")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_BULLET = re.compile(rf"^[ \t]*\*[ \t]+{LETTER}", re.MULTILINE)
_LINK = re.compile(
    r"!\[[^\]\n]*\]\([^)\n]*\)|\[[^\]\n]+\]\((?:https?://|www\.|mailto:|/|#|\./)[^)\s]*\)"
    r"|(?i:\[/(?:b|i|u|s|url|img|quote|code|color|size|center|spoiler)\])"
)
_TABLE = re.compile(r"^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE)


def has_markup(text: str) -> bool:
    signs = set(_SIGN.findall(text))
    return bool(signs) and any(look(text) for sign, look in _LOOKS if sign in signs)


def decode_entities(text: str) -> str:
    """Every entity that ends in a semicolon as the character it stands for, once."""
    return _ENTITY.sub(lambda match: _decoded(match[1]) or match[0], text) if "&" in text else text


def _has_tag(text: str) -> bool:
    at = text.find("<")
    while at >= 0:
        match = _TAG.match(text, at)
        if match and match[1].lower() in ELEMENTS and not _is_comparison(text, match):
            return True
        at = text.find("<", at + 1)
    return _DECLARATION.search(text) is not None


def _is_comparison(text: str, match: re.Match[str]) -> bool:
    """«a<b>c» is no tag, unless what it opens is closed."""
    name = match[1]
    return (
        len(name) == 1
        and not match[2]
        and text[match.start() + 1] != "/"
        and _is_ascii_letter_or_digit(text[match.start() - 1 : match.start()] if match.start() else "")
        and _is_ascii_letter_or_digit(text[match.end() : match.end() + 1])
        and f"</{name}>".lower() not in text.lower()
    )


def _is_ascii_letter_or_digit(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


def _has_entity(text: str) -> bool:
    return any(_decoded(name) for name in _ENTITY.findall(text)) or _OPEN_ENTITY.search(text) is not None


def _decoded(name: str) -> str:
    """What `&name;` stands for; empty where there is no such entity."""
    if name in ("AMP", "LT", "GT", "QUOT"):
        name = name.lower()
    if not name.startswith("#"):
        return "'" if name == "apos" else chr(name2codepoint[name]) if name in name2codepoint else ""
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    # Not every number is a character, but every one is an entity.
    return "\ufffd" if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)


def _has_emphasis(text: str) -> bool:
    return (
        _BOLD.search(text) is not None
        or any(_HAS_LETTER.search(match[1]) for match in _ITALIC.finditer(text))
        or _BULLET.search(text) is not None
    )


def _searching(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_LOOKS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("<", _has_tag), ("&", _has_entity), ("*", _has_emphasis), ("`", _searching(_CODE)), ("~", _searching(_STRUCK)),
    ("#", _searching(_HEADING)), ("[", _searching(_LINK)), ("|", _searching(_TABLE)),
)
