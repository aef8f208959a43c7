"""Details of a call: duration and cost, its pages, and how the answer was found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.engine_thread import Latest
from app.desktop.exports import breakable, wrapped
from app.desktop.models import activity
from app.desktop.models.traces import Trace, Traces, page_facts, summary_text
from app.desktop.pages.activity.trace import TraceView
from app.desktop.pages.page import block_site, can_block
from app.desktop.pages.parts import new_menu, offer_menu
from app.desktop.panels import Card, PageStack
from app.desktop.tables import DataTable
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ElidedLabel, Segments, button, column, held, label, row
from app.desktop.wording import assistant_title, clock, counted, duration, number, short_title, spoken
from app.events import CallFailure

PAGES, WAY = "pages", "way"
LISTED_PASSAGES = 12  # Passages of a page to list in its menu.


class FailureView(QWidget):
    """Reason of a failed call, as the assistant received it, with a button to try its page."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.title = label("", "strong", wrap=True)
        self.address = label("", "address", wrap=True, selectable=True)
        self._told = label(self.tr("Message to the assistant:"), "caption")
        self.text = label("", wrap=True, selectable=True)
        self.hint = label("", "muted", wrap=True)
        self.withheld = label(
            self.tr("The address contains a secret and was not recorded completely."), "muted", wrap=True
        )
        self.again = button(self.tr("Try this page"), lambda: context.add_page(self._url))
        self.again.setToolTip(self.tr("Preview the page and add it to the library"))
        self._url = ""
        parts = (self.title, self.address, self._told, self.text, self.hint, self.withheld, row(self.again, 1), 1)
        column(*parts, margins=(L, S, L, S), parent=self)

    def show_call(self, call: activity.Call) -> None:
        """Show why a call failed, if it is known."""
        failure = call.failure or CallFailure("", "")
        self._url = activity.address_to_try(failure)
        self.title.setText(activity.outcome_text(call))
        self._told.setVisible(bool(failure.text))
        self.address.setText(breakable(failure.url))
        self.text.setText(wrapped(spoken(failure.text)))
        self.hint.setText(spoken(failure.hint))
        self.address.setVisible(failure.url not in failure.text)
        self.hint.setVisible(bool(failure.hint))
        self.withheld.setVisible("[redacted]" in failure.url)
        self.again.setVisible(bool(self._url))


