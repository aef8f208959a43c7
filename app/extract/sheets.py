"""Find the elements that a page's own style sheets hide: rules with conditions, layers and nesting, and the winning rule of an element.

A sheet hides an element if the rules that apply on every screen hide it and no rule shows it. This includes rules that would apply if
scripts or the reader changed the element's classes and states or the window size. Sheets are untrusted: their size, their rules and the
steps of matching are limited.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt
from typing import Final
from urllib.parse import unquote_to_bytes

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.selectors import InvalidSelectorError, OutOfStepsError, Page, Selector, Specificity, parse
from app.extract.styles import are_alike, background_colour, declarations, hides, text_colour, with_variables
from app.extract.tree import body_of, elements, holds, strings

MAX_SHEET_CHARS: Final = 100_000  # The limit for all sheets of a page together.
MAX_RULES: Final = 4_000
MAX_NESTING: Final = 8
MAX_STEPS: Final = 100_000
"""The number of compounds to match to find hidden elements, and as many again to find the winning rules."""
MAX_STEPS_PER_SELECTOR: Final = 20_000
_STEPS_PER_ELEMENT: Final = 10
MAX_OVERRULING: Final = 60  # The number of rules of one element that might show it.

_SHEETS: Final = elements(
    "//style[not(ancestor::noscript)] | //link[contains(@rel, 'stylesheet')][starts-with(@href, 'data:')]"
)
_TARGETS: Final = strings("//a[starts-with(@href, '#')]/@href")
_HAS_SCRIPTS: Final = holds("//script[not(contains(@type, 'json'))]")
_DATA_SHEET: Final = re.compile(r"data:text/css[^,]{0,100}?(;base64)?,", re.IGNORECASE)
_PIECE: Final = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|url\([^()\"'{}]{0,1000}+\)|\\.|[{};]",
    re.DOTALL | re.IGNORECASE,
)
_MARKS: Final = re.compile(r"<!--|-->")
_HIDING: Final = re.compile(
    r"none|hidden|collapse|font|-\d{3}|clip|scale|opacity\(|zoom|mask|rotate|var\(|color|\\", re.IGNORECASE
)
_CUSTOM_PROPERTY: Final = re.compile(r"(?<![\w-])(--[\w-]{1,64})\s{0,8}:([^;{}]{0,400})")
_FOLDED: Final = frozenset({"height", "max-height", "width", "max-width", "transform"})
"""Properties of a sheet that collapse an element until a script expands it."""
_SHORT_FOR: Final = {
    "font": ("font-size",), "mask": ("mask-image",), "background": ("background-color", "background-image"),
}  # fmt: skip
_AWAITING_SCRIPTS: Final = re.compile(r"no-?js|no-?script|cloak|loading|preload", re.IGNORECASE)
"""Names that scripts remove as soon as they run."""
_WHITE: Final = "ffffff"

# --- Conditions ---

_PIXELS: Final = range(320, 3841)  # The window sizes of readers, in CSS pixels.
_CONTAINER_PIXELS: Final = range(1, 3841)
_SIZE: Final = re.compile(
    r"(?:(min|max)-)?(?:device-)?(?:width|height|inline-size|block-size)\s*:\s*(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|em|rem|)"
)
_COMPARED: Final = re.compile(
    r"(?:width|height|inline-size|block-size)\s*([<>]=?)\s*(\d{1,9}(?:\.\d{1,9})?)(px|em|rem|)"
)
_ALWAYS_SO: Final = word_set("width height color aspect-ratio orientation resolution min-color:1 grid:0")
_NEVER_SO: Final = frozenset({"monochrome", "grid", "grid:1", "min-width:99999px"})
_SUPPORTED: Final = re.compile(
    r"(?:display|visibility|position|color|opacity|font-size|width|height|float|margin|padding|overflow|clip-path|transform|gap"
    r"|flex|grid|grid-template-columns|transition|animation|filter|mask|object-fit|top|left)\s*:\s*[\w#%.-]+"
)
_BRACKETED: Final = re.compile(r"\(([^()]*)\)")


_COMPARE: Final = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}


def _sized(feature: str, pixels: range) -> bool | None:
    """Return whether a size holds for all sizes or for none; None for some."""
    if found := _SIZE.fullmatch(feature):
        bound, number, unit = found.groups()
        sign = {"min": ">=", "max": "<="}.get(bound or "", "=")
    elif found := _COMPARED.fullmatch(feature):
        sign, number, unit = found.groups()
    else:
        return None
    size = float(number) * (1 if unit in ("px", "") else 16)
    least, most = (_COMPARE[sign](end, size) for end in (pixels[0], pixels[-1]))
    return least if least == most and sign != "=" else None


def _query(text: str, pixels: range) -> bool | None:
    """Return whether one media or container query always holds (True), never (False) or sometimes (None)."""
    text = text.strip().lower()
    if text.startswith(("not ", "not(")):
        return _negated(text[3:], lambda rest: _query(rest, pixels))
    text = text.removeprefix("only ").strip()
    if re.search(r"\)\s*or\s*\(", text):
        found = [_query(part, pixels) for part in re.split(r"\bor\b", text)]
        return True if True in found else None if None in found else False
    found = list[bool | None]()
    for part in map(str.strip, re.split(r"\band\b", text)):
        if bracketed := _BRACKETED.fullmatch(part):
            feature = bracketed.group(1).strip()
            squeezed = "".join(feature.split())
            is_known = squeezed in _ALWAYS_SO or squeezed in _NEVER_SO
            found.append(squeezed in _ALWAYS_SO if is_known else _sized(feature, pixels))
        else:
            found.append(True if part in ("all", "screen") else False if part.isalpha() else None)
    return False if False in found else None if None in found else True


def _negated(text: str, answer: Callable[[str], bool | None]) -> bool | None:
    """Return the negated answer of the query after a `not`; a second one in a row is not a condition."""
    text = text.strip()
    inner = None if text.startswith("not") else answer(text)
    return None if inner is None else not inner


def _media(text: str) -> bool | None:
    found = [_query(part, _PIXELS) for part in text.split(",")] if text.strip() else [True]
    return True if True in found else None if None in found else False


def _supports(text: str) -> bool | None:
    text = text.strip().lower()
    if text.startswith("not"):
        return _negated(text[3:], _supports)
    parts = [part.strip() for part in re.split(r"\b(?:and|or)\b", text)]
    bracketed = map(_BRACKETED.fullmatch, parts)
    known = [found is not None and _SUPPORTED.fullmatch(found.group(1).strip()) is not None for found in bracketed]
    return True if all(known) or (any(known) and " or " in text) else None


# --- Rules ---


@dataclass(frozen=True, slots=True)
class _Rule:
    """`chain` contains its selectors after the enclosing rules' selectors. `sure`: no condition is open."""

    chain: tuple[str, ...]
    style: str
    sure: bool
    layer: int
    order: int


