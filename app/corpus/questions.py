"""The questions of assistants, recorded with the user's consent in a small separate file that backups do not include.

Erased questions cannot be recovered: the file is rewritten without them, and deleted with the last one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from typing import Any, Final

import apsw

from app import caps
from app.corpus.database import translated
from app.errors import CorpusDamagedError, CorpusError, FileAccessError
from app.text.sentence import sentence

log = logging.getLogger(__name__)

SECONDS_PER_DAY: Final = 86_400.0
FREED_AT_ONCE: Final = 100  # Oldest questions to erase at a time: each erasure rewrites the file.
MAX_ERASURES: Final = 100  # Most recent erasures to remember for calls that were running at that time.
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS questions(call_id INTEGER PRIMARY KEY, asked_at REAL NOT NULL, text TEXT NOT NULL) STRICT
"""
_OLDEST: Final = "DELETE FROM questions WHERE call_id IN (SELECT call_id FROM questions ORDER BY asked_at LIMIT ?)"
ERASE_DAMAGED: Final = "Erase the questions in Settings > Privacy. This does not change the library."

Known = dict[int, tuple[float, str]]  # By the number of a recorded call: its start time and its question.


class QuestionLog:
    """Questions by the numbers of recorded calls, in a file that exists only while it has some. Blocking."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._erased: deque[tuple[float, float, float]] = deque(maxlen=MAX_ERASURES)

    def add(self, call_id: int, asked_at: float, text: str) -> None:
        """Save a question, unless its time has been erased since. Erases the oldest; replaces a damaged file."""
        with self._lock:
            if any(first <= asked_at < last and asked_at <= moment for first, last, moment in self._erased):
                return
            try:
                self._add(call_id, asked_at, text)
            except CorpusDamagedError:
                self._delete_file()
                self._add(call_id, asked_at, text)

    def of(self, call_ids: Sequence[int]) -> Known:
        """Return the questions of these calls, if any."""
        return {number: known for number, known in self.everything().items() if number in call_ids}

    def everything(self) -> Known:
        """Return all questions, newest first."""
        try:
            with self._lock:
                if not self._path.exists():
                    return {}
                with self._opened() as con:
                    query = "SELECT call_id, asked_at, text FROM questions ORDER BY asked_at DESC"
                    rows: list[Any] = con.execute(query).fetchall()
        except CorpusDamagedError as error:
            raise CorpusError(
                sentence("Cannot read the recorded questions: {} is damaged.", self._path), hint=ERASE_DAMAGED
            ) from error
        return {number: (moment, text) for number, moment, text in rows}

    def erase(self, first: float, last: float) -> None:
        """Erase the questions from [first, last)."""
        with self._lock:
            self._erased.append((first, last, self._clock()))
            self._erase("DELETE FROM questions WHERE asked_at >= ? AND asked_at < ?", (first, last))

    def erase_one(self, call_id: int) -> None:
        """Erase the question of one call."""
        with self._lock:
            self._erase("DELETE FROM questions WHERE call_id = ?", (call_id,))

    def expire(self) -> None:
        """Erase questions older than QUESTION_DAYS."""
        self.erase(0.0, self._clock() - caps.QUESTION_DAYS * SECONDS_PER_DAY)

    def erase_all(self) -> None:
        """Erase every question, even in a damaged file."""
        with self._lock:
            self._erased.append((0.0, inf, self._clock()))
            self._delete_file()

    def _delete_file(self) -> None:
        try:
            for suffix in ("-journal", ""):
                self._path.with_name(f"{self._path.name}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise FileAccessError(sentence("Cannot delete {} ({}).", self._path, error.strerror)) from error

    def _add(self, call_id: int, asked_at: float, text: str) -> None:
        with self._opened() as con:
            con.execute("INSERT OR REPLACE INTO questions VALUES(?, ?, ?)", (call_id, asked_at, text))
            count = int(str(con.execute("SELECT count(*) FROM questions").get))
            if count > caps.MAX_QUESTIONS:
                con.execute(_OLDEST, (count - caps.MAX_QUESTIONS + FREED_AT_ONCE,))
                con.execute("VACUUM")

    def _erase(self, statement: str, values: tuple[float, ...]) -> None:
        if not self._path.exists():
            return
        try:
            with self._opened() as con:
                con.execute(statement, values)
                if con.changes():
                    con.execute("VACUUM")
                is_empty = not con.execute("SELECT EXISTS (SELECT 1 FROM questions)").get
        except CorpusDamagedError as error:
            # An unreadable file cannot be erased in part.
            log.warning("erasing all questions: %s", error)
            is_empty = True
        if is_empty:
            self._delete_file()

    @contextmanager
    def _opened(self) -> Iterator[apsw.Connection]:
        with translated(self._path):
            try:
                self._path.touch(mode=0o600, exist_ok=True)
            except OSError as error:
                raise CorpusError(sentence("Cannot write to {} ({}).", self._path, error.strerror)) from error
            with closing(apsw.Connection(str(self._path))) as con:
                con.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
                con.pragma("trusted_schema", False)
                con.pragma("secure_delete", True)
                # Rewrites the file without a temporary file elsewhere.
                con.pragma("temp_store", "memory")
                con.execute(_TABLE)
                yield con
