"""The window: names for screen readers, shortcuts, banners, closing, showing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSystemTrayIcon,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.clients.claude_desktop import CLAUDE_DESKTOP
from app.desktop.application import DesktopApp
from app.desktop.backend import Phase
from app.desktop.dialogs.add_page import AddPageDialog
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.dialogs.crash import CrashDialog
from app.engine import EmbedderState
from app.errors import CorpusTooNewError
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts

NAMED = (QAbstractItemView, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextEdit)


def is_inner(widget: QWidget) -> bool:
    """Parts that Qt itself puts into a control: their control has the name."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, (QComboBox, QAbstractSpinBox, QLineEdit, QHeaderView)):
            return True
        above = above.parentWidget()
    return widget.objectName().startswith("qt_") or type(widget).__name__ == "QTableCornerButton"


def unnamed(root: QWidget) -> Iterator[str]:
    """Controls that a screen reader could not tell the purpose of."""
    for widget in (root, *root.findChildren(QWidget)):
        if is_inner(widget) or widget.accessibleName():
            continue
        is_silent_button = isinstance(widget, QAbstractButton) and not widget.text()
        if is_silent_button or (isinstance(widget, NAMED) and not isinstance(widget, QHeaderView)):
            yield f"{type(widget).__name__} in {widget.parent()}"


def test_every_control_has_a_name_for_screen_readers(desktop: DesktopApp) -> None:
    context = desktop.context
    roots: list[QWidget] = [
        desktop.window,
        AddPageDialog(context, None),
        ConnectClientDialog(context, None, CLAUDE_DESKTOP, desktop.window.home.connect_card.command),
        CrashDialog("report", desktop.settings.running.data_dir),
    ]
    assert [
        name for root in roots for name in unnamed(root) if "Corner" not in name and "QHeaderView" not in name
    ] == []


def test_the_walk_finds_an_unnamed_control(desktop: DesktopApp) -> None:
    QToolButton(desktop.window.home)
    assert list(unnamed(desktop.window))


def test_every_page_can_be_reached_by_keyboard(desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    for place, name in enumerate(("home", "library", "search", "scratch", "activity", "settings")):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_1.value + place), Qt.KeyboardModifier.ControlModifier)
        assert window.current_page.name == name
        assert window.sidebar.buttons[name].isChecked()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page.name == "search"
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page.name == "settings"


def test_add_page_reads_shows_and_selects_the_page(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    window = desktop.window
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(AddPageDialog)
    dialog.address.setText("new.example/page")
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: ("add", "https://new.example/page") in parts.engines[0].asked)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    qtbot.waitUntil(lambda: window.current_page is window.library)
    model, table = window.library.model, window.library.table
    qtbot.waitUntil(lambda: getattr(model.record_at(table.currentIndex()), "url", "") == "https://new.example/page")


def test_page_that_cannot_be_read_is_explained_in_the_dialog(desktop: DesktopApp, qtbot: QtBot) -> None:
    from app.desktop.banners import Banner

    desktop.window.add_page("https://slow.example/")
    dialog = desktop.window.findChildren(AddPageDialog)[-1]
    dialog.start()
    qtbot.waitUntil(lambda: dialog.findChild(Banner) is not None)
    banner = dialog.findChild(Banner)
    assert banner.notice.title == "The site did not answer in time"
    assert "REQUEST_TIMEOUT_MS" in banner.notice.text
    assert dialog.isVisible()
    assert dialog.address.isEnabled()


def keys(desktop: DesktopApp) -> list[str]:
    return [notice.key for notice in desktop.window.banners.notices]


