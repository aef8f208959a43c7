"""Tests of problems with the computer: messages, actions and automatic recovery."""

from __future__ import annotations

import argparse
import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from app.bridge import _known_data_dir
from app.clients.profile import server_command
from app.corpus.records import FileHealth
from app.desktop import __main__ as program
from app.desktop.application import DesktopApp
from app.desktop.backend import BackendState, Phase
from app.desktop.dialogs.confirm import DataFolderDialog
from app.desktop.notices import Banner
from app.desktop.status import TrayState
from app.desktop.widgets import ElidedLabel
from app.engine import EmbedderState
from app.errors import CorpusDamagedError, DataFolderError, DiskFullError, SettingsError
from app.instance import Holding, RuntimeInfo, hold_instance, holder, read_runtime, write_runtime
from app.paths import choose_data_dir, default_data_dir
from app.secrets import SecretName
from app.settings import load_settings
from tests.corpus.test_damage import can_mount
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeEngine, FakeParts
from tests.desktop.window import take_away

ROOT = Path(__file__).resolve().parents[2]


def keys(desktop: DesktopApp) -> list[str]:
    return [notice.key for notice in desktop.window.home.problems.notices]


def press(desktop: DesktopApp, words: str) -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    (found,) = [each for each in desktop.window.home.problems.findChildren(QPushButton) if each.text() == words]
    found.click()


def offered(desktop: DesktopApp) -> list[str]:
    (notice,) = desktop.window.home.problems.notices
    return [notice.action, *(words for words, _ in notice.more)]


def headline(desktop: DesktopApp) -> str:
    return desktop.window.home.state.headline.full_text


def fake_engine(desktop: DesktopApp) -> FakeEngine:
    engine = desktop.status.engine
    assert isinstance(engine, FakeEngine)
    return engine


