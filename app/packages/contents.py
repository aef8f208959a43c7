"""Find the documentation in a copy of a package: README, docs, signatures with docstrings, release notes."""

from __future__ import annotations

import email.parser
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias
from urllib.parse import quote

from app import caps
from app.containment import contained
from app.errors import FileAccessError
from app.library.packages import CHANGES, Ecosystem, Package, Symbol
from app.packages.manifests import PackagePage, read_bytes
from app.packages.python_api import Module, module_name, module_page, read_module
from app.packages.python_names import python_symbols
from app.packages.typescript_api import declarations_page, declared_symbols, read_declarations

log = logging.getLogger(__name__)

DOC_FOLDERS: Final = frozenset({"doc", "docs", "documentation", "guide", "guides"})
DOC_TYPES: Final = {
    **dict.fromkeys((".md", ".mdx", ".markdown"), "text/markdown"),
    ".rst": "text/x-rst", ".adoc": "text/asciidoc", ".txt": "text/plain",
}  # fmt: skip
_PASSED_OVER: Final = frozenset(
    {"node_modules", "tests", "test", "vendor", "_vendor", "_build", "__pycache__", "locale", "locales", "translations"}
)
_CHANGES: Final = re.compile(r"releas|chang|whats?-?_?new|news|histor|migrat|upgrad")
_RESTRUCTURED: Final = re.compile(r"^(?:\.\. [\w:-]+::|={4,}|-{4,}|~{4,})", re.MULTILINE)
_REQUIREMENTS: Final = re.compile(
    r"requirements|licen[sc]e|copying|authors|contribut|code_of_conduct|security|spelling"
)
_OTHER_COMPILER: Final = re.compile(r"(?:^|/)ts\d+\.\d+/")  # The same declarations for earlier compilers.
Read: TypeAlias = Callable[[str], bytes]  # Returns the content of a file. Raises FileAccessError.
SHARE_OF_SOURCE: Final = 0.25  # The usual share of signatures and docstrings in the source of a library.
_SIGNS_LOOKED_AT: Final = 4_000


@dataclass(frozen=True, slots=True)
class Found:
    """What a copy holds: pages by kind, and symbols. `is_cut`: it holds more than the limits allow."""

    docs: tuple[PackagePage, ...] = ()
    api: tuple[PackagePage, ...] = ()
    changes: tuple[PackagePage, ...] = ()
    is_cut: bool = False
    symbols: tuple[Symbol, ...] = ()

    @property
    def pages(self) -> tuple[PackagePage, ...]:
        """All pages; prose first, so that it is embedded first."""
        return (*self.docs, *self.api, *self.changes)

    @property
    def size(self) -> int:
        """The size of all pages."""
        return sum(len(page.content) for page in self.pages)


@dataclass(slots=True)
class _Taken:
    """Pages within the limits of a package."""

    docs: dict[str, PackagePage] = field(default_factory=dict)
    api: dict[str, PackagePage] = field(default_factory=dict)
    changes: dict[str, PackagePage] = field(default_factory=dict)
    size: int = 0
    described: int = 0
    is_cut: bool = False
    modules: list[Module] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    declared: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, pages: dict[str, PackagePage], path: str, content: bytes, media_type: str) -> None:
        count = len(self.docs) + len(self.api) + len(self.changes)
        if count >= caps.MAX_PACKAGE_PAGES or self.size + len(content) > caps.MAX_PACKAGE_BYTES:
            self.is_cut = True
        elif path not in pages and content.strip():
            pages[path] = PackagePage(path, content, media_type)
            self.size += len(content)

    def found(self, package: Package) -> Found:
        addresses = {module.name: self.address(package, f"api/{module.name}") for module in self.modules}
        symbols = (*python_symbols(self.modules, addresses), *self.symbols)
        docs, api, changes = (tuple(kind.values()) for kind in (self.docs, self.api, self.changes))
        return Found(docs, api, changes, self.is_cut, symbols)

    def address(self, package: Package, path: str) -> str:
        """Return the address of a page of signatures; empty if the page is not taken."""
        return f"{package.address}{quote(path)}" if path in self.api else ""