def test_engine_that_does_not_start_is_a_banner_with_a_way_out(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(2)
    parts.start_error = CorpusTooNewError("The file has version 9.")
    desktop = start(parts, ready=False)
    qtbot.waitUntil(lambda: "engine" in keys(desktop))
    assert desktop.tray.icon.toolTip() == "WebRAG: Corpus made by a newer version"
    parts.start_error = None
    notice = desktop.window.banners.notices[0]
    assert notice.run is not None
    notice.run()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    assert "engine" not in keys(desktop)
    qtbot.waitUntil(lambda: desktop.window.library.model.total == 2)


def test_endpoint_that_cannot_listen_is_a_banner(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts()
    parts.listen_error = OSError(98, "Address already in use")
    desktop = start(parts)
    assert "server" in keys(desktop)
    assert desktop.status.tray_state.value == "error"


def test_embedder_that_does_not_work_is_a_banner(start: Start) -> None:
    parts = FakeParts()
    parts.embedder = EmbedderState("none", False, "The model file is damaged.", 0)
    desktop = start(parts)
    assert "embedder" in keys(desktop)


def test_dismissed_banner_stays_away_until_its_text_changes(start: Start) -> None:
    desktop = start(FakeParts())
    desktop.context.secrets.note = "No keyring."
    desktop.status.changed.emit()
    assert keys(desktop) == ["keyring"]
    stack = desktop.window.banners
    stack._dismiss(stack.notices[0])
    desktop.status.changed.emit()
    assert keys(desktop) == []
    desktop.context.secrets.note = "The keyring is locked."
    desktop.status.changed.emit()
    assert keys(desktop) == ["keyring"]


def test_closing_hides_where_there_is_a_tray_and_says_so_once(
    desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(desktop.tray, "tell", lambda title, _text: told.append(title))
    for _ in range(2):
        desktop.show_window()
        desktop.window.close()
        assert not desktop.window.isVisible()
    assert desktop.status.phase is Phase.RUNNING
    assert told == ["WebRAG stays in the tray"]


def test_closing_quits_where_there_is_no_tray(desktop: DesktopApp, parts: FakeParts) -> None:
    assert not QSystemTrayIcon.isSystemTrayAvailable()
    desktop.window.close()
    assert parts.engines[0].stopped


def test_tray_that_comes_late_takes_a_window_that_was_to_be_hidden(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = start(FakeParts(), hidden=True)
    assert desktop.window.isMinimized(), "without a tray a hidden start must leave something to click on"
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    desktop.tray.check()
    assert not desktop.window.isVisible()


def test_tray_menu_and_pause(desktop: DesktopApp, qtbot: QtBot) -> None:
    texts = [action.text() for action in desktop.tray.menu.actions() if not action.isSeparator()]
    assert texts == [
        *("Ready", "Open WebRAG", "Add page from clipboard", "Search…", "Pause"),
        *("Copy server address", "Settings", "Quit"),
    ]
    desktop.tray.pause.trigger()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.PAUSED)
    assert desktop.tray.pause.text() == "Resume"
    assert desktop.tray.icon.toolTip() == "WebRAG: Paused: assistants are not served"
    desktop.tray.pause.trigger()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)


def test_address_on_the_clipboard_is_offered_other_text_is_not(desktop: DesktopApp) -> None:
    from PySide6.QtGui import QGuiApplication

    QGuiApplication.clipboard().setText("  https://a.example/page \n")
    desktop.tray.add.trigger()
    assert desktop.window.findChildren(AddPageDialog)[-1].address.text() == "https://a.example/page"
    QGuiApplication.clipboard().setText("my password")
    desktop.tray.add.trigger()
    assert desktop.window.findChildren(AddPageDialog)[-1].address.text() == ""


def test_unexpected_error_is_shown_once_with_a_redacted_report(desktop: DesktopApp, qtbot: QtBot) -> None:
    for _ in range(2):
        try:
            raise ValueError("token=abc123secret went wrong")
        except ValueError as error:
            desktop.defects.report(error)
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(CrashDialog)))
    dialogs = desktop.window.findChildren(CrashDialog)
    assert len(dialogs) == 1
    text = dialogs[0].report.toPlainText()
    assert "went wrong" in text
    assert "abc123secret" not in text
    dialogs[0].accept()


def test_dialogs_close_on_escape(desktop: DesktopApp, qtbot: QtBot) -> None:
    desktop.window.add_page("https://a.example/")
    dialog = desktop.window.findChildren(QDialog)[-1]
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
