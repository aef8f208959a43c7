"""The application: creates and connects its parts, and handles closing the window."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut, QWindow
from PySide6.QtWidgets import QApplication, QCheckBox, QMessageBox

from app import __version__, caps
from app.clients.monitor import ConfigDrift
from app.desktop import engine_thread
from app.desktop.backend import BackendState, Parts, Phase
from app.desktop.config_watch import ConfigWatch, MakeMonitor
from app.desktop.context import Context
from app.desktop.defects import CrashDialog, Defects
from app.desktop.ending import Application
from app.desktop.engine_thread import EngineThread, EventBridge
from app.desktop.exports import leave_clipboard
from app.desktop.hot_key.hot_key import HotKey
from app.desktop.main_window import MainWindow
from app.desktop.offer import things_in_text
from app.desktop.qt import Act, single_shot, spare_sources
from app.desktop.settings_store import LiveTools, SettingsStore
from app.desktop.single_instance import ASK, ShowListener
from app.desktop.state_file import StateFile
from app.desktop.status import Status
from app.desktop.theme import Appearance, app_icon, theme
from app.desktop.tray import Announcements, Tray
from app.desktop.wording import SYSTEM, install_language, spoken
from app.errors import DiskFullError
from app.events import Event, EventBus, PassageWanted
from app.instance import Holding, note_holding
from app.paths import corpus_file, log_dir
from app.secrets import SecretStore
from app.settings import Settings

if TYPE_CHECKING:
    from app.desktop.ask_window import AskWindow
    from app.engine import Engine

TOLD = "told_of_tray"
ROOM_MS: Final = 2_000  # Milliseconds between checks of a full disk.
READY_MS: Final = 3_000  # Milliseconds from the engine start until the Ask window is created in advance.
MAX_ROOM_MS: Final = 60_000
"""Milliseconds between checks after starts that failed despite free space, for example because of a quota."""
JUST_NOW_SECONDS = 0.4  # Seconds. A click on the tray takes the focus from the window before Qt reports it.

SHOWN: Final = "wizard/shown"
WAITING: Final = "wizard/waiting"

log = logging.getLogger(__name__)

STATE_FILE = "window.json"
QUIT = "Ctrl+Q"
SWITCH_SECONDS = 0.001  # Switch interval of Python threads in seconds. The default of 5 ms adds up during a repaint.


class Closing(QObject):
    """Keeps the window reachable: never hides it without a tray icon."""

    def __init__(self, window: MainWindow, tray: Tray, show: Act, leave: Act, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._tray = window, tray
        self._show, self._leave = show, leave
        self._memory, self._settings = window.context.memory, window.context.settings
        self._parked = False
        self.question: QMessageBox | None = None
        tray.available.connect(self._tray_changed)
        tray.toggle_wanted.connect(self.toggle)
        window.close_wanted.connect(self.close)

    def close(self) -> None:
        """Handle the close button of the window."""
        if self._tray.check():
            self._window.hide()
            if not self._memory.get(TOLD, False):
                self._memory.set(TOLD, True)
                text = self.tr("WebRAG is still running for your assistants. To quit, right-click the tray icon.")
                self._tray.tell(self.tr("WebRAG stays in the tray"), text, always=True)
            return
        choice = self._settings.value("close_without_tray")
        if choice == "quit":
            self._leave()
        elif choice == "minimise":
            self._window.showMinimized()
        else:
            self._ask()

    def toggle(self) -> None:
        """Handle a click on the tray icon: show the window, or hide it if it was active."""
        window = self._window
        was_active = window.isActiveWindow() or time.monotonic() - window.left_at < JUST_NOW_SECONDS
        if window.isVisible() and not window.isMinimized() and was_active:
            window.hide()
        else:
            self._show()

    def _ask(self) -> None:
        title, question = self.tr("Close WebRAG"), self.tr("Keep WebRAG running for your assistants?")
        box = QMessageBox(QMessageBox.Icon.Question, title, question, parent=self._window)
        text = self.tr(
            "Your desktop does not have a tray. WebRAG would keep running as a minimized window in the taskbar."
        )
        box.setInformativeText(text)
        keep = box.addButton(self.tr("Keep running"), QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(self.tr("Quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(keep)
        remember = QCheckBox(self.tr("Do not ask again. You can change this in Settings."))
        remember.setChecked(True)
        box.setCheckBox(remember)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keep.clicked.connect(lambda: self._chosen("minimise", keep=remember.isChecked()))
        leave.clicked.connect(lambda: self._chosen("quit", keep=remember.isChecked()))
        self.question = box
        box.open()

    def _chosen(self, choice: str, *, keep: bool) -> None:
        if keep:
            self._window.context.save("close_without_tray", choice)
        self._leave() if choice == "quit" else self._window.showMinimized()

    def park(self) -> None:
        """Minimize the window in the taskbar until there is a tray."""
        self._parked = True
        self._window.showMinimized()

    def _tray_changed(self, available: bool) -> None:
        """Show a window whose tray disappears, and hide one that waited for a tray."""
        if not available and not self._window.isVisible():
            self.park()
        elif available and self._parked and self._window.isMinimized():
            self._window.hide()
        if available:
            self._parked = False


class FirstRun:
    """Whether to open the setup, once, in a new data directory. Created before the engine, which creates the corpus."""

    def __init__(self, state: StateFile, data_dir: Path) -> None:
        self._state = state
        is_new = not corpus_file(data_dir).exists()
        self.is_due = (is_new or state.get(WAITING, False)) and not state.get(SHOWN, False)
        if self.is_due:
            # A hidden start creates the corpus, but the user has not seen the setup yet.
            state.set(WAITING, True)

    def note_shown(self) -> None:
        """Note that the setup was shown, so that it only opens on request."""
        self.is_due = False
        self._state.set(SHOWN, True)
        self._state.remove(WAITING)


def make_qt_application(arguments: list[str]) -> Application:
    """Create the Qt application with the names that desktops and trays display."""
    spare_sources()
    Application.setApplicationName("WebRAG")
    Application.setApplicationDisplayName("WebRAG Desktop")
    Application.setApplicationVersion(__version__)
    Application.setDesktopFileName("webrag")
    application = Application(arguments)
    application.setQuitOnLastWindowClosed(False)
    application.setWindowIcon(app_icon())
    install_language(application, SYSTEM)
    return application


class DesktopApp(QObject):
    """Owns everything from the settings to the tray."""

    def __init__(
        self,
        application: QApplication,
        settings: Settings,
        *,
        parts: Parts | None = None,
        secrets: SecretStore | None = None,
        make_monitor: MakeMonitor | None = None,
    ) -> None:
        super().__init__()
        self._application = application
        self._first_run: FirstRun | None = None
        self.ended_in_time = True
        self.defects = Defects(log_dir(settings.data_dir), self)
        install_language(application, settings.language)
        theme().install(application, Appearance(settings.appearance))
        self.bus = EventBus()
        store = secrets or SecretStore()
        self.status = Status(self)
        real = Parts(store)
        self.engine = EngineThread(settings, self.bus, parts or real)
        real.token_came = self.engine.listen_again
        self.settings = SettingsStore(settings, parent=self)
        self.live_tools = LiveTools(self.settings, self.bus, self)
        self.context = Context(self.engine, self.status, store, self.settings)
        self.context.restart = self.restart
        self.ending = self.context.ending
        self.ending.begun.connect(self._end)
        self.config_watch = ConfigWatch(self.engine, self.settings, make_monitor, self)
        self.context.config_watch = self.config_watch
        self.context.memory = StateFile(settings.data_dir / STATE_FILE, self)
        with theme().styled_at_the_end(application):
            self.window = MainWindow(self.context)
        self.tray = Tray(self.status, self.settings, self)
        self.closing = Closing(self.window, self.tray, self.show_window, self.quit, self)
        self.announcements = Announcements(self.tray, self.window, self.engine, settings.data_dir, self)
        self.bridge = EventBridge(self.bus, self)
        self.listener = ShowListener(settings.data_dir, self.open_with, self)
        self._room = single_shot(self, ROOM_MS, self._look_for_room)
        self._crash: CrashDialog | None = None
        self.asking: AskWindow | None = None
        self.hot_key = HotKey(self.settings, self)
        # Created in advance, so that it opens immediately.
        self._make_ready = single_shot(self, READY_MS, self._make_asking)
        self._connect()

    def start(self, *, hidden: bool = False, set_up: bool = False) -> None:
        """Start, in the tray or minimized if hidden. With `set_up`, the first window of a new data directory opens the setup."""
        if set_up:
            self._first_run = FirstRun(self.context.memory, self.settings.running.data_dir)
        sys.setswitchinterval(SWITCH_SECONDS)
        self.defects.install()
        self.engine.start()
        if not hidden:
            self.show_window()
        elif not self.tray.is_available:
            self.closing.park()
        # A program that holds the X server keeps this waiting.
        self.hot_key.follow()

    def show_window(self) -> None:
        if self.ending.is_begun:
            return
        if self._first_run is not None and self._first_run.is_due:
            self._first_run.note_shown()
            self.window.show_wizard(alone=True)
        elif (wizard := self.window.wizard) is not None and wizard.isVisible() and not self.window.isVisible():
            wizard.raise_()
            wizard.activateWindow()
        else:
            self.window.bring_up()

    def open_with(self, named: str) -> None:
        """Show the window and offer to add the pages, files and folders from the command line.

        `named` contains http(s) and file URLs separated by spaces, or is ASK for the Ask window alone.
        """
        if named == ASK:
            self.ask()
            return
        self.show_window()
        things = things_in_text(named.replace(" ", "\n"))
        if things.paths or len(things.addresses) > 1:
            self.window.intake.take(things)
        elif named:
            self.window.add_page(next(iter(things.addresses), ""))

    def ask(self) -> None:
        """Open the Ask window, or hide it if it is active."""
        self._make_asking().toggle()

    def quit(self) -> None:
        """Quit the application, whatever is open."""
        self.ending.begin()

    def restart(self) -> None:
        """Restart engine and endpoint with the saved settings."""
        self.settings.restarted()
        self.engine.restart(self.settings.running)

    def _end(self) -> None:
        """Stop in order: pending work, engine, tray."""
        until = time.monotonic() + engine_thread.STOP_SECONDS
        self.window.finish()
        # Hiding windows and the tray icon can take seconds. Meanwhile, the engine stops.
        self.engine.begin_stop()
        for shown in self._application.topLevelWidgets():
            shown.hide()
        self._make_ready.stop()
        self.hot_key.release()
        self.tray.hide()
        leave_clipboard()
        self.config_watch.stop()
        self.listener.close()
        self.bridge.close()
        self.ended_in_time = self.engine.stop(until - time.monotonic())
        self.defects.uninstall()

    def _make_asking(self) -> AskWindow:
        if self.asking is None:
            from app.desktop.ask_window import AskWindow

            self.asking = AskWindow(self.context, self._in_window)
            self.bridge.batch.connect(self.asking.page.on_events)
            self.window.library_deleted.connect(self.asking.forget)
        return self.asking

    def _in_window(self, run: Callable[..., object]) -> Callable[..., None]:
        """Show the window before running an action in it."""

        def call(*given: object) -> None:
            self.show_window()
            run(*given)

        return call

    def _apply_settings(self) -> None:
        saved = self.settings.saved

        async def apply(engine: Engine) -> None:
            engine.apply(saved)

        # An engine that is not running reads them at its start.
        self.engine.submit(apply, failed=lambda error: log.info("%s", error), owner=self)

    def _connect(self) -> None:
        self.engine.state_changed.connect(self._backend_changed)
        self.settings.changed.connect(self._apply_settings)
        self.engine.show_requested.connect(self.show_window)
        self.engine.stop_requested.connect(self.quit)
        for part in (self.status, self.announcements, self.live_tools, self.window):
            self.bridge.batch.connect(part.on_events)
        self.bridge.batch.connect(self._show_passage)
        self.status.changed.connect(lambda: self.announcements.status_changed(self.status))
        self.window.quit_wanted.connect(self.quit)
        self.tray.open_wanted.connect(self.show_window)
        self.tray.ask_wanted.connect(self.ask)
        self.hot_key.pressed.connect(self.ask)
        self.hot_key.changed.connect(lambda: self.status.set_key_problem(self.hot_key.problem, self.hot_key.note))
        menu = self.tray.menu
        menu.settings_wanted.connect(self._in_window(partial(self.window.go_to, "settings")))
        menu.add_wanted.connect(self._in_window(self.window.add_page))
        menu.pause_wanted.connect(self.engine.set_paused)
        menu.copied.connect(lambda: self.window.toast.say(self.tr("Server address copied")))
        menu.quit_wanted.connect(self.quit)
        self.defects.met.connect(self._show_defect)
        self.engine.defect.connect(self.defects.report)
        self.config_watch.found.connect(self._tell_finding)
        self.config_watch.failed.connect(self.engine.failed)
        self._application.focusWindowChanged.connect(self._offer_quit)
        self._application.commitDataRequest.connect(lambda _manager: self.window.finish())

    def _offer_quit(self, _window: QWindow | None) -> None:
        """Let the quit shortcut work in modal dialogs, which block all shortcuts of the window."""
        dialog = self._application.activeModalWidget()
        if dialog is not None and dialog.findChild(QShortcut, QUIT) is None:
            QShortcut(QKeySequence(QUIT), dialog, self.quit).setObjectName(QUIT)

    def _backend_changed(self, state: BackendState) -> None:
        if state.phase is not self.status.phase and state.phase in (Phase.FAILED, Phase.RUNNING):
            serving = Holding.APPLICATION if self.settings.running.mcp_enabled else Holding.WINDOW
            note_holding(self.settings.running.data_dir, serving if state.phase is Phase.RUNNING else Holding.FAILED)
        self.status.set_backend(state)
        self.live_tools.backend_changed(state)
        if state.phase is not Phase.STARTING:
            self.config_watch.start()
        self.announcements.backend_changed(state)
        if isinstance(self.status.error, DiskFullError):
            self._room.start()
        elif state.phase is Phase.RUNNING:
            self._room.setInterval(ROOM_MS)
        if state.phase is Phase.RUNNING and self.asking is None:
            self._make_ready.start()

    def _look_for_room(self) -> None:
        """Restart an engine that failed because of a full disk when there is space again."""
        folder = self.settings.running.data_dir

        def seen(has_room: bool) -> None:
            if not isinstance(self.status.error, DiskFullError):
                return
            if has_room:
                self._room.setInterval(min(2 * self._room.interval(), MAX_ROOM_MS))
                self.restart() if self.status.engine is None else self.engine.listen_again()
            else:
                self._room.start()

        self.engine.run_blocking(lambda: _has_room(folder), seen, owner=self)

    def _tell_finding(self, finding: ConfigDrift) -> None:
        """Notify outside the window unless the window already shows the finding."""
        if not self.window.isActiveWindow():
            text = f"{spoken(finding.message)} {spoken(finding.hint)}".strip()
            self.tray.tell(finding.title, text, self._in_window(partial(self.window.show_client, finding.client)))

    def _show_passage(self, events: list[Event]) -> None:
        """Show the passage that the user chose in an assistant."""
        for event in events:
            if isinstance(event, PassageWanted):
                self._in_window(self.window.show_document)(event.document_id, event.start, event.end)

    def _show_defect(self, report: str) -> None:
        if self.ending.is_begun or (self._crash is not None and self._crash.isVisible()):
            return
        self._crash = CrashDialog(report, log_dir(self.settings.running.data_dir), self.window)
        self._crash.open()


def _has_room(folder: Path) -> bool:
    """Whether there is space for a corpus in this folder; True if unknown, so that the start is attempted."""
    try:
        return shutil.disk_usage(folder).free >= caps.ROOM_TO_WRITE_BYTES
    except OSError:
        return True


def tell_and_wait(title: str, text: str, hint: str = "") -> None:
    """Show a message box or, without a display, write to stderr."""
    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        if sys.stderr is not None:
            sys.stderr.write(f"{title}: {text} {hint}\n")
        return
    box = QMessageBox(QMessageBox.Icon.Warning, title, text)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(hint)
    box.exec()
