"""Packages that projects use, each in one exact version: `pypi/flask@3.1.3`, `npm/@tanstack/react-query@5.108.4`.

The pages of a package have addresses below `webrag://package/pypi/flask@3.1.3/`, and tags that begin with `flask@3.1.3`. A slash in a name
becomes a "+" there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote, unquote

from app import caps
from app.errors import InvalidArgumentError
from app.text.sentence import listing, sentence

PACKAGE_SCHEME: Final = "webrag://package/"
NOT_STATED: Final = "unstated"  # The version of a package whose documentation does not state one.
PACKAGE_LABEL: Final = "package"  # `package:flask@3.1.3` in a scope restricts it to the pages of this package.
CHANGES: Final = "changes"  # The first folder of release notes, which describe other versions.
INSTALLED: Final = "installed"
DOWNLOADED: Final = "downloaded"
DOCSET: Final = "docset"
SITE: Final = "site"
"""The source of a package: only the installed copy, also the artefact in the public registry, a docset, or a documentation site."""
BYTES_ON_DISK: Final = 13  # Disk space per byte of text, with vectors.
ALIAS: Final = "alias"  # The kind of a symbol that is another name of a symbol.
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}#?]")
_PYPI_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


class Ecosystem(StrEnum):
    """Package registries, by their names in package URLs, and docsets of unknown origin."""

    PYPI = "pypi"
    NPM = "npm"
    CARGO = "cargo"
    GOLANG = "golang"
    GEM = "gem"
    COMPOSER = "composer"
    DOCSET = "docset"


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """One version of a package. The name is canonical in its ecosystem."""

    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.ecosystem}/{self.name}@{self.version}"

    @property
    def shown(self) -> str:
        """Name and version for results."""
        return f"{self.name} {'(version not stated)' if self.version == NOT_STATED else self.version}"

    @property
    def root(self) -> str:
        """The first part of the tags of its pages."""
        return f"{self.name}@{self.version}".replace("/", "+")

    @property
    def address(self) -> str:
        """The beginning of the addresses of its pages, with a slash at the end."""
        return f"{PACKAGE_SCHEME}{self.ecosystem}/{quote(self.root, safe='@+')}/"


@dataclass(frozen=True, slots=True)
class PackageName:
    """The name of a package in a request. Empty parts are open."""

    name: str
    version: str = ""
    ecosystem: str = ""

    def __str__(self) -> str:
        prefix = f"{self.ecosystem}/" if self.ecosystem else ""
        return f"{prefix}{self.name}" + (f"@{self.version}" if self.version else "")


@dataclass(frozen=True, slots=True)
class StoredPackage:
    """A package whose pages are in the library. `source` names where they come from; unscoped searches use only current versions.
    `is_complete` is False while its pages are being stored, or if that was interrupted. `is_used`: a known project uses this version.
    `api` and `changes` count its pages of signatures and of release notes, `symbols` its names.
    """

    id: int
    package: Package
    source: str
    is_current: bool
    pages: int
    characters: int
    added_at: float
    asked_at: float
    is_complete: bool
    is_used: bool
    api: int = 0
    changes: int = 0
    symbols: int = 0

    @property
    def disk_bytes(self) -> int:
        """The estimated disk space."""
        return self.characters * BYTES_ON_DISK


@dataclass(frozen=True, slots=True)
class StoredProject:
    """A project whose lock files were read at `read_at`. `packages` counts its packages, `documented` those with stored pages."""

    root: str
    read_at: float
    packages: int
    documented: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that a package defines or its documentation describes: `flask.Flask.route`, by its shortest public path.

    `summary` is the beginning of its docstring, `file` the path in the package, `page` the address of its documentation, with an anchor if
    that is known. `leads_to` names the bases of a class, or what an alias (kind ALIAS) stands for. Unknown texts are empty, lines 0.
    """

    name: str
    kind: str
    signature: str = ""
    summary: str = ""
    file: str = ""
    line: int = 0
    page: str = ""
    leads_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SymbolsFound:
    """The symbols that a name means, with their packages, shortest names first; `count` counts all of them.

    If there are none, `nearest` are similar names, and `outside` bases of the named class in packages that are not stored.
    """

    found: tuple[tuple[Package, Symbol], ...]
    nearest: tuple[str, ...] = ()
    count: int = 0
    outside: tuple[str, ...] = ()


