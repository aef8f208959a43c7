"""Resolve paths that must stay inside a folder, and open plain files without following links."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from app import caps
from app.errors import FileAccessError
from app.text.sentence import sentence

_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)
"""Names that Windows treats as devices, with any suffix."""
_REFUSED: Final = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
"""Control characters, and characters for separators, drives, streams or patterns on some system."""
_HINT: Final = 'Enter the path relative to the folder, with "/" between the parts, such as guide/install.md.'
SKIPPED_FOLDERS: Final = frozenset({"node_modules", "__pycache__"})


def contained(root: Path, relative: str, *, is_listed: bool = False) -> Path:
    """Return the resolved path of a file named relative to `root`, with "/" between the parts.

    All systems refuse the same names: "..", absolute paths, drive letters, network paths, backslashes, streams, device names, and parts
    that end in a dot or a space. On POSIX, names from a directory listing (`is_listed`) can have any other characters. Links are followed
    only to targets inside the folder. Raises FileAccessError.
    """
    if not relative or len(relative) > caps.MAX_URL_CHARS:
        raise FileAccessError(sentence("The path is empty or too long."), hint=_HINT)
    for part in relative.split("/"):
        if part in ("", ".", ".."):
            raise FileAccessError(sentence("{} is not a plain path inside the folder.", _shown(relative)), hint=_HINT)
        if not (is_listed and os.name == "posix"):
            if (
                _REFUSED.search(part)
                or part.endswith((".", " "))
                or any("\ud800" <= character <= "\udfff" for character in part)
            ):
                raise FileAccessError(
                    sentence("{} contains characters that are not allowed in a path.", _shown(relative)), hint=_HINT
                )
            if part.partition(".")[0].rstrip(" ").lower() in _RESERVED:
                raise FileAccessError(
                    sentence("{} is the name of a device, not of a file.", _shown(relative)), hint=_HINT
                )
    try:
        base = root.resolve()
        path = (base / relative).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(sentence("Cannot find {} ({}).", _shown(relative), error)) from error
    if not is_inside(base, path):
        raise FileAccessError(sentence("{} leads out of the folder {}.", _shown(relative), base))
    return path


def is_inside(base: Path, path: Path) -> bool:
    """Whether a resolved path is the resolved folder or is inside it."""
    return path == base or base in path.parents


def is_skipped(name: str) -> bool:
    """Whether to skip files and folders with this name: hidden ones, and those without documents."""
    return name.startswith((".", "~$")) or name in SKIPPED_FOLDERS


def open_plain(path: Path) -> int:
    """Return a descriptor for reading the file itself. Does not follow links, and does not block on pipes. Raises OSError."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags)


def _shown(relative: str) -> str:
    return ascii(relative[: caps.MAX_ARGUMENT_CHARS_SHOWN])
