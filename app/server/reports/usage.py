"""The token ledger as a table, as plain text and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from app.corpus.records import DayUsage
from app.errors import FileAccessError

HEADINGS: Final = ("day", "assistant", "calls", "pages", "tokens returned", "tokens not read")
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that a spreadsheet would carry out."""


def usage_csv(rows: Sequence[DayUsage]) -> str:
    """One line for each day and assistant, newest day first, under a line of headings."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(HEADINGS)
    writer.writerows(_cells(row) for row in rows)
    return made.getvalue()


def save_csv(rows: Sequence[DayUsage], path: Path) -> Path:
    """Write the same to a file; blocking. Raises FileAccessError."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(usage_csv(rows))
    except OSError as error:
        raise FileAccessError(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from error
    return path


def usage_rows(rows: Sequence[DayUsage]) -> list[tuple[str, ...]]:
    """The same for the eye, with a last line of sums."""
    sums = [sum(column) for column in zip(*map(_numbers, rows), strict=True)]
    lines = [(row.day, row.client or "-", *_shown(_numbers(row))) for row in rows]
    return [HEADINGS, *lines, ("total", "", *_shown(sums))]


def _shown(values: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{value:,}" for value in values)


def _numbers(row: DayUsage) -> tuple[int, int, int, int]:
    return row.calls, row.pages, row.tokens, row.saved


def _cells(row: DayUsage) -> tuple[str | int, ...]:
    """A name that looks like a formula is made a text."""
    name = f"'{row.client}" if row.client.startswith(FORMULA) else row.client
    return row.day, name, *_numbers(row)
