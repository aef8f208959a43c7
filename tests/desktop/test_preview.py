"""Pages are untrusted: nothing is loaded, nothing runs, and links only open after the user has seen their address.

A highlight covers exactly the passage in text, lists, quotes, tables and code.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor, QTextDocument, QTextTable
from pytestqt.qtbot import QtBot

from app.desktop.exports import ask_and_open, open_document, trusted
from app.desktop.formulas import SHORT, readable
from app.desktop.preview import view as module
from app.desktop.preview.blocks import MAX_DEPTH, Block, blocks, safe_start
from app.desktop.preview.looks import runs
from app.desktop.preview.panel import PreviewPanel
from app.desktop.preview.view import Preview
from app.desktop.theme import Appearance, theme
from app.desktop.wording import number
from app.library.records import ImageRecord, LinkRecord
from tests.desktop.window import write_all

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

LONG = "\n\n".join(f"Paragraph {number} speaks of boats." for number in range(4_000))

WORDS = st.text(alphabet="abcdeé𝔘中", min_size=1, max_size=6)
PLAIN = st.builds(" ".join, st.lists(WORDS, min_size=1, max_size=4))


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
    write_all(preview)
    return preview.toPlainText()


def test_a_page_does_not_load_anything(preview: Preview) -> None:
    preview.show_text(HOSTILE)
    preview.grab()
    for address in ("https://evil.example/pixel.png", "file:///etc/passwd"):
        for kind in QTextDocument.ResourceType:
            assert not preview.document().resource(kind.value, QUrl(address))
    html = preview.toHtml()
    assert "<img" not in html
    assert "pixel" not in html.replace("&lt;img src=&quot;https://evil.example/pixel2.png", "")


def test_raw_html_and_links_to_other_places_stay_text(preview: Preview) -> None:
    preview.show_text(HOSTILE)
    text = shown(preview)
    assert "code <b>here</b>" in text
    assert "A link, a [trap](javascript:alert(1)) and [a file](file:///etc/passwd)." in text
    assert "After the code." in text
    assert "<script>" not in preview.toHtml()


def test_blocks_are_formatted_by_kind(preview: Preview) -> None:
    preview.show_text(
        "# Head\n\n- one\n- two\n\n> said\n\n$$\nx^2\n$$\n\n| a | b |\n|---|---|\n| `c\\|d` | 2 \\| 3 |\n"
    )
    assert shown(preview).replace("\n\n", "\n").split() == [
        "Head",
        "one",
        "two",
        "said",
        "x²",
        "a",
        "b",
        "c|d",
        *"2|3",
    ]
    tables = [frame for frame in preview.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert [(each.rows(), each.columns(), each.format().headerRowCount()) for each in tables] == [(2, 2, 1)]
    assert preview.document().firstBlock().blockFormat().headingLevel() == 1


def test_running_text_only_loses_its_marks(preview: Preview) -> None:
    preview.show_text(
        "**Bold**, *thin*, ~~gone~~, `a*b`, $x_1 * y$ at $5 or 5*3*2, snake_case_name, 2 * 3 * 4, \\# no head"
    )
    assert shown(preview) == "Bold, thin, gone, a*b, x₁ * y at $5 or 5*3*2, snake_case_name, 2 * 3 * 4, \\# no head"
    preview.show_text("\\# no head\n1\\. no list")
    assert shown(preview) == "# no head\n1. no list"


def test_links_are_at_the_stored_positions(preview: Preview) -> None:
    text = "See the **guide to knots** for more."
    start = text.index("guide")
    preview.show_text(text, [LinkRecord("https://a.example/knots", "", start, start + len("guide to knots"))])
    assert shown(preview) == "See the guide to knots for more."
    cursor = preview.textCursor()
    cursor.setPosition(len("See the gui"))
    assert cursor.charFormat().anchorHref() == "https://a.example/knots"
    cursor.setPosition(len("See the"))
    assert not cursor.charFormat().isAnchor()


def test_images_are_mentioned_and_not_fetched(preview: Preview) -> None:
    text = "Before.\n\nAfter."
    images = (
        ImageRecord("https://a.example/x.png", "A map", "", 9),
        ImageRecord("https://a.example/y.png", "", "", 99),
    )
    preview.show_text(text, (), images)
    lines = shown(preview).splitlines()
    assert lines == ["Before.", "Image, not saved: A map", "After.", "Image without a description, not saved"]


def test_the_logo_above_the_text_is_not_mentioned(preview: Preview) -> None:
    logo = ImageRecord("https://a.example/logo.png", "SQLite", "", 0)
    preview.show_text("Before.", (), (logo, ImageRecord("https://a.example/lead.png", "", "A harbor at night", 0)))
    assert shown(preview).splitlines() == ["Image, not saved: A harbor at night", "Before."]


def test_a_click_on_a_link_only_emits_its_address(preview: Preview, qtbot: QtBot, opened: list[str]) -> None:
    preview.show_text("[here](https://a.example/x)")
    with qtbot.waitSignal(preview.link_clicked) as clicked:
        preview.anchorClicked.emit(QUrl("https://a.example/x"))
    assert clicked.args == ["https://a.example/x"]
    assert opened == []
    assert preview.source().isEmpty()


def test_a_link_is_opened_after_its_full_address_was_shown(panel: PreviewPanel, opened: list[str]) -> None:
    address = "https://a.example/" + "path/" * 40 + "?q=1"
    dialog = ask_and_open(QUrl(address), panel)
    assert dialog is not None
    texts = [each.text().replace("\u200b", "") for each in dialog.findChildren(type(panel.found))]
    assert address in texts
    assert opened == []
    dialog.open_button.click()
    assert opened == [address]
    assert ask_and_open(QUrl(address), panel) is not None, "the site is not trusted, so the dialog appears again"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
        ("https://a.example/%E2%80%AEmoc.elgoog", "https://a.example/%E2%80%AEmoc.elgoog"),
        ("https://a.example/%C3%A4", "https://a.example/ä"),
    ],
)
def test_the_shown_address_does_not_pass_for_another_one(panel: PreviewPanel, address: str, shown: str) -> None:
    dialog = ask_and_open(QUrl(address), panel)
    assert dialog is not None
    texts = [each.text().replace("\u200b", "") for each in dialog.findChildren(type(panel.found))]
    assert shown in texts
    assert urlsplit(shown).hostname in dialog.trust.text()


def test_a_trusted_site_is_opened_without_asking_unless_the_address_could_leak_data(
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


def test_a_stored_page_can_be_opened_instead(panel: PreviewPanel, opened: list[str]) -> None:
    read: list[int] = []
    dialog = ask_and_open(QUrl("https://a.example/one"), panel, lambda: read.append(1))
    assert dialog is not None
    dialog.stored_button.click()
    assert (read, opened) == ([1], [])


def test_a_long_page_is_shown_in_parts_that_can_all_be_reached(panel: PreviewPanel, qtbot: QtBot) -> None:
    preview = panel.preview
    panel.show_text(LONG)
    write_all(preview)
    qtbot.waitUntil(lambda: not preview.is_writing)
    preview.progressed.emit()
    assert preview.shown != (0, preview.source_length)
    assert preview.shown[0] == 0
    assert module.SHOWN_CHARS <= preview.shown[1] < module.SHOWN_CHARS + 5_000
    assert not panel.later.isHidden()
    assert f"of {number(len(LONG))} characters" in panel.after.text()
    while preview.shown != (0, preview.source_length):
        preview.show_more()
        write_all(preview)
    preview.progressed.emit()
    assert panel.later.isHidden()
    assert "Paragraph 3999 speaks" in preview.toPlainText()


def test_scrolling_to_the_end_shows_more(preview: Preview, qtbot: QtBot) -> None:
    preview.show_text(LONG)
    write_all(preview)
    first = preview.shown[1]
    preview.verticalScrollBar().setValue(preview.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: preview.shown[1] > first)


def test_a_distant_passage_is_shown_without_the_previous_part_which_can_be_added(
    panel: PreviewPanel, qtbot: QtBot
) -> None:
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
    write_all(preview)
    assert preview.shown[0] < place
    assert "Paragraph 3500" in preview.toPlainText()


def test_words_are_found_and_counted_in_the_whole_page(panel: PreviewPanel, qtbot: QtBot) -> None:
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


def test_colors_follow_the_scheme_and_the_position_is_kept(preview: Preview, qtbot: QtBot) -> None:
    preview.show_text(LONG)
    start = LONG.index("Paragraph 900")
    preview.set_marks([(start, start + 13)])
    qtbot.waitUntil(lambda: not preview.is_writing)
    known = theme().appearance
    try:
        theme().select(Appearance.DARK)
        write_all(preview)
        assert preview.extraSelections()[0].format.background().color().name() == theme().colours.mark
        assert preview.extraSelections()[0].cursor.selectedText() == "Paragraph 900"
    finally:
        theme().select(known)


@pytest.mark.parametrize(
    "text",
    ["", "```\nopen fence", "# \n\n- \n  - a\n", "|a|\n|-|", "\x00\ufffd\ufffc" * 50, "```\na\n```\n\n```\nb\n```"],
)
def test_unusual_markdown_does_no_harm(preview: Preview, text: str) -> None:
    preview.show_text(text)
    write_all(preview)
    preview.set_marks([(0, len(text))])
    preview.grab()


@dataclass(frozen=True)
class Piece:
    """A part of a page's source. `is_seen`: it is shown unchanged, otherwise it is a hidden mark."""

    text: str
    is_seen: bool = True