def installed_contents(package: Package, place: Path) -> Found:
    """Return what the copy in a folder holds, of a Python package in its `.dist-info` folder. Raises FileAccessError."""
    if package.ecosystem != Ecosystem.PYPI:
        return contents_of(package, dict(walk(place)), partial(read_in, place))
    metadata = read_bytes(place / "METADATA", caps.MAX_PACKAGE_FILE_BYTES)
    return contents_of(package, dict(_recorded(place)), partial(read_in, place.parent), metadata=metadata)


def installed_size(package: Package, place: Path) -> int:
    """Estimate the bytes of the pages that `installed_contents` returns, without reading modules. Raises FileAccessError."""
    is_python = package.ecosystem == Ecosystem.PYPI
    files = _recorded(place) if is_python else walk(place)
    suffixes = (".py", ".pyi", ".d.ts") if is_python else (".d.ts", ".d.mts", ".d.cts")
    size = 0.0
    for path, bytes_ in files:
        suffix = PurePosixPath(path).suffix.lower()
        size += bytes_ * (SHARE_OF_SOURCE if path.endswith(suffixes) else suffix in DOC_TYPES)
    return int(size)


def read_in(root: Path, path: str, most: int = caps.MAX_PACKAGE_FILE_BYTES) -> bytes:
    """Return a file of a package. Never reads through a link that leads out of the folder. Raises FileAccessError."""
    return read_bytes(contained(root, path, is_listed=True), most)


def contents_of(
    package: Package,
    sizes: Mapping[str, int],
    read: Read,
    *,
    metadata: bytes = b"",
    types: Mapping[str, str] = DOC_TYPES,
) -> Found:
    """Return the pages of files by path with "/". `types`: of prose by suffix. `metadata`: METADATA or PKG-INFO, with the README."""
    taken = _Taken()
    if metadata:
        head, _, body = metadata.replace(b"\r\n", b"\n").partition(b"\n\n")
        fields = email.parser.HeaderParser().parsestr(head.decode("utf-8", "replace"))
        content = body or str(fields.get("Description") or "").encode()
        kind = str(fields.get("Description-Content-Type") or "").partition(";")[0].strip().lower()
        taken.add(taken.docs, "docs/README", content, kind if kind in ("text/markdown", "text/plain") else "text/x-rst")
    for path in sorted(sizes, key=lambda path: (path.count("/"), path)):
        if sizes[path] <= caps.MAX_PACKAGE_FILE_BYTES:
            try:
                _take_doc(path, read, taken, types)
            except FileAccessError as error:
                log.info("a file of a package is passed over: %s", error)
    for path in sorted(sizes):
        if taken.described < caps.MAX_API_SYMBOLS and sizes[path] <= caps.MAX_PACKAGE_FILE_BYTES:
            try:
                _take_api(package, path, sizes, read, taken)
            except FileAccessError as error:
                log.info("a module of a package is passed over: %s", error)
    return taken.found(package)


def _take_doc(path: str, read: Read, taken: _Taken, types: Mapping[str, str]) -> None:
    pure = PurePosixPath(path)
    media_type = types.get(pure.suffix.lower())
    folders, name = pure.parts[:-1], pure.stem.lower()
    if media_type is None or _PASSED_OVER & {part.lower() for part in folders} or _REQUIREMENTS.search(name):
        return
    inside = next((place for place, part in enumerate(folders[:2]) if part.lower() in DOC_FOLDERS), None)
    is_readme = name.startswith("readme") and not folders
    is_change = _CHANGES.search("/".join((*folders[inside or 0 :], name)).lower()) is not None
    if inside is None and not is_readme and not (is_change and not folders):
        return
    content = read(path)
    if media_type == "text/plain" and _RESTRUCTURED.search(content[:_SIGNS_LOOKED_AT].decode("utf-8", "replace")):
        media_type = "text/x-rst"
    rest = PurePosixPath(*folders[inside + 1 :] if inside is not None else (), pure.stem).as_posix()
    if is_change:
        taken.add(taken.changes, f"{CHANGES}/{rest}", content, media_type)
    elif not (is_readme and "docs/README" in taken.docs):
        taken.add(taken.docs, f"docs/{rest}", content, media_type)


