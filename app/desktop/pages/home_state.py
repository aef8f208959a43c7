"""The state of the server in one card: works or not, who is there, where it listens, pause."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.icons import icon
from app.desktop.panels import Card
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, icon_button, label
from app.desktop.wording import counted

WIDE = 700


class StateCard(Card):
    """Follows the status."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._icon = ThemedIcon("clock", 36)
        self.headline = ElidedLabel("", "heading")
        self.text = ElidedLabel("", "muted")
        words = QVBoxLayout()
        words.setSpacing(XS)
        words.addWidget(self.headline)
        words.addWidget(self.text)
        self.address = label("", "address", selectable=True)
        self.address.setAccessibleName(self.tr("Address of the server"))
        self.address.setToolTip(
            self.tr("Assistants that speak HTTP connect to this address. The others find WebRAG by themselves.")
        )
        self._copy = icon_button("copy", self.tr("Copy the server's address"), self._copy_address)
        self.pause = button(self.tr("Pause"), self._toggle, "", "pause")
        line = QHBoxLayout()
        line.setSpacing(M)
        line.addWidget(self._icon)
        line.addLayout(words, 1)
        line.addWidget(self.address)
        line.addWidget(self._copy)
        line.addSpacing(S)
        line.addWidget(self.pause)
        self.body.addLayout(line)
        context.status.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        status = self._context.status
        self._icon.show_icon(*self._face())
        self.headline.show_text(self._headline())
        self.text.show_text(self._explanation())
        self.address.setText(status.url)
        for widget in (self._copy, self.pause):
            widget.setVisible(bool(status.url))
        self._show_address()
        paused = status.phase is Phase.PAUSED
        self.pause.setText(self.tr("Resume") if paused else self.tr("Pause"))
        self.pause.setIcon(icon("play" if paused else "pause"))
        self.pause.setToolTip(
            self.tr("Serve assistants again") if paused else self.tr("Assistants get no answers until you resume")
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_address()

    def _show_address(self) -> None:
        """What the card says matters more: in a narrow window the address can only be copied."""
        self.address.setVisible(bool(self._context.status.url) and self.width() >= WIDE)

    def _face(self) -> tuple[str, str]:
        status = self._context.status
        if status.error is not None:
            return "error", "danger"
        if status.phase is Phase.PAUSED:
            return "pause", "warning"
        return ("ok", "success") if status.phase is Phase.RUNNING else ("clock", "muted")

    def _headline(self) -> str:
        status = self._context.status
        if status.phase is Phase.RUNNING and status.error is None:
            return self.tr("Ready for your assistants") if status.url else self.tr("Works, without serving assistants")
        return status.summary()

    def _explanation(self) -> str:
        status = self._context.status
        if status.error is not None:
            return self.tr("What is wrong, and what to do about it, is below.")
        if status.phase is Phase.PAUSED:
            return self.tr("Assistants that ask are told that you paused WebRAG.")
        if status.phase is Phase.STARTING:
            if status.engine is not None:
                return self.tr("Waiting for the keyring of this computer, which may ask you for its password.")
            return self.tr("Loading the model and the library.")
        if status.running_calls:
            return counted(
                status.running_calls, self.tr("Answering 1 question now."), self.tr("Answering {} questions now.")
            )
        count = len(status.clients)
        if count:
            return counted(count, self.tr("1 assistant is open now."), self.tr("{} assistants are open now."))
        return self.tr("No assistant is open now.")

    def _toggle(self) -> None:
        self._context.thread.set_paused(self._context.status.phase is not Phase.PAUSED)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._context.status.url)
        self._context.notifier.say(self.tr("Address copied"))
