"""Match style sheet selectors on the elements of a page within a limited number of steps.

Sheets are untrusted: a selector that is too long or too deep counts as invalid, and matching raises OutOfStepsError when the steps are
used up, regardless of sheet and page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.styles import unescaped

MAX_SELECTOR_CHARS: Final = 1_000
MAX_COMPOUNDS: Final = 24
MAX_DEPTH: Final = 5  # The nesting limit of selectors, as in `:not(:is(.a))`.

Specificity = tuple[int, int, int]
_NAME: Final = r"(?:[a-zA-Z0-9_-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}[ \t\n]?|\\[^\n0-9a-fA-F])++"
"""Possessive: an escape can be split in several ways, so that backtracking would never end."""
_SPACE: Final = re.compile(r"[ \t\r\n\f]*")
_IDENT: Final = re.compile(_NAME)
_COMBINATOR: Final = re.compile(r"[ \t\r\n\f]*([>+~])[ \t\r\n\f]*|[ \t\r\n\f]+(?![ \t\r\n\f,)]|\Z)")
_ATTRIBUTE: Final = re.compile(
    rf"\[\s*+(?:\*?\|)?({_NAME})\s*+(?:([~|^$*]?=)\s*+(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|({_NAME}))\s*+([iIsS])?+\s*+)?\]"
)
_NTH: Final = re.compile(
    r"\s*+(?:(odd|even)|([+-]?\d{0,6})n\s*+(?:([+-])\s*+(\d{1,6}))?|([+-]?\d{1,6}))\s*+", re.IGNORECASE
)
_LISTS: Final = frozenset({"is", "where", "matches", "not", "has", "-webkit-any", "-moz-any"})
_STATES: Final = word_set(
    "hover focus active focus-within focus-visible visited autofill fullscreen modal popover-open target-within user-invalid"
    " user-valid playing invalid current open host"
)
"""States that depend on the reader's actions and are off when a page is opened."""
_ELEMENTS: Final = frozenset({"before", "after", "first-line", "first-letter"})
"""Pseudo-elements that older sheets write with one colon."""


class OutOfStepsError(Exception):
    """The steps for matching are used up."""


class InvalidSelectorError(ValueError):
    """A selector that browsers drop, or that exceeds the limits."""


@dataclass(slots=True)
class Page:
    """The page for matching, and the remaining steps."""

    steps: int
    targets: frozenset[str] = frozenset()  # Ids that links of the page lead to.
    places: dict[HtmlElement, tuple[int, int, int, int]] = field(default_factory=dict)
    classes: dict[HtmlElement, frozenset[str]] = field(default_factory=dict)

    def take(self, steps: int = 1) -> None:
        """Count steps. Raises OutOfStepsError."""
        self.steps -= steps
        if self.steps < 0:
            raise OutOfStepsError

    def classes_of(self, element: HtmlElement) -> frozenset[str]:
        if (found := self.classes.get(element)) is None:
            found = self.classes[element] = frozenset((element.get("class") or "").split())
        return found

    def place_of(self, element: HtmlElement) -> tuple[int, int, int, int]:
        """Return an element's number among its siblings from the front and from the back, and among siblings with its name, from 1."""
        if element not in self.places:
            parent = element.getparent()
            siblings = list(parent) if parent is not None else [element]
            self.take(len(siblings))
            names: dict[object, int] = {}
            for sibling in siblings:
                names[sibling.tag] = names.get(sibling.tag, 0) + 1
            seen: dict[object, int] = {}
            for number, sibling in enumerate(siblings, 1):
                of_name = seen[sibling.tag] = seen.get(sibling.tag, 0) + 1
                behind = (len(siblings) - number + 1, of_name, names[sibling.tag] - of_name + 1)
                self.places[sibling] = (number, *behind)
        return self.places[element]


Test = Callable[[HtmlElement, Page, bool], bool]
"""Whether an element matches; the last argument is true inside a negation."""


