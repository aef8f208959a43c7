"""The tray icon with status, tooltip and menu, and desktop notifications."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app import caps
from app.desktop.backend import BackendState, Phase
from app.desktop.dialogs.add.dialog import address_in
from app.desktop.engine_thread import EngineThread
from app.desktop.main_window import MainWindow
from app.desktop.models.clients import OWN_CALLS
from app.desktop.models.jobs import BROKEN, DONE, ENDED, RUNNING
from app.desktop.qt import Act, single_shot
from app.desktop.settings_store import SettingsStore
from app.desktop.status import Status, TrayState
from app.desktop.theme import theme, tray_icon
from app.desktop.wording import assistant_title, counted, file_or_address, number, plain_address, size, spoken
from app.events import CallFinished, Event, JobChanged, reads_pages
from app.logs import redact
from app.text.page_text import tame

ALWAYS_DARK = frozenset({"GNOME", "UNITY"})  # Desktops with a dark top bar in both schemes.
PERSONALIZE = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"

SERVICE = "org.kde.StatusNotifierWatcher"

GAP_MS = 15_000  # Milliseconds between notifications; those in between are combined.
REPEAT_SECONDS = 600.0  # Seconds within which the same notification is not repeated.
MOST_LINES = 4

ABSENT_MS = 5_000  # Milliseconds to wait for a panel, which can start after the programs of the session.
PRESENT_MS = 30_000  # Milliseconds to wait for a panel that disappears, because it can restart.
SHOWN_MS = 8_000

Reason = QSystemTrayIcon.ActivationReason

LONG_JOB_SECONDS = 30.0
DISK_MS = 600_000
ANNOUNCED = "announced/assistants"
"""Key under which the window stores assistants whose first call was announced, one per line."""
MOST_ANNOUNCED = 200


class TrayMenu(QMenu):
    """The tray menu: a status line and seven actions, plus one if the Ask window shortcut does not work."""

    settings_wanted = Signal()
    add_wanted = Signal(str)
    pause_wanted = Signal(bool)
    copied = Signal()
    quit_wanted = Signal()

    def __init__(self, status: Status, show: Act, ask: Act) -> None:
        super().__init__()
        self._status = status
        self.status_line = self._entry("", lambda: None)
        self.status_line.setEnabled(False)
        self.addSeparator()
        self._entry(self.tr("Open WebRAG"), show)
        self.add = self._entry(
            self.tr("Add page from clipboard"),
            lambda: self.add_wanted.emit(address_in(QGuiApplication.clipboard().text())),
        )
        self._entry(self.tr("Ask…"), ask)
        self.key = self._entry(self.tr("Fix Ask window shortcut…"), self.settings_wanted.emit)
        self.addSeparator()
        self.pause = self._entry(self.tr("Pause"), lambda: self.pause_wanted.emit(status.phase is not Phase.PAUSED))
        self.copy = self._entry(self.tr("Copy server address"), self._copy_address)
        self.addSeparator()
        self._entry(self.tr("Settings"), self.settings_wanted.emit)
        self._entry(self.tr("Quit"), self.quit_wanted.emit)
        self.refresh()

    def refresh(self) -> None:
        status = self._status
        self.status_line.setText(status.summary())
        self.pause.setText(self.tr("Resume") if status.phase is Phase.PAUSED else self.tr("Pause"))
        self.pause.setEnabled(bool(status.url))
        self.key.setVisible(bool(status.key_problem))
        self.copy.setEnabled(bool(status.url))

    def _entry(self, text: str, run: Act) -> QAction:
        action = self.addAction(text)
        action.triggered.connect(lambda: run())
        return action

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._status.url)
        self.copied.emit()


def is_panel_dark() -> bool:
    """Whether the panel is dark, according to the system or, if unknown, the window scheme."""
    if sys.platform == "win32":
        import winreg

        # The user may never have set it.
        with suppress(OSError), winreg.OpenKey(winreg.HKEY_CURRENT_USER, PERSONALIZE) as key:
            return not winreg.QueryValueEx(key, "SystemUsesLightTheme")[0]
    is_always_dark = not ALWAYS_DARK.isdisjoint(os.environ.get("XDG_CURRENT_DESKTOP", "").upper().split(":"))
    return is_always_dark or QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def watch_panel(came: Act, went: Act, parent: QObject) -> bool:
    """Call `came` and `went` while `parent` exists. Return False if panels do not report this."""
    if not sys.platform.startswith(("linux", "freebsd")):
        return False
    from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    watcher = QDBusServiceWatcher(SERVICE, bus, QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange, parent)
    watcher.serviceRegistered.connect(lambda _name: came())
    watcher.serviceUnregistered.connect(lambda _name: went())
    return True


class Notifications(QObject):
    """Desktop notifications. `show` displays a title and text, and returns False if that is not possible."""

    def __init__(self, settings: SettingsStore, show: Callable[[str, str], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._show = show
        self._waiting: list[tuple[str, str, Act]] = []  # Title, text and click action.
        self._told: dict[tuple[str, str], float] = {}
        self._run: Act | None = None
        self._gap = single_shot(self, GAP_MS, self._tell_waiting)

    def tell(self, title: str, text: str, run: Act, *, always: bool = False) -> None:
        """Show a notification soon, unless the user turned them off, is in the window (except with `always`) or has just seen it."""
        now = time.monotonic()
        self._told = {key: moment for key, moment in self._told.items() if now - moment < REPEAT_SECONDS}
        if not self._settings.value("notifications") or (title, text) in self._told:
            return
        if not always and QApplication.activeWindow() is not None:
            return
        self._told[title, text] = now
        self._waiting.append((title, text, run))
        if not self._gap.isActive():
            self._tell_waiting()

    def clicked(self) -> None:
        """Run the action of the displayed notification."""
        run, self._run = self._run, None
        if run is not None:
            run()

    def _tell_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        title, text, run = waiting[-1]
        if len(waiting) > 1:
            lines = ["…"] * (len(waiting) > MOST_LINES) + [one for one, _, _ in waiting[-MOST_LINES:]]
            title, text = self.tr("{} messages from WebRAG").format(number(len(waiting))), "\n".join(lines)
        if self._show(title, text):
            self._run = run
            self._gap.start()
        else:
            # Without a tray, there are no notifications; the taskbar entry blinks instead.
            for window in QApplication.topLevelWidgets():
                if window.isVisible():
                    QApplication.alert(window)


class Tray(QObject):
    """The tray icon of a Status. Watches for a tray and emits `available` when one appears or disappears."""

    open_wanted = Signal()
    toggle_wanted = Signal()
    ask_wanted = Signal()
    available = Signal(bool)

    def __init__(self, status: Status, settings: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._status = status
        self._settings = settings
        self._shown: tuple[TrayState, bool] | None = None
        self._missed = False
        self._ended = False
        self.icon: QSystemTrayIcon | None = None
        self.menu = TrayMenu(status, self.open_wanted.emit, self.ask_wanted.emit)
        self.notifications = Notifications(settings, self._show_message, self)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        status.changed.connect(self.refresh)
        settings.changed.connect(self.check)
        theme().changed.connect(self.refresh)
        watch_panel(self.check, self._look, self)
        QApplication.styleHints().colorSchemeChanged.connect(self.refresh)
        self.check()

    @property
    def is_available(self) -> bool:
        return self.icon is not None

    def check(self) -> bool:
        """Show the icon if there is a tray and the user wants it."""
        wanted = bool(self._settings.value("tray_icon")) and not self._ended
        here = wanted and QSystemTrayIcon.isSystemTrayAvailable()
        self._missed = False
        if here != self.is_available:
            self._disappear()
            if here:
                # Created each time, because Qt chooses the tray protocol when it creates the icon.
                self.icon = QSystemTrayIcon(self)
                self.icon.setContextMenu(self.menu)
                self.icon.activated.connect(self._activated)
                self.icon.messageClicked.connect(self._message_clicked)
                self._shown = None
                self.refresh()
                self.icon.show()
            self.available.emit(here)
        if wanted:
            self._timer.start(PRESENT_MS if here else ABSENT_MS)
        else:
            self._timer.stop()
        return here

    def refresh(self) -> None:
        self.menu.refresh()
        if self.icon is None:
            return
        self.icon.setToolTip(self.tr("WebRAG: {}").format(self._status.summary()))
        look = self._status.tray_state, is_panel_dark()
        if look != self._shown:
            self._shown = look
            self.icon.setIcon(tray_icon(look[0].value, dark=look[1]))

    def tell(self, title: str, text: str, run: Act | None = None, *, always: bool = False) -> None:
        """Show a desktop notification unless the window is active. A click calls `run` or opens the window."""
        self.notifications.tell(title, text, run or self.open_wanted.emit, always=always)

    def hide(self) -> None:
        """Remove the icon because the application is exiting."""
        self._ended = True
        self._timer.stop()
        self._disappear()

    def _look(self) -> None:
        """Check for a tray. Panels restart, so only one that stays away counts as gone."""
        gone = self.is_available and not QSystemTrayIcon.isSystemTrayAvailable()
        if gone and not self._missed:
            self._missed = True
            self._timer.start(ABSENT_MS)
            return
        self.check()

    def _disappear(self) -> None:
        if self.icon is not None:
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None

    def _show_message(self, title: str, text: str) -> bool:
        if self.icon is None:
            return False
        picture = tray_icon(TrayState.IDLE.value, dark=is_panel_dark())
        self.icon.showMessage(title, message_body(text), picture, SHOWN_MS)
        return True

    def _message_clicked(self) -> None:
        # If Qt draws the message itself, any press on the icon counts as a click on it, even to open the menu.
        if not self.menu.isVisible():
            self.notifications.clicked()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is Reason.Trigger and sys.platform != "darwin":
            # The macOS menu bar opens the menu on the same click.
            self.toggle_wanted.emit()
        elif reason is Reason.DoubleClick:
            self.open_wanted.emit()
        elif reason is Reason.MiddleClick:
            self.ask_wanted.emit()


def message_body(text: str, system: str = sys.platform) -> str:
    """Return the text of a notification without bidi controls, escaped for D-Bus desktops, which interpret markup and links."""
    plain = tame(text)
    return plain if system in ("win32", "darwin") else escape(plain, quote=False)


class Announcements(QObject):
    """Announces events in the tray. A click on a notification opens its subject."""

    def __init__(self, tray: Tray, window: MainWindow, thread: EngineThread, data_dir: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._tray = tray
        self._window = window
        self._thread = thread
        self._data_dir = data_dir
        self._begun: dict[int, float] = {}
        self._was_full = False
        self._told_url = ""
        self._announced_refusal = False
        self._disk = QTimer(self, interval=DISK_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._disk.timeout.connect(self.look_at_disk)
        self._disk.start()

    def backend_changed(self, state: BackendState) -> None:
        """Announce an engine or endpoint error."""
        error = state.error if state.phase is Phase.FAILED else None
        if (error := error or state.server_error) is not None:
            self._tell(error.title, error.message)
        elif state.lost_port and state.url != self._told_url:
            text = self.tr("WebRAG moved to {}. Assistants that use the old address cannot connect.")
            title = self.tr("Another program uses port {}").format(state.lost_port)
            self._tell(title, text.format(state.url))
        self._told_url = state.url

    def status_changed(self, status: Status) -> None:
        """Announce that the disk is full or has space again."""
        if status.is_disk_full == self._announced_refusal or status.engine is None:
            return
        self._announced_refusal = status.is_disk_full
        if status.is_disk_full:
            text = self.tr("You can still search. WebRAG saves new pages again when there is enough space.")
            self._tell(self.tr("The disk is full"), text)
        else:
            self._tell(self.tr("Disk space available again"), self.tr("WebRAG saves new pages again."))

    def on_events(self, events: list[Event]) -> None:
        """Announce finished long jobs, and the first call of an assistant that returned page text."""
        for event in events:
            if isinstance(event, JobChanged) and event.state == RUNNING:
                self._begun.setdefault(event.job_id, time.monotonic())
            elif isinstance(event, JobChanged) and event.state in ENDED:
                begun = self._begun.pop(event.job_id, None)
                if begun is not None and time.monotonic() - begun >= LONG_JOB_SECONDS:
                    self._tell_of_job(event)
            elif isinstance(event, CallFinished) and reads_pages(event.tool, event.outcome, event.tokens):
                self._note_assistant(event)

    def look_at_disk(self) -> None:
        """Check the free space. Called by the timer."""
        folder = self._data_dir

        def free_bytes() -> int | None:
            with suppress(OSError):
                return shutil.disk_usage(folder).free
            return None

        self._thread.run_blocking(free_bytes, self.disk_seen, owner=self)

    def disk_seen(self, free: int | None) -> None:
        """Announce an almost full disk once, and again only after it had enough space. None means unknown."""
        if free is None:
            return
        is_full = free < caps.LOW_DISK_BYTES
        if is_full and not self._was_full:
            text = self.tr(
                "Only {} left on the disk of your library. WebRAG may not be able to save new pages."
            ).format(size(free))
            self._tell(self.tr("The disk is almost full"), text, "settings")
        self._was_full = is_full

    def _note_assistant(self, call: CallFinished) -> None:
        """Announce once that an assistant works. Assistants that called before this was recorded count as announced."""
        memory, who = self._window.context.memory, assistant_title(call.client)
        if not who or call.client == OWN_CALLS or not call.pages:
            return
        told = memory.get(ANNOUNCED, "")
        earlier = (each for each in self._window.activity.model.everything if each.key[0] == "stored")
        known = told.split("\n") if told else sorted({assistant_title(each.client) for each in earlier})
        if who in known:
            return
        memory.set(ANNOUNCED, "\n".join([*filter(None, known), who][-MOST_ANNOUNCED:]))
        title = self.tr("{} is connected and asked its first question").format(who)
        text = self.tr("It received passages from {}.").format(plain_address(redact(call.pages[0])))
        self._window.toast.say(title, self.tr("Show passage"), lambda: self._show_call(call.call_id))
        self._tray.tell(title, text, lambda: self._show_call(call.call_id))

    def _tell_of_job(self, job: JobChanged) -> None:
        target = file_or_address(job.target)
        if job.state == DONE:
            title = self.tr("Finished: {}").format(target)
            text = counted(job.indexed, self.tr("1 page indexed."), self.tr("{} pages indexed."))
            if job.failed:
                one, many = self.tr("1 page could not be read."), self.tr("{} pages could not be read.")
                text = f"{text} {counted(job.failed, one, many)}"
        elif job.state == BROKEN:
            title, text = self.tr("Failed: {}").format(target), spoken(job.detail)
        else:
            return
        self._tell(title, text, job_id=job.job_id)

    def _tell(self, title: str, text: str, page: str = "home", job_id: int = 0) -> None:
        def show() -> None:
            self._window.bring_up()
            self._window.show_job(job_id) if job_id else self._window.go_to(page)

        self._tray.tell(title, text, show)

    def _show_call(self, call_id: int) -> None:
        self._window.bring_up()
        call = self._window.activity.model.call_of(("live", call_id))
        if call is not None:
            self._window.home.calls.open_call(call)
        else:
            self._window.go_to("activity")
