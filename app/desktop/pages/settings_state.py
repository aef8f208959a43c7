"""Rows of the Settings page that show how things are: address of the server, state of the embedder."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.desktop.context import Context
from app.desktop.pages.settings_rows import Row
from app.desktop.widgets import Badge, button
from app.desktop.wording import counted


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


class EmbedderRow(Row):
    """Which model makes the vectors, whether it works, what waits for it."""

    def __init__(self, context: Context) -> None:
        self._badge = Badge()
        super().__init__(self.tr("Model"), "–", self._badge)
        self._context = context
        context.status.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        state = self._context.status.embedder
        if state is None:
            self.text.setText(self.tr("The engine is starting."))
            self._badge.show_text("")
            return
        words = state.name if state.usable else f"{state.name}: {state.detail}"
        if state.waiting:
            waiting = counted(
                state.waiting,
                self.tr("1 chunk waits for its vector"),
                self.tr("{} chunks wait for their vectors"),
            )
            words = f"{words}. {waiting}."
        self.text.setText(words)
        if state.usable:
            self._badge.show_text(self.tr("working"), "good")
        else:
            self._badge.show_text(self.tr("keyword search only"), "warning")