@dataclass(slots=True)
class _Frame:
    """An open bracket of a sheet; `chain` is None if its rules do not count."""

    chain: tuple[str, ...] | None
    sure: bool
    layer: str
    order: int
    style: list[str] = field(default_factory=list)


class _Walk:
    """One pass over a sheet. `ranks` are the cascade layers by name in the order in which sheets name them."""

    def __init__(self, ranks: dict[str, int], order: int, *, sure: bool) -> None:
        self._ranks, self._order = ranks, order
        self._frames = [_Frame((), sure, "", order)]
        self.rules: list[_Rule] = []

    def read(self, sheet: str) -> int:
        """Read the rules of the sheet and return the order of the next rule."""
        text: list[str] = []
        place = 0
        for piece in _PIECE.finditer(sheet):
            text.append(sheet[place : piece.start()])
            place = piece.end()
            sign = piece.group()
            if sign == "{":
                self._open("".join(text))
            elif sign == ";" or (sign == "}" and len(self._frames) > 1):
                if not self._end_statement("".join(text)):
                    text[:] = [sign]  # No rule can begin so; keeping all of it would take quadratic time.
                    continue
                if sign == "}":
                    self._close()
            elif not sign.startswith("/*"):
                text.append(sign)
                continue
            else:
                continue
            text.clear()
            if len(self.rules) >= MAX_RULES:
                break
        self._end_statement("".join([*text, sheet[place:]]))
        while len(self._frames) > 1:
            self._close()
        return self._order

    def _rank(self, layer: str) -> int:
        return self._ranks.setdefault(layer, len(self._ranks)) if layer else MAX_SHEET_CHARS

    def _end_statement(self, text: str) -> bool:
        """Whether a statement or declaration ends here; at the outermost level, only at-rules do."""
        text = text.strip()
        frame = self._frames[-1]
        if text.startswith("@"):
            if text.lower().startswith("@layer"):
                for name in text[6:].split(","):
                    self._rank(name.strip())
            return True
        if len(self._frames) == 1:
            return False
        if text and frame.chain:
            frame.style.append(text)
        return True

    def _open(self, prelude: str) -> None:
        outer = self._frames[-1]
        prelude = _MARKS.sub("", prelude).strip() if len(self._frames) == 1 else prelude.strip()
        self._order += 1
        if outer.chain is None or prelude.startswith("--") or len(self._frames) > MAX_NESTING:
            self._frames.append(_Frame(None, False, "", self._order))
        elif prelude.startswith("@"):
            self._frames.append(self._conditional(outer, prelude))
        else:
            self._frames.append(_Frame((*outer.chain, prelude), outer.sure, outer.layer, self._order))

    def _conditional(self, outer: _Frame, prelude: str) -> _Frame:
        name, _, rest = prelude[1:].replace("(", " (", 1).partition(" ")
        name, rest = name.lower(), rest.strip()
        chain, layer = outer.chain, outer.layer
        answer: bool | None
        if name == "media":
            answer = _media(rest)
        elif name == "supports":
            answer = _supports(rest)
        elif name == "container":
            answer = _query(rest[rest.find("(") :], _CONTAINER_PIXELS) if "(" in rest else None
        elif name == "layer":
            answer, layer = True, f"{layer}.{rest or self._order}".lstrip(".")
            self._rank(layer)
        elif name == "scope" and rest.startswith("(") and chain is not None:
            answer, chain = True, (*chain, rest[1:].partition(")")[0])
        else:
            answer = False
        if answer is False:
            return _Frame(None, False, "", self._order)
        return _Frame(chain, outer.sure and answer is True, layer, self._order)

    def _close(self) -> None:
        frame = self._frames.pop()
        if frame.chain and frame.style:
            layer, style = self._rank(frame.layer), ";".join(frame.style)
            self.rules.append(_Rule(frame.chain, style, frame.sure, layer, frame.order))


