"""Style declarations that make text invisible, in a `style` attribute or in the style sheets inside a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.tree import strings

_LENGTH: Final = re.compile(r"(-?\d*\.?\d+)([a-z%]*)")
_SIDES: Final = ("left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top")
_EXTENTS: Final = ("height", "max-height", "width", "max-width")
_MOTION: Final = ("transform", "transition", "animation", "will-change", "translate", "filter")
_NO_CLIP: Final = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01]|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0"
)
_AWAY: Final = re.compile(r"translate[xy3d]*\([^()]{0,60}-\d{4,}px|scale[xy3d]*\(\s*0(?:\.0+)?\s*[,)]")
_RGB: Final = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b")
_NAMED: Final = {
    "white": "ffffff",
    "black": "000000",
    "snow": "fffafa",
    "ivory": "fffff0",
    "whitesmoke": "f5f5f5",
    "transparent": "",
}
_WORD: Final = re.compile(r"[a-z]+")
_MAX_STYLE_CHARS: Final = 20_000
_FAR_PIXELS: Final = 999
_FAR_EMS: Final = 100
_SMALLEST_FONT: Final = 1.0
_INVISIBLE_OPACITY: Final = 0.01
Declarations = dict[str, str]
_STYLE_SHEETS: Final = strings(
    "//style[not(@media) or @media='all' or @media='screen'][not(ancestor::noscript)]/text()"
)
_BRACE: Final = re.compile(r"[{}]")
_ALWAYS_ON: Final = re.compile(r"@(?:layer\b.*|media\s+(?:all|screen)\s*)", re.DOTALL)
_HIDING: Final = re.compile(r"none|hidden|collapse|font-size|-\d{3}|clip|scale\(0")
_SHOWING: Final = re.compile(r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible", re.IGNORECASE)
_SIMPLE_SELECTOR: Final = re.compile(r"[a-z][\w-]*|[a-z]*([.#][\w-]+)", re.IGNORECASE)
_NAME: Final = re.compile(r"[.#][\w-]+")
_FOLDED: Final = frozenset({"height", "max-height", "width", "max-width", "transform"})
"""What a rule of a sheet shuts by these a script unfolds."""
_MAX_SHEET_CHARS: Final = 100_000


@lru_cache(maxsize=4096)
def declarations(style: str) -> Declarations:
    """Property and value, both lower case; the last declaration of a property counts."""
    found = {}
    for declaration in style[:_MAX_STYLE_CHARS].lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


@lru_cache(maxsize=4096)
def hides(style: str) -> bool:
    """Whether declarations take their element out of sight, colour and opacity left aside."""
    given = declarations(style)
    return (
        given.get("display") == "none"
        or given.get("visibility") in ("hidden", "collapse")
        or given.get("content-visibility") == "hidden"
        or _is_tiny(given.get("font-size", ""))
        or any(_is_far(given[side]) for side in _SIDES if side in given)
        or bool(_NO_CLIP.search(given.get("clip", "")) or _NO_CLIP.search(given.get("clip-path", "")))
        or bool(_AWAY.search(given.get("transform", "")))
        or _is_shut(given)
    )


@lru_cache(maxsize=4096)
def fades(style: str) -> bool:
    """Whether an element is fully transparent and nothing in its style says that it is about to appear."""
    given = declarations(style)
    length = _length(given.get("opacity", ""))
    if length is None or length[0] > _INVISIBLE_OPACITY:
        return False
    return not any(name.startswith(_MOTION) for name in given)


def text_colour(style: str) -> str | None:
    """The colour that a style gives to text, as six hexadecimal digits; empty for a fully transparent one,
    None for none.
    """
    given = declarations(style)
    if "color" not in given or "text" in given.get("background-clip", given.get("-webkit-background-clip", "")):
        return None
    return colour(given["color"])


def background_colour(style: str) -> str | None:
    """The background that a style sets; empty when it is a picture or unknown, None when it sets none."""
    given = declarations(style)
    value = given.get("background-color") or given.get("background")
    if value is None and "background-image" not in given:
        return None
    if value is None or "url(" in value or "gradient" in value or "background-image" in given:
        return ""
    return colour(value) or ""


@lru_cache(maxsize=1024)
def colour(value: str) -> str | None:
    """A colour as six hexadecimal digits; empty for a transparent one, None for one that is not known."""
    value = value.lower()
    match = _RGB.search(value)
    if match:
        if match.group(4) is not None and float(match.group(4)) == 0:
            return ""
        return "".join(f"{min(int(part), 255):02x}" for part in match.group(1, 2, 3))
    match = _HEX.search(value)
    if match:
        return _six_digits(match.group()[1:])
    return next((_NAMED[word] for word in _WORD.findall(value) if word in _NAMED), None)


def _six_digits(digits: str) -> str:
    if len(digits) <= 4:
        digits = "".join(digit * 2 for digit in digits)
    return "" if digits[6:] == "00" else digits[:6]


def _length(value: str) -> tuple[float, str] | None:
    match = _LENGTH.fullmatch(value)
    return (float(match.group(1)), match.group(2)) if match else None


def _is_tiny(font_size: str) -> bool:
    length = _length(font_size)
    if length is None:
        return False
    return length[0] == 0 or (length[1] in ("px", "pt") and length[0] <= _SMALLEST_FONT)


def _is_far(offset: str) -> bool:
    length = _length(offset)
    if length is None:
        return False
    far = _FAR_PIXELS if length[1] in ("px", "", "pt") else _FAR_EMS if length[1] != "%" else _FAR_PIXELS
    return length[0] <= -far


def _is_shut(given: Declarations) -> bool:
    """Whether a box without extent cuts off what it holds; one that unfolds or keeps a picture's place does not."""
    if given.get("overflow") not in ("hidden", "clip") or any(
        name.startswith(("transition", "padding")) for name in given
    ):
        return False
    lengths = [_length(given[name]) for name in _EXTENTS if name in given]
    return any(length is not None and length[0] <= (1 if length[1] == "px" else 0) for length in lengths)


