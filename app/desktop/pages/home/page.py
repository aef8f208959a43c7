"""The Home page: status, problems, assistants, library, latest activity and first steps."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLineEdit, QPushButton, QWidget

from app import caps
from app.corpus.records import CorpusStatus
from app.desktop.context import Context
from app.desktop.help import show_guide
from app.desktop.models.activity import OK, ActivityModel
from app.desktop.models.clients import OWN_CALLS, ClientsModel
from app.desktop.models.ledger import WEEK, first_moment
from app.desktop.offer import starters
from app.desktop.pages.home.cards import AssistantsCard, Problems, StateCard, Tiles
from app.desktop.pages.home.lines import LatestCalls, NewestPages
from app.desktop.pages.page import Page
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, card_head
from app.desktop.qt import Act, single_shot
from app.desktop.theme import icon
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import ThemedIcon, button, column, icon_button, label, row
from app.desktop.wording import plain_tip
from app.errors import WebRAGError
from app.events import CallFinished, DocumentChanged, Event
from app.library.records import MINE

ICON = 18
ASKING = "03-ask.md"  # The guide page about questions to an assistant.
RECOUNT_MS = 500
LEAST_CALLS, LEAST_PAGES = 5, 1
MOST_STARTERS = 6
PAGES_LOOKED_AT = 100  # Number of newest pages in which Home looks for pages that the user added.


class ChecklistItem(QWidget):
    """A step with its status and the button that starts it."""

    def __init__(self, text: str, action: str, run: Act) -> None:
        super().__init__()
        self._icon = ThemedIcon("circle", ICON)
        self._text = text
        self.is_done = False
        self.action: QPushButton = button(action, run, "link")
        self.action.setAccessibleName(f"{text}: {action}")
        self.words = label(text, wrap=True)
        row(self._icon, (self.words, 1), self.action, parent=self)
        self.note(False)

    def note(self, done: bool) -> None:
        self.is_done = done
        self._icon.show_icon("ok" if done else "circle", "success" if done else "muted")
        self.action.setVisible(not done)
        self.words.setAccessibleName(self.tr("{} (done)").format(self._text) if done else self._text)


class Checklist(Card):
    """The first steps. Emits `finished` when all are done or the card is hidden."""

    finished = Signal()

    def __init__(self, context: Context, activity: ActivityModel, clients: ClientsModel) -> None:
        super().__init__(spacing=S)
        self._context, self._activity, self._clients = context, activity, clients
        hide = icon_button("close", self.tr("Hide this list"), self._hide)
        self.body.addWidget(card_head(self.tr("Getting started"), hide))
        self.model = ChecklistItem(self.tr("Search model tested"), self.tr("Setup"), lambda: context.show_wizard())
        self.client = ChecklistItem(
            self.tr("Connect an assistant"), self.tr("Connect…"), lambda: context.go_to("clients")
        )
        self.content = ChecklistItem(self.tr("Add your first page"), self.tr("Add page…"), lambda: context.add_page(""))
        self.call = ChecklistItem(
            self.tr("Ask a question from your assistant"),
            self.tr("Show how"),
            lambda: show_guide(context, self, ASKING),
        )
        self.items = (self.model, self.client, self.content, self.call)
        for pair in (self.items[:2], self.items[2:]):
            self.body.addLayout(row(*((item, 1, Qt.AlignmentFlag.AlignVCenter) for item in pair), spacing=XL))
        self.starters = self._starters()
        self.body.addWidget(self.starters)
        self.body.setContentsMargins(self.body.contentsMargins().left(), M, M, M)
        self._own_content: bool | None = None
        self._hidden = False
        for signal in (context.status.changed, activity.layoutChanged, clients.layoutChanged, clients.loaded):
            signal.connect(self._refresh)
        self._refresh()

    def note_content(self, has_own: bool) -> None:
        """Note whether the library contains more than the guide."""
        self._own_content = has_own
        self._refresh()

    def keep_hidden(self) -> None:
        """Stay hidden, as the user chose in an earlier run."""
        self._hidden = True
        self._refresh()

    def _starters(self) -> QWidget:
        """Suggested sites while the library only contains the guide. A click shows a preview."""
        holder = QWidget()
        line = row(label(self.tr("Suggestions:"), "muted"), parent=holder)
        for starter in starters(self._context.settings.value("starters"))[:MOST_STARTERS]:
            chip = button(starter.title, partial(self._context.add_site, starter.address), "chip")
            chip.setToolTip(plain_tip(starter.address))
            chip.setAccessibleName(self.tr("Add {}").format(starter.title))
            line.addWidget(chip)
        line.addStretch(1)
        return holder

    def _refresh(self) -> None:
        embedder = self._context.status.embedder
        self.model.note(embedder is not None and embedder.usable)
        assistants = list(self._clients.everything)
        self.client.note(any(one.attached or one.has_entry for one in assistants))
        self.content.note(bool(self._own_content))
        self.starters.setVisible(not self._own_content)
        self.call.note(any(call.outcome == OK and call.client != OWN_CALLS for call in self._activity.everything))
        # Shown only when all states are known, so that a finished list does not flash.
        is_known = self._own_content is not None and self._clients.is_loaded
        is_done = all(item.is_done for item in self.items)
        if is_known and is_done and not self._hidden:
            self._hide()
        self.setVisible(is_known and not self._hidden)

    def _hide(self) -> None:
        self._hidden = True
        self.hide()
        self.finished.emit()


class AskBox(QLineEdit):
    """A box for a question, which Enter answers on the Search page."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.setProperty("role", "query")
        self.setPlaceholderText(self.tr("Ask your library…"))
        self.setAccessibleName(self.tr("Question"))
        self.setMaxLength(caps.MAX_QUERY_CHARS)
        self.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.returnPressed.connect(self._ask)

    def _ask(self) -> None:
        question = self.text().strip()
        if question:
            self.clear()
            self._context.search_for(question)


