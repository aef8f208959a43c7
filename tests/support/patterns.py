"""Every regular expression of the program with its uses, and strings that could make it slow."""

from __future__ import annotations

import ast
import importlib
import random
import re
import re._constants as kinds
import re._parser as parser
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import app

_ROOT: Final = Path(app.__file__).parent
_METHODS: Final = {"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}
_WORD: Final = re.compile(r"\w+")
_OWN: Final = _METHODS | {"pattern", "flags"}
_AT_ONE_PLACE: Final = {"match", "fullmatch", "search"}
_OPTIONAL: Final = ("win32", "winreg", "asyncpg", "prometheus_client", "jwt", "PySide6")
"""Modules that can be missing on a machine."""
_STAND_IN: Final = "ab"
"""Replacement for variable parts of a pattern."""
_POOL: Final = " a1`*_-.[](){}<>#|$/\\\"':=,!?&~\t\nA\u00e9\u4e2d\u3002\u0301"
_CATEGORIES: Final = {
    kinds.CATEGORY_DIGIT: "1",
    kinds.CATEGORY_SPACE: " \t\n",
    kinds.CATEGORY_WORD: "a1_",
    kinds.CATEGORY_NOT_DIGIT: "a ",
    kinds.CATEGORY_NOT_SPACE: "a.",
    kinds.CATEGORY_NOT_WORD: " .\n",
}
_REPEATS: Final = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)
_MANY: Final = 16
"""A longer repetition counts as unlimited."""
_SUFFIXES: Final = ("", "\n!", "\0")
_MAX_REPEATS: Final = 10
_MAX_UNITS: Final = 4
_MAX_PAIRS: Final = 24
_MAX_TRIPLES: Final = 8


@dataclass(frozen=True, slots=True)
class Used:
    """A pattern with its location, and the methods that the program calls."""

    place: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]

    @property
    def named(self) -> str:
        """Return the location without the line number."""
        return re.sub(r"line \d+", "line", self.place)

    def run(self, text: str) -> None:
        subject = text.encode("latin-1", "replace") if isinstance(self.pattern.pattern, bytes) else text
        for method in self.methods & _AT_ONE_PLACE:
            getattr(self.pattern, method)(subject)
        if self.methods - _AT_ONE_PLACE:
            for _ in self.pattern.finditer(subject):
                pass


def used_patterns() -> list[Used]:
    """Return the patterns of all modules, classes, containers and functions, without duplicates."""
    sources = {file: file.read_text("utf-8") for file in sorted(_ROOT.rglob("*.py"))}
    held = {file: list(_of_file(file, source)) for file, source in sources.items()}
    uses = _uses(sources, {_last(place) for each in held.values() for place, _ in each})
    found: dict[tuple[Any, int, frozenset[str]], Used] = {}
    for file, here in held.items():
        for place, pattern in here:
            own = uses.get(_key(file, _last(place)), ())
            methods = (
                frozenset(own) or frozenset(_METHODS & {place.partition("[")[2].rstrip("]")}) or frozenset({"finditer"})
            )
            found.setdefault(
                (pattern.pattern, pattern.flags, methods), Used(f"{_name_of(file)}.{place}", pattern, methods)
            )
    return list(found.values())


