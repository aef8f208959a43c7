"""Which character of the shown document is which of the source."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class PositionMap:
    """Pieces of the source in the order in which they are shown. Positions of the document are those of Qt: UTF-16 units."""

    def __init__(self) -> None:
        self._sources: list[int] = []
        self._places: list[int] = []
        self._lengths: list[int] = []
        self._units: list[int] = []

    def add(self, source: int, place: int, length: int, units: int) -> None:
        """`length` characters from `source` on are shown at `place` as `units`; both only grow from call to call."""
        if self._sources and self._is_next(source, place) and length == units:
            self._lengths[-1] += length
            self._units[-1] += units
            return
        self._sources.append(source)
        self._places.append(place)
        self._lengths.append(length)
        self._units.append(units)

    def _is_next(self, source: int, place: int) -> bool:
        is_plain = self._lengths[-1] == self._units[-1]
        return (
            is_plain and self._sources[-1] + self._lengths[-1] == source and self._places[-1] + self._units[-1] == place
        )

    @property
    def end(self) -> int:
        """Behind the last character of the source that is shown."""
        return self._sources[-1] + self._lengths[-1] if self._sources else 0

    def shown(self, start: int, end: int) -> list[tuple[int, int]]:
        """The stretches of the document that show the source between two offsets."""
        found: list[tuple[int, int]] = []
        for at in range(max(0, bisect_right(self._sources, start) - 1), len(self._sources)):
            source, length = self._sources[at], self._lengths[at]
            if source >= end:
                break
            first, last = max(start, source), min(end, source + length)
            if first >= last:
                continue
            place = self._places[at]
            is_plain = self._units[at] == length
            piece = (place + first - source, place + last - source) if is_plain else (place, place + self._units[at])
            found.append(piece)
        return found

    def place_of(self, source: int) -> int:
        """Where the first shown character at or behind an offset stands; the end of the last one if there is none."""
        at = bisect_right(self._sources, source) - 1
        if at >= 0 and source < self._sources[at] + self._lengths[at]:
            step = source - self._sources[at] if self._units[at] == self._lengths[at] else 0
            return self._places[at] + step
        if at + 1 < len(self._places):
            return self._places[at + 1]
        return self._places[-1] + self._units[-1] if self._places else 0

    def source_of(self, place: int) -> int:
        """The offset of the character shown at a place, or of the last one before it."""
        at = bisect_left(self._places, place + 1) - 1
        if at < 0:
            return self._sources[0] if self._sources else 0
        return self._sources[at] + min(place - self._places[at], self._lengths[at])