def hidden_names(tree: HtmlElement) -> frozenset[str]:
    """Classes and ids (`.x`, `#y`) that a sheet hides on every screen and no rule shows."""
    sheet = _without_comments("\n".join(_STYLE_SHEETS(tree))[:_MAX_SHEET_CHARS])
    if not _HIDING.search(sheet):
        return frozenset()
    hidden: set[str] = set()
    shown: set[str] = set()
    for selectors, rule, is_plain in _rules(sheet):
        if is_plain and _HIDING.search(rule) and _is_hiding(rule):
            hidden.update(_simple_names(selectors))
        elif _SHOWING.search(rule):
            shown.update(_NAME.findall(selectors))
    return frozenset(hidden - shown)


def _without_comments(sheet: str) -> str:
    first, *rest = sheet.split("/*")
    return first + "".join(part.partition("*/")[2] for part in rest)


def _is_hiding(rule: str) -> bool:
    return hides(";".join(f"{name}:{value}" for name, value in declarations(rule).items() if name not in _FOLDED))


def _simple_names(selectors: str) -> Iterator[str]:
    for selector in selectors.split(","):
        match = _SIMPLE_SELECTOR.fullmatch(selector.strip())
        if match and match.group(1):
            yield match.group(1)


def _rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of each rule, and whether it holds without a condition."""
    conditions: list[bool] = []
    border = 0
    for brace in _BRACE.finditer(sheet):
        text = sheet[border : brace.start()]
        border = brace.end()
        if brace.group() == "{":
            prelude = text.rpartition(";")[2].strip()
            conditions.append(bool(_ALWAYS_ON.fullmatch(prelude)))
            selectors = prelude
        elif conditions:
            conditions.pop()
            if selectors and not selectors.startswith("@"):
                yield selectors, text, all(conditions)
            selectors = ""