def hidden(text: str) -> Piece:
    return Piece(text, is_seen=False)


def wrapped(mark: str) -> st.SearchStrategy[list[Piece]]:
    return PLAIN.map(lambda words: [hidden(mark), Piece(words), hidden(mark)])


def wrapped_formula(words: str) -> list[Piece]:
    """Words between dollar signs are only a formula if they are short."""
    return [hidden("$"), Piece(words), hidden("$")] if len(words) <= SHORT else [Piece(f"${words}$")]


INLINE = st.one_of(
    PLAIN.map(lambda words: [Piece(words)]),
    wrapped("**"),
    wrapped("*"),
    wrapped("~~"),
    wrapped("`"),
    PLAIN.map(wrapped_formula),
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
    """Return the highlighted text without line ends."""
    texts = (each.cursor.selectedText() for each in preview.extraSelections())
    return "".join(texts).replace("\u2028", "").replace("\u2029", "")


def test_a_passage_that_ends_at_a_formula_delimiter_highlights_none_of_it(view: Preview) -> None:
    view.show_text("words $a$ more")
    view.set_marks([(0, 7)])
    write_all(view)
    assert marked_text(view) == "words "


@settings(max_examples=40, deadline=None)
@given(PAGE, st.data())
def test_the_highlighted_text_is_the_visible_text_of_the_passage(
    view: Preview, page: list[Piece], data: st.DataObject
) -> None:
    source = "".join(piece.text for piece in page)
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))
    expected, place = "", 0
    for piece in page:
        if piece.is_seen:
            expected += source[max(start, place) : max(place, min(end, place + len(piece.text)))]
        place += len(piece.text)
    view.show_text(source)
    view.set_marks([(start, end)])
    write_all(view)
    assert marked_text(view) == expected


