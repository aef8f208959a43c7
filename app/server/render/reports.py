"""Reports for the user: the token ledger as rows and CSV, and cached passages with their client and expiry."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.corpus.records import DayUsage
from app.errors import FileAccessError
from app.scratch.passage import Passage
from app.scratch.store import ScratchStore
from app.text.sentence import sentence

HEADINGS: Final = ("day", "assistant", "calls", "pages", "tokens returned", "tokens not read")
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")  # First characters of cells that a spreadsheet would execute.


def usage_csv(rows: Sequence[DayUsage]) -> str:
    """Return one line per day and assistant, newest day first, after a header line."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(HEADINGS)
    for row in rows:
        # A name that looks like a formula becomes text.
        name = f"'{row.client}" if row.client.startswith(FORMULA) else row.client
        writer.writerow((row.day, name, *_numbers(row)))
    return made.getvalue()


def save_csv(rows: Sequence[DayUsage], path: Path) -> Path:
    """Write the same to a file. Blocking. Raises FileAccessError."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(usage_csv(rows))
    except OSError as error:
        raise FileAccessError(
            sentence("WebRAG cannot write {}: {}.", path, error.strerror), hint="Choose another location."
        ) from error
    return path


def usage_rows(rows: Sequence[DayUsage]) -> list[tuple[str, ...]]:
    """Return the same for display, with a final line of totals."""
    sums = [sum(column) for column in zip(*map(_numbers, rows), strict=True)]
    lines = [(row.day, row.client or "-", *_shown(_numbers(row))) for row in rows]
    return [HEADINGS, *lines, ("total", "", *_shown(sums))]


@dataclass(frozen=True, slots=True)
class PassageReport:
    """A passage. `seconds_left` is None if it is only pinned; `text` is empty in lists; `is_cut` means that the text is longer."""

    id: str
    title: str
    source_uri: str
    media_type: str
    size_bytes: int
    created_at: float
    client: str
    seconds_left: float | None
    is_pinned: bool
    text: str = ""
    is_cut: bool = False


def passage_report(store: ScratchStore, passage: Passage, characters: int = 0) -> PassageReport:
    """Return the passage with the first `characters` of its text."""
    content, holding = passage.content, store.holding(passage.id)
    return PassageReport(
        id=passage.id,
        title=content.title,
        source_uri=content.source_uri,
        media_type=content.media_type,
        size_bytes=passage.size_bytes,
        created_at=passage.created_at,
        # The rest of the owner key identifies one connection and grants read access, so it is not shown.
        client=holding.owner.partition("\0")[0] if holding is not None else "",
        seconds_left=holding.seconds_left if holding is not None else None,
        is_pinned=store.is_pinned(passage.id),
        text=content.text[:characters],
        is_cut=len(content.text) > characters > 0,
    )


def passage_reports(store: ScratchStore, limit: int) -> list[PassageReport]:
    """Return pinned passages, newest first, then the others, most recently used first."""
    pinned = store.pinned()
    known = {passage.id for passage in pinned}
    others = [passage for passage in store.everything(limit + len(known)) if passage.id not in known]
    return [passage_report(store, passage) for passage in [*pinned, *others][:limit]]


def _shown(values: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{value:,}" for value in values)


def _numbers(row: DayUsage) -> tuple[int, int, int, int]:
    return row.calls, row.pages, row.tokens, row.saved
