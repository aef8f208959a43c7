"""What closing the window means: into the tray where there is one, else what the person chooses once."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox

from app.desktop.main_window import MainWindow
from app.desktop.settings_store import SettingsStore
from app.desktop.tray import Tray
from app.errors import SettingsError

TOLD = "told_of_tray"
JUST_NOW_SECONDS = 0.4
"""A click on the tray takes the focus from the window before it is reported."""


class Closing(QObject):
    """Keeps the window reachable: it is never hidden without a tray to bring it back."""

    def __init__(
        self,
        window: MainWindow,
        tray: Tray,
        settings: SettingsStore,
        state: QSettings,
        show: Callable[[], None],
        leave: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._tray = tray
        self._settings = settings
        self._state = state
        self._show = show
        self._leave = leave
        self._parked = False
        self.question: QMessageBox | None = None
        tray.available.connect(self._tray_changed)
        tray.toggle_wanted.connect(self.toggle)
        window.close_wanted.connect(self.close)

    def start_hidden(self) -> None:
        """Wait in the tray; where there is none (yet), something to click on stays in the taskbar."""
        if not self._tray.is_available:
            self._park()

    def close(self) -> None:
        """What the window's close button does."""
        if self._tray.check():
            self._window.hide()
            self._tell_once()
            return
        choice = self._settings.value("close_without_tray")
        if choice == "quit":
            self._leave()
        elif choice == "minimise":
            self._window.showMinimized()
        else:
            self._ask()

    def toggle(self) -> None:
        """What a click on the tray icon does: the window comes up, or goes if the person was looking at it."""
        window = self._window
        was_active = window.isActiveWindow() or time.monotonic() - window.left_at < JUST_NOW_SECONDS
        if window.isVisible() and not window.isMinimized() and was_active:
            window.hide()
        else:
            self._show()

    def _tell_once(self) -> None:
        if not self._state.value(TOLD, False, type=bool):
            self._state.setValue(TOLD, True)
            text = self.tr("Assistants are still served. Quit WebRAG in this menu.")
            self._tray.tell(self.tr("WebRAG stays in the tray"), text, always=True)

    def _ask(self) -> None:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Close WebRAG"))
        box.setText(self.tr("Keep serving assistants?"))
        box.setInformativeText(
            self.tr("This desktop shows no tray, so WebRAG would wait as a small window in the taskbar.")
        )
        keep = box.addButton(self.tr("Keep running"), QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(self.tr("Quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(keep)
        remember = QCheckBox(self.tr("Do this every time. The settings can change it."))
        remember.setChecked(True)
        box.setCheckBox(remember)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keep.clicked.connect(lambda: self._chosen("minimise", keep=remember.isChecked()))
        leave.clicked.connect(lambda: self._chosen("quit", keep=remember.isChecked()))
        self.question = box
        box.open()

    def _chosen(self, choice: str, *, keep: bool) -> None:
        if keep:
            try:
                self._settings.save("close_without_tray", choice)
            except SettingsError as error:
                self._window.toast.complain(error)
        self._leave() if choice == "quit" else self._window.showMinimized()

    def _park(self) -> None:
        self._parked = True
        self._window.showMinimized()

    def _tray_changed(self, available: bool) -> None:
        """A window hidden in a tray that goes comes back; one that only waits for a tray goes into it."""
        if not available and not self._window.isVisible():
            self._park()
        elif available and self._parked and self._window.isMinimized():
            self._window.hide()
        if available:
            self._parked = False
