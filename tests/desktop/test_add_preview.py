"""Previews of pages and files before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.dialogs.add.dialog import FILES, AddPageDialog
from app.desktop.dialogs.add.pages import warnings_of
from app.desktop.dialogs.add.panel import NAME
from app.errors import AddressDeniedError, FetchTimeoutError, HTTPStatusError
from app.ingest.crawling.preview import PagePreview
from tests.desktop.fake_engine import FakeEngine, FakeParts

PAGE = "https://a.example/one"
LOOK = PagePreview(PAGE, "One", "de", 1_240, 6, 18, "## Head\n\nThe **first** lines.")


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    return shared_desktop


@pytest.fixture
def engine(shared_parts: FakeParts, desktop: DesktopApp) -> FakeEngine:
    engine = shared_parts.engines[0]
    for kept in (engine.asked, engine.looks, engine.refusals, engine.jobs.asked):
        kept.clear()
    return engine


@pytest.fixture
def dialog(desktop: DesktopApp, engine: FakeEngine) -> Iterator[AddPageDialog]:
    desktop.window.add_page(PAGE)
    made = desktop.window.adding
    assert made is not None
    yield made
    made.reject()
    made.deleteLater()


def press_enter(qtbot: QtBot, dialog: AddPageDialog) -> None:
    qtbot.keyClick(dialog.pages.address, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]


def test_the_first_enter_previews_and_the_second_stores_the_preview(
    dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot
) -> None:
    engine.looks[PAGE] = LOOK
    card = dialog.pages.card
    press_enter(qtbot, dialog)
    assert dialog.pages.address.isEnabled(), "typing is possible at any time"
    qtbot.waitUntil(lambda: card.look is not None)
    assert (card.title.full_text, card.address.full_text) == ("One", PAGE)
    assert card.facts.text() == "German  ·  1,240 tokens  ·  6 passages  ·  18 links"
    assert card.excerpt.toPlainText().split("\n") == ["Head", "The first lines."]
    blocks = card.excerpt.document().firstBlock(), card.excerpt.document().lastBlock()
    heading, words = (each.begin().fragment().charFormat().font().pointSizeF() for each in blocks)
    assert heading > words, "headings are larger"
    assert [what for what, _ in engine.asked] == ["look"], "the preview does not store the page"
    press_enter(qtbot, dialog)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert engine.asked[-1] == ("add looked", PAGE)


def test_warnings_are_shown_before_storing(dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot) -> None:
    stored = next(iter(engine.stored.values()))
    engine.looks[PAGE] = replace(
        LOOK, url="https://a.example/moved", note="Behind a sign-in.", flags=("gives orders",), stored=stored
    )
    dialog.pages.look()
    qtbot.waitUntil(lambda: dialog.pages.card.look is not None)
    shown = " ".join(dialog.pages.card.warnings)
    assert "Already in the library" in shown
    assert "Behind a sign-in." in shown
    assert "gives orders" in shown
    assert dialog.panel.action == "Replace copy"


def test_another_address_removes_the_preview(dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot) -> None:
    dialog.pages.look()
    dialog.pages.address.setText("https://b.example/two")
    qtbot.wait(30)
    assert dialog.pages.card.look is None
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert engine.asked[-1] == ("add", "https://b.example/two")


def test_a_private_address_leads_to_its_setting(
    dialog: AddPageDialog, desktop: DesktopApp, engine: FakeEngine, qtbot: QtBot
) -> None:
    engine.refusals[PAGE] = AddressDeniedError("It leads to a private network.")
    dialog.pages.look()
    qtbot.waitUntil(lambda: dialog.pages.card.error is not None)
    assert dialog.pages.card.remedy.text() == "Open setting"
    dialog.pages.card.remedy.click()
    assert not dialog.isVisible()
    settings = desktop.window.settings
    assert desktop.window.current_page is settings
    assert settings.sections[settings.list.currentRow()] is settings.crawling


def test_a_slow_site_can_be_retried(dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot) -> None:
    engine.refusals[PAGE] = FetchTimeoutError("It did not answer.", url=PAGE)
    dialog.pages.look()
    qtbot.waitUntil(lambda: dialog.pages.card.error is not None)
    del engine.refusals[PAGE]
    dialog.pages.card.remedy.click()
    qtbot.waitUntil(lambda: dialog.pages.card.look is not None)


def test_pages_that_need_a_browser_can_be_opened_there(
    dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    engine.refusals[PAGE] = HTTPStatusError("The site answered with 403.", url=PAGE, status=403)
    dialog.pages.look()
    qtbot.waitUntil(lambda: dialog.pages.card.error is not None)
    dialog.pages.card.remedy.click()
    assert opened == [PAGE]


def test_failed_pages_of_a_list_are_deselected(dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot) -> None:
    urls = tuple(f"https://a.example/{number}" for number in range(5))
    engine.refusals[urls[3]] = FetchTimeoutError("It did not answer.", url=urls[3])
    dialog.pages.fill(urls)
    rows = list(dialog.pages.list.rows())
    qtbot.waitUntil(lambda: rows[3].checkState(NAME) is Qt.CheckState.Unchecked and rows[4].text(1) == "120 tokens")
    assert rows[0].text(0) == "About 0"
    assert dialog._start.text() == "Add 4 pages"
    dialog.pages.list.untick(rows[0])
    assert dialog._start.text() == "Add 3 pages"
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert engine.jobs.asked[-1][:2] == ("read_pages", (urls[1], urls[2], urls[4]))


def test_only_the_addresses_of_a_pasted_text_are_inserted(dialog: AddPageDialog, qtbot: QtBot) -> None:
    pasted = QMimeData()
    pasted.setText("See https://a.example/x, and (https://b.example/y_(z)).")
    dialog.pages.address.clear()
    dialog.pages.address.insertFromMimeData(pasted)
    assert dialog.pages.urls == ("https://a.example/x", "https://b.example/y_(z)")
    qtbot.waitUntil(lambda: all(row.text(1) == "120 tokens" for row in dialog.pages.list.rows()))


def test_a_path_is_passed_to_the_panel_for_files(dialog: AddPageDialog, tmp_path: Path, qtbot: QtBot) -> None:
    note = tmp_path / "a note.md"
    note.write_text("# Note")
    dialog.pages.address.setText(str(note))
    press_enter(qtbot, dialog)
    assert dialog.way.value == FILES
    qtbot.waitUntil(lambda: dialog.files.survey is not None)
    assert dialog.files.card.found.full_text == "1 file to add"
    assert dialog._start.text() == "Add 1 file"


def test_a_folder_is_counted_and_can_be_added_once(
    dialog: AddPageDialog, engine: FakeEngine, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md", "c.txt", "d.png", ".hidden.md"):
        (folder / name).write_text("# Words")
    dialog.show_way(FILES)
    dialog.files.fill([folder])
    qtbot.waitUntil(lambda: dialog.files.survey is not None)
    card = dialog.files.card
    assert (card.found.full_text, card.kinds.text()) == ("3 files to add", "2 Markdown  ·  1 text")
    assert card.left_out.text() == "1 file skipped: 1 image."
    assert dialog.files.once.isEnabled()
    dialog.files.once.setChecked(True)
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert sorted(str(what) for name, what in engine.asked if name == "file") == [
        str(folder / name) for name in ("a.md", "b.md", "c.txt")
    ]
    assert not engine.jobs.asked


def test_bookmark_folders_can_be_deselected(
    dialog: AddPageDialog, engine: FakeEngine, tmp_path: Path, qtbot: QtBot
) -> None:
    marks = tmp_path / "marks.html"
    marks.write_text(
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p><DT><A HREF="https://top.example/">T</A>'
        '<DT><H3>Docs</H3><DL><p><DT><A HREF="https://docs.example/">D</A>'
        '<DT><H3>Old</H3><DL><p><DT><A HREF="https://old.example/">O</A></DL><p></DL><p></DL><p>'
    )
    dialog.show_way(FILES)
    dialog.files.fill([marks])
    qtbot.waitUntil(lambda: dialog.files.survey is not None)
    tree = dialog.files.card.bookmarks
    rows = {item.text(0): item for item in tree.rows()}
    assert [(item.text(0), item.text(1)) for item in tree.rows()] == [
        ("Pages outside folders", "1 page"),
        ("Docs", "2 pages"),
        ("Pages directly in this folder", "1 page"),
        ("Old", "1 page"),
    ]
    tree.untick(rows["Old"])
    assert rows["Docs"].checkState(NAME) is Qt.CheckState.PartiallyChecked
    assert dialog._start.text() == "Add 2 pages"
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert engine.jobs.asked == [("read_pages", ("https://top.example/", "https://docs.example/"), "marks.html")]


def test_the_dialog_accepts_drops(dialog: AddPageDialog, qtbot: QtBot) -> None:
    from tests.desktop.test_drag_and_drop import drag, drop

    mime = QMimeData()
    mime.setUrls([QUrl("https://a.example/x"), QUrl("https://b.example/y")])
    assert drag(dialog, mime).isAccepted()
    drop(dialog, mime)
    assert dialog.pages.urls == ("https://a.example/x", "https://b.example/y")
    QApplication.processEvents()


def test_failed_input_is_not_offered_again_until_it_changes(
    dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot
) -> None:
    engine.refusals[PAGE] = HTTPStatusError("a.example has no page at this address (404).", url=PAGE, status=404)
    assert dialog._start.isEnabled()
    dialog.pages.look()
    qtbot.waitUntil(lambda: dialog.pages.card.error is not None)
    assert dialog.pages.card._error_title.text() == "Page not found"
    assert not dialog._start.isEnabled()
    dialog.pages.address.setText("https://b.example/two")
    assert dialog._start.isEnabled()
    # It was added without a preview, so the banner shows the reason.
    dialog.pages.address.setText(PAGE)
    dialog.pages.failed.emit(engine.refusals[PAGE])
    assert not dialog._start.isEnabled()
    dialog.show_way("site")
    assert dialog._start.isEnabled()
    dialog.show_way("pages")
    assert not dialog._start.isEnabled()
    dialog.pages.address.setText("https://b.example/two")
    assert dialog._start.isEnabled() and dialog.pages.problem is None


def test_nothing_of_a_deselected_list_is_added(dialog: AddPageDialog, engine: FakeEngine, qtbot: QtBot) -> None:
    other = f"{PAGE}/other"
    for each in (PAGE, other):
        engine.refusals[each] = FetchTimeoutError("It did not answer.", url=each)
    dialog.pages.fill((PAGE, other))
    qtbot.waitUntil(lambda: not dialog._start.isEnabled())
    assert not list(dialog.pages.list.kept())


@pytest.mark.parametrize(
    "asked", ["https://Docs.example/\u00e4#top", "http://docs.example:80/%c3%a4", "https://docs.example/x/../\u00e4"]
)
def test_another_spelling_of_an_address_is_not_a_redirect(asked: str) -> None:
    look = replace(LOOK, url="https://docs.example/%C3%A4")
    assert warnings_of(look, asked) == []
    assert warnings_of(look, "https://docs.example/old") == [("info", "The address you entered redirects here.")]
