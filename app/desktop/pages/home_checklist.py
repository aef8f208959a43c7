"""Getting started: four things to do once; gone when they are done, or when it is hidden."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.desktop.context import Context
from app.desktop.guide import show_guide
from app.desktop.models.activity import OK, ActivityModel
from app.desktop.models.clients import OWN_CALLS, ClientsModel
from app.desktop.panels import Card, card_head
from app.desktop.tokens import XL, M, S
from app.desktop.widgets import ThemedIcon, button, icon_button, label

ICON = 18
ASKING = "03-ask.md"
"""The page of the guide on what to say to an assistant."""


class ChecklistItem(QWidget):
    """Done or not, what it is, and where it is done."""

    def __init__(self, text: str, action: str, run: Callable[[], object]) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(S)
        self._icon = ThemedIcon("circle", ICON)
        self._text = text
        self.is_done = False
        self.action: QPushButton = button(action, run, "link")
        self.action.setAccessibleName(f"{text}: {action}")
        line.addWidget(self._icon)
        self.words = label(text, wrap=True)
        line.addWidget(self.words, 1)
        line.addWidget(self.action)
        self.note(False)

    def note(self, done: bool) -> None:
        self.is_done = done
        self._icon.show_icon("ok" if done else "circle", "success" if done else "muted")
        self.action.setVisible(not done)
        self.words.setAccessibleName(self.tr("{} (done)").format(self._text) if done else self._text)


class Checklist(Card):
    """Follows what happens; `finished` when all is done or it was hidden."""

    finished = Signal()

    def __init__(self, context: Context, activity: ActivityModel, clients: ClientsModel) -> None:
        super().__init__(spacing=S)
        self._context, self._activity, self._clients = context, activity, clients
        hide = icon_button("close", self.tr("Hide this list"), self._hide)
        self.body.addWidget(card_head(self.tr("Getting started"), hide))
        self.model = ChecklistItem(
            self.tr("The model works on this computer"), self.tr("Set-up"), lambda: context.show_wizard()
        )
        self.client = ChecklistItem(
            self.tr("An assistant is connected"), self.tr("Connect…"), lambda: context.go_to("clients")
        )
        self.content = ChecklistItem(
            self.tr("The library holds a page of yours"), self.tr("Add page…"), lambda: context.add_page("")
        )
        self.call = ChecklistItem(
            self.tr("An assistant has asked something"), self.tr("How?"), lambda: show_guide(context, self, ASKING)
        )
        self.items = (self.model, self.client, self.content, self.call)
        self._lay_out()
        self._own_content: bool | None = None
        self._hidden = False
        for signal in (context.status.changed, activity.layoutChanged, clients.layoutChanged, clients.loaded):
            signal.connect(self._refresh)
        self._refresh()

    def note_content(self, has_own: bool) -> None:
        """Whether there is more than the guide."""
        self._own_content = has_own
        self._refresh()

    def keep_hidden(self) -> None:
        """It was hidden in an earlier run."""
        self._hidden = True
        self._refresh()

    def _lay_out(self) -> None:
        lines = (self.items[:2], self.items[2:])
        for pair in lines:
            line = QHBoxLayout()
            line.setSpacing(XL)
            for item in pair:
                line.addWidget(item, 1, Qt.AlignmentFlag.AlignVCenter)
            self.body.addLayout(line)
        self.body.setContentsMargins(*(self.body.contentsMargins().left(), M, M, M))

    def _refresh(self) -> None:
        embedder = self._context.status.embedder
        self.model.note(embedder is not None and embedder.usable)
        assistants = list(self._clients.everything)
        self.client.note(any(one.attached or one.has_entry for one in assistants))
        self.content.note(bool(self._own_content))
        self.call.note(any(call.outcome == OK and call.client != OWN_CALLS for call in self._activity.everything))
        # Shown only once all is known, so that it does not flash in a window where everything was done long ago.
        is_known = self._own_content is not None and self._clients.is_loaded
        is_done = all(item.is_done for item in self.items)
        if is_known and is_done and not self._hidden:
            self._hide()
        self.setVisible(is_known and not self._hidden)

    def _hide(self) -> None:
        self._hidden = True
        self.hide()
        self.finished.emit()
