"""The Home page: state, first steps, numbers, newest pages and latest calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QPushButton, QWidget

from app import caps
from app.corpus.records import CorpusStatus
from app.desktop.context import Context
from app.desktop.help import show_guide
from app.desktop.models.activity import OK, ActivityModel, Call, outcome_mark, outcome_text, pages_text
from app.desktop.models.clients import OWN_CALLS, ClientsModel
from app.desktop.models.ledger import WEEK, first_moment
from app.desktop.offer import starters
from app.desktop.pages.home.cards import AssistantsCard, Problems, StateCard, Tiles
from app.desktop.pages.page import Page
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, card_head
from app.desktop.qt import Act, single_shot
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, column, icon_button, label, row, take_focus, text_field
from app.desktop.wording import ago, assistant_title, duration, plain_address, plain_tip, site_of
from app.errors import WebRAGError
from app.events import CallFinished, DocumentChanged, Event, EvidenceTraced, Verdict
from app.library.records import MINE, DocumentSummary

MOST_LINES = 16
SPACING = 2
HEAD = 30
PAGE_ICONS = {"web": "external", "guide": "info"}
REMEMBERED_CALLS = 100  # Maximum number of calls whose best passage is remembered for a click.


@dataclass(frozen=True, slots=True)
class LineWords:
    """The texts of a line and the action of a click."""

    icon: str
    icon_role: str
    name: str
    detail: str
    below: str
    right: str
    run: Act = field(compare=False)


def line_height(widget: QWidget) -> int:
    """Return the height of a line in the font of a widget."""
    return 2 * widget.fontMetrics().lineSpacing() + 2 * XS + 2


class HomeLine(QPushButton):
    """An icon, a bold name with details, a second line, and a text on the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "line")
        self.setAutoDefault(False)
        self.words: LineWords | None = None
        self.clicked.connect(self._click)
        self._icon = ThemedIcon("ok", 18)
        self.lead = label("", "strong")
        self.name = ElidedLabel("", "strong")
        self.detail = ElidedLabel("", "muted")
        self.below = ElidedLabel("", "caption")
        self.right = label("", "muted")
        layout = column(row(self.lead, (self.name, 1), (self.detail, 1)), self.below, spacing=0)
        parts = (self._icon, 0, Qt.AlignmentFlag.AlignVCenter), (layout, 1), self.right
        row(*parts, spacing=M, margins=(S, XS, S, XS), parent=self)
        for part in (self._icon, self.lead, self.name, self.detail, self.below, self.right):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(line_height(self))

    def _click(self) -> None:
        if self.words is not None:
            self.words.run()

    def show_words(self, words: LineWords) -> None:
        """Show the texts unless they are unchanged."""
        if words == self.words:
            self.words = words
            return
        self.words = words
        self._icon.show_icon(words.icon, words.icon_role)
        # A short name before a detail keeps its width; without a detail, it fills the line.
        self.lead.setText(words.name)
        self.lead.setVisible(bool(words.detail))
        self.name.show_text(words.name)
        self.name.setVisible(not words.detail)
        self.detail.show_text(words.detail)
        self.detail.setVisible(bool(words.detail))
        self.below.show_text(words.below)
        self.right.setText(words.right)
        self.setAccessibleName(", ".join(part for part in (words.name, words.detail, words.below, words.right) if part))
        self.setToolTip(plain_tip(words.detail or words.name))


