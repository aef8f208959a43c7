"""Places in files, such as slides, sheets and cells: in words, and as lines in the preview."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from app.desktop.models.details import anchor_words, heading_path, place_labels, section_of
from app.desktop.preview.panel import PreviewPanel
from app.desktop.preview.stored import open_source
from app.desktop.preview.view import Preview
from app.library.records import SectionRecord
from app.retrieval.records import RetrievedChunk
from tests.desktop.fake_engine import chunk
from tests.desktop.window import write_all


@pytest.mark.parametrize(
    ("anchor", "path", "expected"),
    [
        ("slide=2", "", "Slide 2"),
        ("slide=2", "Slide 2: Pumps", ""),
        ("slide=2", "Slide 21: Pumps", "Slide 2"),
        ("sheet=My%20prices&range=A42:F81", "", "My prices, rows 42–81"),
        ("sheet=Prices&range=A42:F81", "Prices, rows 42–81", ""),
        ("range=A1:AB41", "", "Rows 1–41"),
        ("page=3", "3.1 Pumps", "Page 3"),
        ("cell=3", "Flow", "Cell 3"),
        ("message=4", "Parts", "Message 4"),
        ("L24", "marked (line 24)", ""),
        ("L24", "", "Line 24"),
        ("t=3720", "", "01:02:00"),
        ("path=a.xls&sheet=P", "", "a.xls, P"),
        ("attachment=1", "Attachment: a.csv", ""),
        ("attachment=1", "", "Attachment 1"),
        ("introduction", "", ""),
        (f"t={'9' * 5000}", "", ""),
        ("page=٣", "", ""),
        (None, "", ""),
    ],
)
def test_places_in_words(anchor: str | None, path: str, expected: str) -> None:
    assert anchor_words(anchor, path) == expected


def test_the_part_of_a_sheet_is_named_without_the_sheet_above_it() -> None:
    assert heading_path(("Costs", "Prices", "Prices, rows 1–41")) == "Costs › Prices, rows 1–41"
    assert heading_path(("Prices", "Price")) == "Prices › Price"
    assert heading_path(()) == ""


def sections(*anchors: str) -> Sequence[SectionRecord]:
    return [SectionRecord(1, "Heading", anchor, 10 * place, 10 * place + 9) for place, anchor in enumerate(anchors)]


def test_only_numbers_that_the_text_does_not_include_become_lines() -> None:
    found = place_labels(sections("page=1", "page=1", "page=2", "slide=3", "cell=4", "L5", "introduction"))
    assert found == [(0, "Page 1"), (20, "Page 2"), (40, "Cell 4")]


def test_a_line_in_the_preview_names_the_cell_and_moves_no_passage(qtbot: QtBot) -> None:
    view = Preview("Text")
    qtbot.addWidget(view)
    text = "# Flow\n\nWords.\n\n```python\nleak = 1\n```\n\n```python\nflow = 2\n```\n"
    view.show_text(
        text, labels=[(0, "Cell 1"), (text.index("```"), "Cell 2"), (text.index("```python\nflow"), "Cell 3")]
    )
    write_all(view)
    assert view.toPlainText().split("\n") == ["Cell 1", "Flow", "Words.", "Cell 2", "leak = 1", "Cell 3", "flow = 2"]
    view.set_marks([(text.index("flow = 2"), text.index("flow = 2") + 4)])
    (marked,) = view.extraSelections()
    assert marked.cursor.selectedText() == "flow"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("https://a.example/b.pdf", "https://a.example/b.pdf#page=3"),
        ("https://a.example/b#c", "https://a.example/b#c"),
        ("file:///home/ada/b.txt", "file:///home/ada/b.txt"),
    ],
)
def test_a_result_on_the_web_is_opened_at_its_place(monkeypatch: pytest.MonkeyPatch, url: str, opened: str) -> None:
    found: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: found.append(url.toString())))
    hit = RetrievedChunk(replace(chunk(1), url=url, anchor="page=3", section_path=()), 0.5, 0.8)
    open_source(hit)
    assert found == [opened]
    assert section_of(hit.chunk) == "Page 3"


def test_the_bar_above_the_page_says_where_the_passage_begins(qtbot: QtBot) -> None:
    panel = PreviewPanel("Text")
    qtbot.addWidget(panel)
    text = "One.\n\n## Slide 1\n\nTwo.\n\n## Slide 2\n\nThree."
    starts = [text.index("## Slide 1"), text.index("## Slide 2")]
    slides = [SectionRecord(2, f"Slide {n}", f"slide={n}", start, start + 9) for n, start in enumerate(starts, 1)]
    panel.show_text(text, sections=slides)
    assert panel.place.full_text == ""
    panel.show_marks([(text.index("Two"), text.index("Two") + 3), (text.index("Three"), len(text)), (0, 3)])
    shown = []
    for _ in range(3):
        shown.append(panel.place.full_text)
        panel.preview.go_to_mark(1)
    assert shown == ["Slide 1", "Slide 2", ""]
    panel.show_text("Another page.")
    assert panel.place.full_text == ""


def test_a_passage_in_a_wide_table_is_shown_from_its_beginning(qtbot: QtBot) -> None:
    view = Preview("Text")
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    cells = [f"Column number {n}" for n in range(12)]
    text = "\n".join([f"| {' | '.join(cells)} |", "|" + " --- |" * 12, f"| {' | '.join(cells)} |"])
    view.show_text(text)
    start = text.rindex("Column number 7")
    view.set_marks([(start, start + 15)])
    write_all(view)
    assert 0 < view.cursorRect().left() < view.viewport().width() / 2


def test_a_blank_header_is_not_shown(qtbot: QtBot) -> None:
    view = Preview("Text")
    qtbot.addWidget(view)
    view.show_text("|  |  |\n| --- | --- |\n| a | b |\n\n|  |\n| --- |\n")
    write_all(view)
    assert [each for each in view.toPlainText().split("\n") if each] == ["a", "b"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not tell a viewer the page")
@pytest.mark.parametrize(
    ("viewer", "option"), [("org.gnome.Evince", "--page-index=3"), ("okular_pdf", "--page=3"), ("other", "")]
)
def test_a_local_pdf_is_opened_at_its_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot, viewer: str, option: str
) -> None:
    programs = {
        "xdg-mime": f"echo {viewer}.desktop",
        "evince": 'echo "$@" > "$0.called"',
        "okular": 'echo "$@" > "$0.called"',
    }
    for name, line in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: found.append(url.toString())))
    open_source(
        RetrievedChunk(replace(chunk(1), url="file:///home/ada/b.pdf", anchor="page=3", section_path=()), 0.5, 0.8)
    )
    if not option:
        assert found == ["file:///home/ada/b.pdf"]
        return
    qtbot.waitUntil(lambda: any(file.read_text() for file in tmp_path.glob("*.called")))
    (called,) = tmp_path.glob("*.called")
    assert (called.read_text().split(), found) == ([option, "/home/ada/b.pdf"], [])
