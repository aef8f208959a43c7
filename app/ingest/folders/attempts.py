"""Which files of a folder were read as they are now, so that one that cannot be read is not tried all the time."""

from __future__ import annotations

from collections.abc import Mapping

Stamp = tuple[int, int]
"""Time of the last change in nanoseconds, and size."""


class Attempts:
    """The attempts at the files of one folder; no more are remembered than files differ from the corpus."""

    def __init__(self) -> None:
        self._stamps: dict[str, Stamp] = {}

    def note(self, url: str, stamp: Stamp) -> None:
        """A file with this stamp was read, or turned out to be unreadable."""
        self._stamps[url] = stamp

    def untried(self, changed: Mapping[str, Stamp]) -> dict[str, Stamp]:
        """What of the changed files was not tried as it is now; attempts at all others are forgotten."""
        self._stamps = {url: stamp for url, stamp in self._stamps.items() if changed.get(url) == stamp}
        return {url: stamp for url, stamp in changed.items() if url not in self._stamps}
