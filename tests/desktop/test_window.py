"""Tests of the window: shortcuts, adding, banners and navigation."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.desktop import state_file
from app.desktop.application import DesktopApp
from app.desktop.backend import Phase
from app.desktop.defects import CrashDialog
from app.desktop.dialogs.add.dialog import AddPageDialog
from app.desktop.state_file import StateFile
from app.engine import EmbedderState
from app.errors import CorpusTooNewError
from app.instance import read_runtime
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts


def test_every_page_can_be_reached_by_keyboard(desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    for place, name in enumerate(
        ("home", "library", "packages", "search", "scratch", "activity", "clients", "settings")
    ):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_1.value + place), Qt.KeyboardModifier.ControlModifier)
        assert window.current_page.name == name
        assert window.sidebar.buttons[name].isChecked()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.finder.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page.name == "settings"


def test_an_added_page_is_stored_shown_and_selected(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    window = desktop.window
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(AddPageDialog)
    dialog.pages.address.setText("new.example/page")
    qtbot.keyClick(dialog.pages.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.pages.card.look is not None)
    qtbot.keyClick(dialog.pages.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: ("add looked", "https://new.example/page") in parts.engines[0].asked)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    qtbot.waitUntil(lambda: window.current_page is window.library)
    model, table = window.library.model, window.library.table
    qtbot.waitUntil(lambda: getattr(model.record_at(table.currentIndex()), "url", "") == "https://new.example/page")


def test_an_unreadable_page_is_explained_in_the_dialog(desktop: DesktopApp, qtbot: QtBot) -> None:
    from app.desktop.notices import Banner

    desktop.window.add_page("https://slow.example/")
    dialog = desktop.window.findChildren(AddPageDialog)[-1]
    dialog.panel.start()
    qtbot.waitUntil(lambda: dialog.findChild(Banner) is not None)
    banner = dialog.findChild(Banner)
    assert banner.notice.title == "The site took too long to respond"
    assert "Settings > Crawling" in banner.notice.text
    assert dialog.isVisible()
    assert dialog.pages.address.isEnabled()


def keys(desktop: DesktopApp) -> list[str]:
    return [notice.key for notice in desktop.window.banners.notices]


def test_a_failed_engine_start_is_a_banner_with_an_action(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(2)
    parts.start_error = CorpusTooNewError("The file has version 9.")
    desktop = start(parts, ready=False)
    qtbot.waitUntil(lambda: "engine" in keys(desktop))
    assert desktop.tray.menu.status_line.text() == "Library created by a newer version"
    cards = desktop.window.home.newest, desktop.window.home.calls
    qtbot.waitUntil(lambda: all(card.isHidden() for card in cards))
    parts.start_error = None
    notice = desktop.window.banners.notices[0]
    assert notice.run is not None
    notice.run()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    assert "engine" not in keys(desktop)
    qtbot.waitUntil(lambda: desktop.window.library.model.total == 2)
    qtbot.waitUntil(lambda: not any(card.isHidden() for card in cards))


def test_an_endpoint_that_cannot_listen_is_a_banner(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts()
    parts.listen_error = OSError(98, "Address already in use")
    desktop = start(parts)
    assert "server" in keys(desktop)
    assert desktop.status.tray_state.value == "error"


def test_a_port_in_use_is_reported_everywhere(start: Start, tmp_path: Path) -> None:
    desktop = start(FakeParts(), mcp_port=9000)
    shown = next(notice for notice in desktop.window.banners.notices if notice.key == "port")
    assert "9000" in shown.title and "http://127.0.0.1:8765/mcp" in shown.text and shown.run is not None
    assert "http://127.0.0.1:8765/mcp" in desktop.tray.menu.status_line.text()
    written = read_runtime(tmp_path / "data")
    assert written is not None and written.wanted_port == 9000


@pytest.mark.parametrize("port", [8765, 0])
def test_the_requested_port_is_not_reported(start: Start, port: int) -> None:
    assert "port" not in keys(start(FakeParts(), mcp_port=port))


def test_a_failing_embedder_is_a_banner(start: Start) -> None:
    parts = FakeParts()
    parts.embedder = EmbedderState("none", False, "The model file is damaged.", 0)
    desktop = start(parts)
    assert "embedder" in keys(desktop)


def test_a_dismissed_banner_stays_hidden_until_its_text_changes(start: Start) -> None:
    desktop = start(FakeParts())
    engine = desktop.status.engine
    assert engine is not None
    engine.embedder = EmbedderState("none", False, "No file.", 0)  # type: ignore[assignment]
    desktop.status.changed.emit()
    assert keys(desktop) == ["embedder"]
    stack = desktop.window.banners
    stack._dismiss(stack.notices[0])
    desktop.status.changed.emit()
    assert keys(desktop) == []
    engine.embedder = EmbedderState("none", False, "The file is damaged.", 0)  # type: ignore[assignment]
    desktop.status.changed.emit()
    assert keys(desktop) == ["embedder"]


def test_an_unexpected_error_is_shown_once_with_a_redacted_report(desktop: DesktopApp, qtbot: QtBot) -> None:
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


def test_the_state_of_the_window_is_written_on_another_thread(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder on a network can take seconds."""
    threads, save = [], state_file._save

    def write(file: Path, text: str) -> None:
        threads.append(threading.current_thread().name)
        save(file, text)

    monkeypatch.setattr(state_file, "_save", write)
    monkeypatch.setattr(state_file, "WRITE_MS", 1)
    state = StateFile(tmp_path / "window.json")
    state.set("page", "library")
    state.set("width", "3")
    qtbot.waitUntil((tmp_path / "window.json").exists)
    assert threads == ["window state"]
    state.remove("width")
    state.close()
    again = StateFile(tmp_path / "window.json")
    assert (again.get("page", ""), again.get("width", ""), again.get("page", False)) == ("library", "", False)


def test_a_slow_folder_does_not_delay_the_exit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    monkeypatch.setattr(state_file, "_save", lambda *_: stop.wait(20))
    state = StateFile(tmp_path / "window.json")
    state.set("page", "library")
    begun = time.monotonic()
    state.close()
    assert time.monotonic() - begun < 5
    stop.set()


def test_the_state_of_earlier_versions_is_read(tmp_path: Path) -> None:
    stored = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    stored.setValue("setup/shown", True)
    stored.setValue("page", "library")
    stored.setValue("geometry", QByteArray(b"\x01\x00\xd9"))
    stored.sync()
    state = StateFile(tmp_path / "window.json")
    assert state.get("setup/shown", False)
    assert state.get("page", "") == "library"
    assert QByteArray.fromBase64(state.get("geometry", "").encode()).data() == b"\x01\x00\xd9"
    state.set("page", "home")
    state.close()
    assert StateFile(tmp_path / "window.json").get("setup/shown", False)
    assert not (tmp_path / "window.ini").exists()


@pytest.mark.parametrize("text", ["", "{", "[1]", "\0"])
def test_a_damaged_state_file_means_the_defaults(tmp_path: Path, text: str) -> None:
    (tmp_path / "window.json").write_text(text)
    assert StateFile(tmp_path / "window.json").get("page", "home") == "home"
