"""The menu of the tray icon."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.desktop.backend import Phase
from app.desktop.dialogs.add_page import address_in
from app.desktop.status import Status


class TrayMenu(QMenu):
    """What is going on in one line, and seven things to do."""

    open_wanted = Signal()
    search_wanted = Signal()
    settings_wanted = Signal()
    add_wanted = Signal(str)
    pause_wanted = Signal(bool)
    copied = Signal()
    quit_wanted = Signal()

    def __init__(self, status: Status) -> None:
        super().__init__()
        self._status = status
        self.status_line = self._entry("", lambda: None)
        self.status_line.setEnabled(False)
        self.addSeparator()
        self._entry(self.tr("Open WebRAG"), self.open_wanted.emit)
        self.add = self._entry(self.tr("Add page from clipboard"), self._add_from_clipboard)
        self._entry(self.tr("Search…"), self.search_wanted.emit)
        self.addSeparator()
        self.pause = self._entry(self.tr("Pause"), self._toggle_pause)
        self.copy = self._entry(self.tr("Copy server address"), self._copy_address)
        self.addSeparator()
        self._entry(self.tr("Settings"), self.settings_wanted.emit)
        self._entry(self.tr("Quit"), self.quit_wanted.emit)
        self.refresh()

    def refresh(self) -> None:
        """Show the state of the moment."""
        status = self._status
        self.status_line.setText(status.summary())
        self.pause.setText(self.tr("Resume") if status.phase is Phase.PAUSED else self.tr("Pause"))
        self.pause.setEnabled(bool(status.url))
        self.copy.setEnabled(bool(status.url))

    def _entry(self, text: str, run: Callable[[], object]) -> QAction:
        action = self.addAction(text)
        action.triggered.connect(lambda: run())
        return action

    def _toggle_pause(self) -> None:
        self.pause_wanted.emit(self._status.phase is not Phase.PAUSED)

    def _add_from_clipboard(self) -> None:
        self.add_wanted.emit(address_in(QGuiApplication.clipboard().text()))

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._status.url)
        self.copied.emit()
