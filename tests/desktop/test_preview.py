"""Pages are untrusted: nothing is loaded, nothing runs, links open only when the person has seen where they lead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument, QTextTable
from pytestqt.qtbot import QtBot

from app.corpus.records import ImageRecord, LinkRecord
from app.desktop.preview import view as module
from app.desktop.preview.links import ask_and_open, trusted
from app.desktop.preview.panel import PreviewPanel
from app.desktop.preview.view import Preview
from app.desktop.theme import Appearance, theme
from app.desktop.wording import number

HOSTILE = """# Title

![tracker](https://evil.example/pixel.png "x") and ![](file:///etc/passwd)

<img src="https://evil.example/pixel2.png"><script>alert(1)</script>

A [link](https://a.example/), a [trap](javascript:alert(1)) and [a file](file:///etc/passwd).

| a | b |
|---|---|
| 1 | 2 |

```
code <b>here</b>
second line
```

After the code.
"""


@pytest.fixture
def preview(qtbot: QtBot) -> Preview:
    made = Preview("Text")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


@pytest.fixture
def panel(qtbot: QtBot) -> PreviewPanel:
    made = PreviewPanel("Text")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    found: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: found.append(url.toString())))
    yield found
    trusted.clear()


def shown(preview: Preview) -> str:
    preview.finish()
    return preview.toPlainText()


def test_nothing_is_loaded(preview: Preview) -> None:
    preview.show_text(HOSTILE)
    preview.grab()
    for address in ("https://evil.example/pixel.png", "file:///etc/passwd"):
        for kind in QTextDocument.ResourceType:
            assert not preview.document().resource(kind.value, QUrl(address))
    html = preview.toHtml()
    assert "<img" not in html
    assert "pixel" not in html.replace("&lt;img src=&quot;https://evil.example/pixel2.png", "")


def test_raw_html_and_links_to_elsewhere_stay_text(preview: Preview) -> None:
    preview.show_text(HOSTILE)
    text = shown(preview)
    assert "code <b>here</b>" in text
    assert "A link, a [trap](javascript:alert(1)) and [a file](file:///etc/passwd)." in text
    assert "After the code." in text
    assert "<script>" not in preview.toHtml()


def test_blocks_have_their_form(preview: Preview) -> None:
    preview.show_text(
        "# Head\n\n- one\n- two\n\n> said\n\n$$\nx^2\n$$\n\n| a | b |\n|---|---|\n| `c\\|d` | 2 \\| 3 |\n"
    )
    assert shown(preview).replace("\n\n", "\n").split() == [
        "Head",
        "one",
        "two",
        "said",
        "x^2",
        "a",
        "b",
        "c|d",
        *"2|3",
    ]
    tables = [frame for frame in preview.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert [(each.rows(), each.columns(), each.format().headerRowCount()) for each in tables] == [(2, 2, 1)]
    assert preview.document().firstBlock().blockFormat().headingLevel() == 1


def test_running_text_loses_its_marks_and_nothing_else(preview: Preview) -> None:
    preview.show_text(
        "**Bold**, *thin*, ~~gone~~, `a*b`, $x_1 * y$ at $5 or 5*3*2, snake_case_name, 2 * 3 * 4, \\# no head"
    )
    assert shown(preview) == "Bold, thin, gone, a*b, $x_1 * y$ at $5 or 5*3*2, snake_case_name, 2 * 3 * 4, \\# no head"
    preview.show_text("\\# no head\n1\\. no list")
    assert shown(preview) == "# no head\n1. no list"


def test_links_stand_where_the_corpus_says(preview: Preview) -> None:
    text = "See the **guide to knots** for more."
    start = text.index("guide")
    preview.show_text(text, [LinkRecord("https://a.example/knots", "", start, start + len("guide to knots"))])
    assert shown(preview) == "See the guide to knots for more."
    cursor = preview.textCursor()
    cursor.setPosition(len("See the gui"))
    assert cursor.charFormat().anchorHref() == "https://a.example/knots"
    cursor.setPosition(len("See the"))
    assert not cursor.charFormat().isAnchor()


def test_pictures_are_told_of_and_not_fetched(preview: Preview) -> None:
    text = "Before.\n\nAfter."
    images = (
        ImageRecord("https://a.example/x.png", "A map", "", 9),
        ImageRecord("https://a.example/y.png", "", "", 99),
    )
    preview.show_text(text, (), images)
    lines = shown(preview).splitlines()
    assert lines == ["Before.", "Picture, not stored: A map", "After.", "Picture without a description, not stored"]


def test_a_click_says_only_where_the_link_leads(preview: Preview, qtbot: QtBot, opened: list[str]) -> None:
    preview.show_text("[here](https://a.example/x)")
    with qtbot.waitSignal(preview.link_clicked) as clicked:
        preview.anchorClicked.emit(QUrl("https://a.example/x"))
    assert clicked.args == ["https://a.example/x"]
    assert opened == []
    assert preview.source().isEmpty()


def test_a_link_is_opened_once_its_whole_address_was_seen(panel: PreviewPanel, opened: list[str]) -> None:
    address = "https://a.example/" + "path/" * 40 + "?q=1"
    dialog = ask_and_open(QUrl(address), panel)
    assert dialog is not None
    texts = [each.text().replace("\u200b", "") for each in dialog.findChildren(type(panel.found))]
    assert address in texts
    assert opened == []
    dialog.open_button.click()
    assert opened == [address]
    assert ask_and_open(QUrl(address), panel) is not None, "not trusted, so it is asked again"


def test_a_trusted_site_is_not_asked_about_again_unless_the_address_may_carry_data(
    panel: PreviewPanel, opened: list[str]
) -> None:
    dialog = ask_and_open(QUrl("https://a.example/one"), panel)
    assert dialog is not None
    dialog.trust.setChecked(True)
    dialog.open_button.click()
    assert ask_and_open(QUrl("https://a.example/two"), panel) is None
    assert opened == ["https://a.example/one", "https://a.example/two"]
    assert ask_and_open(QUrl("https://b.example/"), panel) is not None
    carrier = QUrl("https://a.example/?d=" + "Zm9vYmFyMTIzNDU2Nzg5" * 6)
    assert ask_and_open(carrier, panel) is not None
    trusted.clear()
    assert ask_and_open(QUrl("https://a.example/two"), panel) is not None


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "webrag://guide/x", "https://"])
def test_only_web_links_are_followed(panel: PreviewPanel, opened: list[str], address: str) -> None:
    assert ask_and_open(QUrl(address), panel) is None
    assert opened == []


def test_a_stored_page_can_be_read_instead(panel: PreviewPanel, opened: list[str]) -> None:
    read: list[int] = []
    dialog = ask_and_open(QUrl("https://a.example/one"), panel, lambda: read.append(1))
    assert dialog is not None
    dialog.stored_button.click()
    assert (read, opened) == ([1], [])


LONG = "\n\n".join(f"Paragraph {number} speaks of boats." for number in range(4_000))


def test_a_long_page_is_shown_in_parts_and_all_of_it_can_be_reached(panel: PreviewPanel, qtbot: QtBot) -> None:
    preview = panel.preview
    panel.show_text(LONG)
    preview.finish()
    qtbot.waitUntil(lambda: not preview.is_writing)
    preview.progressed.emit()
    assert preview.is_cut
    assert preview.shown[0] == 0
    assert module.SHOWN_CHARS <= preview.shown[1] < module.SHOWN_CHARS + 5_000
    assert not panel.later.isHidden()
    assert f"of {number(len(LONG))} characters" in panel.after.text()
    while preview.is_cut:
        preview.show_more()
        preview.finish()
    preview.progressed.emit()
    assert panel.later.isHidden()
    assert "Paragraph 3999 speaks" in preview.toPlainText()


def test_scrolling_to_the_end_shows_more(preview: Preview, qtbot: QtBot) -> None:
    preview.show_text(LONG)
    preview.finish()
    first = preview.shown[1]
    preview.verticalScrollBar().setValue(preview.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: preview.shown[1] > first)


def test_a_far_passage_is_shown_without_what_comes_before_which_can_be_added(panel: PreviewPanel, qtbot: QtBot) -> None:
    preview = panel.preview
    panel.show_text(LONG)
    start = LONG.index("Paragraph 3500")
    panel.show_marks([(start, start + 14)])
    qtbot.waitUntil(lambda: not preview.is_writing)
    assert preview.shown[0] > 60_000
    assert "Paragraph 3500" in preview.toPlainText()
    assert not panel.earlier.isHidden()
    place = preview.shown[0]
    preview.show_earlier()
    preview.finish()
    assert preview.shown[0] < place
    assert "Paragraph 3500" in preview.toPlainText()


def test_words_are_found_in_the_whole_page_and_counted(panel: PreviewPanel, qtbot: QtBot) -> None:
    panel.show_text(LONG + "\n\nA **rare** word.")
    qtbot.keyClick(panel.preview, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not panel.finder.isHidden()
    qtbot.keyClicks(panel.words, "RARE word")
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.found.text() == "1 of 1")
    qtbot.waitUntil(lambda: "rare word" in panel.preview.toPlainText())
    panel.words.setText("Paragraph 77")
    qtbot.waitUntil(lambda: panel.found.text().endswith(" of 11"))
    first = panel.preview.findings.current
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    assert panel.preview.findings.current == (first + 1) % 11
    qtbot.keyClick(panel.words, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert panel.preview.findings.current == first
    panel.words.setText("no such thing")
    qtbot.waitUntil(lambda: panel.found.text() == "Not on this page")
    qtbot.keyClick(panel.words, Qt.Key.Key_Escape)
    assert panel.finder.isHidden()
    assert panel.preview.extraSelections() == []


def test_colours_follow_the_scheme_and_the_place_stays(preview: Preview, qtbot: QtBot) -> None:
    preview.show_text(LONG)
    start = LONG.index("Paragraph 900")
    preview.mark(start, start + 13)
    qtbot.waitUntil(lambda: not preview.is_writing)
    known = theme().appearance
    try:
        theme().select(Appearance.DARK)
        preview.finish()
        assert preview.extraSelections()[0].format.background().color().name() == theme().colours.mark
        assert preview.extraSelections()[0].cursor.selectedText() == "Paragraph 900"
    finally:
        theme().select(known)


@pytest.mark.parametrize(
    "text",
    ["", "```\nopen fence", "# \n\n- \n  - a\n", "|a|\n|-|", "\x00\ufffd\ufffc" * 50, "```\na\n```\n\n```\nb\n```"],
)
def test_odd_markdown_is_shown_without_harm(preview: Preview, text: str) -> None:
    preview.show_text(text)
    preview.finish()
    preview.mark(0, len(text))
    preview.grab()
