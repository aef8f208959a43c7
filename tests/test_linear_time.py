"""No text from outside takes the program longer than its length deserves, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from app.docsets.outline import outline, sidebar_groups
from app.ingest.pieces import cut_blocks
from app.text.markdown_blocks import scan_blocks
from app.text.tokens import token_counter
from tests.support.growth import LINEAR, cost

SIZE = 50_000
BUDGET_SECONDS = 1.0
"""For twice as many characters, on a slow machine."""
COUNT = token_counter(None)
UNITS = [
    "`",
    "*",
    "_",
    "[",
    "]",
    "(",
    "<",
    ">",
    "#",
    "$",
    "~",
    "|",
    "-",
    "=",
    "\\",
    "!",
    "&",
    "{",
    " ",
    "\t",
    ".",
    "a",
    "1",
]
PAIRS = ["` ", "`` ` ", "[](", "[a](", "![", "**", "__", "<a ", "{#a} ", "$a ", "a_", "\\`", "&#"]
LINES = ["---", "```", "~~~", "===", "a", "# a", "> ", "- ", "1. ", "| a |", "|-|", "$$", "<!--", ":::", "a\n-"]
RUNS = "".join("`" * length + " " for length in range(1, 300))


@dataclass(frozen=True)
class Shape:
    """Text of one kind in any length."""

    name: str
    make: Callable[[int], str]


def shapes() -> Iterator[Shape]:
    for unit in [*UNITS, *PAIRS]:
        yield Shape(f"many {unit!r}", lambda size, unit=unit: unit * (size // len(unit)))
        yield Shape(f"a heading of {unit!r}", lambda size, unit=unit: f"# a{unit * (size // len(unit))} x\n")
        yield Shape(f"a line of {unit!r}", lambda size, unit=unit: f"a{unit * (size // len(unit))}x\n===\n")
    for line in LINES:
        yield Shape(f"lines of {line!r}", lambda size, line=line: f"{line}\n" * (size // (len(line) + 1)))
    yield Shape("runs of every length", lambda size: f"# {RUNS * (size // len(RUNS) + 1)}")


def cut(text: str) -> None:
    for _ in cut_blocks(text, ((block, block.end) for block in scan_blocks(text, ())), COUNT, 220):
        pass


READERS: dict[str, Callable[[str], object]] = {
    "the outline of a page": lambda text: outline(text, "a.md"),
    "a sidebar": sidebar_groups,
    "pieces": cut,
}


@pytest.mark.parametrize("reader", READERS)
def test_time_grows_with_the_length_alone(reader: str) -> None:
    read = READERS[reader]
    slow = {}
    for shape in shapes():
        found = cost(shape.make, read, SIZE)
        if found.growth > LINEAR or found.seconds > BUDGET_SECONDS:
            slow[shape.name] = found
    assert not slow
