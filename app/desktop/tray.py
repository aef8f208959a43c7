"""The tray icon: state by shape, a tooltip, and the menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.desktop.backend import Phase
from app.desktop.dialogs.add_page import address_in
from app.desktop.icons import tray_icon
from app.desktop.status import Status, TrayState

RECHECK_MS = 5_000
"""A panel may appear after the session's programs were started."""


class Tray(QObject):
    """Follows a Status. Without a tray on the desktop it waits for one; `available` tells when that changes."""

    open_wanted = Signal()
    search_wanted = Signal()
    settings_wanted = Signal()
    add_wanted = Signal(str)
    pause_wanted = Signal(bool)
    copied = Signal()
    quit_wanted = Signal()
    available = Signal(bool)

    def __init__(self, status: Status, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._status = status
        self._shown_state: TrayState | None = None
        self.menu = QMenu()
        self._build_menu()
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)
        status.changed.connect(self.refresh)
        self.is_available = False
        self._timer = QTimer(self)
        self._timer.setInterval(RECHECK_MS)
        self._timer.timeout.connect(self.check)
        self.refresh()
        self.check()

    def check(self) -> bool:
        """Look whether the desktop has a tray now, and show the icon there."""
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if available and not self.icon.isVisible():
            self.icon.show()
        changed = available != self.is_available
        self.is_available = available
        # Once there, its loss is noticed when the window is closed; no need to wake up for it.
        self._timer.stop() if available else self._timer.start()
        if changed:
            self.available.emit(available)
        return available

    def refresh(self) -> None:
        """Show the state of the moment."""
        status = self._status
        words = status.summary()
        self.status_line.setText(words)
        self.icon.setToolTip(f"WebRAG: {words}")
        if status.tray_state is not self._shown_state:
            self._shown_state = status.tray_state
            self.icon.setIcon(tray_icon(status.tray_state.value))
        paused = status.phase is Phase.PAUSED
        self.pause.setText(self.tr("Resume") if paused else self.tr("Pause"))
        self.pause.setEnabled(bool(status.url))
        self.copy.setEnabled(bool(status.url))

    def tell(self, title: str, text: str) -> None:
        """Show a notification of the desktop."""
        self.icon.showMessage(title, text, tray_icon(TrayState.IDLE.value), 8_000)

    def hide(self) -> None:
        self._timer.stop()
        self.icon.hide()

    def _build_menu(self) -> None:
        self.status_line = self._entry("", lambda: None)
        self.status_line.setEnabled(False)
        self.menu.addSeparator()
        self._entry(self.tr("Open WebRAG"), self.open_wanted.emit)
        self.add = self._entry(self.tr("Add page from clipboard"), self._add_from_clipboard)
        self._entry(self.tr("Search…"), self.search_wanted.emit)
        self.menu.addSeparator()
        self.pause = self._entry(self.tr("Pause"), self._toggle_pause)
        self.copy = self._entry(self.tr("Copy server address"), self._copy_address)
        self.menu.addSeparator()
        self._entry(self.tr("Settings"), self.settings_wanted.emit)
        self._entry(self.tr("Quit"), self.quit_wanted.emit)

    def _entry(self, text: str, run: Callable[[], object]) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda: run())
        return action

    def _toggle_pause(self) -> None:
        self.pause_wanted.emit(self._status.phase is not Phase.PAUSED)

    def _add_from_clipboard(self) -> None:
        self.add_wanted.emit(address_in(QGuiApplication.clipboard().text()))

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._status.url)
        self.copied.emit()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.open_wanted.emit()
