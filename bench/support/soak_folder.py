"""The watched folder of bench/soak.py: files come, change, move and go; some are huge or odd."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from support.crashing import page_text

FILES: Final = 40
PAUSES_SECONDS: Final = (0.5, 4.0)
HUGE_BYTES: Final = 80 * 2**20
"""Larger than the program reads, so it must say so."""
LARGE_PARTS: Final = 60
NAME: Final = "note"
"""The name in all texts, because files are renamed."""
ODD_NAMES: Final = (
    "né €.md",
    "a%20b#c?.md",
    "line\nbreak.md",
    "-rf.md",
    "'quoted' \"name\".md",
    "🐝 hive.md",
    " space .md",
)


@dataclass
class Gardener:
    """Changes the folder. `versions` are the files that the library must have, with their versions."""

    folder: Path
    chance: random.Random
    versions: dict[Path, int] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    _next: int = 0
    _version: int = 0

    def begin(self) -> None:
        """Write the first files."""
        for _ in range(FILES // 2):
            self._add()

    async def work(self, deadline: float) -> None:
        """Change one file after the other until the deadline, on the clock of `time.monotonic`."""
        huge = self.folder / "huge.md"
        huge.write_bytes(b"# Huge\n\n")
        os.truncate(huge, HUGE_BYTES)
        self.done["huge"] += 1
        while time.monotonic() < deadline:
            act = self.chance.choice(
                (self._add, self._change, self._change, self._rename, self._delete, self._odd, self._large)
            )
            await asyncio.to_thread(act)
            self.done[act.__name__.strip("_")] += 1
            await asyncio.sleep(self.chance.uniform(*PAUSES_SECONDS))

    def _write(self, path: Path, parts: int = 0) -> None:
        self._version += 1
        path.parent.mkdir(exist_ok=True)
        path.write_text(page_text(NAME, self._version, parts or 2 + self._version % 5), encoding="utf-8")
        self.versions[path] = self._version

    def _add(self) -> None:
        if len(self.versions) >= FILES:
            self._delete()
        self._next += 1
        self._write(self.folder / f"part-{self._next % 3}" / f"file-{self._next}.md")

    def _change(self) -> None:
        if self.versions:
            self._write(self._any())

    def _large(self) -> None:
        self._write(self.folder / "large.md", LARGE_PARTS)

    def _rename(self) -> None:
        if self.versions:
            path = self._any()
            self._next += 1
            target = path.with_name(f"moved-{self._next}.md")
            path.rename(target)
            self.versions[target] = self.versions.pop(path)

    def _delete(self) -> None:
        if self.versions:
            path = self._any()
            path.unlink()
            del self.versions[path]

    def _odd(self) -> None:
        """Write a file with an odd name, without text, in no encoding, or a link out of the folder."""
        name = self.chance.choice(ODD_NAMES)
        kind = self.chance.randrange(4)
        if kind == 0:
            self._write(self.folder / name)
        elif kind == 1:
            (self.folder / "empty.md").write_bytes(b"")
        elif kind == 2:
            (self.folder / "noise.md").write_bytes(self.chance.randbytes(5_000))
        else:
            link = self.folder / "outside.md"
            link.unlink(missing_ok=True)
            link.symlink_to("/etc/hostname")

    def _any(self) -> Path:
        return self.chance.choice(sorted(self.versions))