# --- The cascade ---

Precedence = tuple[int, int, Specificity, int]


@dataclass(frozen=True, slots=True)
class SheetRules:
    """The elements that the page's style sheets hide, and the custom properties (`--x`) that have only one value."""

    hidden: frozenset[HtmlElement] = frozenset()
    coloured: Mapping[HtmlElement, str] = field(default_factory=dict)
    """The style of elements whose text the sheets may color like the background."""
    variables: Mapping[str, str] = field(default_factory=dict)


def read_sheets(tree: HtmlElement) -> SheetRules:
    """Apply the rules of all style sheets inside the page to its elements."""
    sheets: list[tuple[str, str]] = []  # text and media of each sheet, up to the total limit
    left = MAX_SHEET_CHARS
    for element in _SHEETS(tree):
        text = (element.text or "") if element.tag == "style" else _data_sheet(element.get("href") or "")
        kind = (element.get("type") or "text/css").partition(";")[0].strip().lower()
        if text and kind == "text/css" and left > 0:
            sheets.append((text[:left], element.get("media") or ""))
            left -= len(text)
    whole = "\n".join(text for text, _ in sheets)
    variables = _variables(whole) if "--" in whole else {}
    if not _HIDING.search(whole):
        return SheetRules(variables=variables)
    rules: list[_Rule] = []
    ranks, order = dict[str, int](), 0
    for text, media in sheets:
        if (answer := _media(media)) is not False:
            walk = _Walk(ranks, order, sure=answer is True)
            order = walk.read(text)
            rules += walk.rules[: MAX_RULES - len(rules)]
    return _Cascade(tree, rules, variables).result()


