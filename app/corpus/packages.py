"""Packages whose pages are stored, and the projects that use them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final

import apsw

from app.corpus.database import Store
from app.corpus.symbols import find_symbols, put_symbols
from app.errors import CorpusError
from app.library import packages

SIMILAR_NAMES: Final = 3
USED: Final = "EXISTS (SELECT 1 FROM project_packages u WHERE (u.ecosystem, u.name, u.version) = (p.ecosystem, p.name, p.version))"
_PAGES: Final = """(SELECT count(*) FROM doc_pages g JOIN docsets s ON s.id = g.docset_id
    WHERE s.package_id = p.id AND g.category = '{}')"""
STORED: Final = f"""
SELECT p.id, p.ecosystem, p.name, p.version, p.source, p.is_current, count(d.id), coalesce(sum(coalesce(t.chars, length(t.text))), 0),
  p.added_at, p.asked_at,
  EXISTS (SELECT 1 FROM docsets s WHERE s.package_id = p.id AND s.version <> ''), {USED}, {_PAGES.format("api")},
  {_PAGES.format(packages.CHANGES)}, (SELECT count(*) FROM symbols y WHERE y.package_id = p.id)
FROM packages p LEFT JOIN documents d ON d.package_id = p.id LEFT JOIN document_texts t ON t.document_id = d.id
GROUP BY p.id ORDER BY p.name, p.ecosystem, p.id
"""
MATCHING: Final = f"""
SELECT p.id, p.ecosystem, p.name, p.version, p.is_current, {USED} FROM packages p
WHERE p.name = ?1 COLLATE NOCASE AND (?2 = '' OR p.ecosystem = ?2)
"""
CHOICES: Final = f"SELECT p.id, p.version, {USED} FROM packages p WHERE p.ecosystem = ? AND p.name = ?"
PROJECTS: Final = """
SELECT root, read_at, count(u.name), count(k.id) FROM projects p LEFT JOIN project_packages u ON u.project_id = p.id
LEFT JOIN packages k ON (k.ecosystem, k.name, k.version) = (u.ecosystem, u.name, u.version) GROUP BY p.id ORDER BY root
"""


class PackageStore(Store):
    """Packages and projects. Threads and errors: see `Corpus`."""

    def all(self) -> list[packages.StoredPackage]:
        """Return all packages by name."""
        return [_stored(*row) for row in self._rows(STORED)]

    def add(self, package: packages.Package, source: str) -> int:
        """Return the ID of the package; add it if necessary."""
        now = time.time()
        with self._database.write() as con:
            con.execute(
                "INSERT INTO packages(ecosystem, name, version, source, is_current, added_at, asked_at)"
                " VALUES(?1, ?2, ?3, ?4, 0, ?5, ?5) ON CONFLICT(ecosystem, name, version) DO UPDATE SET source = ?4",
                (package.ecosystem, package.name, package.version, source, now),
            )
            query = "SELECT id FROM packages WHERE (ecosystem, name, version) = (?, ?, ?)"
            number = int(con.execute(query, (package.ecosystem, package.name, package.version)).get)
            con.execute(
                "INSERT INTO docsets(package_id, version, revision, built_at, note) SELECT ?1, '', 0, 0.0, ''"
                " WHERE NOT EXISTS (SELECT 1 FROM docsets WHERE package_id = ?1)",
                (number,),
            )
            _choose(con, [(package.ecosystem, package.name)])
            return number

    def docset_of(self, package_id: int) -> int:
        """Return the ID of the documentation pages of a package."""
        return int(self._value("SELECT id FROM docsets WHERE package_id = ?", package_id) or 0)

    def remove(self, package_id: int) -> bool:
        """Remove a package with its pages, in several transactions; return False if it does not exist."""
        self._remove_documents("package_id", package_id)
        with self._database.write() as con:
            name: Any = con.execute("SELECT ecosystem, name FROM packages WHERE id = ?", (package_id,)).fetchone()
            con.execute("DELETE FROM packages WHERE id = ?", (package_id,))
            if name is not None:
                _choose(con, [name])
            return name is not None

    def find(self, wanted: packages.PackageName) -> tuple[int, packages.Package]:
        """Return the stored package that a name means, and note that it was asked. Raises UnknownPackageError."""
        with self._database.read() as con:
            found = find_package(con, wanted)
        # A search also works on a full disk.
        with suppress(CorpusError), self._database.write() as con:
            con.execute("UPDATE packages SET asked_at = ? WHERE id = ?", (time.time(), found[0]))
        return found

    def put_symbols(self, package_id: int, symbols: Iterable[packages.Symbol]) -> None:
        """Replace the symbols of a package."""
        with self._database.write() as con:
            put_symbols(con, package_id, symbols)

    def without_symbols(self) -> set[packages.Package]:
        """Return the packages that have no symbols: stored by an earlier version, or without any."""
        query = "SELECT ecosystem, name, version FROM packages p WHERE NOT EXISTS (SELECT 1 FROM symbols s WHERE s.package_id = p.id)"
        return {packages.Package(*row) for row in self._rows(query)}

    def find_symbols(self, name: str, package_id: int | None = None) -> packages.SymbolsFound:
        """Return what a name means in a package; without one, in the current version of every package."""
        with self._database.read() as con:
            return find_symbols(con, name, package_id)

    def keep_project(self, root: str, packages: Iterable[tuple[packages.Package, bool]]) -> None:
        """Store which packages a project uses, each with whether it is direct. Replaces its earlier list."""
        rows = [(each.ecosystem, each.name, each.version, int(is_direct)) for each, is_direct in packages]
        with self._database.write() as con:
            con.execute(
                "INSERT INTO projects(root, read_at) VALUES(?1, ?2) ON CONFLICT(root) DO UPDATE SET read_at = ?2",
                (root, time.time()),
            )
            number = con.execute("SELECT id FROM projects WHERE root = ?", (root,)).get
            con.execute("DELETE FROM project_packages WHERE project_id = ?", (number,))
            con.executemany(
                "INSERT OR REPLACE INTO project_packages(project_id, ecosystem, name, version, is_direct)"
                f" VALUES({int(number)}, ?, ?, ?, ?)",
                rows,
            )
            _choose(con)

    def projects(self) -> list[packages.StoredProject]:
        """Return the projects by folder."""
        return [packages.StoredProject(*row) for row in self._rows(PROJECTS)]

    def forget_project(self, root: str) -> bool:
        """Forget a project; its packages stay. Return False if it is unknown."""
        with self._database.write() as con:
            con.execute("DELETE FROM projects WHERE root = ?", (root,))
            is_known = con.changes() > 0
            _choose(con)
            return is_known


def find_package(con: apsw.Connection, wanted: packages.PackageName) -> tuple[int, packages.Package]:
    """Return the stored package that a name means: its version, or the only one that projects use, or the current one.

    Raises UnknownPackageError.
    """
    rows: list[Any] = con.execute(MATCHING, (wanted.name, wanted.ecosystem)).fetchall()
    found = [(number, packages.Package(*row[:3]), bool(row[3]), bool(row[4])) for number, *row in rows]
    versions = sorted(package for _, package, _, _ in found)
    if wanted.version:
        bare = wanted.version.removeprefix("v")
        fitting = [each for each in found if each[1].version.removeprefix("v") == bare]
    else:
        fitting = [each for each in found if each[3]] or [each for each in found if each[2]]
    if not fitting:
        names = [str(name) for (name,) in con.execute("SELECT DISTINCT name FROM packages")]
        raise packages.unknown_package(wanted, versions, get_close_matches(wanted.name, names, SIMILAR_NAMES))
    if len(fitting) > 1:
        raise packages.ambiguous_package(wanted, sorted(package for _, package, _, _ in fitting))
    return fitting[0][0], fitting[0][1]


def _stored(
    number: int, kind: str, name: str, version: str, source: str, is_current: int, *rest: Any
) -> packages.StoredPackage:
    pages, characters, added_at, asked_at, is_complete, is_used, *counts = rest
    facts = pages, characters, added_at, asked_at, bool(is_complete), bool(is_used)
    return packages.StoredPackage(
        number, packages.Package(kind, name, version), source, bool(is_current), *facts, *counts
    )


def _choose(con: apsw.Connection, names: Iterable[tuple[str, str]] | None = None) -> None:
    """Mark one version of each package as current: one that a project uses, otherwise the highest."""
    if names is None:
        names = [(str(kind), str(name)) for kind, name in con.execute("SELECT DISTINCT ecosystem, name FROM packages")]
    for name in names:
        rows: list[Any] = con.execute(CHOICES, name).fetchall()
        if rows:
            best = max(rows, key=lambda row: (row[2], version_key(row[1])))[0]
            con.execute(
                "UPDATE packages SET is_current = (id = ?1) WHERE (ecosystem, name) = (?2, ?3) AND is_current <> (id = ?1)",
                (best, *name),
            )


def version_key(version: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that orders versions: numbers by value, and a word (`rc1`) below the end of a version."""
    parts = re.findall(r"[0-9]{1,18}|[A-Za-z]+", version.removeprefix("v").partition("+")[0])
    return (*((1, int(each), "") if each.isdigit() else (-1, 0, each) for each in parts), (0, 0, ""))
