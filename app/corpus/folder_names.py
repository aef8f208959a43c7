"""Names of folders: plain, short, and each of them once."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count
from pathlib import PurePath
from typing import Final

from app import caps
from app.errors import InvalidArgumentError

GUIDE: Final = "guide"
"""The name of the bundled guide beside the folders."""
RESERVED: Final = frozenset({GUIDE, "files"})

_UNUSABLE: Final = re.compile(r"[^\w.+-]+")


def default_name(path: str, taken: Collection[str]) -> str:
    """The last part of the path as a plain name; with the part before it, then with a number, where that is taken."""
    parts = [plain for part in PurePath(path).parts if (plain := _plain(part))]
    own = parts[-1] if parts else "folder"
    used = {name.casefold() for name in taken} | RESERVED
    choices = [own, *(_plain(f"{parent}-{own}") for parent in parts[-2:-1])]
    free = next((name for name in choices if name.casefold() not in used), None)
    return free or next(name for n in count(2) if (name := f"{own}-{n}").casefold() not in used)


def checked_name(name: str, taken: Collection[str]) -> str:
    """The name as it may be given to a folder; raises InvalidArgumentError."""
    plain = _plain(name)
    if not plain or plain != name.strip():
        hint = (
            "Use letters, digits, dots, dashes and underscores, at most " + f"{caps.MAX_FOLDER_NAME_CHARS} characters."
        )
        raise InvalidArgumentError(f"{name[: caps.MAX_FOLDER_NAME_CHARS]!r} is no name for a folder.", hint=hint)
    if plain.casefold() in RESERVED:
        raise InvalidArgumentError(f"The name {plain} belongs to WebRAG itself.", hint="Choose another name.")
    if plain.casefold() in {other.casefold() for other in taken}:
        raise InvalidArgumentError(
            f"Another folder has the name {plain}.", hint="`webrag folder list` shows all names."
        )
    return plain


def _plain(text: str) -> str:
    return _UNUSABLE.sub("-", text)[: caps.MAX_FOLDER_NAME_CHARS].strip(".-")