class HomePage(Page):
    """The page that opens first."""

    name = "home"
    icon_name = "home"

    def __init__(self, context: Context, activity: ActivityModel, clients: ClientsModel) -> None:
        super().__init__(
            context, self.tr("Home"), self.tr("Verifiable answers for the AI assistants on this computer.")
        )
        self._recount = single_shot(self, RECOUNT_MS, self._count)
        self.header.add(button(self.tr("Add page"), lambda: context.add_page(""), "primary", "add"))
        self.ask = AskBox(context)
        self.state = StateCard(context)
        self.problems = Problems(context)
        self.tiles = Tiles(context, activity)
        self.checklist = Checklist(context, activity, clients)
        self.assistants = AssistantsCard(context, clients)
        self.newest = NewestPages(context)
        self.calls = LatestCalls(context, activity)
        self._build()

    def focus_filter(self) -> None:
        self.ask.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ask.selectAll()

    def engine_ready(self) -> None:
        self._count()

    def engine_failed(self, error: WebRAGError | None) -> None:
        for card in (self.newest, self.calls):
            card.setVisible(error is None)

    def on_events(self, events: list[Event]) -> None:
        self.calls.on_events(events)
        if not self._recount.isActive() and any(isinstance(event, (DocumentChanged, CallFinished)) for event in events):
            self._recount.start()

    def rewrite_times(self) -> None:
        for card in (self.newest, self.calls, self.assistants, self.tiles):
            card.rewrite_times()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._content:
            # Runs before the new layout, so that lines appear and disappear together.
            if event.type() is QEvent.Type.LayoutRequest:
                self._fit()
        elif event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize):
            self._fit_soon.start()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Show as many lines as fit without scrolling."""
        above = sum(
            widget.sizeHint().height() + L
            for widget in (self.ask, self.state, self.problems, self.checklist, self.tiles)
            if not widget.isHidden()
        )
        room = self._scroll.viewport().height() - above
        beside = self.assistants.sizeHint().height() + L
        self.newest.show_room(room - beside, LEAST_PAGES)
        self.calls.show_room(max(room, beside + self.newest.sizeHint().height()), LEAST_CALLS)

    def _build(self) -> None:
        self._fit_soon = single_shot(self, 0, self._fit)
        for watched in (self.problems, self.checklist, self.assistants):
            watched.installEventFilter(self)
        self._content = content = QWidget()
        content.installEventFilter(self)
        above = (self.ask, self.state, self.problems, self.checklist, self.tiles)
        layout = column(
            *above,
            row((column(self.assistants, (self.newest, 1), spacing=L), 1), (self.calls, 1), spacing=L),
            1,
            spacing=L,
            parent=content,
        )
        # The scroll area notices taller content too late and would squeeze the lines until then.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        self._scroll = Scrolled("page", content)
        self.column.addWidget(self._scroll, 1)

    def _count(self) -> None:
        self.context.ask(self, lambda engine: engine.status(limit=PAGES_LOOKED_AT), self._show_counts, self._no_counts)
        since = first_moment(datetime.now().astimezone().date(), WEEK)
        self.context.ask(self, lambda engine: engine.activity.usage(since), self.tiles.show_week, self._no_counts)

    def _show_counts(self, status: CorpusStatus) -> None:
        self.tiles.show_totals(status.totals)
        # Pages that the user added come before pages fetched for answers.
        self.newest.show_pages(sorted(status.documents, key=lambda page: page.came_by not in MINE))
        own = any(row.kind != "guide" for row in status.documents) or status.totals.documents > PAGES_LOOKED_AT
        self.checklist.note_content(own)

    def _no_counts(self, _error: WebRAGError) -> None:
        """Hide the numbers. The problem itself is listed above."""
        self.tiles.show_nothing()
