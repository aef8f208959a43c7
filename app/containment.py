"""Paths that stay inside a folder, whatever path is given, and plain files opened without following links."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from app import caps
from app.errors import FileAccessError

_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)
"""Names that Windows takes for devices, whatever suffix follows."""
_REFUSED: Final = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
"""Control characters, and what means a separator, a drive, a stream or a pattern on some system."""
_HINT: Final = 'Give the path relative to the folder, with "/" between the parts, such as guide/install.md.'
SKIPPED_FOLDERS: Final = frozenset({"node_modules", "__pycache__"})


def contained(root: Path, relative: str, *, is_listed: bool = False) -> Path:
    """The resolved path of a file named relative to `root`, with "/" between the parts.

    The same names are refused on every system: "..", absolute paths, drive letters, network paths, backslashes, streams, names of devices,
    and parts that end in a dot or a space. Only names that this very system listed (`is_listed`) may hold whatever it lets names hold.
    A link is followed only to a place inside. Raises FileAccessError.
    """
    if not relative or len(relative) > caps.MAX_URL_CHARS:
        raise FileAccessError("The path is empty or too long.")
    for part in relative.split("/"):
        if part in ("", ".", ".."):
            raise FileAccessError(f"{_shown(relative)} is not a plain path inside the folder.", hint=_HINT)
        if not (is_listed and os.name == "posix"):
            if (
                _REFUSED.search(part)
                or part.endswith((".", " "))
                or any("\ud800" <= character <= "\udfff" for character in part)
            ):
                raise FileAccessError(
                    f"{_shown(relative)} holds characters that are not allowed in a path.", hint=_HINT
                )
            if part.partition(".")[0].rstrip(" ").lower() in _RESERVED:
                raise FileAccessError(f"{_shown(relative)} names a device, not a file.", hint=_HINT)
    try:
        base = root.resolve()
        path = (base / relative).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(f"{_shown(relative)} cannot be found: {error}") from error
    if not is_inside(base, path):
        raise FileAccessError(f"{_shown(relative)} leads out of the folder {base}.")
    return path


def is_inside(base: Path, path: Path) -> bool:
    """Whether a resolved path is the resolved folder or lies below it."""
    return path == base or base in path.parents


def is_skipped(name: str) -> bool:
    """Whether folders are read without files and folders of this name: hidden ones, and those that hold no documents."""
    return name.startswith((".", "~$")) or name in SKIPPED_FOLDERS


def open_plain(path: Path) -> int:
    """A descriptor for reading the file itself, never of what a link leads to; a pipe does not block. Raises OSError."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags)


def _shown(relative: str) -> str:
    return ascii(relative[: caps.MAX_ARGUMENT_CHARS_SHOWN])
