"""Pipe tables taken apart: their cells in the source, and how wide the columns are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QFontMetricsF, QTextLength

from app.desktop.theme import scaled_font

MAX_COLUMNS: Final = 60
MEASURED_CHARS: Final = 100
"""A column need not be wider than so much of a cell."""
MIN_WIDTH, MAX_LEAST = 40.0, 150.0
PADDING: Final = 18.0
"""Beside the text of a cell, both sides and the line."""
_PIPE: Final = re.compile(r"(?<!\\)\|")


def cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the texts of a row's cells stand, without the spaces around them."""
    first = start + 1 if text.startswith("|", start) else start
    bars = [match.start() for match in _PIPE.finditer(text, first, end)]
    if not bars or bars[-1] < end - 1:
        bars.append(end)
    if len(bars) > MAX_COLUMNS:
        bars = [*bars[: MAX_COLUMNS - 1], bars[-1]]
    found, place = [], first
    for bar in bars:
        found.append(_trimmed(text, place, bar))
        place = bar + 1
    return found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if piece.strip() else (start, start)


@dataclass(frozen=True, slots=True)
class Width:
    """What a column asks for: `wanted` shows its longest cell on one line, `least` breaks no word."""

    wanted: float
    least: float


def column_widths(rows: Sequence[Sequence[str]]) -> list[Width]:
    """Up to MEASURED_CHARS of the longest cell and MAX_LEAST of the longest word of each column."""
    metrics = QFontMetricsF(scaled_font(1.04, bold=True))
    columns = max((len(row) for row in rows), default=0)
    made = []
    for column in range(columns):
        cells_there = [row[column] for row in rows if column < len(row)]
        wanted = max(metrics.horizontalAdvance(cell[:MEASURED_CHARS]) for cell in cells_there)
        words = {max(cell[:MEASURED_CHARS].split(), key=len, default="") for cell in cells_there}
        least = max(metrics.horizontalAdvance(word) for word in words)
        made.append(Width(max(MIN_WIDTH, wanted + PADDING), min(MAX_LEAST, max(MIN_WIDTH, least + PADDING))))
    return made


def fitted(widths: Sequence[Width], room: float) -> list[QTextLength]:
    """As wide as asked for where there is room, else shares of the whole width; narrow columns give way last."""
    if sum(each.wanted for each in widths) <= room:
        return [QTextLength(QTextLength.Type.FixedLength, each.wanted) for each in widths]
    least = sum(each.least for each in widths)
    free, more = max(0.0, room - least), sum(each.wanted - each.least for each in widths)
    shares = [each.least + ((each.wanted - each.least) * free / more if more else 0.0) for each in widths]
    return [QTextLength(QTextLength.Type.PercentageLength, 100 * share / sum(shares)) for share in shares]
