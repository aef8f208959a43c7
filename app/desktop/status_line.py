"""The line at the bottom of the window: server, assistants, jobs, embedder."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QStatusBar, QWidget

from app.desktop.backend import Phase
from app.desktop.status import Status
from app.desktop.tokens import XS, L, S
from app.desktop.widgets import ThemedIcon, label
from app.desktop.wording import counted, plain_address


class StatusLine(QStatusBar):
    """Follows a Status."""

    def __init__(self, status: Status) -> None:
        super().__init__()
        self._status = status
        self.setSizeGripEnabled(False)
        self.setAccessibleName(self.tr("Status"))
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(L, XS, L, XS)
        line.setSpacing(S)
        self._icon = ThemedIcon("clock", 15)
        self._server = label("", "caption")
        self._clients = label("", "caption")
        self._jobs = label("", "caption")
        self._embedder = label("", "caption")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(70)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._server)
        line.addSpacing(L)
        line.addWidget(self._clients)
        line.addStretch(1)
        line.addWidget(self._bar)
        line.addWidget(self._jobs)
        line.addWidget(self._embedder)
        self.addWidget(holder, 1)
        status.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        status = self._status
        self._icon.show_icon(*self._face())
        if status.url and status.error is None:
            paused = status.phase is Phase.PAUSED
            words = self.tr("Paused on {}") if paused else self.tr("Listening on {}")
            self._server.setText(words.format(plain_address(status.url).partition("/")[0]))
        else:
            self._server.setText(status.summary())
        self._clients.setText(self._clients_text())
        self._embedder.setText(self._embedder_text())
        self._jobs.setText(counted(status.jobs, self.tr("1 job"), self.tr("{} jobs")) + "  ·" if status.jobs else "")
        self._jobs.setVisible(status.jobs > 0)
        self._bar.setVisible(status.waiting > 0 or status.jobs > 0)

    def _face(self) -> tuple[str, str]:
        if self._status.error is not None:
            return "error", "danger"
        if self._status.phase is Phase.PAUSED:
            return "pause", "warning"
        if self._status.phase is Phase.RUNNING:
            return ("ok", "success") if self._status.url else ("info", "muted")
        return "clock", "muted"

    def _clients_text(self) -> str:
        if not self._status.url:
            return ""
        count = len(self._status.clients)
        return counted(count, self.tr("1 assistant open"), self.tr("{} assistants open"))

    def _embedder_text(self) -> str:
        state = self._status.embedder
        if state is None:
            return ""
        if not state.usable:
            return self.tr("Keyword search only")
        if self._status.waiting:
            words = counted(self._status.waiting, self.tr("1 chunk to embed"), self.tr("{} chunks to embed"))
            return f"{words} ({state.reason.removeprefix('waiting: ')})" if state.reason else words
        return state.name