@settings(max_examples=20, deadline=None)
@given(PAGE)
def test_all_visible_text_is_shown_once_and_in_order(view: Preview, page: list[Piece]) -> None:
    view.show_text("".join(piece.text for piece in page))
    write_all(view)
    shown = view.toPlainText().replace("\n", "")
    assert shown == "".join(piece.text for piece in page if piece.is_seen)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab \n#-|>`*$~1.\t", max_size=300))
def test_no_text_is_lost(text: str) -> None:
    found: list[Block] = list(blocks(text))
    places = [span for block in found for span in block.lines]
    assert places == sorted(places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    kept = set(range(len(text))) - {place for start, end in places for place in range(start, end)}
    assert not any(text[place] in "ab" for place in kept) or "```" in text or "~~~" in text


@pytest.mark.parametrize(
    "text", ["word " * 40_000, "```\n" + "x = 1\n" * 9_000 + "```\n", "| a |\n|---|\n" + "| b |\n" * 9_000]
)
def test_a_huge_block_is_split(text: str) -> None:
    sizes = [block.end - block.start for block in blocks(text)]
    assert max(sizes) < 10_000
    assert sum(len(block.lines) for block in blocks(text)) >= 9_000 or len(sizes) > 10


@pytest.mark.parametrize("mark", ["> - ", "- ", "> ", "1. "])
def test_deeply_nested_marks_take_linear_time(mark: str) -> None:
    begun = time.process_time()
    found = list(blocks(f"{mark * 1_500}end\n\nAfter."))
    assert time.process_time() - begun < 1.0
    assert max(block.depth + len(block.quotes) for block in found) == MAX_DEPTH
    assert found[-2].lines[-1][1] == 1_500 * len(mark) + 3, "the deeper marks are text"


def test_marks_without_a_partner_take_linear_time() -> None:
    text = "~~b " * 2_400 + "c* " * 2_400
    begun = time.process_time()
    for _ in range(4):
        runs(text, [(0, len(text))])
    assert time.process_time() - begun < 0.6


def test_parsing_never_starts_within_a_fence() -> None:
    text = "Before.\n\n```\na\n\nb\n\nc\n```\n\nAfter.\n\nEnd."
    assert safe_start(text, text.index("c\n")) == text.index("```")
    assert safe_start(text, text.index("End")) == text.index("End")
    assert safe_start(text, 3) == 0


def test_a_passage_is_scrolled_to_the_upper_third_of_the_view(qtbot: QtBot) -> None:
    preview = Preview("Text")
    qtbot.addWidget(preview)
    preview.resize(500, 600)
    preview.show()
    text = "\n\n".join(f"Paragraph {number}." for number in range(3_000))
    preview.show_text(text)
    for place in (2_500, 40, 1_200):
        start = text.index(f"Paragraph {place}.")
        preview.set_marks([(start, start + 12)])
        qtbot.waitUntil(lambda: preview._wanted is None and not preview.is_writing)
        marked = preview.extraSelections()[0]
        cursor = QTextCursor(marked.cursor)
        cursor.setPosition(cursor.selectionStart())
        assert 0 < preview.cursorRect(cursor).top() < preview.viewport().height() / 3


def test_images_that_arrive_while_a_passage_is_written_do_not_keep_it_from_being_shown(qtbot: QtBot) -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 60 for number in range(400))
    view = Preview("text")
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.show_text(text)
    start = text.index("Paragraph 150.")
    view.set_marks([(start, start + 14)])
    assert view._wanted is not None
    view.show_pictures({})
    write_all(view)
    view._go_on()
    assert view.offset_in_view() < start < view.offset_in_view(0.5)


