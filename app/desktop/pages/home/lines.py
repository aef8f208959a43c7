"""Cards of clickable lines on Home for the newest pages and latest calls, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.desktop.context import Context
from app.desktop.models.activity import ActivityModel, Call, outcome_mark, outcome_text, pages_text
from app.desktop.panels import Card, card_head
from app.desktop.qt import Act
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, column, label, row
from app.desktop.wording import ago, assistant_title, duration, plain_address, plain_tip, site_of
from app.events import Event, EvidenceTraced, Verdict
from app.library.records import DocumentSummary

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
        row(
            (self._icon, 0, Qt.AlignmentFlag.AlignVCenter),
            (layout, 1),
            self.right,
            spacing=M,
            margins=(S, XS, S, XS),
            parent=self,
        )
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
        """Show these pages, newest first."""
        self._pages = pages
        self.rewrite_times()

    def rewrite_times(self) -> None:
        """Update the times of the pages."""
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
            pages = call.pages
            self._context.ask(self, lambda engine: engine.documents.at(pages), self._open_first)
        else:
            self._context.go_to("activity")

    def _open_first(self, stored: list[DocumentSummary | None]) -> None:
        page = next((page for page in stored if page is not None), None)
        if page is not None:
            self._context.show_document(page.id)
        else:
            self._context.go_to("activity")

    def rewrite_times(self) -> None:
        """Update the times of the calls."""
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
