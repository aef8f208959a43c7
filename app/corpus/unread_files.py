"""Files of folders that could not be read in time, skipped until they change.

Each attempt is recorded before it begins, so that the next start knows a file that crashed the program. Without these records, or if they
are damaged, every file is read.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from app import caps
from app.paths import replace_file
from app.text.sentence import sentence

log = logging.getLogger(__name__)

NOTES_FILE: Final = "unread-files.json"
MAX_UNREAD_FILES: Final = 1_000  # Files to remember; the oldest records are deleted first.
NOTED_BYTES: Final = 4 * caps.KIB  # Attempts at smaller files are not recorded: reading one is fast in any case.
MAX_UNFINISHED: Final = 2  # A file is skipped after the program ended this often while reading it.
Stamp = tuple[int, int]  # Time of the last change in nanoseconds, and size.


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file as it was when it could not be read. `tries` counts interrupted attempts; `reason` is empty during an attempt."""

    url: str
    mtime_ns: int
    bytes: int
    tries: int
    reason: str = ""


class UnreadFiles:
    """The records, in memory and in a file. Thread-safe. Without a path, they last as long as the object."""

    def __init__(self, path: Path | None = None, *, unfinished: int = MAX_UNFINISHED) -> None:
        self._path = path
        self._unfinished = unfinished
        self._lock = threading.Lock()
        self._notes = _read(path) if path is not None else {}
        self._running: set[str] = set()

    def __contains__(self, url: str) -> bool:
        return url in self._notes

    def why_not(self, url: str, stamp: Stamp) -> str:
        """Return why this version of the file is skipped; empty if it can be read."""
        return self._why(note) if (note := self._current(url, stamp)) is not None else ""

    def begin(self, url: str, stamp: Stamp) -> bool:
        """Record that the file is being read; return whether an earlier attempt was interrupted."""
        with self._lock:
            note = self._current(url, stamp)
            tries = note.tries if note is not None else 0
            self._running.add(url)
            self._set(UnreadFile(url, *stamp, tries + 1))
            return tries > 0

    def end(self, url: str, stamp: Stamp, reason: str = "") -> None:
        """Record the end of an attempt. With a `reason`, the file is skipped until it changes."""
        with self._lock:
            self._running.discard(url)
            self._notes.pop(url, None)
            if reason:
                self._set(UnreadFile(url, *stamp, 0, reason[: caps.MAX_DETAIL_CHARS]))
            else:
                self._write()

    def forget_others(self, start: str, known: Collection[str]) -> None:
        """Forget files whose addresses begin with `start` and that are not in `known`: they no longer exist."""
        with self._lock:
            gone = [url for url in self._notes if url.startswith(start) and url not in known]
            for url in gone:
                del self._notes[url]
            if gone:
                self._write()

    def below(self, start: str = "") -> tuple[UnreadFile, ...]:
        """Return the skipped files whose addresses begin with `start`, with reasons, oldest record first."""
        with self._lock:
            found = [(note, self._why(note)) for note in self._notes.values() if note.url.startswith(start)]
        return tuple(replace(note, reason=why) for note, why in found if why)

    def _why(self, note: UnreadFile) -> str:
        if note.reason or note.tries < self._unfinished or note.url in self._running:
            return note.reason
        return sentence("WebRAG ended while reading {}.", note.url)

    def _current(self, url: str, stamp: Stamp) -> UnreadFile | None:
        note = self._notes.get(url)
        return note if note is not None and (note.mtime_ns, note.bytes) == stamp else None

    def _set(self, note: UnreadFile) -> None:
        self._notes.pop(note.url, None)
        self._notes[note.url] = note
        while len(self._notes) > MAX_UNREAD_FILES:
            del self._notes[next(iter(self._notes))]
        self._write()

    def _write(self) -> None:
        """Replace the file atomically. On a full disk, the records last until the program ends."""
        if self._path is None:
            return
        try:
            replace_file(self._path, json.dumps([asdict(note) for note in self._notes.values()]), makes_folder=False)
        except OSError as error:
            log.warning("cannot save the list of unreadable files: %s", error.strerror)


def _read(path: Path) -> dict[str, UnreadFile]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        kinds = {"url": str, "mtime_ns": int, "bytes": int, "tries": int, "reason": str}
        notes = [UnreadFile(*(kind(row[name]) for name, kind in kinds.items())) for row in rows[:MAX_UNREAD_FILES]]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        log.warning("cannot read the list of unreadable files: %s", type(error).__name__)
        return {}
    return {note.url: note for note in notes}
