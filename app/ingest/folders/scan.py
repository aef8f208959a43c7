"""Scan a folder for text files, without following anything that leads outside it or reading what `.gitignore` files exclude."""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase, translate
from pathlib import Path
from typing import Final

from app import caps
from app.containment import is_skipped
from app.errors import FileAccessError
from app.ingest.files import file_url
from app.text.media_types import IGNORED, LINK, kind_of, left_out, suffix_of
from app.text.sentence import sentence

IGNORE_FILE: Final = ".gitignore"
MAX_FILE_BYTES: Final = 64 * caps.KIB
MAX_RULES: Final = 1_000
MAX_RULE_CHARS: Final = 400
MAX_WILDCARDS: Final = 20  # Rules that exceed a limit have no effect.
_PATTERN: Final = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of a `.gitignore` file. A pattern of one part matches at any depth."""

    parts: tuple[str, ...]
    is_anchored: bool
    is_for_folders: bool
    is_exception: bool

    def matches(self, parts: Sequence[str], *, is_folder: bool) -> bool:
        """Whether the rule names this path, given by its parts below the folder of the rule."""
        if self.is_for_folders and not is_folder:
            return False
        if not self.is_anchored:
            return fnmatchcase(parts[-1], self.parts[0])
        if not _PATTERN.search(self.parts[0]) and self.parts[0] != parts[0]:
            return False  # Most rules: comparing patterns takes far longer.
        reached = {0}
        for part in parts:
            stepped = set[int]()
            # The reached places, and those after a `**` that matches nothing.
            places = set(reached)
            for place in sorted(reached):
                while place < len(self.parts) and self.parts[place] == "**":
                    place += 1
                    places.add(place)
            for place in places:
                if place < len(self.parts) and self.parts[place] == "**":
                    stepped.add(place)
                elif place < len(self.parts) and fnmatchcase(part, self.parts[place]):
                    stepped.add(place + 1)
            reached = stepped
        # A trailing `**` matches what is inside a folder, not the folder itself.
        return len(self.parts) in reached or (len(self.parts) - 1 in reached and self.parts[-1] == "**")


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of the `.gitignore` file in a folder, the last one first. `names` are the names that any rule of one part matches."""

    folder: Path
    rules: Sequence[Rule] = ()
    anchored: Sequence[Rule] = ()
    names: re.Pattern[str] = re.compile(r"(?!)")

    def decides(self, path: Path, *, is_folder: bool) -> bool | None:
        """Whether the last rule that names a path ignores it; None if no rule does."""
        parts = path.relative_to(self.folder).parts
        for rule in self.rules if self.names.match(parts[-1]) else self.anchored:
            if rule.matches(parts, is_folder=is_folder):
                return not rule.is_exception
        return None


def read_rules(folder: Path) -> IgnoreFile:
    """Return the rules of the `.gitignore` file in a folder; none if there is no file."""
    file = folder / IGNORE_FILE
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE_BYTES:
            return IgnoreFile(folder)
        lines = file.read_text("utf-8-sig", errors="replace").splitlines()
    except OSError as error:
        log.info("cannot read %s: %s", file, error.strerror)
        return IgnoreFile(folder)
    rules: list[Rule] = []
    for line in (each.rstrip() for each in lines[:MAX_RULES]):
        is_exception = line.startswith("!")
        pattern = line[1:] if is_exception else line.removeprefix("\\")
        parts = tuple(part for part in pattern.split("/") if part)
        is_usable = len(pattern) <= MAX_RULE_CHARS and pattern.count("*") <= MAX_WILDCARDS
        if parts and is_usable and not line.startswith("#"):
            rules.append(Rule(parts, "/" in pattern.rstrip("/"), pattern.endswith("/"), is_exception))
    rules.reverse()
    anchored = [rule for rule in rules if rule.is_anchored]
    names = "|".join(translate(rule.parts[0]) for rule in rules if not rule.is_anchored)
    return IgnoreFile(folder, rules, anchored, re.compile(names or "(?!)"))


def is_ignored(files: Sequence[IgnoreFile], path: Path, *, is_folder: bool) -> bool:
    """Whether the rules of the folders above a path, the outermost first, ignore it. The innermost matching rule decides."""
    decisions = (file.decides(path, is_folder=is_folder) for file in reversed(files))
    return next((decision for decision in decisions if decision is not None), False)


def is_below_ignored(root: Path, path: Path) -> bool:
    """Whether a file, or a folder between it and the root, is ignored."""
    files: list[IgnoreFile] = []
    folder = root
    for part in path.relative_to(root).parts:
        files.append(read_rules(folder))
        folder /= part
        if is_ignored(files, folder, is_folder=folder != path):
            return True
    return False


log = logging.getLogger(__name__)