def _name_of(file: Path) -> str:
    return ".".join(file.relative_to(_ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def _last(place: str) -> str:
    """Return the name under which the code uses a pattern."""
    return place.partition("[")[0].rpartition(".")[2]


def _of_file(file: Path, source: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    module = _module(_name_of(file))
    if module is not None:
        yield from _of_module(module)
    if "re." in source:
        yield from _of_functions(ast.parse(source), vars(module) if module else {})


def _module(name: str) -> ModuleType | None:
    if name.endswith("__main__"):
        return None
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if not str(error.name or "").startswith(_OPTIONAL) and sys.platform == "linux":
            raise
        return None


def _of_module(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for name, value in list(vars(module).items()):
        yield from _within(name, value)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner, held in list(vars(value).items()):
                yield from _within(f"{name}.{inner}", held)


def _within(name: str, value: object) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _within(f"{name}[{key!r}]", each)
    elif isinstance(value, list | tuple | set | frozenset):
        for number, each in enumerate(value):
            yield from _within(f"{name}[{number}]", each)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for field in value.__dataclass_fields__:
            held = getattr(value, field, None)
            if isinstance(held, re.Pattern):
                yield f"{name}.{field}", held


def _of_functions(tree: ast.AST, known: Mapping[str, object]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns in calls of `re` that are not assignments of a module."""
    outside = {id(part) for part in getattr(tree, "body", ()) if not isinstance(part, ast.FunctionDef | ast.ClassDef)}
    for top in getattr(tree, "body", ()):
        if id(top) in outside:
            continue
        for node in ast.walk(top):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
                text = _literal(node.args[0], known)
                if node.func.attr in {*_METHODS, "compile"} and text is not None:
                    yield f"line {node.lineno}[{node.func.attr}]", re.compile(text, _flags(node))


def _literal(node: ast.expr, known: Mapping[str, object]) -> str | bytes | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.Name) and isinstance(known.get(node.id), str | bytes):
        return known[node.id]  # type: ignore[return-value]
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        return "".join(str(_literal(part, known) or _STAND_IN) for part in parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return f"{_literal(node.left, known) or _STAND_IN}{_literal(node.right, known) or _STAND_IN}"
    return None


def _flags(call: ast.Call) -> int:
    given = [*call.args, *(each.value for each in call.keywords)]
    names = {part.attr for each in given for part in ast.walk(each) if isinstance(part, ast.Attribute)}
    return sum(int(getattr(re, name)) for name in names & {"IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII"})


def _uses(sources: Mapping[Path, str], names: set[str]) -> dict[tuple[str, str], set[str]]:
    """Return the methods that are called on each name, for private names in their module. A name that is passed on can be used with all of
    them.
    """
    uses: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file, source in sources.items():
        if names.isdisjoint(_WORD.findall(source)):
            continue
        called = set()
        nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name | ast.Attribute)]
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr in _OWN:
                owner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                called.add(id(owner))
                if node.attr in _METHODS and (name := _name(owner)):
                    uses[_key(file, name)].add(node.attr)
        for node in nodes:
            if isinstance(node.ctx, ast.Load) and id(node) not in called:
                uses[_key(file, _name(node))].add("finditer")
    return uses


def _key(file: Path, name: str) -> tuple[str, str]:
    return (str(file) if name.startswith("_") else "", name)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@dataclass(frozen=True, slots=True)
class Hostile:
    """A string of any length: a beginning, a repeated part, an end."""

    before: str
    unit: str
    after: str

    def of(self, size: int) -> str:
        return f"{self.before}{self.unit * (size // len(self.unit))}{self.after}"


def hostile(pattern: re.Pattern[Any]) -> list[Hostile]:
    """Return repetitions of the parts of a pattern, alone and mixed, after a text that matches its beginning."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    tree = parser.parse(source, pattern.flags & ~(re.ASCII | re.UNICODE | re.DEBUG | re.LOCALE))
    made: dict[Hostile, None] = {}
    for before, body in _spread(list(_repeats(list(tree), "")), _MAX_REPEATS):
        units = _units(body)
        for unit in [*units, *("".join(pair) for pair in pairwise(units))]:
            for after in _SUFFIXES:
                made[Hostile(before, unit, after)] = None
            made[Hostile("", before + unit, "")] = None
            made[Hostile("", before + unit, "\0")] = None
        if before:
            made[Hostile("", before, "")] = None
    signs = _spread(sorted(set(_signs(list(tree)))), 12)
    chance = random.Random(repr(source))
    pairs = [first + second for first in signs for second in signs if first != second]
    triples = ["".join(chance.choices(signs, k=3)) for _ in range(_MAX_TRIPLES)] if signs else []
    for unit in [*signs, *chance.sample(pairs, min(len(pairs), _MAX_PAIRS)), *triples]:
        made[Hostile("", unit, "\0")] = None
    return list(made)


def _spread(items: list[Any], most: int) -> list[Any]:
    """Return at most this number of items, evenly spread."""
    step = max(1, -(-len(items) // most))
    return items[::step]


def _repeats(nodes: list[Any], before: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield each unlimited repetition with a text that leads to it."""
    for kind, value in nodes:
        for inner in _inner(kind, value):
            yield from _repeats(inner, before)
        if kind in _REPEATS and value[1] > _MANY:
            yield before, list(value[2])
            yield before + _sample([(kind, value)]), list(value[2])
        before += _sample([(kind, value)])


def _inner(kind: Any, value: Any) -> list[list[Any]]:
    if kind is kinds.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind is kinds.SUBPATTERN:
        return [list(value[3])]
    if kind in _REPEATS:
        return [list(value[2])]
    if kind is kinds.ATOMIC_GROUP:
        return [list(value)]
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
        return [list(value[1])]
    return []


def _sample(nodes: list[Any]) -> str:
    """Return a short text that probably matches the nodes."""
    text = ""
    for kind, value in nodes:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY):
            text += _choices(kind, value)[:1]
        elif kind in _REPEATS:
            text += _sample(list(value[2])) * max(1, min(value[0], 4))
        elif kind not in (kinds.ASSERT, kinds.ASSERT_NOT):
            text += "".join(_sample(inner) for inner in _inner(kind, value)[:1])
    return text


def _units(body: list[Any]) -> list[str]:
    """Return texts that one round of a repetition can match."""
    if len(body) == 1 and body[0][0] in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY):
        return list(_choices(*body[0])[:_MAX_UNITS])
    whole = [_sample(body)]
    for kind, value in body:
        whole += [_sample(inner) for inner in _inner(kind, value)]
    signs = _signs(body)
    return list(dict.fromkeys(each for each in [*whole, *signs] if each))[: _MAX_UNITS + 2]


def _signs(nodes: list[Any]) -> list[str]:
    found: list[str] = []
    for kind, value in nodes:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY):
            found += _choices(kind, value)[:2]
        for inner in _inner(kind, value):
            found += _signs(inner)
    return list(dict.fromkeys(found))


def _choices(kind: Any, value: Any) -> str:
    """Return one character for each part of a class; for a negated class, characters outside it."""
    if kind is kinds.LITERAL:
        return chr(value)
    if kind is kinds.ANY:
        return "a .`["
    if kind is kinds.NOT_LITERAL:
        return "".join(sign for sign in "a .`[" if ord(sign) != value)
    return _of_class(tuple(value))


@cache
def _of_class(items: tuple[Any, ...]) -> str:
    held = ""
    for kind, value in items:
        if kind is kinds.LITERAL:
            held += chr(value)
        elif kind is kinds.RANGE:
            held += chr(value[0])
        elif kind is kinds.CATEGORY:
            held += _CATEGORIES[value]
    if items[0][0] is not kinds.NEGATE:
        return held
    test = re.compile(_written(items))
    return "".join(sign for sign in "a `[.-1_\t\n(*<" + _POOL if test.match(sign))[:8] or "\u4e2d"


_SHORT: Final = {
    kinds.CATEGORY_DIGIT: r"\d",
    kinds.CATEGORY_SPACE: r"\s",
    kinds.CATEGORY_WORD: r"\w",
    kinds.CATEGORY_NOT_DIGIT: r"\D",
    kinds.CATEGORY_NOT_SPACE: r"\S",
    kinds.CATEGORY_NOT_WORD: r"\W",
}


def _written(items: tuple[Any, ...]) -> str:
    text = ""
    for kind, value in items:
        if kind is kinds.LITERAL:
            text += re.escape(chr(value))
        elif kind is kinds.RANGE:
            text += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        elif kind is kinds.CATEGORY:
            text += _SHORT[value]
    return f"[^{text}]"