class LinesCard(Card):
    """A heading with a button, and as many lines as `show_room` allows."""

    def __init__(self, title: str, more: QPushButton, none: str) -> None:
        super().__init__(spacing=SPACING)
        # Lines have side margins for their hover and focus color.
        self.body.setContentsMargins(L - S, L, L - S, M)
        head = card_head(title, more)
        head.setContentsMargins(S, 0, S, 0)
        self.body.addWidget(head)
        self.body.addSpacing(S)
        self._more = more
        self.lines: list[HomeLine] = []
        self.none = label(none, "muted", wrap=True, margins=(S, 0, S, 0))
        # Before loading, the card cannot say that it is empty.
        self.none.hide()
        self._is_known = False
        self.body.addWidget(self.none)
        self.body.addStretch(1)
        self._shown: Sequence[LineWords] = ()
        self._room = 0

    def show_lines(self, lines: Sequence[LineWords]) -> None:
        """Set the lines, most important first."""
        self._shown = lines[:MOST_LINES]
        self._is_known = True
        self._refresh()

    def show_room(self, height: int, least: int) -> None:
        """Show as many lines as fit in a height, at least `least`."""
        each = line_height(self) + SPACING
        margins = self.body.contentsMargins()
        used = margins.top() + margins.bottom() + HEAD + S + 2 * SPACING
        room = max(least, min(MOST_LINES, (height - used) // each))
        if room != self._room:
            self._room = room
            self._refresh()

    def _refresh(self) -> None:
        count = min(len(self._shown), self._room)
        self.none.setVisible(self._is_known and not self._shown)
        for place in range(max(count, len(self.lines))):
            if place == len(self.lines):
                made = HomeLine()
                self.body.insertWidget(self.body.indexOf(self.none), made)
                # A new line would otherwise come last in the tab order of the window.
                self.setTabOrder(self.lines[-1] if self.lines else self._more, made)
                self.lines.append(made)
            self.lines[place].setVisible(place < count)
            if place < count:
                self.lines[place].show_words(self._shown[place])


class NewestPages(LinesCard):
    """The newest pages; the full list is in Library."""

    def __init__(self, context: Context) -> None:
        more = button(self.tr("Show all"), lambda: context.go_to("library"), "link", name=self.tr("Show all pages"))
        super().__init__(self.tr("Newest pages"), more, self.tr("No pages yet. Add a page to your library."))
        self._context = context
        self._pages: Sequence[DocumentSummary] | None = None

    def show_pages(self, pages: Sequence[DocumentSummary]) -> None:
        self._pages = pages
        self.rewrite_times()

    def rewrite_times(self) -> None:
        if self._pages is not None:
            self.show_lines([self._words(page) for page in self._pages])

    def _words(self, page: DocumentSummary) -> LineWords:
        where = self.tr("{}  ·  {}").format(site_of(page.url), ago(page.last_crawled))
        name = page.title or plain_address(page.url)
        run = partial(self._context.show_document, page.id)
        return LineWords(PAGE_ICONS.get(page.kind, "folder"), "muted", name, "", where, "", run)


class LatestCalls(LinesCard):
    """The latest calls; the full list is in Activity."""

    def __init__(self, context: Context, activity: ActivityModel) -> None:
        more = button(self.tr("Show all"), lambda: context.go_to("activity"), "link", name=self.tr("Show all calls"))
        none = self.tr("No calls yet. Connect an assistant and ask it something about a web page.")
        super().__init__(self.tr("Latest calls"), more, none)
        self._context = context
        self._activity = activity
        self._evidence: dict[int, EvidenceTraced] = {}
        activity.layoutChanged.connect(self.rewrite_times)

    def on_events(self, events: list[Event]) -> None:
        """Remember the first passage reported for each call, which is from the best page."""
        for event in events:
            if isinstance(event, EvidenceTraced) and event.document_id:
                self._evidence.setdefault(event.call_id, event)
        for old in list(self._evidence)[:-REMEMBERED_CALLS]:
            del self._evidence[old]

    def open_call(self, call: Call) -> None:
        """Show the passage of a call or, if unknown, its page or the call itself."""
        kind, number = call.key
        evidence = self._evidence.get(number) if kind == "live" else None
        if evidence is not None:
            start, end = evidence.ranges[0] if evidence.ranges else (0, 0)
            self._context.show_document(evidence.document_id, start, end)
        elif call.pages:

            def show(stored: list[DocumentSummary | None]) -> None:
                page = next((page for page in stored if page is not None), None)
                self._context.show_document(page.id) if page is not None else self._context.show_call(call)

            self._context.ask(self, lambda engine: engine.documents.at(call.pages), show)
        else:
            self._context.show_call(call)

    def rewrite_times(self) -> None:
        if self._context.status.engine is None and not self._activity.total:
            # Without an engine, the card cannot say that there are none.
            return
        newest = sorted(self._activity.everything, key=lambda call: call.started_at, reverse=True)[:MOST_LINES]
        self.show_lines([self._words(call) for call in newest])

    def _words(self, call: Call) -> LineWords:
        who = assistant_title(call.client) or self.tr("unknown assistant")
        # The time comes before the outcome, because a narrow card cuts the end of the line.
        when = [] if call.is_running else [ago(call.started_at)]
        took = "" if call.is_running else duration(call.duration_ms)
        told = [outcome_text(call)] if call.result != Verdict.DONE else []
        pages = [pages_text(call)] if call.addresses else []
        if call.question:
            detail, below = "", [who, *when, *told, call.tool]
        else:
            detail, below = "  ·  ".join((*told, *pages)), [who, *when]
        return LineWords(
            *outcome_mark(call), call.name, detail, "  ·  ".join(below), took, partial(self.open_call, call)
        )


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
        show = partial(show_guide, context, self, ASKING)
        self.call = ChecklistItem(self.tr("Ask a question from your assistant"), self.tr("Show how"), show)
        self.items = (self.model, self.client, self.content, self.call)
        for pair in (self.items[:2], self.items[2:]):
            self.body.addLayout(row(*((item, 1, Qt.AlignmentFlag.AlignVCenter) for item in pair), spacing=XL))
        self.starters = QWidget()  # Suggested sites, until the library contains more than the guide.
        line = row(label(self.tr("Suggestions:"), "muted"), parent=self.starters)
        for starter in starters(context.settings.value("starters"))[:MOST_STARTERS]:
            tip, name = plain_tip(starter.address), self.tr("Add {}").format(starter.title)
            show = partial(context.add_site, starter.address)
            line.addWidget(button(starter.title.replace("&", "&&"), show, "chip", name=name, tip=tip))
        line.addStretch(1)
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
        query = self.tr("Ask your library…"), self.tr("Question")
        self.ask = text_field(*query, role="query", icon_name="search", most=caps.MAX_QUERY_CHARS)
        self.ask.returnPressed.connect(self._ask)
        self.state = StateCard(context)
        self.problems = Problems(context)
        self.tiles = Tiles(context, activity)
        self.checklist = Checklist(context, activity, clients)
        self.assistants = AssistantsCard(context, clients)
        self.newest = NewestPages(context)
        self.calls = LatestCalls(context, activity)
        self._fit_soon = single_shot(self, 0, self._fit)
        for watched in (self.problems, self.checklist, self.assistants):
            watched.installEventFilter(self)
        self._content = content = QWidget()
        content.installEventFilter(self)
        above = (self.ask, self.state, self.problems, self.checklist, self.tiles)
        below = row((column(self.assistants, (self.newest, 1), spacing=L), 1), (self.calls, 1), spacing=L)
        layout = column(*above, below, 1, spacing=L, parent=content)
        # The scroll area notices taller content too late and would squeeze the lines until then.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        self._scroll = Scrolled("page", content)
        self.column.addWidget(self._scroll, 1)

    def focus_filter(self) -> None:
        take_focus(self.ask)

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

    def _ask(self) -> None:
        question = self.ask.text().strip()
        if question:
            self.ask.clear()
            self.context.search_for(question)

    def _fit(self) -> None:
        """Show as many lines as fit without scrolling."""
        shown = (self.ask, self.state, self.problems, self.checklist, self.tiles)
        above = sum(widget.sizeHint().height() + L for widget in shown if not widget.isHidden())
        room = self._scroll.viewport().height() - above
        beside = self.assistants.sizeHint().height() + L
        self.newest.show_room(room - beside, LEAST_PAGES)
        self.calls.show_room(max(room, beside + self.newest.sizeHint().height()), LEAST_CALLS)

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
