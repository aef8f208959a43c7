"""The words and the structure of a document, both read from the tree of pandoc, so that files and Markdown compare by the same rules."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

WORD: Final = re.compile(r"\w+")
SECONDS: Final = 120
KINDS: Final = ("headings", "items", "cells", "code", "notes")
Facted = Counter[tuple[object, ...]]
_SLIDE: Final = re.compile(r"slide \d+ ?")
_TEXT_OF: Final = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
_NOTE_SIGN: Final = re.compile(r"\[\^?\d+\]")


@dataclass(slots=True)
class Facts:
    """The words, and the facts of each kind of structure: headings with their level, items with their depth and order, cells with their
    place in the table, lines of code, notes. `blocks` are the words of all paragraphs and items."""

    words: Counter[str] = field(default_factory=Counter)
    facts: dict[str, Facted] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    blocks: set[str] = field(default_factory=set)

    def add(self, kind: str, *fact: object) -> None:
        self.facts[kind][fact] += 1


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def plain(text: str) -> str:
    """Return the words of a text without the signs of notes, joined by blanks."""
    return " ".join(WORD.findall(_NOTE_SIGN.sub("", text).lower()))


def facts_of(document: str | bytes, form: str) -> Facts:
    """Return the facts of a document in a format that pandoc reads. Raises CalledProcessError."""
    body = document.encode() if isinstance(document, str) else document
    run = subprocess.run(
        ["pandoc", "-f", form, "-t", "json"], input=body, capture_output=True, timeout=SECONDS, check=True
    )
    found = Facts()
    _blocks(json.loads(run.stdout)["blocks"], found, 0)
    return found


def kept(truth: Counter[str], text: Counter[str]) -> float:
    """Return the percentage of words that are in the text, as often as in the truth."""
    return 100.0 * (truth & text).total() / max(truth.total(), 1)


def structure(truth: Facts, found: Facts, *, are_slides: bool = False) -> dict[str, float | None]:
    """Return the percentage of facts of each kind that were found; None if the truth has none.

    A heading is compared with the heading above it, because readers may begin with the title of the file. The headings of slides are all
    on one level.
    """
    shares: dict[str, float | None] = {}
    for kind in KINDS:
        wanted, there = truth.facts[kind], found.facts[kind]
        hits = (wanted & there).total()
        if kind == "headings":
            wanted, there = (_below(each, wanted, is_flat=are_slides) for each in (wanted, there))
            hits = (wanted & there).total()
        elif kind == "notes":
            hits = sum(count for (text,), count in wanted.items() if text in found.blocks)
        shares[kind] = 100.0 * hits / wanted.total() if wanted else None
    return shares


def _below(headings: Facted, wanted: Facted, *, is_flat: bool) -> Facted:
    """Return the wanted headings, each with the one above it instead of its level."""
    known = {text for _, text in wanted}
    above: list[tuple[int, str]] = []
    below: Facted = Counter()
    for (level, said), count in headings.items():  # in the order of the document
        assert isinstance(level, int)
        text = _SLIDE.sub("", str(said)) if is_flat else str(said)
        if text in known:
            while above and above[-1][0] >= level:
                above.pop()
            below[above[-1][1] if above and not is_flat else "", text] += count
            above.append((level, text))
    return below


def _blocks(blocks: list[Any], found: Facts, depth: int) -> None:
    for block in blocks:
        kind, content = block["t"], block.get("c")
        if kind in ("Para", "Plain"):
            text = "".join(_inline(content, found))
            found.words += words(text)
            found.blocks.add(plain(text))
        elif kind == "Header":
            text = "".join(_inline(content[2], found))
            found.words += words(text)
            found.add("headings", content[0], plain(text))
        elif kind == "CodeBlock":
            found.words += words(content[1])
            for line in content[1].splitlines():
                if line.strip():
                    found.add("code", line.rstrip().expandtabs())
        elif kind == "Table":
            _table(content, found)
        else:
            _container(kind, content, found, depth)


def _container(kind: str, content: Any, found: Facts, depth: int) -> None:
    if kind in ("BulletList", "OrderedList"):
        for item in content if kind == "BulletList" else content[1]:
            _item(item, found, depth, is_ordered=kind == "OrderedList")
    elif kind == "DefinitionList":
        for term, meanings in content:
            found.words += words("".join(_inline(term, found)))
            for meaning in meanings:
                _blocks(meaning, found, depth)
    elif kind in ("BlockQuote", "Div"):
        _blocks(content if kind == "BlockQuote" else content[1], found, depth)


def _item(item: list[Any], found: Facts, depth: int, *, is_ordered: bool) -> None:
    first = next(iter(item), None)
    if first is not None and first["t"] in ("Para", "Plain"):
        found.add("items", depth, is_ordered, plain("".join(_inline(first["c"], Facts()))))
    _blocks(item, found, depth + 1)


def _table(content: list[Any], found: Facts) -> None:
    rows = [*content[3][1], *(row for body in content[4] for part in body[2:] for row in part), *content[5][1]]
    for line, row in enumerate(rows):
        for column, cell in enumerate(row[1]):
            before = found.words.copy()
            _blocks(cell[4], found, 0)
            text = plain(
                " ".join("".join(_inline(each["c"], Facts())) for each in cell[4] if each["t"] in ("Para", "Plain"))
            )
            if text and (found.words - before):
                found.add("cells", line, column, text)


def _inline(parts: list[Any], found: Facts) -> Iterator[str]:
    """Yield the text of inline content. Formulas and raw markup are left out, because every format writes them differently."""
    for part in parts:
        kind, content = part["t"], part.get("c")
        if kind == "Str":
            yield content
        elif kind in _TEXT_OF:
            yield _TEXT_OF[kind]
        elif kind == "Code":
            yield content[1]
        elif kind == "Note":
            inner = Facts()
            _blocks(content, inner, 0)
            found.words += inner.words
            found.blocks |= inner.blocks
            found.add("notes", " ".join(sorted(inner.blocks)))
        elif kind in ("Link", "Span", "Quoted", "Cite"):
            yield from _inline(content[1], found)
        elif isinstance(content, list) and kind not in ("Math", "RawInline", "Image"):
            yield from _inline(content, found)
