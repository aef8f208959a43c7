"""Turn of the conversation: the question in a bubble, and below it the passages found or the reason of a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.desktop import widgets, wording
from app.desktop.context import Context
from app.desktop.exports import wrapped
from app.desktop.models.activity import CANCELLED, OK, Call, TouchedPage, outcome_text, result_text
from app.desktop.models.clients import known_name
from app.desktop.models.conversation import Excerpt, Turn
from app.desktop.pages.activity.details import FailureView
from app.desktop.panels import Tile
from app.desktop.qt import Act
from app.desktop.tokens import XS, L, M, S
from app.desktop.wording import translator
from app.events import Verdict

_tr = translator("TurnView")

BADGES: Final[Mapping[str, str]] = {
    Verdict.ANSWERED: "good",
    Verdict.CLOSEST: "warning",
    Verdict.NOTHING: "warning",
    Verdict.FAILED: "error",
}
TILE = 30
FIRST_SHOWN = 3  # Passages shown at first. A button shows the others.


class TurnView(QWidget):
    """Question and result of one call. `erase` gets the number of the call whose question to erase."""

    def __init__(
        self, context: Context, turn: Turn, erase: Callable[[int], object], *, begins: bool, dated: bool = False
    ) -> None:
        super().__init__()
        self._context, self._erase = context, erase
        self.turn = turn
        call = turn.call
        asked = turn.question or call.tool
        what = outcome_text(call)
        if call.result == Verdict.ANSWERED:
            what = _tr("{0}, {1} passages used").format(what, wording.number(turn.passages))
        self.setAccessibleName(f"{_who(call)}, {wording.clock(call.started_at)}: {asked}. {what}")
        # A turn that continues the previous one leaves the column of the icon empty.
        beside: Tile | widgets.Gap = widgets.Gap(TILE + M)
        if begins:
            beside = Tile(TILE)
            beside.show_assistant(known_name(call.client), wording.assistant_title(call.client), present=True)
        when = widgets.label(wording.full_time(call.started_at) if dated else wording.clock(call.started_at), "caption")
        when.setToolTip(wording.full_time(call.started_at))
        badge = widgets.Badge(result_text(call.result), BADGES.get(call.result, ""))
        self._column = widgets.column(
            widgets.row(widgets.label(_who(call), "strong" if begins else "caption"), when, 1, badge)
        )
        if turn.question:
            words = widgets.label(wrapped(turn.question), wrap=True, selectable=True)
            words.setAccessibleName(self.tr("Question: {}").format(turn.question))
            self._column.addWidget(widgets.framed("question", widgets.column(words, margins=(M, S, M, S))))
        self._add_answer()
        self._column.addLayout(self._foot())
        first = beside if isinstance(beside, widgets.Gap) else (beside, 0, Qt.AlignmentFlag.AlignTop)
        widgets.row(first, (self._column, 1), spacing=M, margins=(0, L if begins else S, 0, 0), parent=self)

    def _add_answer(self) -> None:
        call = self.turn.call
        if call.outcome not in (OK, CANCELLED):
            failure = FailureView(self._context)
            failure.show_call(call)
            icon = (widgets.ThemedIcon("error", 18, "danger"), 0, Qt.AlignmentFlag.AlignTop)
            note = widgets.framed("banner", widgets.row(icon, (failure, 1), spacing=0, margins=(M, S, 0, 0)))
            note.setProperty("kind", "error")
            self._column.addWidget(note)
        elif call.result == Verdict.CLOSEST:
            said = self.tr("No passage answers this. Closest passages:") if self.turn.question else ""
            self._column.addLayout(_note("alert", said or self.tr("Only similar passages were found:")))
        made = [self._excerpt(excerpt) for excerpt in self.turn.excerpts]
        widgets.add_parts(self._column, *made[:FIRST_SHOWN])
        hidden = widgets.held(widgets.column(*made[FIRST_SHOWN:]))
        hidden.hide()
        if len(made) > FIRST_SHOWN:
            count = len(made) - FIRST_SHOWN
            text = wording.counted(count, self.tr("Show 1 more passage"), self.tr("Show {} more passages"))
            more = widgets.button(text, hidden.show, "link")
            more.clicked.connect(more.hide)
            widgets.add_parts(self._column, widgets.row(more, 1), hidden)
        for page in self.turn.pages:
            if not page.ranges:
                self._column.addWidget(self._page_line(page))
        if call.result == Verdict.NOTHING:
            self._column.addLayout(_note("info", self.tr("Nothing was found.")))
        elif call.outcome == CANCELLED:
            self._column.addLayout(_note("close", self.tr("The call was canceled.")))

    def _excerpt(self, excerpt: Excerpt) -> QFrame:
        place = excerpt.page.document_id, excerpt.start, excerpt.end
        opened = _TitleButton(
            excerpt.page, self.tr("Open the passage in {}"), lambda: self._context.show_document(*place)
        )
        words = widgets.label(wrapped(excerpt.text), "muted", wrap=True, selectable=True, margins=(0, 0, 0, 2))
        return widgets.framed("excerpt", widgets.column(opened, words, spacing=0, margins=(M, XS, S, XS)))

    def _page_line(self, page: TouchedPage) -> QWidget:
        """Build the line of a page without known passages."""
        line = widgets.row(widgets.ThemedIcon("library", 16), spacing=S)
        if page.document_id:
            words = self.tr("Open the page {}")
            opened = _TitleButton(page, words, lambda: self._context.show_document(page.document_id))
            line.addWidget(opened, 1)
        else:
            words = self.tr("{} (not in the library)").format(wording.plain_address(page.url))
            line.addWidget(widgets.ElidedLabel(words, "muted"), 1)
        line.setContentsMargins(M, 0, 0, 0)
        return widgets.held(line)

    def _foot(self) -> QHBoxLayout:
        call = self.turn.call
        words = [call.tool]
        if self.turn.passages:
            pages = sum(bool(page.ranges) for page in self.turn.pages)
            words.append(wording.counted(self.turn.passages, _tr("1 passage"), _tr("{} passages")))
            words.append(wording.counted(pages, _tr("1 page"), _tr("{} pages")))
        if call.tokens:
            words.append(wording.counted(call.tokens, _tr("1 token"), _tr("{} tokens")))
        words.append(wording.duration(call.duration_ms))
        facts = widgets.ElidedLabel("  ·  ".join(words), "caption")
        line = widgets.row((facts, 1), spacing=XS)
        if self.turn.question:
            asked = " ".join(self.turn.question.split())
            again = widgets.button(self.tr("Ask again"), lambda: self._context.search_for(asked), "link")
            again.setToolTip(self.tr("Ask this question on the Search page"))
            line.addWidget(again)
            copy = partial(self._context.copy, self.turn.question, self.tr("Question copied"))
            line.addWidget(widgets.icon_button("copy", self.tr("Copy question"), copy))
            erase = partial(self._erase, self.turn.number)
            line.addWidget(widgets.icon_button("trash", self.tr("Erase this question permanently"), erase))
        return line


class _TitleButton(QPushButton):
    """Title of a page as a link, elided if it does not fit."""

    def __init__(self, page: TouchedPage, spoken: str, run: Act) -> None:
        super().__init__()
        # Title and site, to tell pages with the same title apart.
        self._title = f"{page.title}  ·  {wording.site_of(page.url)}" if page.title else wording.plain_address(page.url)
        self.setProperty("role", "pagelink")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(self._title.replace("&", "&&"))
        self.setAccessibleName(spoken.format(self._title))
        self.setToolTip(wording.plain_tip(page.url))
        self.clicked.connect(lambda: run())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shown = self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, self.width() - 2)
        shown = shown.replace("&", "&&")
        if shown != self.text():
            self.setText(shown)


def _who(call: Call) -> str:
    return wording.assistant_title(call.client) or _tr("unknown assistant")


def _note(icon_name: str, text: str) -> QHBoxLayout:
    return widgets.row(widgets.ThemedIcon(icon_name, 16), widgets.label(text, "muted"), 1, margins=(M, 0, 0, 0))