def _data_sheet(href: str) -> str:
    if (found := _DATA_SHEET.match(href)) is None:
        return ""
    body = unquote_to_bytes(href[found.end() : found.end() + 4 * MAX_SHEET_CHARS])
    if found.group(1):
        try:
            body = base64.b64decode(body)
        except (binascii.Error, ValueError):
            return ""
    return body.decode("utf-8", "replace")


def _variables(sheet: str) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for name, value in _CUSTOM_PROPERTY.findall(sheet):
        found.setdefault(name.lower(), set()).add(value.strip())
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


class _Cascade:
    """The rules of a page, applied to its elements."""

    def __init__(self, tree: HtmlElement, rules: list[_Rule], variables: Mapping[str, str]) -> None:
        self._tree, self._rules, self._variables = tree, rules, variables
        self._parsed: dict[tuple[str, ...], tuple[Selector, ...]] = {}
        self._page = Page(0, frozenset(target[1:] for target in _TARGETS(tree)))
        self._has_scripts = bool(_HAS_SCRIPTS(tree))
        self._styles: dict[int, list[tuple[str, str, bool]]] = {}

    def result(self) -> SheetRules:
        hiding = []  # rules that always apply and hide text or give it the background color
        for rule in self._rules:
            if not rule.sure or not _HIDING.search(rule.style):
                continue
            if self._has_scripts and any(map(_AWAITING_SCRIPTS.search, rule.chain)):
                continue
            if _takes_away(with_variables(_joined(self._style(rule)), self._variables)):
                hiding.append(rule)
        if not hiding:
            return SheetRules(variables=self._variables)
        found = self._matched(hiding)
        names = {name for rule in hiding for name, _, _ in self._style(rule)}
        rivals = self._by_key(
            rule
            for rule in self._rules
            if found and any(name in names or name == "all" for name, _, _ in self._style(rule))
        )
        self._page.steps = MAX_STEPS
        hidden, coloured = set(), {}
        for element, rule in found.items():
            try:
                style = self._final(element, rivals)
            except OutOfStepsError:
                style = _joined(self._style(rule))
            if style is None:
                continue
            style = with_variables(style, self._variables)
            if hides(style):
                hidden.add(element)
            elif "color" in style:
                coloured[element] = style
        return SheetRules(frozenset(hidden), coloured, self._variables)

    def _style(self, rule: _Rule) -> list[tuple[str, str, bool]]:
        """Return property, value and importance of each declaration except those that scripts expand."""
        if (found := self._styles.get(rule.order)) is None:
            found = self._styles[rule.order] = [one for one in _declared(rule.style) if one[0] not in _FOLDED]
        return found

    def _selectors(self, chain: tuple[str, ...]) -> tuple[Selector, ...]:
        """Return the selectors of a rule; none if one of them is invalid."""
        if (found := self._parsed.get(chain)) is None:
            outer = self._selectors(chain[:-1]) if len(chain) > 1 else ()
            try:
                found = parse(chain[-1], outer) if outer or len(chain) == 1 else ()
            except InvalidSelectorError:
                found = ()
            self._parsed[chain] = found
        return found

    def _by_key(self, rules: Iterable[_Rule]) -> dict[str, list[tuple[Selector, _Rule]]]:
        found: dict[str, list[tuple[Selector, _Rule]]] = {}
        for rule in rules:
            for selector in self._selectors(rule.chain):
                subject = selector.subject
                names = {f".{name}" for name in subject.classes} | {f"#{name}" for name in subject.ids} or {subject.key}
                for key in names:
                    found.setdefault(key, []).append((selector, rule))
        return found

    def _matched(self, rules: list[_Rule]) -> dict[HtmlElement, _Rule]:
        """Return elements with a matching rule, starting with the most specific rules."""
        index: dict[str, list[HtmlElement]] = {}
        for element in body_of(self._tree).iter("*"):
            keys = ["*", element.tag, *(f".{name}" for name in self._page.classes_of(element))]
            for key in keys if element.get("id") is None else [*keys, f"#{element.get('id')}"]:
                index.setdefault(key, []).append(element)
        pairs = [(index.get(one.subject.key, []), one, rule) for rule in rules for one in self._selectors(rule.chain)]
        found: dict[HtmlElement, _Rule] = {}
        left = MAX_STEPS
        for candidates, selector, rule in sorted(pairs, key=lambda pair: len(pair[0])):
            self._page.steps = given = min(left, MAX_STEPS_PER_SELECTOR)
            try:
                found.update((element, rule) for element in candidates if selector.matches(element, self._page))
            except OutOfStepsError:
                self._page.steps = 0
            left -= given - self._page.steps
        return found

    def _final(self, element: HtmlElement, rivals: dict[str, list[tuple[Selector, _Rule]]]) -> str | None:
        """Return the winning style of an element, or None if a rule shows it, or might. Raises OutOfStepsError."""
        self._page.take(_STEPS_PER_ELEMENT)
        keys = [f".{name}" for name in self._page.classes_of(element)] + [f"#{element.get('id')}", element.tag, "*"]
        given: list[tuple[Precedence, str, str]] = []
        perhaps: list[list[tuple[Precedence, str, str]]] = []
        seen: set[tuple[int, int]] = set()
        for selector, rule in (pair for key in keys for pair in rivals.get(key, ())):
            if (id(selector), rule.order) in seen:
                continue
            seen.add((id(selector), rule.order))
            applies = selector.matches(element, self._page)
            if applies and rule.sure:
                given += self._weighed(rule, selector)
            elif (applies or selector.subject.may_fit(element, self._page)) and len(perhaps) < MAX_OVERRULING:
                perhaps.append(self._weighed(rule, selector))
        inline = _declared(element.get("style") or "")
        given += [((3 if is_important else 1, 0, (0, 0, 0), 0), name, value) for name, value, is_important in inline]
        style = _merged(given)
        for more in perhaps:
            self._page.take(len(given) + len(more))
            if not _takes_away(with_variables(_merged([*given, *more]), self._variables)):
                return None
        return style

    def _weighed(self, rule: _Rule, selector: Selector) -> list[tuple[Precedence, str, str]]:
        return [
            ((2, -rule.layer, selector.specificity, rule.order), name, value)
            if is_important
            else ((0, rule.layer, selector.specificity, rule.order), name, value)
            for name, value, is_important in self._style(rule)
        ]


def _takes_away(style: str) -> bool:
    if hides(style):
        return True
    ink = text_colour(style) if "color" in style else None
    return ink == "" or (ink is not None and are_alike(ink, background_colour(style) or _WHITE))


def _declared(style: str) -> list[tuple[str, str, bool]]:
    """Return property, value and whether it is `!important`; the last declaration of a property counts."""
    important = {name.partition(":")[0].strip().lower() for name in style.split(";") if "!important" in name.lower()}
    return [(name, value, name in important) for name, value in declarations(style).items()]


def _joined(style: Iterable[tuple[str, str, bool]]) -> str:
    return ";".join(f"{name}:{value}" for name, value, _ in style)


def _merged(given: list[tuple[Precedence, str, str]]) -> str:
    found: dict[str, str] = {}
    for _, name, value in sorted(given, key=lambda one: one[0]):
        if name == "all":
            found.clear()
            continue
        for part in _SHORT_FOR.get(name, ()):
            found.pop(part, None)
        found[name] = value
    return ";".join(f"{name}:{value}" for name, value in found.items())
