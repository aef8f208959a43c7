"""Passages and a clock for the tests of this package."""

from __future__ import annotations

from app.library.records import PassageIn


def passage(text: str = "Bees keep the hive at 35 degrees.", *, section: str = "1") -> PassageIn:
    return PassageIn(
        section_id=section,
        doc_tag="bees.example/hive",
        title="Warmth",
        text=text,
        source_uri="https://bees.example/hive/warm",
    )


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds
