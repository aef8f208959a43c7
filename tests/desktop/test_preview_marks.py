"""A marked passage is exactly the passage, wherever it stands: in running text, lists, quotations, tables and code."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from app.desktop.preview.blocks import Block, blocks, safe_start
from app.desktop.preview.view import Preview


@dataclass(frozen=True)
class Piece:
    """A part of a page's source; `is_seen`: it is shown as it stands, else it is a mark that is not shown."""

    text: str
    is_seen: bool = True


def hidden(text: str) -> Piece:
    return Piece(text, is_seen=False)


WORDS = st.text(alphabet="abcdeé𝔘中", min_size=1, max_size=6)
PLAIN = st.builds(" ".join, st.lists(WORDS, min_size=1, max_size=4))


def wrapped(mark: str) -> st.SearchStrategy[list[Piece]]:
    return PLAIN.map(lambda words: [hidden(mark), Piece(words), hidden(mark)])


INLINE = st.one_of(
    PLAIN.map(lambda words: [Piece(words)]),
    wrapped("**"),
    wrapped("*"),
    wrapped("~~"),
    wrapped("`"),
    PLAIN.map(lambda words: [Piece(f"${words}$")]),
)


@st.composite
def line(draw: st.DrawFn) -> list[Piece]:
    parts = draw(st.lists(INLINE, min_size=1, max_size=3))
    joined: list[Piece] = [Piece("w ")]
    for part in parts:
        joined += [*part, Piece(" ")]
    return [*joined, Piece("w")]


@st.composite
def paragraph(draw: st.DrawFn) -> list[Piece]:
    return [*draw(line()), hidden("\n\n")]


@st.composite
def heading(draw: st.DrawFn) -> list[Piece]:
    return [hidden("#" * draw(st.integers(1, 6)) + " "), *draw(line()), hidden("\n\n")]


@st.composite
def listed(draw: st.DrawFn) -> list[Piece]:
    made: list[Piece] = []
    for mark in draw(st.lists(st.sampled_from(["- ", "1. ", "- - ", "> ", "> - "]), min_size=1, max_size=3)):
        made += [hidden(mark), *draw(line()), hidden("\n\n")]
    return made


@st.composite
def code(draw: st.DrawFn) -> list[Piece]:
    lines = draw(st.lists(st.text(alphabet="ab *`|#é𝔘", min_size=1, max_size=8), min_size=1, max_size=50))
    made = [hidden("`````py\n")]
    for place, each in enumerate(lines):
        made += [*([hidden("\n")] if place else []), Piece(each)]
    return [*made, hidden("\n`````\n\n")]


@st.composite
def table(draw: st.DrawFn) -> list[Piece]:
    columns = draw(st.integers(1, 3))
    made: list[Piece] = []
    for row in range(draw(st.integers(1, 45))):
        for _ in range(columns):
            made += [hidden("| "), *draw(line()), hidden("   ")]
        made.append(hidden("|\n" + ("|---" * columns + "|\n" if row == 0 else "")))
    return [*made, hidden("\n")]


PAGE = st.lists(st.one_of(paragraph(), heading(), listed(), code(), table()), min_size=1, max_size=5).map(
    lambda parts: [piece for part in parts for piece in part]
)


@pytest.fixture(scope="module")
def view(qapp: object) -> Preview:
    made = Preview("Text")
    made.resize(600, 400)
    return made


def marked_text(preview: Preview) -> str:
    """What is marked, without the ends of lines."""
    texts = (each.cursor.selectedText() for each in preview.extraSelections())
    return "".join(texts).replace("\u2028", "").replace("\u2029", "")


@settings(max_examples=40, deadline=None)
@given(PAGE, st.data())
def test_the_marked_text_is_what_is_seen_of_the_passage(view: Preview, page: list[Piece], data: st.DataObject) -> None:
    source = "".join(piece.text for piece in page)
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))
    expected, place = "", 0
    for piece in page:
        if piece.is_seen:
            expected += source[max(start, place) : max(place, min(end, place + len(piece.text)))]
        place += len(piece.text)
    view.show_text(source)
    view.mark(start, end)
    view.finish()
    assert marked_text(view) == expected


@settings(max_examples=20, deadline=None)
@given(PAGE)
def test_everything_that_is_seen_is_shown_once_and_in_order(view: Preview, page: list[Piece]) -> None:
    view.show_text("".join(piece.text for piece in page))
    view.finish()
    shown = view.toPlainText().replace("\n", "")
    assert shown == "".join(piece.text for piece in page if piece.is_seen)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab \n#-|>`*$~1.\t", max_size=300))
def test_no_text_is_lost_whatever_it_is(text: str) -> None:
    found: list[Block] = list(blocks(text))
    places = [span for block in found for span in block.lines]
    assert places == sorted(places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    kept = set(range(len(text))) - {place for start, end in places for place in range(start, end)}
    assert not any(text[place] in "ab" for place in kept) or "```" in text or "~~~" in text


@pytest.mark.parametrize(
    "text", ["word " * 40_000, "```\n" + "x = 1\n" * 9_000 + "```\n", "| a |\n|---|\n" + "| b |\n" * 9_000]
)
def test_one_huge_block_comes_in_pieces(text: str) -> None:
    sizes = [block.end - block.start for block in blocks(text)]
    assert max(sizes) < 10_000
    assert sum(len(block.lines) for block in blocks(text)) >= 9_000 or len(sizes) > 10


def test_reading_begins_at_no_place_within_a_fence() -> None:
    text = "Before.\n\n```\na\n\nb\n\nc\n```\n\nAfter.\n\nEnd."
    assert safe_start(text, text.index("c\n")) == text.index("```")
    assert safe_start(text, text.index("End")) == text.index("End")
    assert safe_start(text, 3) == 0


def test_a_passage_comes_to_the_upper_third_of_the_view(qtbot: QtBot) -> None:
    preview = Preview("Text")
    qtbot.addWidget(preview)
    preview.resize(500, 600)
    preview.show()
    text = "\n\n".join(f"Paragraph {number}." for number in range(3_000))
    preview.show_text(text)
    for number in (2_500, 40, 1_200):
        start = text.index(f"Paragraph {number}.")
        preview.mark(start, start + 12)
        qtbot.waitUntil(lambda: preview._wanted is None and not preview.is_writing)
        marked = preview.extraSelections()[0]
        cursor = QTextCursor(marked.cursor)
        cursor.setPosition(cursor.selectionStart())
        assert 0 < preview.cursorRect(cursor).top() < preview.viewport().height() / 3


def test_several_passages_are_gone_through_in_a_circle(qtbot: QtBot) -> None:
    preview = Preview("Text")
    qtbot.addWidget(preview)
    preview.show_text("one two three")
    preview.set_marks([(0, 3), (4, 7), (8, 13), (99, 120)])
    assert (len(preview.marks), preview.current_mark) == (3, 0)
    preview.go_to_mark(-1)
    assert preview.current_mark == 2
    assert {each.cursor.selectedText() for each in preview.extraSelections()} == {"one", "two", "three"}
    preview.go_to_mark(1)
    assert preview.current_mark == 0
    preview.set_marks([])
    assert preview.extraSelections() == []