def test_the_buttons_cycle_through_several_passages(qtbot: QtBot) -> None:
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


@pytest.mark.parametrize(
    ("address", "is_opened"),
    [
        ("file:///home/a/notes.md", True),
        ("https://a.example/", True),
        ("file://server/share/notes.md", False),
        ("file:////server/share/notes.md", False),
        ("javascript:alert(1)", False),
        ("smb://server/share", False),
    ],
)
def test_only_pages_and_local_files_are_opened_outside(
    address: str, is_opened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr("app.desktop.exports.QDesktopServices.openUrl", opened.append)
    open_document(address)
    assert bool(opened) is is_opened


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\frac{a}{b+1}", "a/(b+1)"),
        (r"\sum_{i=1}^{n} x_i^2 \leq \sqrt[3]{x+1}", "∑ᵢ₌₁ⁿ xᵢ² ≤ ³√(x+1)"),
        (r"\left\lVert x \right\rVert_2 \to \mathbb{R}^n", "‖ x ‖₂ → ℝⁿ"),
        (r"e^{-\lambda t} \text{ for all } t", "e^(-λ t) for all t"),
        (r"}}x^{", "x^"),
        ("{" * 1_500, "{" * 1_500),
    ],
)
def test_formulas_are_shown_as_plain_text(tex: str, words: str) -> None:
    assert readable(tex) == words


def test_a_formula_is_highlighted_as_a_whole(preview: Preview) -> None:
    text = r"The norm $\lVert x \rVert_2$ is small."
    preview.show_text(text)
    assert shown(preview) == "The norm ‖ x ‖₂ is small."
    preview.set_marks([(text.index("$"), text.index("is small"))])
    assert [each.cursor.selectedText() for each in preview.extraSelections()] == ["‖ x ‖₂", " "]


def test_the_preview_shows_the_blocks_of_the_scanner() -> None:
    text = (
        "Founded in\n1984. It grew.\n\n- item\n  ```py\n  x = 1\n  ```\n\n"
        "| a |\n|---|\n" + "| 1 |\n" * 13 + "\n> $$\n> x\n> $$\n"
    )
    shown = [(str(block.kind), block.marker, block.depth, len(block.lines)) for block in blocks(text)]
    assert shown == [
        ("paragraph", "", 0, 2),
        ("paragraph", "•", 1, 1),
        ("fence", "", 1, 1),
        ("table", "", 0, 14),
        ("formula", "", 0, 1),
    ]