class UnknownPackageError(InvalidArgumentError):
    """The library has no pages of this package in this version, or the name is ambiguous."""

    title = "Package not available"


def canonical_name(ecosystem: str, name: str) -> str:
    """Return the name as its registry compares it."""
    if ecosystem == Ecosystem.PYPI:
        return re.sub(r"[-_.]+", "-", name).lower()
    return name.lower() if ecosystem in (Ecosystem.COMPOSER, Ecosystem.DOCSET) else name


def package_of(ecosystem: str, name: object, version: object) -> Package | None:
    """Return the package, or None unless name and version are short plain text."""
    if not isinstance(name, str) or not isinstance(version, str):
        return None
    named, numbered = canonical_name(ecosystem, name.strip()), version.strip()
    if not named or not numbered or len(named) + len(numbered) > caps.MAX_PACKAGE_NAME_CHARS:
        return None
    if ecosystem == Ecosystem.PYPI and not _PYPI_NAME.fullmatch(named):
        return None
    if _UNSAFE.search(named + numbered) or ".." in named.split("/") or not (named + numbered).isprintable():
        return None
    return Package(ecosystem, named, numbered) if "@" not in numbered and "/" not in numbered else None


def name_of(text: str) -> PackageName:
    """Read `flask`, `flask@3.1.3`, `npm:react`, `pypi/flask@3.1.3` or `pypi:flask==3.1.3`. Raises InvalidArgumentError."""
    plain = text.strip().removeprefix(f"{PACKAGE_LABEL}:").replace("==", "@")
    ecosystem = next((each for each in Ecosystem if plain.lower().startswith((f"{each}:", f"{each}/"))), "")
    plain = plain[len(ecosystem) + 1 :] if ecosystem else plain
    scope, rest = (plain[0], plain[1:]) if plain.startswith("@") else ("", plain)
    name, _, version = rest.partition("@")
    if not name or len(text) > caps.MAX_PACKAGE_NAME_CHARS or _UNSAFE.search(plain):
        hint = "Write flask, flask@3.1.3 or pypi/flask@3.1.3."
        raise InvalidArgumentError(sentence("{} is not the name of a package.", repr(text[:80])), hint=hint)
    return PackageName(
        canonical_name(ecosystem, f"{scope}{name}"), version.strip().removeprefix("=").strip(), ecosystem
    )


def package_at(address: str) -> Package | None:
    """Return the package of a page's address."""
    ecosystem, _, rest = address.removeprefix(PACKAGE_SCHEME).partition("/")
    name, _, version = unquote(rest.partition("/")[0]).rpartition("@")
    return package_of(ecosystem, name.replace("+", "/"), version) if address.startswith(PACKAGE_SCHEME) else None


def unknown_package(wanted: PackageName, versions: list[Package], names: list[str]) -> UnknownPackageError:
    """Return the error for a package that is not stored; `versions` are stored ones of this name, `names` similar names."""
    add = sentence("Add it: {} or {}.", f'ingest(library="{wanted}")', f"webrag packages add {wanted}")
    if versions and wanted.version:
        full = Package(versions[0].ecosystem, wanted.name, wanted.version)
        add = sentence("Add it: {} or {}.", f'ingest(library="{full}")', f"webrag packages add {full} --download")
    if versions:
        stored = listing(map(str, versions))
        return UnknownPackageError(
            sentence("The library does not contain {}. It contains {}.", str(wanted), stored),
            hint=sentence("Name one of these versions. {}", add),
        )
    near = sentence("Similar names: {}.", listing(names)) if names else ""
    return UnknownPackageError(
        sentence("The library does not contain the documentation of {}.", str(wanted)),
        hint=sentence("{} {}", add, near) if near else add,
    )


def ambiguous_package(wanted: PackageName, versions: list[Package]) -> UnknownPackageError:
    """Return the error for a name that several packages have, or several versions that projects use."""
    return UnknownPackageError(
        sentence("{} can mean {}.", str(wanted), listing(map(str, versions))),
        hint="Name one of them, with its version.",
    )
