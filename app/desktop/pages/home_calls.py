"""The last few calls on Home; a click opens what was read, at its passage."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.desktop.context import Context
from app.desktop.models.activity import RUNNING, ActivityModel, Call, outcome_mark, outcome_text, pages_text
from app.desktop.pages.home_line import MOST_LINES, LinesCard, LineWords
from app.desktop.widgets import button
from app.desktop.wording import ago, assistant_title, duration
from app.events import Event, EvidenceTold

if TYPE_CHECKING:
    from app.corpus.records import DocumentSummary

REMEMBERED = 100
"""Calls whose best passage is known, so that a click leads to it."""


class LatestCalls(LinesCard):
    """Newest first; the whole list is on the Activity page."""

    def __init__(self, context: Context, activity: ActivityModel) -> None:
        more = button(self.tr("Show all"), lambda: context.go_to("activity"), "link")
        more.setAccessibleName(self.tr("Show all calls"))
        none = self.tr("No calls yet. Connect an assistant and ask it something about a web page.")
        super().__init__(self.tr("Latest calls"), more, none)
        self._context = context
        self._activity = activity
        self._evidence: dict[int, EvidenceTold] = {}
        activity.layoutChanged.connect(self._show)

    def take(self, events: list[Event]) -> None:
        """Note which passage each call rests on; the first one told is the best page's."""
        for event in events:
            if isinstance(event, EvidenceTold) and event.document_id:
                self._evidence.setdefault(event.call_id, event)
        for old in list(self._evidence)[:-REMEMBERED]:
            del self._evidence[old]

    def open_call(self, call: Call) -> None:
        """Show what the call read: its passage where that is known, else its page, else the call itself."""
        kind, number = call.key
        told = self._evidence.get(number) if kind == "live" else None
        if told is not None:
            start, end = told.ranges[0] if told.ranges else (0, 0)
            self._context.show_document(told.document_id, start, end)
        elif call.pages:
            pages = call.pages
            self._context.thread.submit(
                lambda engine: engine.documents.at(pages), self._open_first, self._context.notifier.complain, owner=self
            )
        else:
            self._context.go_to("activity")

    def _open_first(self, stored: list[DocumentSummary | None]) -> None:
        page = next((page for page in stored if page is not None), None)
        if page is not None:
            self._context.show_document(page.id)
        else:
            self._context.go_to("activity")

    def _show(self) -> None:
        newest = sorted(self._activity.everything, key=lambda call: call.started_at, reverse=True)[:MOST_LINES]
        self.show_lines([self._words(call) for call in newest])

    def _words(self, call: Call) -> LineWords:
        who = assistant_title(call.client) or self.tr("unknown assistant")
        below = self.tr("{}  ·  {}").format(
            who, outcome_text(call) if call.outcome == RUNNING else ago(call.started_at)
        )
        took = "" if call.outcome == RUNNING else duration(call.duration_ms)
        pages = pages_text(call) if call.pages else ""
        return LineWords(*outcome_mark(call), call.tool, pages, below, took, partial(self.open_call, call))
