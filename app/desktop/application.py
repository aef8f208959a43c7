"""The application: makes the parts, connects them, and decides what closing means."""

from __future__ import annotations

import logging
import signal
import socket
import sys

from PySide6.QtCore import QLocale, QObject, QSettings, QSocketNotifier, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from app import __version__
from app.desktop.backend import BackendState, Parts, Phase
from app.desktop.context import Context
from app.desktop.defects import Defects
from app.desktop.dialogs.crash import CrashDialog
from app.desktop.engine_thread import EngineThread
from app.desktop.event_bridge import EventBridge
from app.desktop.handover import ShowListener
from app.desktop.icons import app_icon
from app.desktop.live_tools import LiveTools
from app.desktop.main_window import MainWindow
from app.desktop.parts import RealParts
from app.desktop.settings_store import SettingsStore
from app.desktop.status import Status
from app.desktop.theme import Appearance, theme
from app.desktop.tray import Tray
from app.events import Event, EventBus
from app.paths import log_dir
from app.secrets import SecretStore
from app.settings import Settings

log = logging.getLogger(__name__)

STATE_FILE = "window.ini"


def make_qt_application(arguments: list[str]) -> QApplication:
    """The Qt application with the names that desktops and trays show."""
    QApplication.setApplicationName("WebRAG")
    QApplication.setApplicationDisplayName("WebRAG Desktop")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("webrag")
    application = QApplication(arguments)
    application.setQuitOnLastWindowClosed(False)
    application.setWindowIcon(app_icon())
    if QLocale().language() is QLocale.Language.C:
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    return application


class DesktopApp(QObject):
    """Owns everything from the settings to the tray; `start` shows it, `quit` ends it."""

    def __init__(
        self,
        application: QApplication,
        settings: Settings,
        *,
        parts: Parts | None = None,
        secrets: SecretStore | None = None,
    ) -> None:
        super().__init__()
        self._application = application
        self._quitting = False
        self._hidden_start = False
        self.ended_in_time = True
        self.defects = Defects(log_dir(settings.data_dir), self)
        theme().install(application, Appearance(settings.appearance))
        self.bus = EventBus()
        store = secrets or SecretStore()
        self.status = Status(self)
        self.engine = EngineThread(settings, self.bus, parts or RealParts(store))
        self.settings = SettingsStore(settings, parent=self)
        self.live_tools = LiveTools(self.settings, self.bus, self)
        self.context = Context(self.engine, self.status, store, self.settings)
        self.context.restart = self.restart
        self._state_file = QSettings(str(settings.data_dir / STATE_FILE), QSettings.Format.IniFormat)
        self.window = MainWindow(self.context, self._state_file)
        self.tray = Tray(self.status, self)
        self.bridge = EventBridge(self.bus, self)
        self.listener = ShowListener(settings.data_dir, self.show_window, self)
        self._signals: _SystemSignals | None = None
        self._crash: CrashDialog | None = None
        self._connect()

    def start(self, *, hidden: bool = False) -> None:
        """Start the engine and show the window; hidden in the tray where there is one, minimised where not."""
        self.defects.install()
        self._signals = _SystemSignals(self)
        self.engine.start()
        if not hidden:
            self.show_window()
        elif not self.tray.is_available:
            self._hidden_start = True
            self.window.showMinimized()

    def show_window(self) -> None:
        self.window.bring_up()

    def close_window(self) -> None:
        """What the window's close button does: into the tray, or the end where there is none."""
        if not self.tray.check():
            self.quit()
            return
        self.window.hide()
        if not self._state_file.value("told_of_tray", False, type=bool):
            self._state_file.setValue("told_of_tray", True)
            text = self.tr("Assistants are still served. Quit WebRAG in this menu.")
            self.tray.tell(self.tr("WebRAG stays in the tray"), text)

    def quit(self) -> None:
        """End in order: what waits, the engine, the tray, the process."""
        if self._quitting:
            return
        self._quitting = True
        self.window.finish()
        self.window.hide()
        self.tray.hide()
        self.listener.close()
        self.bridge.close()
        self.ended_in_time = self.engine.stop()
        self.defects.uninstall()
        self._application.quit()

    def restart(self) -> None:
        """Start engine and endpoint again with the saved settings."""
        self.settings.restarted()
        self.engine.restart(self.settings.running)

    def _connect(self) -> None:
        self.engine.state_changed.connect(self._backend_changed)
        self.engine.show_requested.connect(self.show_window)
        self.engine.stop_requested.connect(self.quit)
        self.bridge.batch.connect(self._take)
        self.window.close_wanted.connect(self.close_window)
        self.window.quit_wanted.connect(self.quit)
        self.tray.open_wanted.connect(self.show_window)
        self.tray.search_wanted.connect(self.window.open_search)
        self.tray.settings_wanted.connect(lambda: self._show_page("settings"))
        self.tray.add_wanted.connect(self._add_page)
        self.tray.pause_wanted.connect(self.engine.set_paused)
        self.tray.quit_wanted.connect(self.quit)
        self.tray.available.connect(self._tray_came)
        self.defects.met.connect(self._show_defect)
        self.engine.defect.connect(self.defects.report)
        self._application.commitDataRequest.connect(lambda _manager: self.window.finish())

    def _backend_changed(self, state: BackendState) -> None:
        self.status.set_backend(state)
        self.live_tools.backend_changed(state)
        if state.phase is Phase.FAILED and state.error is not None and not self.window.isVisible():
            self.tray.tell(state.error.title, state.error.message)

    def _tray_came(self, available: bool) -> None:
        """A tray that appears late takes the window of a hidden start, unless somebody opened it meanwhile."""
        if available and self._hidden_start and self.window.isMinimized():
            self.window.hide()
        self._hidden_start = False

    def _take(self, events: list[Event]) -> None:
        self.status.take(events)
        self.live_tools.take(events)
        self.window.take(events)

    def _show_page(self, name: str) -> None:
        self.show_window()
        self.window.go_to(name)

    def _add_page(self, url: str) -> None:
        self.show_window()
        self.window.add_page(url)

    def _show_defect(self, report: str) -> None:
        if self._crash is not None and self._crash.isVisible():
            return
        self._crash = CrashDialog(report, log_dir(self.settings.running.data_dir), self.window)
        self._crash.open()


class _SystemSignals(QObject):
    """SIGTERM and SIGINT end the application in order. Python's handlers only run once Qt wakes up, hence the socket."""

    def __init__(self, desktop: DesktopApp) -> None:
        super().__init__(desktop)
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: desktop.quit())
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)

    def _woken(self) -> None:
        try:
            self._reader.recv(64)
        except BlockingIOError:
            return


def tell_and_wait(title: str, text: str, hint: str = "") -> None:
    """A message box where there is a display, else a line on stderr."""
    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        if sys.stderr is not None:
            sys.stderr.write(f"{title}: {text} {hint}\n")
        return
    box = QMessageBox(QMessageBox.Icon.Warning, title, text)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(hint)
    box.exec()
