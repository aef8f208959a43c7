"""Symbols of packages: stored once by their public names, found by the whole name, its end, or the class that inherits them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import apsw

from app import caps
from app.library.packages import ALIAS, Package, Symbol, SymbolsFound

MAX_SAME_NAMES: Final = 2_000
"""Most symbols with the same last part, and most members of a class or module, that a lookup compares."""
MAX_NAME_CHARS: Final = 2_000  # Of a requested name: SQLite refuses patterns of more than 50,000 bytes.
MAX_CANDIDATES: Final = 20
MAX_PARTS: Final = 12
MAX_BASES: Final = 100
NEAREST: Final = 3
SIMILAR: Final = 0.6
MAX_COMPARED: Final = 300
_SEPARATOR: Final = re.compile(r"::|[#/:~]")

_Value = TypeVar("_Value")

PUT: Final = (
    "INSERT INTO symbols(package_id, name, last, kind, signature, summary, file, line, page, leads_to)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
IN_SCOPE: Final = (
    "package_id IN (SELECT p.id FROM packages p WHERE CASE WHEN ?1 IS NULL THEN p.is_current ELSE p.id = ?1 END)"
)
COLUMNS: Final = "id, package_id, name, kind, leads_to, name"
BY_LAST: Final = f"SELECT {COLUMNS} FROM symbols WHERE last = ?2 COLLATE NOCASE AND name LIKE ?3 AND {IN_SCOPE} LIMIT {MAX_SAME_NAMES}"
BY_NAME: Final = f"SELECT {COLUMNS} FROM symbols WHERE package_id = ? AND name = ?"
ELSEWHERE: Final = f"SELECT {COLUMNS} FROM symbols WHERE last = ?2 COLLATE NOCASE AND name = ?3 AND {IN_SCOPE} LIMIT 1"
MEMBERS: Final = f"""
SELECT DISTINCT last FROM symbols WHERE package_id = ?1 AND name > ?2 || '.' AND name < ?2 || '/' AND name = ?2 || '.' || last
LIMIT {MAX_SAME_NAMES}
"""
SIMILAR_LAST: Final = f"""
SELECT DISTINCT last FROM symbols WHERE {IN_SCOPE} AND (last LIKE ?2 || '%' OR last LIKE '%' || ?3)
ORDER BY abs(length(last) - ?4) LIMIT 100
"""
DETAILS: Final = """
SELECT p.ecosystem, p.name, p.version, s.kind, s.signature, s.summary, s.file, s.line, s.page, s.leads_to
FROM symbols s JOIN packages p ON p.id = s.package_id WHERE s.id = ?
"""


@dataclass(frozen=True, slots=True)
class _Row:
    """A symbol without its texts. `shown` is its name in the class that inherits it, or in the module that exports it."""

    id: int
    package_id: int
    name: str
    kind: str
    leads_to: str
    shown: str


def put_symbols(con: apsw.Connection, package_id: int, symbols: Iterable[Symbol]) -> None:
    """Replace the symbols of a package; stores at most `caps.MAX_API_SYMBOLS`."""
    rows = [
        (package_id, each.name, _last(each.name), *astuple(each)[1:-1], "\n".join(each.leads_to))
        for each, _ in zip(symbols, range(caps.MAX_API_SYMBOLS), strict=False)
    ]
    con.execute("DELETE FROM symbols WHERE package_id = ?", (package_id,))
    con.executemany(PUT, rows)


def find_symbols(con: apsw.Connection, name: str, package_id: int | None = None) -> SymbolsFound:
    """Return what a name means in a package; without one, in the current version of every package.

    A whole name precedes the end of a name, then come members that a class inherits, then names in other case.
    """
    finder, wanted = _Finder(con, package_id), _plain(name)[:MAX_NAME_CHARS]
    rows = sorted(finder.meant(wanted), key=lambda row: (row.shown.count("."), row.shown))
    if not rows:
        return SymbolsFound((), finder.nearest(wanted), outside=finder.outside(wanted))
    return SymbolsFound(tuple(_details(con, row) for row in rows[:MAX_CANDIDATES]), count=len(rows))


@dataclass(frozen=True, slots=True)
class _Finder:
    con: apsw.Connection
    package_id: int | None

    def meant(self, wanted: str) -> list[_Row]:
        """Return the symbols that a name means, each once."""
        if wanted.count(".") > MAX_PARTS:
            return []
        found = self._named(wanted, str) or self._inherited(wanted) or self._named(wanted, str.casefold)
        return list({row.id: row for row in found}.values())

    def nearest(self, wanted: str) -> tuple[str, ...]:
        """Return similar names: of members if the class or module is known, otherwise of any symbol."""
        head, _, last = wanted.rpartition(".")
        near: list[str] = []
        for owner in self.meant(head) if head else []:
            bases = [(base.package_id, base.name) for base in self._bases(owner)]
            members = [str(each) for base in bases for (each,) in self.con.execute(MEMBERS, base)]
            near += (f"{owner.shown}.{each}" for each in _similar(last, {each: each for each in members}))
        if near:
            return tuple(near[:NEAREST])
        half = max(1, (len(last) - 1) // 2)
        values = (self.package_id, last[:half], last[-half:], len(last))
        lasts = [str(each) for (each,) in self.con.execute(SIMILAR_LAST, values)]
        rows = [row for each in _similar(last, {each: each for each in (last, *lasts)}) for row in self._by_end(each)]
        rows.sort(key=lambda row: abs(len(row.name) - len(wanted)))
        parts = wanted.count(".") + 1
        tails = {".".join(_plain(row.name).split(".")[-parts:]): row for row in reversed(rows[:MAX_COMPARED])}
        return tuple(dict.fromkeys(self._followed(row).shown for row in _similar(wanted, tails)))[:NEAREST]

    def outside(self, wanted: str) -> tuple[str, ...]:
        """Return bases of the class of a member that are in packages that are not stored."""
        head = wanted.rpartition(".")[0]
        bases = [base for owner in (self.meant(head) if head else []) for base in self._bases(owner)]
        names = [(base, name) for base in bases for name in base.leads_to.split("\n") if "." in name]
        foreign = [each for each in names if each[1].partition(".")[0] not in sys.stdlib_module_names]
        return tuple(dict.fromkeys(name for base, name in foreign if not self._target(base, name)))[:NEAREST]

    def _named(self, wanted: str, fold: Callable[[str], str]) -> list[_Row]:
        """Return the symbols with this name, otherwise those whose name ends with it."""
        rows = [(f".{fold(_plain(row.name))}", row) for row in self._by_end(wanted)]
        end = f".{fold(wanted)}"
        found = [row for name, row in rows if name == end] or [row for name, row in rows if name.endswith(end)]
        return [self._followed(row) for row in found]

    def _inherited(self, wanted: str) -> list[_Row]:
        """Return the members of this name in the bases of a class, and those of a class or module with another name."""
        head, _, last = wanted.rpartition(".")
        found = []
        for owner in self.meant(head) if head else ():
            bases = (self._by_name(base.package_id, f"{base.name}.{last}") for base in self._bases(owner))
            found += [
                replace(self._followed(row), shown=f"{owner.shown}.{last}") for row in next(filter(None, bases), ())
            ]
        return found

    def _bases(self, owner: _Row) -> list[_Row]:
        """Return a class and its bases, nearest first."""
        waiting, seen = [owner], dict[int, _Row]()
        while waiting and len(seen) < MAX_BASES:
            row = waiting.pop()
            if row.id not in seen:
                seen[row.id] = row
                bases = [each for name in row.leads_to.split("\n") for each in self._target(row, name)]
                waiting += [self._followed(each) for each in reversed(bases)]
        return list(seen.values())

    def _followed(self, row: _Row) -> _Row:
        """Return what an alias stands for, or the alias of something in another package."""
        for _ in range(MAX_PARTS):
            target = self._target(row, row.leads_to) if row.kind == ALIAS else []
            if not target:
                break
            row = target[0]
        return row

    def _target(self, row: _Row, name: str) -> list[_Row]:
        """Return what a name in a package means there, otherwise in the current version of another package."""
        found = self._by_name(row.package_id, name)
        if not found and name:
            found = [_Row(*each) for each in self.con.execute(ELSEWHERE, (None, _last(name), name))]
        return found

    def _by_end(self, name: str) -> list[_Row]:
        """Return symbols with the last two parts of a name, in any case and with any signs between them."""
        values = (self.package_id, _last(name), f"%{'%'.join(name.split('.')[-2:])}")
        return [_Row(*row) for row in self.con.execute(BY_LAST, values)]

    def _by_name(self, package_id: int, name: str) -> list[_Row]:
        return [_Row(*row) for row in self.con.execute(BY_NAME, (package_id, name))] if name else []


def _details(con: apsw.Connection, row: _Row) -> tuple[Package, Symbol]:
    found: Any = con.execute(DETAILS, (row.id,)).fetchone()
    kind, signature, summary, file, line, page, leads_to = found[3:]
    symbol = Symbol(row.shown, kind, signature, summary, file, line, page, tuple(filter(None, leads_to.split("\n"))))
    return Package(*found[:3]), symbol


def _similar(wanted: str, values: Mapping[str, _Value]) -> list[_Value]:
    """Return the values with the most similar keys, in any case."""
    keys: dict[str, list[_Value]] = {}
    for key, value in values.items():
        keys.setdefault(key.casefold(), []).append(value)
    return [each for key in get_close_matches(wanted.casefold(), keys, NEAREST, SIMILAR) for each in keys[key]]


def _plain(name: str) -> str:
    """Return a name with dots between its parts, without an argument list."""
    # SQLite does not take half a character.
    whole = name.encode("utf-8", "replace").decode()
    return _SEPARATOR.sub(".", whole.strip().strip("`").partition("(")[0]).strip(". ")


def _last(name: str) -> str:
    return _plain(name).rpartition(".")[2] or name
