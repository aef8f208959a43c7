"""The status of the application for tray, banners and Home, and the status line."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QStatusBar, QWidget

from app import events
from app.desktop.backend import BackendState, Phase
from app.desktop.qt import Act
from app.desktop.tokens import L
from app.desktop.widgets import Gap, ThemedIcon, label, progress_bar, row
from app.desktop.wording import counted, percent, plain_address, spoken
from app.durations import time_span
from app.errors import WebRAGError
from app.events import Event

if TYPE_CHECKING:
    from app.corpus.records import FileHealth
    from app.engine import EmbedderState, Engine


class TrayState(StrEnum):
    """The states of the tray icon; the value is part of the icon's file name."""

    IDLE = "idle"
    BUSY = "busy"
    ERROR = "error"
    PAUSED = "paused"


class Status(QObject):
    """The state of backend, clients, calls and embedder. Emits `changed` on every change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backend = BackendState(Phase.STARTING)
        self.clients: tuple[str, ...] = ()
        self.waiting = 0
        self.jobs = 0
        self._jobs_share: float | None = None
        self._most_waiting = 0
        self._updated: float | None = None  # The completed share of an update of the library.
        self.key_problem = ""
        self.key_note = ""
        self._running: set[int] = set()
        self.serves_by_address = False  # Whether an assistant connects over HTTP and therefore needs the token.

    @property
    def phase(self) -> Phase:
        return self.backend.phase

    @property
    def url(self) -> str:
        return self.backend.url

    @property
    def engine(self) -> Engine | None:
        return self.backend.engine

    @property
    def error(self) -> WebRAGError | None:
        """The error of the engine or the endpoint, if any."""
        return self.backend.error or self.backend.server_error

    @property
    def running_calls(self) -> int:
        return len(self._running)

    @property
    def embedder(self) -> EmbedderState | None:
        return self.engine.embedder_state if self.engine is not None else None

    @property
    def health(self) -> FileHealth | None:
        """The health of the library file; None without an engine."""
        return self.engine.health if self.engine is not None else None

    @property
    def is_disk_full(self) -> bool:
        """Whether the disk is full. Stored pages can still be searched."""
        return self.health is not None and bool(self.health.refusal)

    @property
    def is_damaged(self) -> bool:
        """Whether a part of the library is unreadable. The rest can still be searched."""
        return self.health is not None and bool(self.health.damage)

    @property
    def is_without_meaning(self) -> bool:
        """Whether only keyword search works, because the embedder failed."""
        return self.embedder is not None and not self.embedder.usable

    def note_by_address(self, found: bool) -> None:
        """Note whether an assistant has an entry with the server address."""
        if found != self.serves_by_address:
            self.serves_by_address = found
            self.changed.emit()

    def trouble(self) -> str:
        """Return a short description of a problem that does not stop WebRAG, or an empty string."""
        if self.is_disk_full:
            return self.tr("Disk full: new pages are not saved")
        if self.is_damaged:
            return self.tr("The library is damaged")
        if self.is_without_meaning:
            return self.meaning_text()
        return ""

    @property
    def is_updating(self) -> bool:
        """Whether a library of an earlier version is updated before it opens."""
        return self.phase is Phase.STARTING and self._updated is not None

    @property
    def face(self) -> tuple[str, str]:
        """The icon of the state, and its color."""
        if self.error is not None or self.is_disk_full or self.is_damaged:
            return "error", "danger"
        if self.phase is Phase.PAUSED:
            return "pause", "warning"
        if self.is_without_meaning:
            return "alert", "warning"
        if self.phase is Phase.RUNNING:
            return ("ok", "success") if self.url else ("info", "muted")
        return "clock", "muted"

    @property
    def tray_state(self) -> TrayState:
        if self.error is not None or self.is_disk_full or self.is_damaged:
            return TrayState.ERROR
        if self.phase is Phase.PAUSED:
            return TrayState.PAUSED
        if self.phase is Phase.STARTING or self._running or self.waiting or self.jobs:
            return TrayState.BUSY
        return TrayState.IDLE

    def summary(self) -> str:
        """Return one line for the menu and tooltip of the tray."""
        if self.error is not None:
            return self.error.title
        if self.phase is Phase.STARTING:
            if self._updated is not None:
                return self.tr("Updating the library: {}").format(percent(int(100 * self._updated) / 100))
            return self.tr("Starting…")
        if self.phase is Phase.PAUSED:
            return self.tr("Paused: assistants get no answers")
        if self.phase is Phase.STOPPED:
            return self.tr("Stopped")
        if trouble := self.trouble():
            return trouble
        if self._running:
            return counted(len(self._running), self.tr("Answering 1 call"), self.tr("Answering {} calls"))
        if self.jobs:
            return counted(self.jobs, self.tr("1 job in the background"), self.tr("{} jobs in the background"))
        if self.waiting:
            return self.backlog_text()
        if self.backend.lost_port:
            return self.tr("Running on a different address: {}").format(self.url)
        return self.tr("Ready")

    def meaning_text(self) -> str:
        """Return the status of semantic search; empty without an engine. All parts of the window use this text."""
        embedder = self.embedder
        if embedder is None:
            return ""
        if embedder.usable:
            return self.backlog_text() or self.tr("Semantic search ready")
        if embedder.is_english_only:
            return self.tr("Semantic search for English only")
        return self.tr("Keyword search only")

    def backlog_text(self) -> str:
        """Return the number of passages not embedded yet and the remaining time or the reason; empty if there are none."""
        embedder = self.embedder
        if not self.waiting:
            return ""
        if embedder is not None and embedder.reason:
            one, many = self.tr("1 passage not embedded yet"), self.tr("{} passages not embedded yet")
            return f"{counted(self.waiting, one, many)} ({spoken(embedder.reason)})"
        words = counted(self.waiting, self.tr("Embedding 1 passage"), self.tr("Embedding {} passages"))
        if embedder is None or embedder.seconds_left is None:
            return words
        return self.tr("{}, about {}").format(words, time_span(embedder.seconds_left))

    def set_backend(self, state: BackendState) -> None:
        self.backend = state
        if state.phase is not Phase.STARTING or state.engine is not None:
            self._updated = None
        if not state.url:
            self._running.clear()
            self.clients = ()
        embedder = self.embedder
        self._note_waiting(embedder.waiting if embedder is not None and embedder.usable else 0)
        self.changed.emit()

    def set_key_problem(self, problem: str, note: str = "") -> None:
        """Set the problem of the Ask window shortcut, if any, and the note of the system."""
        if (problem, note) != (self.key_problem, self.key_note):
            self.key_problem, self.key_note = problem, note
            self.changed.emit()

    def set_jobs(self, count: int, share: float | None = None) -> None:
        """Set the number of queued or running jobs and their progress from 0 to 1."""
        if (count, share) != (self.jobs, self._jobs_share):
            self.jobs, self._jobs_share = count, share
            self.changed.emit()

    @property
    def share(self) -> float | None:
        """The progress of an update of the library or else of the jobs or else of embedding, from 0 to 1. None if unknown."""
        if self.is_updating:
            return self._updated
        if self.jobs:
            return self._jobs_share
        return 1 - self.waiting / self._most_waiting if self.waiting else None

    def on_events(self, batch: list[Event]) -> None:
        """Handle a batch of events. Emits `changed` once, and only if something has changed."""
        before = (self.clients, self.waiting, frozenset(self._running))
        engine_changed = False
        for event in batch:
            match event:
                case events.CallStarted(call_id=call_id):
                    self._running.add(call_id)
                case events.CallFinished(call_id=call_id):
                    self._running.discard(call_id)
                case events.ClientsChanged(names=names):
                    self.clients = names
                case events.EmbeddingProgress(waiting=waiting):
                    self._note_waiting(waiting)
                case events.LibraryUpdating(share=share):
                    self._updated, engine_changed = share, True
                case events.EngineStateChanged() | events.EmbedderChanged():
                    engine_changed = True
        if engine_changed or before != (self.clients, self.waiting, frozenset(self._running)):
            self.changed.emit()

    def _note_waiting(self, waiting: int) -> None:
        self.waiting = waiting
        self._most_waiting = max(self._most_waiting, waiting) if waiting else 0


class MeaningState(QPushButton):
    """The status of semantic search; a click opens its settings. Hidden without a status and, unless `always`, without a backlog."""

    def __init__(self, status: Status, explain: Act, parent: QWidget, *, always: bool = False) -> None:
        # Without a parent, the first `setVisible` would open a separate window.
        super().__init__(parent)
        self._status, self._always = status, always
        self.setProperty("role", "state")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Show search model"))
        self.clicked.connect(lambda: explain())
        status.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        words = self._status.meaning_text() if self._always else self._status.backlog_text()
        self.setText(words)
        self.setAccessibleName(words or self.tr("Semantic search"))
        self.setVisible(bool(words))


class StatusLine(QStatusBar):
    """The line that shows a Status. `explain` opens the search model settings."""

    def __init__(self, status: Status, explain: Act) -> None:
        super().__init__(sizeGripEnabled=False)
        self._status = status
        self.setAccessibleName(self.tr("Status"))
        holder = self._holder = QWidget()
        # Texts must not widen the window.
        holder.setMinimumWidth(1)
        self._icon = ThemedIcon("clock", 15)
        self._server, self._clients, self._jobs, self._trouble = (label("", "caption") for _ in range(4))
        self.meaning = MeaningState(status, explain, holder, always=True)
        self._bar, self._percent = progress_bar(70, 100), label("", "caption")
        state = ((self._icon, 0, Qt.AlignmentFlag.AlignVCenter), self._server, Gap(L), self._clients)
        work = (self._bar, self._percent, self._jobs, self._trouble, self.meaning)
        row(*state, 1, *work, margins=(L, 1, L, 1), parent=holder)
        self.addWidget(holder, 1)
        status.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        status = self._status
        self._icon.show_icon(*status.face)
        if status.url and status.error is None:
            words = self.tr("Paused on {}") if status.phase is Phase.PAUSED else self.tr("Running on {}")
            self._server.setText(words.format(plain_address(status.url).partition("/")[0]))
        else:
            self._server.setText(status.summary())
        clients = counted(len(status.clients), self.tr("1 assistant connected"), self.tr("{} assistants connected"))
        self._clients.setText(clients if status.url else "")
        self._trouble.setText(status.trouble() if status.is_disk_full else "")
        self._trouble.setVisible(status.is_disk_full)
        self.meaning.setVisible(bool(self.meaning.text()) and not status.is_disk_full)
        self._jobs.setText(counted(status.jobs, self.tr("1 job"), self.tr("{} jobs")) + "  ·" if status.jobs else "")
        self._jobs.setVisible(status.jobs > 0)
        share = None if status.is_disk_full else status.share
        self._bar.setVisible(share is not None)
        self._percent.setVisible(share is not None)
        if share is not None:
            # Rounded down, so that 100 % means complete.
            self._bar.setValue(int(100 * share))
            self._percent.setText(percent(int(100 * share) / 100) + ("" if status.is_updating else "  ·"))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the number of assistants if the line is too narrow for all texts."""
        self._clients.show()
        self._clients.setVisible(self._holder.sizeHint().width() <= self.width())
