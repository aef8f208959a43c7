"""The Markdown files of a folder: what is a page, and nothing that leads out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app import caps
from app.containment import contained, is_skipped, open_plain
from app.errors import FileAccessError

MAX_DOCSET_BYTES: Final = 256 * caps.MIB

SUFFIXES: Final = (".md", ".markdown", ".mdx")


@dataclass(slots=True)
class Walk:
    """Files by their path relative to the folder, each with the time of its last change in nanoseconds and its size.

    `too_large` counts files over the cap, `unnamed` those whose name is no text, `unread` folders that cannot be listed. `is_cut` says
    that there are more files, or deeper ones, than are taken; `is_empty` that the folder holds nothing whatever.
    """

    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    bytes: int = 0
    too_large: int = 0
    unnamed: int = 0
    unread: list[str] = field(default_factory=list)
    is_cut: bool = False
    is_empty: bool = True


def walk(root: Path) -> Walk:
    """The pages of a folder in the order of its names. Links and hidden files are passed over. Raises FileAccessError."""
    found = Walk()
    try:
        is_itself = root.resolve() == root and root.is_dir()
    except (OSError, RuntimeError) as error:
        raise FileAccessError(f"The folder {root} cannot be read at the moment.") from error
    if is_itself:
        _descend(root, "", 0, found)
    if not is_itself or "" in found.unread:
        raise FileAccessError(f"The folder {root} cannot be read at the moment.")
    return found


def read_page(root: Path, path: str) -> bytes:
    """The content of a file that the walk met; raises FileAccessError when it is no plain file of the folder any more."""
    if contained(root, path, is_listed=True) != root / path:
        raise FileAccessError(f"{path} is no plain file of the folder any more.")
    try:
        with os.fdopen(open_plain(root / path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileAccessError(f"{path} is not a file.")
            return file.read(caps.MAX_DOC_PAGE_BYTES)
    except (OSError, ValueError) as error:
        raise FileAccessError(f"{path} cannot be read.") from error


def _descend(folder: Path, prefix: str, depth: int, found: Walk) -> None:
    for entry in _entries(folder, prefix, found):
        found.is_empty = False
        if is_skipped(entry.name):
            continue
        if len(found.files) >= caps.MAX_DOC_PAGES or found.bytes >= MAX_DOCSET_BYTES:
            found.is_cut = True
            return
        try:
            _take(entry, f"{prefix}{entry.name}", depth, found)
        except OSError:
            found.unread.append(f"{prefix}{entry.name}")


def _take(entry: os.DirEntry[str], path: str, depth: int, found: Walk) -> None:
    if entry.is_dir(follow_symlinks=False):
        # A junction of Windows says that it is a folder, and leads elsewhere all the same.
        is_plain = os.name == "posix" or Path(entry.path).resolve() == Path(entry.path)
        if is_plain and depth < caps.MAX_FOLDER_DEPTH:
            _descend(Path(entry.path), f"{path}/", depth + 1, found)
        found.is_cut = found.is_cut or depth >= caps.MAX_FOLDER_DEPTH
    elif entry.name.lower().endswith(SUFFIXES) and entry.is_file(follow_symlinks=False):
        status = entry.stat(follow_symlinks=False)
        if not _can_be_stored(path):
            found.unnamed += 1
        elif status.st_size > caps.MAX_DOC_PAGE_BYTES:
            found.too_large += 1
        else:
            found.files[path] = (status.st_mtime_ns, status.st_size)
            found.bytes += status.st_size


def _entries(folder: Path, prefix: str, found: Walk) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            yield from sorted(listing, key=lambda entry: entry.name)
    except OSError:
        found.unread.append(prefix)


def _can_be_stored(path: str) -> bool:
    """Whether the name is text: names of Linux may be any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
