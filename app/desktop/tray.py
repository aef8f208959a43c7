"""The tray icon: state by shape, a tooltip, the menu, and messages of the desktop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.desktop.icons import tray_icon
from app.desktop.notifications import Notifications
from app.desktop.platform.panel import is_panel_dark
from app.desktop.platform.panel_watch import watch_panel
from app.desktop.settings_store import SettingsStore
from app.desktop.status import Status, TrayState
from app.desktop.theme import theme
from app.desktop.tray_menu import TrayMenu

ABSENT_MS = 5_000
"""A panel may appear after the session's programs were started."""
PRESENT_MS = 30_000
"""And it may end before them, or start again, which takes it a moment."""
SHOWN_MS = 8_000

Reason = QSystemTrayIcon.ActivationReason


class Tray(QObject):
    """Follows a Status. Looks for a tray as long as it lives; `available` tells when one comes or goes."""

    open_wanted = Signal()
    toggle_wanted = Signal()
    search_wanted = Signal()
    available = Signal(bool)

    def __init__(self, status: Status, settings: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._status = status
        self._settings = settings
        self._shown: tuple[TrayState, bool] | None = None
        self._missed = False
        self._ended = False
        self.icon: QSystemTrayIcon | None = None
        self.menu = TrayMenu(status)
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
        """Look whether there is a tray now, and show the icon there; a person may do without."""
        wanted = bool(self._settings.value("tray_icon")) and not self._ended
        here = wanted and QSystemTrayIcon.isSystemTrayAvailable()
        self._missed = False
        if here != self.is_available:
            self._appear() if here else self._disappear()
            self.available.emit(here)
        if wanted:
            self._timer.start(PRESENT_MS if here else ABSENT_MS)
        else:
            self._timer.stop()
        return here

    def refresh(self) -> None:
        """Show the state of the moment."""
        self.menu.refresh()
        if self.icon is None:
            return
        self.icon.setToolTip(self.tr("WebRAG: {}").format(self._status.summary()))
        look = self._status.tray_state, is_panel_dark()
        if look != self._shown:
            self._shown = look
            self.icon.setIcon(tray_icon(look[0].value, dark=look[1]))

    def tell(self, title: str, text: str, run: Callable[[], object] | None = None, *, always: bool = False) -> None:
        """A message of the desktop for who does not look at the window; a click on it calls `run`, or opens the window."""
        self.notifications.tell(title, text, run or self.open_wanted.emit, always=always)

    def hide(self) -> None:
        """Take the icon away for good: the application ends."""
        self._ended = True
        self._timer.stop()
        self._disappear()

    def _look(self) -> None:
        """Panels restart; only one that stays away is taken for gone."""
        gone = self.is_available and not QSystemTrayIcon.isSystemTrayAvailable()
        if gone and not self._missed:
            self._missed = True
            self._timer.start(ABSENT_MS)
            return
        self.check()

    def _appear(self) -> None:
        # Made anew each time: how Qt reaches a tray is decided when the icon is made.
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)
        self.icon.messageClicked.connect(self.notifications.clicked)
        self._shown = None
        self.refresh()
        self.icon.show()

    def _disappear(self) -> None:
        if self.icon is not None:
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None

    def _show_message(self, title: str, text: str) -> bool:
        if self.icon is None:
            return False
        self.icon.showMessage(
            title, message_body(text), tray_icon(TrayState.IDLE.value, dark=is_panel_dark()), SHOWN_MS
        )
        return True

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is Reason.Trigger and sys.platform != "darwin":
            # The menu bar of macOS opens the menu on the same click.
            self.toggle_wanted.emit()
        elif reason is Reason.DoubleClick:
            self.open_wanted.emit()
        elif reason is Reason.MiddleClick:
            self.search_wanted.emit()


def message_body(text: str, system: str = sys.platform) -> str:
    """The text of a message as the system takes it: the desktops that speak D-Bus read it as markup, links included."""
    return text if system in ("win32", "darwin") else escape(text, quote=False)