Stamp = tuple[int, int]  # Modification time in nanoseconds, and size.


@dataclass(slots=True)
class FolderScan:
    """The stamps of the files by their address. `others` counts links, and unsupported files by suffix.

    `unread` are folders that could not be listed. `is_cut`: there are more or deeper files. `is_empty`: there is nothing at all.
    """

    files: dict[str, Stamp] = field(default_factory=dict)
    unread: list[Path] = field(default_factory=list)
    too_large: list[Path] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    is_cut: bool = False
    is_empty: bool = True

    @property
    def left_out(self) -> str:
        """Return how many files are skipped and why; empty if none are."""
        return left_out(self.others, len(self.too_large))


def is_taken(root: Path, path: Path) -> bool:
    """Whether a path below the root is read by its name: a supported suffix, nothing hidden or ignored, no skipped folder."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return False
    return (
        bool(parts)
        and len(parts) <= caps.MAX_FOLDER_DEPTH + 1
        and kind_of(path) is not None
        and not any(is_skipped(part) for part in parts)
        and not is_below_ignored(root, path)
    )


def checked_folder(path: Path) -> Path:
    """Return the resolved path of a folder that may be added; raises FileAccessError."""
    try:
        folder = path.expanduser().resolve(strict=True)
        is_folder = folder.is_dir()
        home = Path.home().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(sentence("The folder {} was not found.", path)) from error
    if not is_folder:
        raise FileAccessError(sentence("{} is not a folder.", folder), hint="Choose the folder that contains the file.")
    _check_reach(folder, home)
    if not os.access(folder, os.R_OK | os.X_OK):
        message = sentence("WebRAG does not have permission to list {}.", folder)
        raise FileAccessError(message, hint="Grant read access to the folder.")
    return folder


def check_kept(path: Path) -> None:
    """Check that a folder stored in the corpus may be read: in a foreign or damaged corpus it was never checked.

    Does not access the disk, which may be unavailable. Raises FileAccessError.
    """
    if not path.is_absolute() or ".." in path.parts:
        message = sentence("{} is not the full path of a folder.", path)
        raise FileAccessError(message, hint="Remove the folder, then add it again with its full path.")
    _check_reach(path, Path.home().resolve())


def _check_reach(folder: Path, home: Path) -> None:
    if folder == home or folder in home.parents:
        message = sentence("{} is too large to add: it contains your whole home folder.", folder)
        raise FileAccessError(message, hint="Add a folder inside it, for example the one with your notes.")


def scan_folder(root: Path) -> FolderScan:
    """Scan a resolved folder in order of names, without links, hidden files and device files.

    Raises FileAccessError if the folder itself cannot be listed.
    """
    found = FolderScan()
    if root.resolve() == root:
        _walk(root, 0, found, [])
    else:
        found.unread.append(root)
    if root in found.unread:
        hint = "Check that its disk is connected and that you have permission to read it."
        raise FileAccessError(sentence("The folder {} cannot be read.", root), hint=hint)
    return found


def _walk(folder: Path, depth: int, found: FolderScan, ignoring: Sequence[IgnoreFile]) -> None:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        log.warning("the folder %s cannot be listed: %s", folder, error.strerror)
        found.unread.append(folder)
        return
    if any(entry.name == IGNORE_FILE for entry in entries):
        ignoring = [*ignoring, read_rules(folder)]
    for entry in entries:
        found.is_empty = False
        if is_skipped(entry.name):
            continue
        if len(found.files) >= caps.MAX_FOLDER_FILES:
            found.is_cut = True
            return
        try:
            _take(entry, depth, found, ignoring)
        except OSError as error:
            log.info("skipped %s: %s", entry.path, error.strerror)


def _take(entry: os.DirEntry[str], depth: int, found: FolderScan, ignoring: Sequence[IgnoreFile]) -> None:
    path = Path(entry.path)
    if ignoring and is_ignored(ignoring, path, is_folder=entry.is_dir(follow_symlinks=False)):
        found.others[IGNORED] += 1
    elif entry.is_dir(follow_symlinks=False):
        # A Windows junction reports itself as a folder, but leads elsewhere.
        if depth < caps.MAX_FOLDER_DEPTH and path.resolve() == path:
            _walk(path, depth + 1, found, ignoring)
        else:
            found.is_cut = found.is_cut or depth >= caps.MAX_FOLDER_DEPTH
    elif entry.is_symlink() or kind_of(path) is None:
        found.others[LINK if entry.is_symlink() else suffix_of(path)] += 1
    elif entry.is_file(follow_symlinks=False):
        status = entry.stat(follow_symlinks=False)
        if status.st_size > caps.MAX_FILE_BYTES:
            found.too_large.append(path)
        else:
            found.files[file_url(path)] = status.st_mtime_ns, status.st_size
