"""The records of this package: used packages, projects, and pages of a package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import FileAccessError

if TYPE_CHECKING:
    from app.library.packages import Package


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