@dataclass(frozen=True, slots=True)
class Compound:
    """The conditions for a single element."""

    tag: str = ""
    ids: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()
    tests: tuple[Test, ...] = ()

    @property
    def key(self) -> str:
        """Return a minimum condition of an element: `#id`, `.class`, a tag or `*`."""
        if self.ids:
            return f"#{self.ids[0]}"
        return f".{min(self.classes)}" if self.classes else self.tag or "*"

    def fits(self, element: HtmlElement, page: Page, *, negated: bool) -> bool:
        page.take()
        if self.tag and element.tag != self.tag:
            return False
        if self.ids and any(element.get("id") != one for one in self.ids):
            return False
        if self.classes and not self.classes <= page.classes_of(element):
            return False
        return all(test(element, page, negated) for test in self.tests)

    def may_fit(self, element: HtmlElement, page: Page) -> bool:
        """Whether the element would match if scripts or a reader only changed classes and states."""
        page.take()
        if self.tag and element.tag != self.tag:
            return False
        return element.get("id") in self.ids or not self.classes.isdisjoint(page.classes_of(element))


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from the subject outwards, each with its combinator to the previous one."""

    parts: tuple[tuple[str, Compound], ...]
    specificity: Specificity

    @property
    def subject(self) -> Compound:
        return self.parts[0][1]

    def matches(self, element: HtmlElement, page: Page, *, negated: bool = False) -> bool:
        """Whether the element matches. Raises OutOfStepsError."""
        return self.subject.fits(element, page, negated=negated) and self._outwards(element, 1, page, negated)

    def _outwards(self, element: HtmlElement, number: int, page: Page, negated: bool) -> bool:
        if number == len(self.parts):
            return True
        combinator, compound = self.parts[number]
        return any(
            compound.fits(other, page, negated=negated) and self._outwards(other, number + 1, page, negated)
            for other in _related(element, combinator)
        )


def _related(element: HtmlElement, combinator: str) -> Iterator[HtmlElement]:
    """Yield the elements related to an element by a combinator."""
    if combinator == " ":
        yield from element.iterancestors()
    elif combinator == "~":
        yield from element.itersiblings(preceding=True)
    else:
        other = element.getparent() if combinator == ">" else element.getprevious()
        if other is not None:
            yield other


def parse(text: str, parents: Sequence[Selector] = ()) -> tuple[Selector, ...]:
    """Return the selectors of a rule; `parents` belong to the enclosing rule and replace `&`. Raises InvalidSelectorError."""
    if len(text) > MAX_SELECTOR_CHARS:
        raise InvalidSelectorError("too long")
    reader = _Reader(text, tuple(parents))
    selectors = reader.selectors(0, is_nested=bool(parents))
    if reader.place < len(text):
        raise InvalidSelectorError(f"unexpected {text[reader.place]!r}")
    return selectors


class _Reader:
    def __init__(self, text: str, parents: tuple[Selector, ...]) -> None:
        self._text, self._parents = text, parents
        self.place = 0
        self._compounds = 0
        self._names_parent = False

    def selectors(self, depth: int, *, is_nested: bool = False, is_relative: bool = False) -> tuple[Selector, ...]:
        found = [self._selector(depth, is_nested=is_nested, is_relative=is_relative)]
        while self._take(","):
            found.append(self._selector(depth, is_nested=is_nested, is_relative=is_relative))
        return tuple(found)

    def _selector(self, depth: int, *, is_nested: bool, is_relative: bool) -> Selector:
        self._skip()
        self._names_parent = False
        first = self._combinator() if is_nested or is_relative else ""
        parts = [("", *self._compound(depth))]
        while True:
            combinator = self._combinator()
            self._skip()
            if not combinator and (self.place == len(self._text) or self._text[self.place] in ",)"):
                break
            parts.append((combinator or " ", *self._compound(depth)))
        weights = [weight for _, _, weight in parts]
        steps = [(how, compound) for how, compound, _ in parts]
        if is_nested and (first or not self._names_parent):
            steps[0] = (first or " ", steps[0][1])
            steps.insert(0, ("", Compound(tests=(_any_of(self._parents),))))
            weights.append(_heaviest(self._parents))
        # From the subject outwards, each compound has the combinator between it and the next inner one.
        hows = [how for how, _ in steps[1:]][::-1]
        outwards = [compound for _, compound in steps[::-1]]
        total = (sum(one[0] for one in weights), sum(one[1] for one in weights), sum(one[2] for one in weights))
        return Selector(tuple(zip(["", *hows], outwards, strict=True)), total)

    def _combinator(self) -> str:
        match = _COMBINATOR.match(self._text, self.place)
        if match is None or not match.group():
            return ""
        self.place = match.end()
        return match.group(1) or " "

    def _compound(self, depth: int) -> tuple[Compound, Specificity]:
        self._compounds += 1
        if depth > MAX_DEPTH or self._compounds > MAX_COMPOUNDS:
            raise InvalidSelectorError("too many parts")
        start = self.place
        tag, ids, classes, tests = "", list[str](), set[str](), list[Test]()
        weight = [0, 0, 0]
        if not self._take("*") and (name := _IDENT.match(self._text, self.place)):
            self.place = name.end()
            tag, weight[2] = unescaped(name.group()).lower(), 1
        while self.place < len(self._text):
            sign = self._text[self.place]
            if sign == "#":
                ids.append(self._name())
                weight[0] += 1
            elif sign == ".":
                classes.add(self._name())
                weight[1] += 1
            elif sign == "[":
                if (found := _ATTRIBUTE.match(self._text, self.place)) is None:
                    raise InvalidSelectorError("not an attribute")
                self.place = found.end()
                attribute, how, double, single, bare, flag = found.groups()
                value = unescaped(next((one for one in (double, single, bare) if one is not None), ""))
                ignores_case = (flag or "").lower() == "i"
                tests.append(_has_attribute(unescaped(attribute).lower(), how, value, ignores_case=ignores_case))
                weight[1] += 1
            elif sign == ":":
                test, added = self._pseudo(depth)
                tests.append(test)
                weight = [one + more for one, more in zip(weight, added, strict=True)]
            elif sign == "&":
                self.place += 1
                self._names_parent = True
                tests.append(_any_of(self._parents) if self._parents else _is_root)
                weight = [one + more for one, more in zip(weight, _heaviest(self._parents), strict=True)]
            else:
                break
        if self.place == start:
            raise InvalidSelectorError("nothing where a selector is expected")
        return Compound(tag, tuple(ids), frozenset(classes), tuple(tests)), (weight[0], weight[1], weight[2])

    def _name(self) -> str:
        if (found := _IDENT.match(self._text, self.place + 1)) is None:
            raise InvalidSelectorError("a name is missing")
        self.place = found.end()
        return unescaped(found.group())

    def _pseudo(self, depth: int) -> tuple[Test, Specificity]:
        if self._text.startswith("::", self.place):
            raise InvalidSelectorError("not an element of the page")
        name = self._name().lower()
        if name in _ELEMENTS:
            raise InvalidSelectorError("not an element of the page")
        if not self._take("("):
            if name not in _SIMPLE:
                raise InvalidSelectorError(f":{name} is not known")
            return _SIMPLE[name], (0, 1, 0)
        weight = (0, 1, 0)
        if name in _LISTS:
            named = self._names_parent
            inner = self.selectors(depth + 1, is_relative=name == "has")
            self._names_parent = named or self._names_parent
            weight = (0, 0, 0) if name == "where" else _heaviest(inner)
            test = _any_of(inner, is_negated=name == "not", is_around=name == "has")
        else:
            end = self._text.find(")", self.place)
            argument, self.place = self._text[self.place : max(end, 0)], end
            test = _function(name, argument)
        if not self._take(")"):
            raise InvalidSelectorError("a bracket is open")
        return test, weight

    def _take(self, sign: str) -> bool:
        place = self.place
        if sign in ",)":
            self._skip()
        if not self._text.startswith(sign, self.place):
            self.place = place
            return False
        self.place += 1
        return True

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self.place)
        self.place = found.end() if found else self.place


def _heaviest(selectors: Sequence[Selector]) -> Specificity:
    return max((selector.specificity for selector in selectors), default=(0, 0, 0))


def _any_of(selectors: Sequence[Selector], *, is_negated: bool = False, is_around: bool = False) -> Test:
    """Return the test whether one of the selectors matches the element, or none if `is_negated`.

    `is_around`: an element inside, or (after a combinator) a following one; the exact combinator is ignored.
    """

    def test(element: HtmlElement, page: Page, negated: bool) -> bool:
        around = chain(element.iterdescendants("*"), element.itersiblings("*")) if is_around else (element,)
        is_inside = negated is not is_negated
        found = any(one.matches(other, page, negated=is_inside) for other in around for one in selectors)
        return found is not is_negated

    return test


def _has_attribute(name: str, how: str | None, value: str, *, ignores_case: bool) -> Test:
    wanted = value.lower() if ignores_case else value

    def test(element: HtmlElement, _page: Page, _negated: bool) -> bool:
        found = element.get(name)
        if found is None or how is None:
            return found is not None
        if ignores_case:
            found = found.lower()
        if how == "=":
            return bool(found == wanted)
        if how == "~=":
            return wanted in found.split()
        if how == "|=":
            return bool(found == wanted or found.startswith(f"{wanted}-"))
        if not wanted:
            return False
        return bool({"^=": found.startswith, "$=": found.endswith, "*=": found.__contains__}[how](wanted))

    return test


def _is_root(element: HtmlElement, _page: Page, _negated: bool) -> bool:
    return element.getparent() is None


def _at(*which: int) -> Test:
    """Return the test whether an element is the first one in these ways of counting its siblings."""
    return lambda element, page, _negated: all(page.place_of(element)[one] == 1 for one in which)


_SIMPLE: Final[dict[str, Test]] = {
    **dict.fromkeys(_STATES, lambda _element, _page, _negated: False),
    **dict.fromkeys(("root", "scope"), _is_root),
    "empty": lambda element, _page, _negated: len(element) == 0 and not element.text,
    **dict.fromkeys(
        ("link", "any-link"),
        lambda element, _page, _negated: element.tag in ("a", "area") and element.get("href") is not None,
    ),
    "defined": lambda _element, _page, _negated: True,
    # A box that a reader can check counts as checked, if a rule selects unchecked ones.
    "checked": lambda element, _page, negated: (
        element.get("checked") is not None or (negated and element.tag in ("input", "option"))
    ),
    # A place that a link of the page leads to counts as the target, if a rule selects other places.
    "target": lambda element, page, negated: negated and element.get("id") in page.targets,
    "first-child": _at(0),
    "last-child": _at(1),
    "only-child": _at(0, 1),
    "first-of-type": _at(2),
    "last-of-type": _at(3),
    "only-of-type": _at(2, 3),
    "enabled": lambda element, _page, _negated: element.get("disabled") is None,
    "disabled": lambda element, _page, _negated: element.get("disabled") is not None,
    "required": lambda element, _page, _negated: element.get("required") is not None,
    "optional": lambda element, _page, _negated: element.get("required") is None,
    "read-only": lambda element, _page, _negated: element.tag not in ("input", "textarea"),
    "read-write": lambda element, _page, _negated: element.tag in ("input", "textarea"),
}
_COUNTS: Final = {"nth-child": 0, "nth-last-child": 1, "nth-of-type": 2, "nth-last-of-type": 3}


def _function(name: str, argument: str) -> Test:
    wanted = argument.strip().strip("\"'").lower()
    if name in _COUNTS:
        return _nth(_COUNTS[name], argument)
    if name == "dir":
        return lambda _element, _page, _negated: wanted == "ltr"
    if name != "lang":
        raise InvalidSelectorError(f":{name}() is not known")

    def test(element: HtmlElement, page: Page, _negated: bool) -> bool:
        for node in (element, *element.iterancestors()):
            page.take()
            if (lang := node.get("lang")) is not None:
                return bool(lang.lower() == wanted or lang.lower().startswith(f"{wanted}-"))
        return False

    return test


def _nth(which: int, argument: str) -> Test:
    if (found := _NTH.fullmatch(argument)) is None:
        raise InvalidSelectorError("not a position")
    word, step, sign, offset, single = found.groups()
    if word:
        every, first = 2, int(word.lower() == "odd")
    elif single is not None:
        every, first = 0, int(single)
    else:
        every = int(f"{step}1") if step in ("", "+", "-") else int(step)
        first = int(f"{sign}{offset}") if offset else 0

    def test(element: HtmlElement, page: Page, _negated: bool) -> bool:
        distance = page.place_of(element)[which] - first
        return distance == 0 if every == 0 else bool(distance % every == 0 and distance // every >= 0)

    return test
