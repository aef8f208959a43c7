"""What the readers of lock files share: records, public registries, the folder of a lock file, and careful access to parsed values."""

from __future__ import annotations

import codecs
import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from app import caps
from app.containment import is_skipped, open_plain
from app.errors import FileAccessError
from app.library.packages import Ecosystem, Package
from app.paths import asset_table
from app.serialise import read_toml
from app.text.sentence import sentence


class LockFileError(FileAccessError):
    """A lock file is too large or has another format."""

    title = "Lock file not readable"
    default_hint = "Create the file again with its package manager."


@dataclass(frozen=True, slots=True)
class Used:
    """A package that a project uses.

    `index` is the address of a private index, or of another origin than the public registry: such a name is never sent anywhere. `digest`
    is the hash of the artefact (`sha256:HEX` or npm's `sha512-BASE64`), `url` its address, `size` its bytes, all as in the lock file.
    `installed` is the folder of the installed copy. `is_locked` is False if only the installed copy is known.
    """

    package: Package
    is_direct: bool = False
    index: str = ""
    digest: str = ""
    url: str = ""
    installed: str = ""
    size: int = 0
    is_locked: bool = True


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with lock files or an installed environment. `notes` say what could not be read or differs."""

    root: str
    files: tuple[str, ...]
    packages: tuple[Used, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackagePage:
    """A page of a package: its path below the package (`docs/cli.rst`), its content and media type."""

    path: str
    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Registry:
    """A public registry: its address, the hosts of its entries in lock files, and the hosts of its archives."""

    address: str
    hosts: frozenset[str]
    archives: frozenset[str]


@cache
def registry_of(ecosystem: Ecosystem) -> Registry:
    """Return the public registry of an ecosystem. Raises KeyError for ecosystems whose registry is never asked."""
    found = asset_table("registries.toml")[ecosystem]
    return Registry(found["address"], frozenset(found["hosts"]), frozenset(found["archives"]))


def is_public(ecosystem: Ecosystem, address: str) -> bool:
    """Whether an address in a lock file belongs to the public registry."""
    try:
        return urlsplit(address).hostname in registry_of(ecosystem).hosts
    except ValueError:
        return False


T = TypeVar("T")

MAX_MANIFESTS: Final = 500
UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
"""What parsers raise for a damaged file."""


@dataclass(frozen=True, slots=True)
class Locked:
    """An entry of a lock file; name and version are not checked yet. See `Used` for the other fields."""

    name: object
    version: object
    is_direct: bool
    index: str = ""
    digest: str = ""
    url: str = ""
    size: object = 0


class Folder:
    """The folder of a lock file, with the manifests next to it. Reads regular files only, never through links."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def text(self, name: str) -> str:
        """Return the text of a regular file. Raises FileAccessError, LockFileError if it is too large."""
        body = read_bytes(self.path / name, caps.MAX_LOCK_FILE_BYTES)
        # PowerShell writes what it redirects to a file in UTF-16.
        encoding = "utf-16" if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
        return body.decode(encoding, "replace").removeprefix("\ufeff")

    def toml(self, name: str) -> Any:
        """Return a TOML manifest, or None if it is missing or damaged."""
        return self._parsed(name, read_toml)

    def json(self, name: str) -> Any:
        """Return a JSON manifest, or None if it is missing or damaged."""
        return self._parsed(name, json.loads)

    def _parsed(self, name: str, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(self.text(name))
        except (FileAccessError, *UNREADABLE):
            return None

    def optional_text(self, name: str) -> str | None:
        """Return the text of a file, or None if it is missing or too large."""
        try:
            return self.text(name)
        except FileAccessError:
            return None

    def manifests(self, name: str) -> list[str]:
        """Return the paths of manifests with this name, here and up to two folders below, at most MAX_MANIFESTS."""
        patterns = (name, f"*/{name}", f"*/*/{name}")
        found = (path.relative_to(self.path) for pattern in patterns for path in self.path.glob(pattern))
        own = (path for path in found if not any(is_skipped(part) for part in path.parts))
        return [path.as_posix() for path in islice(own, MAX_MANIFESTS)]


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file. Raises FileAccessError, LockFileError if it is too large."""
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                hint = "Choose another project folder."
                raise FileAccessError(sentence("{} is not a regular file.", path), hint=hint)
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        hint = "Check that you have permission to read it."
        raise FileAccessError(sentence("{} cannot be read ({}).", path, reason), hint=hint) from error
    if len(content) > most:
        raise LockFileError(sentence("{} is larger than {} MiB.", path, most // caps.MIB))
    return content


def table(value: object) -> dict[str, Any]:
    """Return a table, or an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def entries(value: object, kind: type[T]) -> list[T]:
    """Return the entries of a list that have a type."""
    return [each for each in value if isinstance(each, kind)] if isinstance(value, list) else []
