"""Docsets of Dash, Zeal and doc2dash: HTML pages of one version of a package, and an index of names. Links are not followed."""

from __future__ import annotations

import json
import os
import plistlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import quote, unquote
from xml.parsers.expat import ExpatError

from app import caps
from app.corpus.docsets import read_docset_index
from app.errors import FileAccessError
from app.library.packages import NOT_STATED, Ecosystem, Package, PackageName, Symbol, canonical_name, package_of
from app.packages.archives import open_archive
from app.packages.contents import Found, contents_of, read_in, walk
from app.packages.manifests import UNREADABLE, read_bytes, table
from app.text.sentence import sentence

INFO: Final = "Contents/Info.plist"
INDEX: Final = "Contents/Resources/docSet.dsidx"
DOCUMENTS: Final = "Contents/Resources/Documents/"
META: Final = "meta.json"
HTML: Final = {".html": "text/html", ".htm": "text/html"}
MAX_DOCSETS: Final = 500
_GENERATED: Final = re.compile(r"(?:^|/)(?:_static|_sources|_modules|genindex\S*|py-modindex|search)(?:/|\.html$)")
_UNNAMED: Final = re.compile(r"[^\w.+-]+")
_ENTRY: Final = re.compile(r"<dash_entry_[^<>]*>")
_HEADINGS: Final = frozenset({"guide", "section", "sample", "resource", "entry", "word"})
"""Types of entries that are not names in code."""


@dataclass(frozen=True, slots=True)
class FoundDocset:
    """A docset on this computer."""

    package: Package
    path: str


@dataclass(frozen=True, slots=True)
class _Docset:
    """The files of a docset by path; `sizes` are those of its HTML pages, below DOCUMENTS."""

    name: str
    sizes: Mapping[str, int]
    read: Callable[[str], bytes]

    def identity(self) -> Package:
        """Return name and version as the docset states them. Raises FileAccessError."""
        info, meta = self._fields(INFO, plistlib.loads), self._fields(META, json.loads)
        if not info:
            hint = "Choose a folder NAME.docset, or its .tgz file."
            raise FileAccessError(sentence("{} is not a docset.", self.name), hint=hint)
        names = (meta.get("name"), info.get("CFBundleName"), info.get("CFBundleIdentifier"), self.name)
        versions = (meta.get("version"), info.get("CFBundleShortVersionString"), info.get("CFBundleVersion"))
        numbers = [str(each).partition("/")[0].strip() for each in versions if each]
        for name in (_UNNAMED.sub("-", str(each)).strip("-").lower() for each in names if each):
            for version in (*numbers, NOT_STATED):
                if (package := package_of(Ecosystem.DOCSET, name, version)) is not None:
                    return package
        raise FileAccessError(sentence("{} has no name.", self.name), hint="Download the docset again.")

    def _fields(self, path: str, parse: Callable[[bytes], Any]) -> Mapping[str, Any]:
        try:
            return table(parse(self.read(path)))
        except (FileAccessError, plistlib.InvalidFileException, ExpatError, *UNREADABLE):
            return {}


def read_docset(path: Path, wanted: PackageName | None = None) -> tuple[Package, Found]:
    """Return the package and what it holds; as `wanted` if the docset states that version. Raises FileAccessError, ArchiveError."""
    docset = _archived(path) if path.is_file() else _installed(path)
    package = docset.identity() if wanted is None else _named(docset.identity(), wanted)
    found = contents_of(
        package, docset.sizes, lambda each: docset.read(f"{DOCUMENTS}{each[len('docs/') :]}"), types=HTML
    )
    if not found.pages:
        raise FileAccessError(
            sentence("{} does not contain pages.", docset.name),
            hint="WebRAG cannot read compressed docsets of Dash. Choose the .tgz file of the docset.",
        )
    stored = {page.path.partition("/")[2]: page.path for page in found.pages}
    symbols = []
    for name, kind, place in read_docset_index(docset.read(INDEX)):
        file, _, anchor = _ENTRY.sub("", place).partition("#")
        page = stored.get(PurePosixPath(unquote(file)).with_suffix("").as_posix() if file else "")
        if page is not None and kind.lower() not in _HEADINGS:
            address = f"{package.address}{quote(page)}" + (f"#{anchor}" if anchor else "")
            symbols.append(Symbol(name, kind.lower(), page=address))
    return package, replace(found, symbols=tuple(symbols))


def docsets_here() -> list[FoundDocset]:
    """Return the docsets in the folders of Zeal and Dash."""
    home = Path.home()
    data = Path(os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    dash = home / "Library" / "Application Support" / "Dash"
    patterns = ((data / "Zeal" / "Zeal" / "docsets", "*.docset"), (dash, "*/*.docset"), (dash, "*/*/*.docset"))
    paths = chain.from_iterable(sorted(folder.glob(pattern)) for folder, pattern in patterns)
    found = []
    for path in islice(paths, MAX_DOCSETS):
        try:
            found.append(FoundDocset(_installed(path, with_pages=False).identity(), str(path)))
        except FileAccessError:
            continue
    return found


def _named(stated: Package, wanted: PackageName) -> Package:
    """Return the stated version under the wanted name. Raises FileAccessError if another version is wanted."""
    if wanted.version and wanted.version.removeprefix("v") != stated.version.removeprefix("v"):
        raise FileAccessError(
            sentence("The docset is {}, not {}.", stated.shown, wanted.version),
            hint="Add it without a version, or choose the docset of this version.",
        )
    ecosystem = wanted.ecosystem or Ecosystem.DOCSET
    return Package(ecosystem, canonical_name(ecosystem, wanted.name), stated.version)


def _installed(path: Path, *, with_pages: bool = True) -> _Docset:
    def read(name: str) -> bytes:
        return read_in(path, name, caps.MAX_LOCK_FILE_BYTES if name == INDEX else caps.MAX_PACKAGE_FILE_BYTES)

    return _Docset(path.stem, _pages(dict(walk(path / DOCUMENTS)) if with_pages else {}), read)


def _archived(path: Path) -> _Docset:
    files = open_archive(read_bytes(path, caps.MAX_PACKAGE_BYTES), _is_needed).files

    def read(name: str) -> bytes:
        if name not in files:
            raise FileAccessError(sentence("{} is missing.", name), hint="Download the docset again.")
        return files[name]

    sizes = {name[len(DOCUMENTS) :]: len(body) for name, body in files.items() if name.startswith(DOCUMENTS)}
    return _Docset(path.name.partition(".")[0], _pages(sizes), read)


def _is_needed(name: str, size: int) -> bool:
    path = name.removeprefix("./").partition("/")[2]
    if path in (INFO, META, INDEX):
        return size <= caps.MAX_LOCK_FILE_BYTES
    return path.lower().endswith(tuple(HTML)) and size <= caps.MAX_PACKAGE_FILE_BYTES


def _pages(sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the pages that people wrote, below a folder of documentation."""
    return {
        f"docs/{path}": size
        for path, size in sizes.items()
        if path.lower().endswith(tuple(HTML)) and not _GENERATED.search(path)
    }
