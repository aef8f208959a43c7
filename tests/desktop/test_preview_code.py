"""Code and wide tables in the preview: highlighting, lines that are not wrapped, and columns that stay readable."""

from __future__ import annotations

import itertools
import time
from math import ceil

import pytest
from PySide6.QtGui import QColor, QTextCursor, QTextLength
from pytestqt.qtbot import QtBot

from app.desktop.preview.code import MAX_LINE_CHARS, Highlighter, Token
from app.desktop.preview.looks import MAX_UNWRAPPED
from app.desktop.preview.view import Preview
from app.desktop.preview.writer import Width, fitted
from app.desktop.theme import colours
from app.desktop.tokens import DARK, LIGHT, Colours
from tests.desktop.test_theme import contrast
from tests.desktop.window import write_all


def highlighted(language: str, code: str) -> list[tuple[str, Token]]:
    highlighter = Highlighter(language)
    lines = code.split("\n")
    return [(line[start:end], token) for line in lines for start, end, token in highlighter.tokens(line)]


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "def f(x): # why", [("def", Token.KEYWORD), ("# why", Token.COMMENT)]),
        ("python", '"""a\n# b\n""" + 1', [('"""a', Token.STRING), ("# b", Token.STRING), ('"""', Token.STRING), ("1", Token.NUMBER)]),
        ("js", "/* a\nb */ let c = `d`", [("/* a", Token.COMMENT), ("b */", Token.COMMENT), ("let", Token.KEYWORD), ("`d`", Token.STRING)]),
        ("JS", r"'it\'s' + 0x1F", [(r"'it\'s'", Token.STRING), ("0x1F", Token.NUMBER)]),
        ("rust", "fn f<'a>(x: &'a str) { 'c' }", [("fn", Token.KEYWORD), ("'c'", Token.STRING)]),
        ("sql", "Select a -- b", [("Select", Token.KEYWORD), ("-- b", Token.COMMENT)]),
        ("yaml", "a: true # b", [("a", Token.KEYWORD), ("true", Token.KEYWORD), ("# b", Token.COMMENT)]),
        ("bash", "echo ${#a}", []),
        ("", "def f(): pass", []),
        ("mermaid", "graph if", []),
    ],
)  # fmt: skip
def test_tokens_of_a_language(language: str, code: str, expected: list[tuple[str, Token]]) -> None:
    assert highlighted(language, code) == expected


@pytest.mark.parametrize("language", ["python", "js", "rust", "sql", "yaml", "bash"])
@pytest.mark.parametrize("part", ['"\\', "'\\", "/*", "- ", "[", "a.-", '"""', "0x", "1'", "`", "#"])
def test_highlighting_takes_linear_time(language: str, part: str) -> None:
    line = (part * MAX_LINE_CHARS)[:MAX_LINE_CHARS]
    begun = time.perf_counter()
    for _ in range(5):
        list(Highlighter(language).tokens(line))
    assert time.perf_counter() - begun < 1.0
    assert not list(Highlighter(language).tokens(line + part))


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_highlighted_code_can_be_read(scheme: Colours) -> None:
    for token in Token:
        assert contrast(QColor(getattr(scheme, token)), QColor(scheme.sunken)) >= 4.5, token


@pytest.fixture
def view(qtbot: QtBot) -> Preview:
    made = Preview("Text")
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


def color_at(view: Preview, words: str) -> str:
    cursor = view.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 1, QTextCursor.MoveMode.MoveAnchor)
    return str(cursor.charFormat().foreground().color().name())


def test_code_is_highlighted_and_the_passage_over_it_has_the_text_color(view: Preview) -> None:
    text = "```python\ndef leak():\n    return 'a' # b\n```\n\n```\ndef plain\n```\n"
    view.show_text(text)
    write_all(view)
    assert color_at(view, "return") == QColor(colours().series_4).name()
    assert color_at(view, "'a'") == QColor(colours().success).name()
    assert color_at(view, "leak") == color_at(view, "plain") == QColor(colours().text).name()
    view.set_marks([(text.index("return"), text.index(" # b"))])
    (marked,) = view.extraSelections()
    assert marked.cursor.selectedText() == "return 'a'"  # type: ignore[attr-defined]
    assert marked.format.foreground().color() == QColor(colours().text)  # type: ignore[attr-defined]


