"""Read `.gitignore` files, so that a folder is read without generated files. Semantics: gitignore(5), without files outside the folder."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from app import caps

IGNORE_FILE: Final = ".gitignore"
MAX_FILE_BYTES: Final = 64 * caps.KIB
MAX_RULES: Final = 1_000
MAX_RULE_CHARS: Final = 400
MAX_WILDCARDS: Final = 20  # Rules that exceed a limit have no effect.

log = logging.getLogger(__name__)


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
        reached = {0}
        for part in parts:
            stepped = set[int]()
            for place in _with_skips(reached, self.parts):
                if place < len(self.parts) and self.parts[place] == "**":
                    stepped.add(place)
                elif place < len(self.parts) and fnmatchcase(part, self.parts[place]):
                    stepped.add(place + 1)
            reached = stepped
        # A trailing `**` matches what is inside a folder, not the folder itself.
        return len(self.parts) in reached or (len(self.parts) - 1 in reached and self.parts[-1] == "**")


def _with_skips(reached: set[int], patterns: Sequence[str]) -> set[int]:
    """Return the reached places, and those after a `**` that matches nothing."""
    places = set(reached)
    for place in sorted(reached):
        while place < len(patterns) and patterns[place] == "**":
            place += 1
            places.add(place)
    return places


def read_rules(folder: Path) -> list[Rule]:
    """Return the rules of the `.gitignore` file in a folder, the last one first; empty if there is none."""
    file = folder / IGNORE_FILE
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE_BYTES:
            return []
        lines = file.read_text("utf-8", errors="replace").splitlines()
    except OSError as error:
        log.info("cannot read %s: %s", file, error.strerror)
        return []
    rules = (_rule(line) for line in lines[:MAX_RULES])
    return [rule for rule in rules if rule is not None][::-1]


def _rule(line: str) -> Rule | None:
    line = line.rstrip()
    is_exception = line.startswith("!")
    pattern = line[1:] if is_exception else line.removeprefix("\\")
    if not pattern or line.startswith("#") or len(pattern) > MAX_RULE_CHARS or pattern.count("*") > MAX_WILDCARDS:
        return None
    is_for_folders = pattern.endswith("/")
    parts = tuple(part for part in pattern.split("/") if part)
    is_anchored = "/" in pattern.rstrip("/")
    return Rule(parts, is_anchored, is_for_folders, is_exception) if parts else None


def is_ignored(rules: Sequence[tuple[Path, Sequence[Rule]]], path: Path, *, is_folder: bool) -> bool:
    """Whether the rules of the folders above a path, the outermost first, ignore it. The innermost matching rule decides."""
    for folder, known in reversed(rules):
        parts = path.relative_to(folder).parts
        for rule in known:
            if rule.matches(parts, is_folder=is_folder):
                return not rule.is_exception
    return False


def is_below_ignored(root: Path, path: Path) -> bool:
    """Whether a file, or a folder between it and the root, is ignored."""
    rules: list[tuple[Path, Sequence[Rule]]] = []
    folder = root
    for part in path.relative_to(root).parts:
        rules.append((folder, read_rules(folder)))
        folder /= part
        if is_ignored(rules, folder, is_folder=folder != path):
            return True
    return False
