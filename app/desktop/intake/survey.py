"""What files and folders hold for the library: how many of which kinds, and what is left out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app import caps
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.extract.bookmarks import BookmarkFolder

KINDS = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".mhtml", ".mht"), "html"),
    ".pdf": "pdf",
    **dict.fromkeys((".txt", ".rst"), "text"),
}


@dataclass(slots=True)
class Survey:
    """`kinds` counts files by "markdown", "html", "pdf", "text"; `others` by the suffix of files that are not read.

    `refused` are paths with the reason; `is_cut` says that there is more than was counted.
    """

    files: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    bookmarks: dict[Path, tuple[BookmarkFolder, ...]] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    too_large: int = 0
    refused: list[tuple[Path, str]] = field(default_factory=list)
    is_cut: bool = False
    in_folders: list[Path] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Files that are read, without bookmarks."""
        return self.kinds.total()


def survey(paths: Sequence[Path]) -> Survey:
    """Look at names and sizes, at the heads of HTML files, and into bookmarks. Blocks."""
    found = Survey()
    for path in paths:
        try:
            _look(path, found)
        except WebRAGError as error:
            found.refused.append((path, error.message))
        except OSError as error:
            found.refused.append((path, error.strerror or type(error).__name__))
    return found


def _look(path: Path, found: Survey) -> None:
    from app.ingest.folders.scan import SUFFIXES
    from app.server.control.importing import bookmark_folders_of, is_bookmarks

    if path.is_dir():
        _look_into(path, found)
        return
    status = path.stat()
    if path.suffix.lower() not in SUFFIXES:
        found.others[path.suffix.lower() or path.name] += 1
    elif status.st_size > caps.MAX_FILE_BYTES:
        found.too_large += 1
    elif is_bookmarks(path):
        found.bookmarks[path] = bookmark_folders_of(path)
    else:
        found.kinds[KINDS[path.suffix.lower()]] += 1
        found.files.append(path)


def _look_into(path: Path, found: Survey) -> None:
    from app.ingest.folders.scan import checked_folder, scan_folder

    folder = checked_folder(path)
    scan = scan_folder(folder)
    found.folders.append(path)
    for each in scan.files.values():
        found.kinds[KINDS[each.path.suffix.lower()]] += 1
        found.in_folders.append(each.path)
    found.too_large += len(scan.too_large)
    found.is_cut = found.is_cut or scan.is_cut
    found.others.update(_other_suffixes(folder))


def _other_suffixes(folder: Path) -> Counter[str]:
    """Files of kinds that are not read, by suffix, where a folder is looked through."""
    from app.ingest.folders.scan import SUFFIXES, is_skipped

    others: Counter[str] = Counter()
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_skipped(name) and not (Path(place) / name).is_symlink()]
        for name in names:
            seen += 1
            suffix = Path(name).suffix.lower()
            if suffix not in SUFFIXES and not is_skipped(name):
                others[suffix or name] += 1
        if seen > caps.MAX_SURVEYED_ENTRIES:
            break
    return others
