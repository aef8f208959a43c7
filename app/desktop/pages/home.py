"""Home: does it work, where, how much is there, what happened last, how to connect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.icons import icon
from app.desktop.models.activity import ActivityModel
from app.desktop.pages.home_calls import LatestCalls
from app.desktop.pages.home_connect import ConnectCard
from app.desktop.pages.page import Page
from app.desktop.panels import Card
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, icon_button, label
from app.desktop.wording import counted, short_number, size
from app.errors import WebRAGError
from app.events import DocumentChanged, Event

if TYPE_CHECKING:
    from app.corpus.records import CorpusStatus

RECOUNT_MS = 500


class Tile(Card):
    """A number with its name."""

    def __init__(self, name: str) -> None:
        super().__init__(spacing=0)
        self.value: QLabel = label("–", "number")
        self.body.addWidget(self.value)
        self.body.addWidget(label(name, "muted"))
        self.name = name

    def show_value(self, text: str) -> None:
        self.value.setText(text)
        self.setAccessibleName(f"{self.name}: {text}")


class HomePage(Page):
    """The first thing one sees."""

    name = "home"
    icon_name = "home"

    def __init__(self, context: Context, activity: ActivityModel) -> None:
        super().__init__(
            context, self.tr("Home"), self.tr("Grounded, cited answers for the assistants on this computer.")
        )
        self._recount = QTimer(self)
        self._recount.setSingleShot(True)
        self._recount.setInterval(RECOUNT_MS)
        self._recount.timeout.connect(self._count)
        self.header.add(button(self.tr("Add page"), lambda: context.add_page(""), "primary", "add"))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(L)
        column.addWidget(self._hero())
        column.addLayout(self._tiles())
        columns = QHBoxLayout()
        columns.setSpacing(L)
        self.connect_card = ConnectCard(context)
        columns.addWidget(self.connect_card, 1)
        self.calls = LatestCalls(context, activity)
        columns.addWidget(self.calls, 1)
        column.addLayout(columns, 1)
        scroll = QScrollArea()
        scroll.setProperty("role", "page")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        self.column.addWidget(scroll, 1)
        context.status.changed.connect(self._show_status)
        self._show_status()

    def engine_ready(self) -> None:
        self._count()

    def activate(self) -> None:
        super().activate()
        self.connect_card.reload()

    def take(self, events: list[Event]) -> None:
        if not self._recount.isActive() and any(isinstance(event, DocumentChanged) for event in events):
            self._recount.start()

    def _hero(self) -> Card:
        card = Card()
        self._icon = ThemedIcon("clock", 36)
        self._state = ElidedLabel("", "heading")
        self._text = ElidedLabel("", "muted")
        words = QVBoxLayout()
        words.setSpacing(XS)
        words.addWidget(self._state)
        words.addWidget(self._text)
        self._address = label("", "address", selectable=True)
        self._address.setAccessibleName(self.tr("Address of the server"))
        self._copy = icon_button("copy", self.tr("Copy the server's address"), self._copy_address)
        self.pause = button(self.tr("Pause"), self._toggle, "", "pause")
        line = QHBoxLayout()
        line.setSpacing(M)
        line.addWidget(self._icon)
        line.addLayout(words, 1)
        line.addWidget(self._address)
        line.addWidget(self._copy)
        line.addSpacing(S)
        line.addWidget(self.pause)
        card.body.addLayout(line)
        return card

    def _tiles(self) -> QHBoxLayout:
        self.tiles = {
            "documents": Tile(self.tr("Pages")),
            "chunks": Tile(self.tr("Chunks")),
            "tokens": Tile(self.tr("Tokens")),
            "file": Tile(self.tr("On this disk")),
        }
        line = QHBoxLayout()
        line.setSpacing(L)
        for tile in self.tiles.values():
            line.addWidget(tile, 1)
        return line

    def _show_status(self) -> None:
        status = self.context.status
        if status.error is not None:
            self._icon.show_icon("error", "danger")
        elif status.phase is Phase.PAUSED:
            self._icon.show_icon("pause", "warning")
        elif status.phase is Phase.STARTING:
            self._icon.show_icon("clock", "muted")
        else:
            self._icon.show_icon("ok", "success")
        self._state.show_text(self._headline())
        self._text.show_text(self._explanation())
        self._address.setText(status.url)
        for widget in (self._address, self._copy):
            widget.setVisible(bool(status.url))
        paused = status.phase is Phase.PAUSED
        self.pause.setText(self.tr("Resume") if paused else self.tr("Pause"))
        self.pause.setIcon(icon("play" if paused else "pause"))
        self.pause.setVisible(bool(status.url))

    def _headline(self) -> str:
        status = self.context.status
        if status.phase is Phase.RUNNING and status.error is None:
            return self.tr("Ready for your assistants")
        return status.summary()

    def _explanation(self) -> str:
        status = self.context.status
        if status.error is not None:
            return f"{status.error.message} {status.error.hint}"
        if status.phase is Phase.PAUSED:
            return self.tr("Calls are answered with a word that you paused WebRAG.")
        if status.phase is Phase.STARTING:
            return self.tr("Loading the model and the corpus.")
        if status.clients:
            return self.tr("Connected: {}").format(", ".join(sorted(set(status.clients))))
        running = counted(status.running_calls, self.tr("1 call is running"), self.tr("{} calls are running"))
        return running if status.running_calls else self.tr("No assistant is connected now.")

    def _toggle(self) -> None:
        self.context.thread.set_paused(self.context.status.phase is not Phase.PAUSED)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self.context.status.url)
        self.context.notifier.say(self.tr("Address copied"))

    def _count(self) -> None:
        self.context.thread.submit(
            lambda engine: engine.status(limit=0), self._show_counts, self._no_counts, owner=self
        )

    def _show_counts(self, status: CorpusStatus) -> None:
        totals = status.totals
        self.tiles["documents"].show_value(short_number(totals.documents))
        self.tiles["chunks"].show_value(short_number(totals.chunks))
        self.tiles["tokens"].show_value(short_number(totals.tokens))
        self.tiles["file"].show_value(size(totals.file_bytes))

    def _no_counts(self, _error: WebRAGError) -> None:
        """The error is shown by the status above the tiles; numbers of a corpus that cannot be read would be wrong."""
        for tile in self.tiles.values():
            tile.show_value("–")