class CallDetails(Card):
    """Details of one call. The buttons act on the page selected in the table or in the drawing."""

    def __init__(self, context: Context, traces: Traces) -> None:
        super().__init__(margin=1, spacing=S)
        self._context = context
        self._traces = traces
        self._call: activity.Call | None = None
        self._touched: tuple[activity.TouchedPage, ...] = ()
        self._loading = Latest(context.thread, self)
        self.model = activity.touched_model(self)
        self.body.setContentsMargins(1, M, 1, S)
        self._what = ElidedLabel("", "heading")
        self._facts = ElidedLabel("", "muted")
        views = (
            (PAGES, self.tr("Pages"), self.tr("The pages that the call used")),
            (WAY, self.tr("How it was found"), self.tr("Which links were followed, and the result of each page")),
        )
        self.view = Segments(self.tr("Details to show"), views)
        self.view.chosen.connect(self.show_view)
        self.again = button(self.tr("Ask again in Search"), self.replay, "link")
        head = row(
            (column(self._what, self._facts, spacing=2), 1), self.again, self.view, spacing=M, margins=(M, 0, M, 0)
        )
        self.body.addLayout(head)
        self.body.addWidget(self._build_views(), 1)
        self._page_facts = ElidedLabel("", "muted")
        self.open_button = button(self.tr("Open page"), self.open_page)
        self.forget_button = button(self.tr("Delete page"), self.forget_page)
        self.forget_button.setToolTip(self.tr("Delete its text from the library"))
        self.block_button = button(self.tr("Block site"), self.block)
        self.block_button.setToolTip(self.tr("Never fetch pages of this site again"))
        self._context.settings.changed.connect(self._follow_page)
        line = row((self._page_facts, 1), self.open_button, self.forget_button, self.block_button, margins=(M, 0, M, 0))
        self.body.addWidget(held(line))
        traces.changed.connect(self._traces_changed)
        self.show_call(None)

    def show_call(self, call: activity.Call | None) -> None:
        known, self._call = self._call, call
        if known is not None and call == known:
            return
        is_other = known is None or call is None or known.key != call.key
        if is_other:
            self._touched = ()
            self.model.replace(())
            self.way.show_trace(self.trace)
            self.show_view(WAY if self.trace is not None and call is not None and call.is_running else PAGES)
        elif known is not None and call is not None and known.failure != call.failure:
            self.show_view(self.view.value)
        self._show_words()
        if call is not None and (
            is_other or known is None or (known.outcome, known.reads) != (call.outcome, call.reads)
        ):
            self._load(call)

    @property
    def trace(self) -> Trace | None:
        """The trace of the current call, or None if it is no longer in memory."""
        trace = self._traced
        return trace if trace is not None and trace.pages else None

    @property
    def _traced(self) -> Trace | None:
        call = self._call
        return self._traces.of(call.key[1]) if call is not None and call.key[0] == "live" else None

    @property
    def query(self) -> str:
        """The question of the current call. Empty unless questions are saved or diagnostic logging is on."""
        if self._call is not None and self._call.question:
            return self._call.question
        return self._traced.query if self._traced is not None else ""

    @property
    def page(self) -> activity.TouchedPage | None:
        if self.view.value == PAGES:
            return self.model.record_at(self.table.currentIndex())
        page = self.way.current
        if page is None or self.trace is None:
            return None
        return activity.TouchedPage(page.url, page.title, page.document_id, page.tokens, self.trace.ranges(page.url))

    def show_view(self, name: str) -> None:
        self.view.select(name)
        shown = self._no_way if name == WAY and self.trace is None else self._views[name]
        if name == PAGES and self._call is not None and self._call.failure is not None:
            self.failure.show_call(self._call)
            shown = self.failure
        self._stack.setCurrentWidget(shown)
        self._show_words()
        self._follow_page()

    def open_page(self, passage: int = 0) -> None:
        """Open the selected page in the Library, at one of the passages that the call used."""
        page = self.page
        if page is not None and page.document_id:
            start, end = page.ranges[passage] if passage < len(page.ranges) else (0, 0)
            self._context.show_document(page.document_id, start, end)

    def forget_page(self) -> None:
        """Delete the selected page from the library after confirmation."""
        page = self.page
        if page is None or not page.document_id:
            return
        question = self.tr("Delete “{}” from the library? Assistants can fetch it again.")
        if not is_agreed(self, self.tr("Delete page"), question.format(page.title or page.url)):
            return
        title = page.title or page.url

        def forgotten(_: object) -> None:
            self._context.notifier.say(self.tr("“{}” deleted").format(short_title(title)))
            if self._call is not None:
                self._load(self._call)

        self._context.ask(self, lambda engine: engine.documents.delete([page.document_id]), forgotten, lasting=True)

    def block(self) -> None:
        if self.page is not None:
            block_site(self._context, self.page.url)

    def replay(self) -> None:
        """Run the question of the call on the Search page."""
        if self.query:
            self._context.search_for(self.query)

    def menu(self) -> QMenu:
        page = self.page
        count = min(LISTED_PASSAGES, len(page.ranges)) if page is not None else 0
        texts = [self.tr("Open passage {}").format(number(place + 1)) for place in range(count)]
        opening = [
            (text, "", partial(self.open_page, place), self.open_button.isEnabled())
            for place, text in enumerate(texts if count > 1 else [self.open_button.text()])
        ]
        copied = page.url if page is not None else ""
        copy = self.tr("Copy address"), "", lambda: self._context.copy(copied), bool(copied)
        others = [(made.text(), "", made.click, made.isEnabled()) for made in (self.forget_button, self.block_button)]
        return new_menu(self, (*opening, copy, None, *others))

    def _build_views(self) -> QWidget:
        self.table = DataTable(self.model, self.tr("Pages used by the call"), (260, 140, 120, 168), 0)
        self.table.optional = (2,)
        self.table.remember_columns(self._context.memory, "activity/pages")
        self.failure = FailureView(self._context)
        self.table.empty_text = self.tr("No pages were used")
        self.table.opened.connect(lambda _index: self.open_page())
        self.table.deleted.connect(self.forget_page)
        self.table.current_changed.connect(lambda _index: self._follow_page())
        offer_menu(self.table, self.menu)
        self.way = TraceView()
        self.way.chosen.connect(self._follow_page)
        self.way.opened.connect(self.open_page)
        self.way.menu_wanted.connect(lambda place: self.menu().popup(place))
        text = self.tr("Search details are kept until you quit WebRAG. There are none for this call.")
        self._no_way = label(text, "muted", wrap=True, align=Qt.AlignmentFlag.AlignCenter, margins=(M, M, M, M))
        self._views: dict[str, QWidget] = {PAGES: self.table, WAY: self.way}
        self._stack = PageStack()
        for widget in (self.table, self.way, self._no_way, self.failure):
            self._stack.addWidget(widget)
        return self._stack

    def _load(self, call: activity.Call) -> None:
        def take(touched: tuple[activity.TouchedPage, ...]) -> None:
            if self._call is not None and self._call.key == call.key:
                self._touched = touched
                self._show_pages()
                self._show_words()

        self._loading.submit(lambda engine: activity.touched_pages(engine, call), take, self._context.notifier.complain)

    def _show_pages(self) -> None:
        trace = self.trace
        self.model.replace(
            replace(page, ranges=trace.ranges(page.url) or page.ranges) if trace is not None else page
            for page in self._touched
        )
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._follow_page()

    def _show_words(self) -> None:
        call = self._call
        self.view.setEnabled(call is not None)
        self.again.setVisible(bool(self.query))
        if call is None:
            self._what.show_text(self.tr("No call selected"))
            self._facts.show_text("")
            return
        who = assistant_title(call.client) or self.tr("unknown assistant")
        self._what.show_text(call.name if call.question else f"{call.tool}  ·  {who}")
        words = [activity.outcome_text(call), clock(call.started_at), *([who, call.tool] if call.question else [])]
        if call.failure is not None and call.addresses:
            words.insert(1, activity.pages_text(call))
        if not call.is_running:
            words.append(duration(call.duration_ms))
        if call.tokens:
            words.append(counted(call.tokens, self.tr("1 token returned"), self.tr("{} tokens returned")))
        if self.trace is not None and self.view.value == WAY:
            words.append(summary_text(self.trace))
        if saved := activity.saved_text(call):
            words.append(saved)
        self._facts.show_text("  ·  ".join(words))

    def _traces_changed(self, call_ids: set[int]) -> None:
        call = self._call
        if call is None or call.key[0] != "live" or call.key[1] not in call_ids:
            return
        is_new = self.trace is not None and not self.way.pages
        self.way.show_trace(self.trace)
        self._show_pages()
        self._show_words()
        if is_new and (call.is_running or self.view.value == WAY):
            self.show_view(WAY)

    def _follow_page(self) -> None:
        """Enable the buttons for the selected page and show its facts."""
        page = self.page
        stored = page is not None and page.document_id > 0
        self.open_button.setEnabled(stored)
        self.open_button.setText(self.tr("Open passage") if page is not None and page.ranges else self.tr("Open page"))
        self.forget_button.setEnabled(stored)
        self.block_button.setEnabled(page is not None and can_block(self._context, page.url))
        current, trace = self.way.current, self.trace
        if self.view.value == WAY and trace is not None:
            facts = (
                page_facts(current, len(trace.ranges(current.url))) if current is not None else self.tr("Select a page")
            )
            self._page_facts.show_text(facts)
        else:
            self._page_facts.show_text(page.url if page is not None else "")
