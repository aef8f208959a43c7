"""Drag and drop on the window, pasting into it, and starting with content to add."""

from __future__ import annotations

import plistlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop import __main__ as entry
from app.desktop.application import DesktopApp
from app.desktop.dialogs.add.dialog import FILES, PAGES
from app.desktop.drag_and_drop import DropOverlay
from app.desktop.main_window import MainWindow
from app.desktop.offer import Offer, addresses_in, linked_address, paths_in

COPY, LEFT, NO_KEYS = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> Iterator[DesktopApp]:
    yield shared_desktop
    if shared_desktop.window.adding is not None:
        shared_desktop.window.adding.reject()
        shared_desktop.window.adding = None


def drag(window: QWidget, mime: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(50, 50), COPY, mime, LEFT, NO_KEYS)
    event.ignore()
    QApplication.sendEvent(window, event)
    return event


def drop(window: QWidget, mime: QMimeData) -> QDropEvent:
    event = QDropEvent(QPointF(50, 50), COPY, mime, LEFT, NO_KEYS)
    event.ignore()
    QApplication.sendEvent(window, event)
    return event


def offered(window: MainWindow) -> str:
    """Return the addresses in the dialog, if it is open."""
    return window.adding.pages.address.text() if window.adding is not None else ""


def of_paths(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def of_text(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def test_addresses_are_shown_while_dragged_and_filled_in_when_dropped(desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    overlay = window.intake.overlay
    mime = of_text("Read https://a.example/1 and https://a.example/2, then https://a.example/3.")
    assert drag(window, mime).isAccepted()
    assert overlay.isVisible()
    assert overlay.title.full_text == "Add 3 pages"
    drop(window, mime)
    assert not overlay.isVisible()
    qtbot.waitUntil(lambda: window.adding is not None)
    assert window.adding is not None
    assert window.adding.way.value == PAGES
    assert len(window.adding.pages.urls) == 3


def test_the_overlay_fits_its_text_when_first_shown(desktop: DesktopApp) -> None:
    overlay = DropOverlay(desktop.window)
    overlay.show_waiting()
    assert overlay._card.height() > overlay.title.sizeHint().height() + overlay.text.sizeHint().height()
    overlay.deleteLater()


def test_files_folders_links_and_bookmarks_are_distinguished(desktop: DesktopApp, tmp_path: Path, qtbot: QtBot) -> None:
    window = desktop.window
    (tmp_path / "notes").mkdir()
    (tmp_path / "a.md").write_text("# A")
    (tmp_path / "photo.png").write_text("")
    (tmp_path / "link.url").write_text("[InternetShortcut]\nURL=https://linked.example/page\n")
    (tmp_path / "marks.html").write_text(
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://m.example/">M</A>'
    )
    mime = of_paths(*sorted(tmp_path.iterdir()))
    drag(window, mime)
    overlay = window.intake.overlay
    qtbot.waitUntil(lambda: "1 page" in overlay.title.full_text)
    # The computer's locale decides about the comma in front of "and".
    things = QLocale().createSeparatedList(["1 page", "1 file", "1 folder", "the bookmarks of 1 file"])
    assert overlay.title.full_text == f"Add {things}"
    assert overlay.text.text() == "1 file skipped: photo.png"
    drop(window, mime)
    qtbot.waitUntil(lambda: window.adding is not None)
    dialog = window.adding
    assert dialog is not None
    assert dialog.way.value == FILES
    assert dialog.pages.urls == ("https://linked.example/page",)
    assert [path.name for path in dialog.files.paths] == ["notes", "marks.html", "a.md"]


def test_unsupported_content_is_refused_with_the_reason(desktop: DesktopApp, tmp_path: Path, qtbot: QtBot) -> None:
    window = desktop.window
    (tmp_path / "photo.png").write_text("")
    mime = of_paths(tmp_path / "photo.png")
    drag(window, mime)
    qtbot.waitUntil(lambda: window.intake.overlay.title.full_text == "Cannot add this")
    assert window.intake.overlay.text.text().startswith("WebRAG cannot read “photo.png”.")
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window.intake.overlay.isVisible()
    # Qt only delivers a drop after a drag has entered.
    drag(window, mime)
    drop(window, mime)
    qtbot.waitUntil(lambda: "photo.png" in window.toast._text.text())
    assert window.adding is None


def test_the_dialog_takes_files_and_addresses_of_one_drop(desktop: DesktopApp, tmp_path: Path) -> None:
    desktop.window.add_page("https://a.example/")
    dialog = desktop.window.adding
    assert dialog is not None
    mime = QMimeData()
    mime.setUrls([QUrl("https://b.example/"), QUrl.fromLocalFile(str(tmp_path))])
    drag(dialog, mime)
    drop(dialog, mime)
    assert (dialog.way.value, dialog.files.paths, dialog.pages.urls) == (FILES, [tmp_path], ("https://b.example/",))


def test_a_dialog_that_is_adding_something_does_not_take_more(desktop: DesktopApp, tmp_path: Path) -> None:
    window = desktop.window
    window.add_page("https://a.example/")
    first = window.adding
    assert first is not None
    first._show_busy("Saving…")
    assert not drag(first, of_paths(tmp_path)).isAccepted()
    window.add_offer(Offer(("https://b.example/",)))
    assert window.adding is not first and window.adding.pages.urls == ("https://b.example/",)


def test_drags_without_text_or_files_are_ignored(desktop: DesktopApp) -> None:
    mime = QMimeData()
    mime.setData("application/x-colour", b"red")
    assert not drag(desktop.window, mime).isAccepted()
    assert not desktop.window.intake.overlay.isVisible()


def test_addresses_can_be_pasted_anywhere_except_into_text_boxes(desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    QGuiApplication.clipboard().setText("https://a.example/pasted")
    window.go_to("search")
    window.search.query.setFocus()
    window.activateWindow()
    qtbot.waitUntil(window.search.query.hasFocus)
    window.intake.paste()
    qtbot.wait(30)
    assert offered(window) == ""
    window.search.query.clearFocus()
    window.intake.paste()
    qtbot.waitUntil(lambda: offered(window) != "")
    assert offered(window) == "https://a.example/pasted"


def test_paths_and_addresses_on_the_command_line_are_offered(
    desktop: DesktopApp, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two words.md").write_text("# Two")
    monkeypatch.chdir(tmp_path)
    options = entry._parser().parse_args(["https://a.example/x", "two words.md"])
    named = entry._named(options)
    assert " " in named
    assert "\n" not in named
    desktop.open_with(named)
    qtbot.waitUntil(lambda: desktop.window.adding is not None)
    dialog = desktop.window.adding
    assert dialog is not None
    assert dialog.files.paths == [tmp_path / "two words.md"]
    assert dialog.pages.urls == ("https://a.example/x",)


def test_link_files_of_every_system_are_read(tmp_path: Path) -> None:
    kept = {
        "a.url": b"\xef\xbb\xbf[InternetShortcut]\r\nURL=https://a.example/%20x\r\n",
        "b.webloc": plistlib.dumps({"URL": "https://b.example/"}),
        "c.webloc": plistlib.dumps({"URL": "https://c.example/"}, fmt=plistlib.FMT_BINARY),
        "d.desktop": b"[Desktop Entry]\nType=Link\nURL=https://d.example/\n",
        "e.url": b"no sections",
        "f.webloc": b"<plist>",
        "g.desktop": b"[Desktop Entry]\nExec=rm\nURL=file:///etc/passwd\n",
        "h.url": b"x" * 100_000,
        "i.webloc": b'<?xml version="1.0"?><plist version="1.0"><date>no day</date></plist>',
    }
    for name, body in kept.items():
        (tmp_path / name).write_bytes(body)
    found = [linked_address(tmp_path / name) for name in kept]
    assert found[:4] == ["https://a.example/%20x", "https://b.example/", "https://c.example/", "https://d.example/"]
    assert found[4:] == ["", "", "", "", ""]


def test_paths_are_on_separate_lines() -> None:
    assert paths_in('/a/b c.md\n"/d.pdf"\nfile:///e%20f\nsee /g for more') == (
        Path("/a/b c.md"),
        Path("/d.pdf"),
        Path("/e f"),
    )


def test_paths_on_other_computers_are_not_checked() -> None:
    assert paths_in("\\\\host\\share\\x\n//host/x\nfile://host/x\nfile:////host/x") == ()


def test_a_million_brackets_after_an_address_do_not_stop_the_window() -> None:
    assert addresses_in("https://a.example/(x)" + ")" * 1_000_000) == ("https://a.example/(x)",)


@given(st.lists(st.from_regex(r"https://[a-z]{1,8}\.example/[a-z0-9/_-]{0,12}[a-z0-9]", fullmatch=True), max_size=6))
def test_addresses_are_extracted_from_sentences(urls: list[str]) -> None:
    text = "Look: " + "; ".join(f"({url})," for url in urls)
    assert addresses_in(text) == tuple(dict.fromkeys(urls))
