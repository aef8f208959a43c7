"""An edited page keeps all chunks except a few around the edit."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import pytest

from app.extract import Page, Section
from app.ingest.chunking import chunk_page

URL = "https://docs.example/long.html"
WORDS = [
    *("tide", "harbour", "vessel", "rope", "anchor", "wind", "captain", "storm", "current"),
    *("reef", "sail", "mast", "deck", "compass", "chart", "signal", "pilot", "crew"),
]
Edit = Callable[[list[str], int, random.Random], None]


def words(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(5, 16))).capitalize() + "."


def paragraph(chance: random.Random) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(1, 6)))


def row(chance: random.Random) -> str:
    return f"| {chance.choice(WORDS)} {chance.randint(1, 999)} | {sentence(chance)} |"


def prose(chance: random.Random) -> list[str]:
    """Return one long section."""
    return ["# Long", *(paragraph(chance) for _ in range(80))]


def glossary(chance: random.Random) -> list[str]:
    """Return many small sections under one heading."""
    blocks = ["# Glossary"]
    for number in range(200):
        blocks += [f"## {chance.choice(WORDS)} {number}", sentence(chance)]
    return blocks


def manual(chance: random.Random) -> list[str]:
    """Return sections of all sizes, with lists, code and a table."""
    blocks = ["# Manual"]
    for number in range(25):
        blocks.append(f"## Part {number}")
        blocks += [paragraph(chance) for _ in range(chance.randint(1, 5))]
        blocks.append("\n".join(f"- {sentence(chance)}" for _ in range(chance.randint(2, 8))))
        if number % 5 == 0:
            blocks.append("```\n" + "\n".join(f"{chance.choice(WORDS)}({n})" for n in range(40)) + "\n```")
            blocks.append("| a | b |\n|---|---|\n" + "\n".join(row(chance) for _ in range(30)))
    return blocks


def page_of(blocks: list[str]) -> Page:
    sections: list[Section] = []
    at = 0
    for block in blocks:
        if block.startswith("#"):
            mark, _, heading = block.partition(" ")
            sections.append(Section(len(mark), heading, None, at, at))
        at += len(block) + 2
    return Page(URL, "Page", "\n\n".join(blocks), tuple(sections))


def keys(blocks: list[str]) -> list[str]:
    return [chunk.key for chunk in chunk_page(page_of(blocks), url=URL, count_tokens=words, max_tokens=120)]


def change(blocks: list[str], at: int, chance: random.Random) -> None:
    text = blocks[at].split(" ")
    text[chance.randrange(len(text))] = f"changed{chance.randint(0, 99)}"
    blocks[at] = " ".join(text)


def insert(blocks: list[str], at: int, chance: random.Random) -> None:
    blocks.insert(at, paragraph(chance))


def delete(blocks: list[str], at: int, chance: random.Random) -> None:
    del blocks[at]


@pytest.mark.parametrize("make", [prose, glossary, manual])
@pytest.mark.parametrize(("edit", "most"), [(change, 4), (insert, 6), (delete, 6)])
def test_an_edit_creates_few_new_chunks(make: Callable[[random.Random], list[str]], edit: Edit, most: int) -> None:
    costs = []
    for seed in range(2):
        chance = random.Random(seed)
        blocks = make(chance)
        before = keys(blocks)
        assert len(before) > 30
        for _ in range(10):
            edited = list(blocks)
            places = [n for n, block in enumerate(blocks) if block[0].isalpha()]
            edit(edited, chance.choice(places), chance)
            costs.append(len(set(keys(edited)) - set(before)))
    assert max(costs) <= most
    assert sorted(costs)[int(0.9 * len(costs))] <= 3
    assert sum(costs) / len(costs) <= 2.5


def test_an_unchanged_page_needs_no_work() -> None:
    blocks = manual(random.Random(1))
    assert keys(blocks) == keys(list(blocks))


def test_a_renamed_heading_changes_only_its_section() -> None:
    blocks = manual(random.Random(2))
    before = keys(blocks)
    blocks[blocks.index("## Part 7")] = "## Part seven"
    assert 1 <= len(set(keys(blocks)) - set(before)) <= 12
