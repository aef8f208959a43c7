"""Compare two systems on the same questions: how often only one of them is correct, and the probability by chance."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Final

from support.judging import Outcome
from support.report import Row

TOP: Final = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """The outcome of one system on one question, without the question's words."""

    id: str
    hops: int
    is_answerable: bool
    hit: bool
    place: int
    blocks: int
    said_none: bool
    tokens: int
    ms: float


Marks = Mapping[str, Sequence[Mark]]
"""Marks by system."""
Group = tuple[str, Callable[[Mark], bool]]
GROUPS: Final[tuple[Group, ...]] = (
    ("all answerable", lambda m: m.is_answerable),
    ("on the page", lambda m: m.is_answerable and m.hops == 0),
    ("1 link away", lambda m: m.is_answerable and m.hops == 1),
)
MEASURES: Final[tuple[Group, ...]] = (
    ("hit", lambda m: m.hit),
    ("first", lambda m: m.place == 1),
    (f"top {TOP}", lambda m: 0 < m.place <= TOP),
)


def marks_of(outcomes: Sequence[Outcome]) -> list[Mark]:
    return [
        Mark(
            o.question.id,
            o.question.hops,
            bool(o.question.gold),
            o.hit,
            o.place,
            o.blocks,
            o.said_none,
            o.tokens,
            round(o.ms, 1),
        )
        for o in outcomes
    ]


def save(file: Path, systems: Marks) -> None:
    """Save the marks of all systems as JSON lines."""
    rows = [{"system": name, **asdict(mark)} for name, marks in systems.items() for mark in marks]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def load(file: Path) -> dict[str, list[Mark]]:
    """Load the file of `save`."""
    found: dict[str, list[Mark]] = {}
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row.pop("system"), []).append(Mark(**row))
    return found


def sign_test(first: int, second: int) -> float:
    """Return the two-sided exact probability that a fair coin is at least as uneven as `first` to `second`."""
    count = first + second
    tail = sum(comb(count, least) for least in range(min(first, second) + 1))
    return min(1.0, 2.0 * tail / 2.0**count)


def compared(name: str, ours: Sequence[Mark], theirs: Sequence[Mark]) -> list[Row]:
    """Return rows for the common questions: how often only one system is correct, and the sign test.

    Ranks are compared only if both systems return blocks.
    """
    others = {mark.id: mark for mark in theirs}
    pairs = [(mark, others[mark.id]) for mark in ours if mark.id in others]
    has_blocks = all(any(mark.blocks for mark in marks) for marks in (ours, theirs))
    measures = MEASURES if has_blocks else MEASURES[:1]
    rows = [_row(name, questions, measure, pairs) for measure in measures for questions in GROUPS]
    none: Group = ("unanswerable", lambda m: not m.is_answerable)
    rows.append(_row(name, none, ("said none", lambda m: m.said_none), pairs))
    return [row for row in rows if row["n"]]


def _row(name: str, questions: Group, measure: Group, pairs: Sequence[tuple[Mark, Mark]]) -> Row:
    chosen = [(measure[1](ours), measure[1](theirs)) for ours, theirs in pairs if questions[1](ours)]
    only_first = sum(ours and not theirs for ours, theirs in chosen)
    only_second = sum(theirs and not ours for ours, theirs in chosen)
    share = 100 / max(1, len(chosen))
    return {
        "against": name,
        "questions": questions[0],
        "measure": measure[0],
        "n": len(chosen),
        "this %": share * sum(ours for ours, _ in chosen),
        "that %": share * sum(theirs for _, theirs in chosen),
        "only this": only_first,
        "only that": only_second,
        "p": f"{sign_test(only_first, only_second):.4f}",
    }