def _take_api(package: Package, path: str, sizes: Mapping[str, int], read: Read, taken: _Taken) -> None:
    if package.ecosystem == Ecosystem.PYPI and path.endswith((".py", ".pyi")):
        if path.endswith(".pyi") and path[:-1] in sizes:
            return
        path_there = path.removeprefix("src/").removeprefix("lib/")
        name = module_name(path_there)
        module = read_module(read(path), name, path_there) if name else None
        if module is None:
            return
        taken.modules.append(module)
        if (made := module_page(module)) is not None:
            text, media_type, count = made
            taken.described += count
            taken.add(taken.api, f"api/{name}", text.encode(), media_type)
    elif package.ecosystem == Ecosystem.NPM and path.endswith((".d.ts", ".d.mts", ".d.cts")):
        stem = path.rsplit(".d.", 1)[0]
        is_twin = (not path.endswith(".d.ts") and f"{stem}.d.ts" in sizes) or _OTHER_COMPILER.search(path)
        if is_twin or _PASSED_OVER & set(path.split("/")):
            return
        # Builds for development, production and other targets repeat each other.
        found = read_declarations(read(path).decode("utf-8", "replace"))
        own = {(each.kind, each.name, each.signature, each.text): each for each in found}
        declarations = [each for content, each in own.items() if content not in taken.declared]
        taken.declared.update(own)
        taken.described += len(declarations)
        if (page := declarations_page(declarations, f"{package.name}/{stem}")) is not None:
            taken.add(taken.api, f"api/{stem}", page.encode(), "text/markdown")
        taken.symbols += declared_symbols(declarations, path, taken.address(package, f"api/{stem}"))
    elif package.ecosystem == Ecosystem.CARGO and path.startswith("src/") and path.endswith(".rs"):
        lines = read(path).decode("utf-8", "replace").splitlines()
        comment = "\n".join(line[3:].removeprefix(" ") for line in lines if line.startswith("//!"))
        taken.add(taken.api, f"api/{path[4:-3]}", comment.encode(), "text/markdown")


def _recorded(place: Path) -> Iterator[tuple[str, int]]:
    """Yield the files that a Python distribution lists, with their sizes, without those outside of site-packages."""
    lines = read_bytes(place / "RECORD", caps.MAX_LOCK_FILE_BYTES).decode("utf-8", "replace").splitlines()
    for line in lines[: caps.MAX_UNPACKED_MEMBERS]:
        path = line.rsplit(",", 2)[0].strip('"')
        suffix = PurePosixPath(path).suffix.lower()
        if suffix in DOC_TYPES or suffix in (".py", ".pyi"):
            try:
                yield path, contained(place.parent, path, is_listed=True).stat().st_size
            except (OSError, FileAccessError):
                continue


def walk(root: Path) -> Iterator[tuple[str, int]]:
    """Yield the files of a package in `node_modules`, without packages inside it. Follows no links."""
    waiting, seen = [""], 0
    while waiting and seen < caps.MAX_UNPACKED_MEMBERS:
        prefix = waiting.pop()
        try:
            with os.scandir(root / prefix) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            seen += 1
            path = f"{prefix}{entry.name}"
            is_read = entry.name not in _PASSED_OVER and prefix.count("/") < caps.MAX_FOLDER_DEPTH
            if is_read and entry.is_dir(follow_symlinks=False):
                waiting.append(f"{path}/")
            elif entry.is_file(follow_symlinks=False):
                yield path, entry.stat(follow_symlinks=False).st_size
