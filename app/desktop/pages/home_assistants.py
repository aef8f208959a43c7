"""The assistants of this computer on Home: who is there now, who could be; connecting is the work of the page Clients."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.models.assistants import Assistant, Condition, condition_kind, condition_word
from app.desktop.models.clients import ClientsModel
from app.desktop.panels import Card, card_head
from app.desktop.tile import Tile
from app.desktop.tokens import M
from app.desktop.widgets import Badge, ElidedLabel, button, label
from app.desktop.wording import ago, counted

SHOWN = 4
TILE = 32


class AssistantsCard(Card):
    """Those that matter first: broken, open now, connected, found."""

    def __init__(self, context: Context, model: ClientsModel) -> None:
        super().__init__()
        self._model = model
        self.connect_button = button(self.tr("Connect…"), lambda: context.go_to("clients"), "link")
        self.connect_button.setAccessibleName(self.tr("Connect an assistant"))
        self.body.addWidget(card_head(self.tr("Assistants"), self.connect_button))
        self.rows = [AssistantLine() for _ in range(SHOWN)]
        for made in self.rows:
            self.body.addWidget(made)
        self.note = label("", "muted", wrap=True)
        self.body.addWidget(self.note)
        for signal in (model.layoutChanged, model.modelReset, model.dataChanged, model.loaded):
            signal.connect(self._show)
        self._show()

    def _show(self) -> None:
        here = sorted((row for row in self._model.everything if row.is_here), key=_importance)
        for place, made in enumerate(self.rows):
            made.setVisible(place < len(here))
            if place < len(here):
                made.show_assistant(here[place])
        self.note.setText(self._note(len(here)))
        self.note.setVisible(bool(self.note.text()))

    def _note(self, count: int) -> str:
        if not self._model.is_loaded:
            return self.tr("Looking for assistants…")
        if not count:
            return self.tr("None was found on this computer. “Connect…” shows what to do for each known one.")
        more = count - SHOWN
        return counted(more, self.tr("and 1 more"), self.tr("and {} more")) if more > 0 else ""


def _importance(assistant: Assistant) -> tuple[int, float, str]:
    order = {Condition.PROBLEM: 0, Condition.CHANGED: 0, Condition.CONNECTED: 2, Condition.RESTART: 2}
    place = 1 if assistant.attached else order.get(assistant.condition, 3)
    return place, -assistant.last_seen, assistant.title.casefold()


class AssistantLine(QWidget):
    """Picture, name, whether it is there, how things stand."""

    def __init__(self) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(M)
        self._picture = Tile(TILE)
        self.name = label("", "strong")
        self.text = ElidedLabel("", "caption")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addWidget(self.text)
        self.badge = Badge()
        line.addWidget(self._picture)
        line.addLayout(words, 1)
        line.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_assistant(self, assistant: Assistant) -> None:
        self._picture.show_assistant(
            assistant.name, assistant.title, present=assistant.has_entry or assistant.attached > 0
        )
        self.name.setText(assistant.title)
        self.text.show_text(self._words(assistant))
        if assistant.attached:
            self.badge.show_text(self.tr("Open now"), "good")
        else:
            self.badge.show_text(condition_word(assistant.condition), condition_kind(assistant.condition))

    def _words(self, assistant: Assistant) -> str:
        if assistant.last_seen:
            return self.tr("Last used: {}").format(ago(assistant.last_seen))
        if assistant.condition is Condition.FOUND:
            return self.tr("Found on this computer")
        return self.tr("Has not asked anything yet")