def test_code_keeps_its_lines_unless_they_are_very_long(view: Preview) -> None:
    for length, is_wrapped in ((MAX_UNWRAPPED, False), (MAX_UNWRAPPED + 1, True)):
        view.show_text(f"Words.\n\n```\n{'a ' * (length // 2)}{'b' * (length % 2)}\n```\n")
        write_all(view)
        block = view.document().lastBlock()
        view.grab()
        assert (block.layout().lineCount() > 1) is is_wrapped
        assert (view.horizontalScrollBar().maximum() > 0) is not is_wrapped


def test_a_table_with_many_columns_keeps_whole_words_and_scrolls_sideways(view: Preview) -> None:
    names = [f"sensor_{number}" for number in range(20)]
    view.show_text(f"| {' | '.join(names)} |\n|{'---|' * 20}\n| {' | '.join('1.25' for _ in names)} |\n")
    write_all(view)
    view.grab()
    assert view.horizontalScrollBar().maximum() > 0
    assert all(block.layout().lineCount() == 1 for block in blocks_with(view, "sensor_"))


def blocks_with(view: Preview, words: str) -> list:  # type: ignore[type-arg]
    block, found = view.document().firstBlock(), []
    while block.isValid():
        if words in block.text():
            found.append(block)
        block = block.next()
    return found


def test_the_columns_fit_the_rows_of_the_next_piece_too(view: Preview) -> None:
    rows = [f"| {'Replace the sensor' if number == 20 else '–'} | {number} |" for number in range(30)]
    view.show_text("\n".join(["| Remark | Part |", "|---|---|", *rows, "", "After."]))
    write_all(view)
    view.grab()
    (block,) = blocks_with(view, "Replace the sensor")
    assert block.layout().lineCount() == 1


def test_the_pieces_of_a_table_follow_each_other_without_a_gap(view: Preview) -> None:
    view.show_text("\n".join(["| A | B |", "|---|---|", *(f"| {number} | b |" for number in range(40))]))
    write_all(view)
    layout = view.document().documentLayout()
    rows = [
        table.cellAt(row, 0).firstCursorPosition().block()
        for table, _ in view._writer.tables
        for row in range(table.rows())
    ]
    tops = [layout.blockBoundingRect(block).top() for block in rows]
    assert len(view._writer.tables) > 1
    assert {round(below - top) for top, below in itertools.pairwise(tops[1:])} == {round(tops[2] - tops[1])}


@pytest.mark.parametrize("share", [each / 13 for each in range(13)])
def test_a_table_that_shares_the_width_does_not_scroll_sideways(view: Preview, share: float) -> None:
    """The widths of the columns depend on the font, so `share` is between the least and the wanted width."""
    head = "| Part | Supplier | Price | Pack | Time | Remark |\n|---|---|---|---|---|---|\n"
    view.show_text(head + "| Part 57 | Supplier 2 | 81.25 | 7 | 4 days | Replace it with a better sensor |\n")
    write_all(view)
    widths = view._writer.tables[0][1]
    least, wanted = sum(each.least for each in widths), sum(each.wanted for each in widths)
    lines, around = len(widths) + 1, view.width() - view._room()
    view.resize(ceil(around + lines + least + share * (wanted - least)), 400)
    view._writer.fit(view._room())
    view.grab()
    assert {each.type() for each in view._writer.tables[0][0].format().columnWidthConstraints()} == {
        QTextLength.Type.PercentageLength
    }
    assert view.horizontalScrollBar().maximum() == 0


def test_a_table_that_nearly_fits_shares_the_width() -> None:
    shares = fitted([Width(100, 60), Width(300, 100)], 300)
    assert sum(each.rawValue() for each in shares) == pytest.approx(100, abs=1)
    narrow, wide = fitted([Width(100, 60), Width(900, 100)], 303)
    assert narrow.rawValue() == pytest.approx(33, abs=1)
    assert wide.rawValue() == pytest.approx(66, abs=1)
    assert [each.rawValue() for each in fitted([Width(300, 90)] * 9, 400)] == [260] * 9
    assert [each.rawValue() for each in fitted([Width(300, 110)] * 4, 400)] == [110] * 4
