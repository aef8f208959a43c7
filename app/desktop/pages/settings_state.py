"""Where the server listens, as a row of the Settings page."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.desktop.context import Context
from app.desktop.pages.settings_layout import Row
from app.desktop.widgets import button


class AddressRow(Row):
    """Where the server listens."""

    def __init__(self, context: Context) -> None:
        self._copy = button(self.tr("Copy"), self._copied, "", "copy")
        super().__init__(self.tr("Address"), "–", self._copy)
        self._copy.setAccessibleName(self.tr("Copy the server's address"))
        self._context = context
        context.status.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        url = self._context.status.url
        error = self._context.status.backend.server_error
        self.text.setText(url or (error.message if error is not None else self.tr("Not listening")))
        self._copy.setEnabled(bool(url))

    def _copied(self) -> None:
        QGuiApplication.clipboard().setText(self._context.status.url)
        self._context.notifier.say(self.tr("Address copied"))