# --- Full disk, taken port ---


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.real
def test_a_full_disk_and_a_port_in_use_are_reported_and_storing_resumes(
    qtbot: QtBot, tmp_path: Path, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite cannot extend the file, and another program uses the port."""
    has_room = False
    monkeypatch.setattr("app.corpus.database.has_room", lambda *_: has_room)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desktop = DesktopApp(application, load_settings({"mcp_port": taken}, data_dir=tmp_path / "data"))
    desktop.start()
    try:
        qtbot.waitUntil(lambda: bool(desktop.status.url))
        (notice,) = [each for each in desktop.window.home.problems.notices if each.key == "port"]
        assert str(taken) in notice.title and desktop.status.url in notice.text
        press(desktop, "Copy new address")
        assert QGuiApplication.clipboard().text() == desktop.status.url

        engine = desktop.status.engine
        assert engine is not None
        qtbot.waitUntil(lambda: desktop.window.library.model.total > 0 and not desktop.status.waiting)
        writer = engine._corpus._database._writer
        assert writer is not None
        writer.pragma("max_page_count", writer.pragma("page_count"))
        note = tmp_path / "note.md"
        note.write_text("# Long\n\n" + "\n\n".join(f"Line {number} of a long note. " * 40 for number in range(200)))
        said: list[str] = []
        desktop.engine.submit(lambda engine: engine.add_file(note), failed=lambda error: said.append(error.title))
        qtbot.waitUntil(lambda: "full" in keys(desktop))
        qtbot.waitUntil(lambda: said == ["Disk full"])
        assert next(each.title for each in desktop.window.home.problems.notices if each.key == "full") == (
            "The disk is full"
        )
        assert desktop.status.tray_state is TrayState.ERROR
        assert headline(desktop) == desktop.tray.menu.status_line.text() == "Disk full: new pages are not saved"
        desktop.status.set_jobs(1)
        assert desktop.window.statusBar()._bar.isHidden(), "the progress bar is hidden while the disk is full"
        assert "embedder" not in keys(desktop), "waiting for disk space is not an embedder failure"
        assert not desktop.window.search.isHidden() or desktop.status.url

        writer.pragma("max_page_count", 1_000_000)
        has_room = True
        qtbot.waitUntil(lambda: "full" not in keys(desktop))
        assert headline(desktop) == "Ready for your assistants"
        desktop.engine.submit(lambda engine: engine.add_file(note), done=lambda _page: said.append("stored"))
        qtbot.waitUntil(lambda: said[-1] == "stored")
    finally:
        take_away(desktop)


def test_a_problem_replaces_the_address(start: Start) -> None:
    """The headline shows the complete problem. The address can still be copied."""
    desktop = start(FakeParts(2))
    state = desktop.window.home.state
    state.resize(1_000, state.sizeHint().height())
    assert state.address.isVisibleTo(state)
    fake_engine(desktop).embedder = EmbedderState("small model", False, "It cannot be loaded.", 0)
    desktop.status.changed.emit()
    assert headline(desktop) == "Keyword search only"
    assert not state.address.isVisibleTo(state) and state._copy.isVisibleTo(state)


def test_an_engine_without_disk_space_starts_automatically_when_there_is_space(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_room = False
    monkeypatch.setattr("app.desktop.application._has_room", lambda *_: has_room)
    monkeypatch.setattr("app.desktop.application.ROOM_MS", 5)
    parts = FakeParts(2)
    parts.start_error = DiskFullError("The disk that holds corpus.db is full.")
    desktop = start(parts, ready=False)
    qtbot.waitUntil(lambda: keys(desktop) == ["engine"])
    assert "automatically" in desktop.window.home.problems.notices[0].text
    parts.start_error, has_room = None, True
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    assert keys(desktop) == []


def test_an_address_that_does_not_fit_on_a_full_disk_is_written_later(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_room, real = False, write_runtime

    def write(folder: Path, info: RuntimeInfo) -> None:
        if not has_room:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(folder, info)

    monkeypatch.setattr("app.desktop.backend.write_runtime", write)
    monkeypatch.setattr("app.desktop.application._has_room", lambda *_: has_room)
    monkeypatch.setattr("app.desktop.application.ROOM_MS", 5)
    desktop = start(FakeParts(), ready=False)
    qtbot.waitUntil(lambda: keys(desktop) == ["server"])
    assert "is full. Free some disk space." in desktop.window.home.problems.notices[0].text
    has_room = True
    qtbot.waitUntil(lambda: not keys(desktop))
    assert desktop.status.url and read_runtime(desktop.settings.running.data_dir) is not None


def test_a_disk_with_a_quota_is_retried_less_and_less_often(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like with a quota. A start every two seconds would not leave the user time to click a button."""
    monkeypatch.setattr("app.desktop.application._has_room", lambda *_: True)
    monkeypatch.setattr("app.desktop.application.ROOM_MS", 5)
    monkeypatch.setattr("app.desktop.application.MAX_ROOM_MS", 20)
    parts = FakeParts(2)
    parts.start_error = DiskFullError("The quota of corpus.db is used up.")
    desktop = start(parts, ready=False)
    qtbot.waitUntil(lambda: desktop._room.interval() == 20)
    parts.start_error = None
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    assert desktop._room.interval() == 5


def test_the_tray_announces_a_full_disk_once_and_when_it_has_space_again(
    desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(desktop.tray, "tell", lambda title, *_, **__: told.append(title))
    for refusal in ("no room", "no room", "", ""):
        fake_engine(desktop).file_health = FileHealth("", refusal)
        desktop.status.changed.emit()
    assert told == ["The disk is full", "Disk space available again"]


# --- Damaged library ---


def test_a_library_that_cannot_be_opened_shows_every_repair(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = FakeParts(2)
    parts.start_error = CorpusDamagedError("corpus.db is damaged.")
    desktop = start(parts, ready=False)
    window = desktop.window
    qtbot.waitUntil(lambda: keys(desktop) == ["engine"])
    assert offered(desktop) == [
        "Restore latest backup…",
        "Repair library…",
        "Start with an empty library…",
        "Show file",
    ]
    (banner,) = window.home.problems.findChildren(Banner)
    widest = sum(each.sizeHint().width() for each in banner.findChildren(QPushButton))
    assert banner.minimumSizeHint().width() < widest, "four buttons in a row are wider than a small window"
    for page in (window.library, window.scratch):
        qtbot.waitUntil(lambda page=page: page._stack.currentWidget() is page._failed)
    qtbot.waitUntil(lambda: window.activity.calls.stack.currentWidget() is window.activity.calls.failed)
    qtbot.waitUntil(lambda: window.clients.model.is_loaded)
    assert "Looking" not in window.home.assistants.note.text()
    window.go_to("settings")
    window.go_to("home")
    assert "No calls yet" not in " ".join(
        each.text() for each in window.home.calls.findChildren(QLabel) if each.isVisible()
    )
    window.go_to("settings")
    qtbot.waitUntil(lambda: "Calculating" not in window.settings.storage.use.text.text())
    assert "starting" not in window.settings.embedder.state.text.text()

    opened: list[Path] = []
    monkeypatch.setattr("app.desktop.notices.open_local", opened.append)
    press(desktop, "Show file")
    assert opened == [data_dir := desktop.settings.running.data_dir]
    assert holder(data_dir)[1] == Holding.FAILED, "what a bridge tells its assistant"
    parts.start_error = None
    desktop.restart()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    assert holder(data_dir)[1] == Holding.APPLICATION
    qtbot.waitUntil(lambda: window.library._stack.currentWidget() is window.library._content)


def test_a_corrupt_library_is_replaced_from_home_and_kept_as_a_copy(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    rubbish = os.urandom(200_000)
    (data / "corpus.db").write_bytes(rubbish)
    answers = iter((QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes))
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: next(answers))
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desktop = DesktopApp(application, load_settings({"mcp_port": 0}, data_dir=data))
    desktop.start()
    try:
        qtbot.waitUntil(lambda: keys(desktop) == ["engine"])
        press(desktop, "Start with an empty library…")
        assert (data / "corpus.db").read_bytes() == rubbish, "after confirmation"
        section = desktop.window.settings.storage
        qtbot.waitUntil(lambda: not section.empty.visibleRegion().isEmpty())
        desktop.window.go_to("home")
        press(desktop, "Start with an empty library…")
        desktop.window.repair("newest")  # During the other repair: asks and does nothing.
        qtbot.waitUntil(lambda: bool(desktop.status.url))
        qtbot.waitUntil(lambda: section.empty.badge.text() == "done")
        assert keys(desktop) == []
        (kept,) = data.glob("corpus-before-*.db")
        assert kept.read_bytes() == rubbish
        assert str(kept) in section.empty.text.text()
        assert not list(data.glob(".restore*"))
    finally:
        take_away(desktop)


# --- Data folder ---


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A folder that cannot be created because a file has its name."""
    (tmp_path / "file").write_text("no folder")
    return tmp_path / "file" / "webrag"


def refusal(folder: Path) -> DataFolderError:
    with pytest.raises(DataFolderError) as found, hold_instance(folder):
        pass
    return found.value


def options(data_dir: Path | None, *, hidden: bool = False) -> argparse.Namespace:
    return argparse.Namespace(data_dir=data_dir, hidden=hidden)


def test_another_data_folder_is_chosen_in_a_dialog(
    qtbot: QtBot, blocked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = DataFolderDialog(refusal(blocked), blocked, is_remembered=True)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.findChildren(ElidedLabel)[0].full_text == str(blocked)
    chosen = iter((str(blocked / "deeper"), "", str(tmp_path / "mine")))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: next(chosen))
    dialog.choose.click()
    assert "Not a directory" in dialog.problem.text() and dialog.isVisible()
    dialog.choose.click()
    assert dialog.isVisible(), "nothing was chosen"
    dialog.choose.click()
    assert dialog.result() == dialog.DialogCode.Accepted and dialog.folder == tmp_path / "mine"


def test_every_entry_point_finds_the_chosen_folder_at_the_next_start(
    qapp: QApplication, own_home: Path, blocked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []

    def run(_application: object, options: argparse.Namespace) -> int:
        folder = load_settings(data_dir=options.data_dir).data_dir
        tried.append(folder)
        with hold_instance(folder):
            return 0

    monkeypatch.setattr(program, "_run", run)
    mine = tmp_path / "mine"
    mine.mkdir()
    monkeypatch.setattr(program, "ask_for_folder", lambda *_: mine)
    given = options(blocked)
    assert program._run_somewhere(qapp, given) == 0
    assert default_data_dir() != mine, "a folder given for one start does not apply to others"

    # The default location, so that a bridge with few variables finds the settings too.
    for name in ("WEBRAG_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    choose_data_dir(blocked)
    assert default_data_dir() == blocked
    assert program._run_somewhere(qapp, options(None)) == 0
    assert tried == [blocked, mine, blocked, mine]
    assert default_data_dir() == load_settings().data_dir == _known_data_dir() == mine
    assert "--data-dir" not in server_command(mine).args

    monkeypatch.setattr(program, "ask_for_folder", lambda *_: pytest.fail("nobody looks"))
    with pytest.raises(DataFolderError):
        program._run_somewhere(qapp, options(blocked, hidden=True))


def test_an_invalid_settings_file_is_renamed_after_a_question(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, text = tmp_path / "config.toml", "[window]\nfuture = 1\n"
    file.write_text(text)
    monkeypatch.setenv("WEBRAG_CONFIG", str(file))
    monkeypatch.setattr("app.desktop.qt.SILENT_PLATFORMS", ())
    monkeypatch.setattr(program, "_run", lambda _, given: bool(load_settings(data_dir=given.data_dir)) - 1)
    answers = iter((False, True))
    monkeypatch.setattr("app.desktop.dialogs.confirm.is_reset_wanted", lambda *_: next(answers))
    assert program._run_somewhere(qapp, options(tmp_path)) == 1
    assert file.read_text() == text
    with pytest.raises(SettingsError, match=r"Unknown setting window\.future"):
        program._run_somewhere(qapp, options(tmp_path, hidden=True))
    assert program._run_somewhere(qapp, options(tmp_path)) == 0
    (kept,) = tmp_path.glob("config-*.toml")
    assert kept.read_text() == text and not file.exists()
    file.write_text("")
    monkeypatch.setenv("MCP_PORT", "many")
    with pytest.raises(SettingsError):
        program._run_somewhere(qapp, options(tmp_path))


def test_a_missing_chosen_folder_is_not_created_again(tmp_path: Path) -> None:
    """The disk may be disconnected, and an empty library would look like data loss."""
    choose_data_dir(tmp_path / "disk" / "webrag")
    assert "connected" in str(refusal(default_data_dir()))
    assert not (tmp_path / "disk").exists()
    choose_data_dir(None)
    assert default_data_dir() != tmp_path / "disk" / "webrag"


HELD: str = """
import sys
from pathlib import Path
from app.errors import DataFolderError
from app.instance import hold_instance
try:
    with hold_instance(Path(sys.argv[1])):
        print("held")
except DataFolderError as error:
    print(error)
"""


@pytest.mark.skipif(not can_mount(), reason="no disk of its own may be mounted here")
def test_a_read_only_disk_is_reported_as_not_writable(tmp_path: Path) -> None:
    """With files of an earlier start, and even for root."""
    with hold_instance(tmp_path):
        pass
    mounted = f'mount --bind "{tmp_path}" "{tmp_path}" && mount -o remount,ro,bind "{tmp_path}"'
    script = f'{mounted} && exec "{sys.executable}" -c "$0" "{tmp_path}"'
    command = ["unshare", "-rm", "sh", "-c", script, HELD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT)
    assert "no write permission" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_write_permission_is_rejected(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        assert "no write permission" in str(refusal(tmp_path))
    finally:
        tmp_path.chmod(0o755)


def test_a_corrupt_folder_choice_is_a_clear_error(own_home: Path) -> None:
    choose_data_dir(own_home)
    (own_home / "data-folder.txt").write_text("not absolute")
    with pytest.raises(SettingsError, match="does not contain the path"):
        default_data_dir()
    assert _known_data_dir() is None


# --- Keyring ---


@pytest.fixture
def no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    yield
    keyring.set_keyring(before)


def test_a_missing_keyring_is_reported_if_something_is_lost_and_can_be_dismissed(
    start: Start, qtbot: QtBot, own_home: Path, no_keyring: None
) -> None:
    desktop = start(FakeParts())
    desktop.context.secrets.server_token()
    assert desktop.context.secrets.note
    desktop.status.changed.emit()
    qtbot.waitUntil(lambda: desktop.window.clients.model.is_loaded)
    assert keys(desktop) == [], "bridges use the token automatically"

    file = Path.home() / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"mcpServers": {"webrag-http": {"url": "http://127.0.0.1:8765/mcp"}}}))
    desktop.window.clients.model.read_again()
    qtbot.waitUntil(lambda: keys(desktop) == ["keyring"])
    assert "new access token each time" in desktop.window.home.problems.notices[0].text
    press(desktop, "Show token")
    settings = desktop.window.settings
    assert desktop.window.current_page is settings
    assert settings.list.currentRow() == settings.sections.index(settings.server)

    desktop.context.secrets.set(SecretName.BRAVE_API_KEY, "entered")
    desktop.status.changed.emit()
    desktop.window.go_to("home")
    press(desktop, "Show keys")
    assert settings.list.currentRow() == settings.sections.index(settings.secrets)
    desktop.window.go_to("home")
    (close,) = [
        each
        for each in desktop.window.home.problems.findChildren(QAbstractButton)
        if each.accessibleName() == "Dismiss this notice" and each.isVisible()
    ]
    close.click()
    assert keys(desktop) == []
    desktop.context.memory.close()
    again = start(FakeParts())
    again.context.secrets.set(SecretName.BRAVE_API_KEY, "entered")
    again.status.changed.emit()
    assert keys(again) == []


def test_a_server_that_is_turned_off_is_not_shown_as_ready(desktop: DesktopApp) -> None:
    engine = fake_engine(desktop)
    desktop.status.set_backend(BackendState(Phase.RUNNING, engine=engine))
    icon = desktop.window.home.state._icon
    assert headline(desktop) == "Running, but assistants cannot connect"
    assert (icon._name, icon._role) == ("info", "muted")


# --- Embedder ---


def test_a_failing_embedder_is_not_shown_as_ready(start: Start) -> None:
    parts = FakeParts()
    parts.embedder = EmbedderState("none", False, "The model file is damaged.", 0)
    desktop = start(parts)
    assert keys(desktop) == ["embedder"]
    assert headline(desktop) == desktop.tray.menu.status_line.text() == "Keyword search only"
    icon = desktop.window.home.state._icon
    assert (icon._name, icon._role) == desktop.status.face == ("alert", "warning")
    notice = desktop.window.home.problems.notices[0]
    assert "by keyword only" in notice.text and "damaged" in notice.text
    press(desktop, "Show search model")
    assert desktop.window.current_page is desktop.window.settings
