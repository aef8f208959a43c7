"""Detect style declarations that make text invisible, in a `style` attribute or a rule."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_LENGTH: Final = re.compile(r"(-?(?:\d++(?:\.\d++)?|\.\d++))([a-z%]*+)")
_SIDES: Final = ("left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top")
_EXTENTS: Final = ("height", "max-height", "width", "max-width")
_MOTION: Final = ("transform", "transition", "animation", "will-change", "translate", "filter")
_NO_CLIP: Final = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01]|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0"
)
_AWAY: Final = re.compile(
    r"translate[xy3d]*\([^()]{0,60}-\d{4,}(?:\.\d+)?px|scale[xy3d]*\(\s*+0*+(?:\.0\d*+)?\s*+[,)]|rotate[xy]\(\s*-?90deg"
)
_RGB: Final = re.compile(r"rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_HSL: Final = re.compile(r"hsla?\(\s*([\d.]+)(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_FILTERED_OUT: Final = re.compile(r"opacity\(\s*+(?:0*+(?:\.0\d*+)?|0*[01](?:\.\d++)?%)\s*+\)")
_ESCAPE: Final = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\n]?|\\(.)", re.DOTALL)
_VARIABLE: Final = re.compile(r"var\(\s*(--[\w-]{1,64})\s{0,8}(?:,([^()]{0,200}))?\)")
_NO_FONT: Final = re.compile(r"(?:^|\s)0(?:\.0\d*)?(?:px|pt|em|rem|%)?(?:/|\s)")
_BETWEEN_PARENTHESES: Final = re.compile(r"gradient\(((?:[^()]|\([^()]*\))*)\)")
_STOP_COLOUR: Final = re.compile(
    r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|\b(?:transparent|black|white|red|blue|green)\b"
)
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b")
_NAMED: Final = {
    "white": "ffffff", "black": "000000", "snow": "fffafa", "ivory": "fffff0", "whitesmoke": "f5f5f5",
    "transparent": "",
}  # fmt: skip
_WORD: Final = re.compile(r"[a-z]+")
_MAX_STYLE_CHARS: Final = 20_000
_FAR_PIXELS: Final = 999
_FAR_EMS: Final = 100
_SMALLEST_FONT: Final = 1.0
_SMALLEST_SHARE: Final = 0.1  # The share of the surrounding text size below which text is unreadable.
_SMALLEST_ZOOM: Final = 0.05
_INVISIBLE_OPACITY: Final = 0.01
_INVISIBLE_ALPHA: Final = 0.05
_LOWEST_CONTRAST: Final = 1.1
"""The contrast of two colors as in WCAG 2; the faintest gray of a real page has about 1.2."""
_MAX_VARIABLE_STEPS: Final = 4
_MAX_MASK_CHARS: Final = 500
Declarations = dict[str, str]


@lru_cache(maxsize=4096)
def declarations(style: str) -> Declarations:
    """Return property and value, both lower case; the last declaration of a property counts."""
    found = {}
    style = style[:_MAX_STYLE_CHARS]
    if "/*" in style:  # comments and escapes only vary the spelling
        first, *rest = style.split("/*")
        style = first + "".join(part.partition("*/")[2] for part in rest)
    for declaration in unescaped(style).lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def unescaped(text: str) -> str:
    """Return a name or a style without escapes."""

    def character(escape: re.Match[str]) -> str:
        number = int(escape.group(1), 16) if escape.group(1) else 0
        return escape.group(2) or (chr(number) if 0 < number < 0xD800 or 0xDFFF < number < 0x110000 else "\ufffd")

    return _ESCAPE.sub(character, text) if "\\" in text else text


def with_variables(style: str, values: Mapping[str, str]) -> str:
    """Return the style with each `var(--x)` replaced by its value, or by its fallback."""
    own = {name: value for name, value in declarations(style).items() if name.startswith("--")}

    def value(match: re.Match[str]) -> str:
        name = match.group(1).lower()
        return own.get(name) or values.get(name) or (match.group(2) or "").strip()

    for _ in range(_MAX_VARIABLE_STEPS):
        if "var(" not in style:
            break
        style = _VARIABLE.sub(value, style)[:_MAX_STYLE_CHARS]
    return style


@lru_cache(maxsize=4096)
def hides(style: str) -> bool:
    """Whether declarations hide their element, not considering color and opacity."""
    given = declarations(style)
    return (
        given.get("display") == "none"
        or given.get("visibility") in ("hidden", "collapse")
        or given.get("content-visibility") == "hidden"
        or any(_is_far(given[side]) for side in _SIDES if side in given)
        or any(_is_far(part) for part in given.get("translate", "").split())
        or bool(_NO_FONT.search(given.get("font", "")))
        or bool(_NO_CLIP.search(given.get("clip", "")) or _NO_CLIP.search(given.get("clip-path", "")))
        or bool(_AWAY.search(given.get("transform", "")))
        or _is_tiny(given)
        or _is_masked(given)
    )


def _is_tiny(given: Declarations) -> bool:
    """Whether the font, `zoom` or `scale` makes the text unreadable, or a box without extent clips its content.

    A zoom of 0 is ignored. A box that expands or reserves an image's place is not clipped.
    """
    font = _length(given.get("font-size", ""))
    if font is not None and _share(font) <= (_SMALLEST_FONT if font[1] in ("px", "pt") else _SMALLEST_SHARE):
        return True
    zoom, scale = _length(given.get("zoom", "")), _length(given.get("scale", "").partition(" ")[0])
    is_shrunk = scale is not None and 0 <= _share(scale) <= _SMALLEST_ZOOM
    if is_shrunk or (zoom is not None and 0 < _share(zoom) <= _SMALLEST_ZOOM):
        return True
    may_grow = any(name.startswith(("transition", "padding")) for name in given)
    if may_grow or given.get("overflow") not in ("hidden", "clip"):
        return False
    lengths = [_length(given[name]) for name in _EXTENTS if name in given]
    return any(length is not None and length[0] <= (1 if length[1] == "px" else 0) for length in lengths)


def _is_masked(given: Declarations) -> bool:
    """Whether a mask is a gradient with only transparent colors."""
    mask = given.get("mask") or given.get("mask-image") or given.get("-webkit-mask", "")
    inner = _BETWEEN_PARENTHESES.findall(mask[:_MAX_MASK_CHARS])
    stops = [stop for each in inner for stop in _STOP_COLOUR.findall(each)]
    return bool(stops) and all(colour(stop) == "" for stop in stops)


@lru_cache(maxsize=4096)
def fades(style: str) -> bool:
    """Whether an element is fully transparent and its style does not suggest that it is about to appear."""
    given = declarations(style)
    if _FILTERED_OUT.search(given.get("filter", "")):
        return True
    length = _length(given.get("opacity", ""))
    if length is None or _share(length) > _INVISIBLE_OPACITY:
        return False
    return not any(name.startswith(_MOTION) for name in given)


def text_colour(style: str) -> str | None:
    """Return the text color of a style as six hexadecimal digits; empty for a fully transparent one, None for none."""
    given = declarations(style)
    if "color" not in given or "text" in given.get("background-clip", given.get("-webkit-background-clip", "")):
        return None
    return colour(given["color"])


def background_colour(style: str) -> str | None:
    """Return the background of a style; empty for an image or an unknown one, None for none."""
    given = declarations(style)
    value = given.get("background-color") or given.get("background")
    if value is None and "background-image" not in given:
        return None
    if value is None or "url(" in value or "gradient" in value or "background-image" in given:
        return ""
    return colour(value) or ""


@lru_cache(maxsize=1024)
def colour(value: str) -> str | None:
    """Return a color as six hexadecimal digits; empty for a transparent one, None for an unknown one."""
    value = value.lower()
    if match := _RGB.search(value):
        parts = (f"{round(min(_number(part), 255)):02x}" for part in match.group(1, 2, 3))
        return "" if _is_see_through(match) else "".join(parts)
    if match := _HSL.search(value):
        hue, saturation, light = (_number(part) for part in match.group(1, 2, 3))
        shares = colorsys.hls_to_rgb(hue % 360 / 360, min(light, 100) / 100, min(saturation, 100) / 100)
        return "" if _is_see_through(match) else "".join(f"{round(255 * share):02x}" for share in shares)
    if match := _HEX.search(value):
        digits = match.group()[1:]
        if len(digits) <= 4:
            digits = "".join(digit * 2 for digit in digits)
        return "" if digits[6:] and int(digits[6:], 16) <= 255 * _INVISIBLE_ALPHA else digits[:6]
    return next((_NAMED[word] for word in _WORD.findall(value) if word in _NAMED), None)


def are_alike(ink: str, paper: str) -> bool:
    """Whether two colors of six hexadecimal digits are indistinguishable."""
    light, dark = sorted((_luminance(ink), _luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _LOWEST_CONTRAST


def _luminance(digits: str) -> float:
    """Return the relative luminance, 0 to 1, as in WCAG 2."""
    parts = (int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _is_see_through(match: re.Match[str]) -> bool:
    alpha, percent = match.group(4, 5)
    return alpha is not None and _number(alpha) / (100 if percent else 1) <= _INVISIBLE_ALPHA


def _number(digits: str) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0


def _length(value: str) -> tuple[float, str] | None:
    match = _LENGTH.fullmatch(value)
    return (float(match.group(1)), match.group(2)) if match else None


def _share(length: tuple[float, str]) -> float:
    return length[0] / 100 if length[1] == "%" else length[0]


def _is_far(offset: str) -> bool:
    length = _length(offset)
    return length is not None and length[0] <= -(_FAR_PIXELS if length[1] in ("px", "", "pt", "%") else _FAR_EMS)
