"""The Ask window: answers a question from stored pages while the user types, or from the page whose address is in the clipboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QFrame, QSplitter, QWidget

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.add.panel import address_in
from app.desktop.engine_thread import Engine, Fail, Latest
from app.desktop.models.search import collections, has_libraries, place_words
from app.desktop.pages.parts import offer_choices, stack_of
from app.desktop.pages.search.results import Results
from app.desktop.panels import EmptyState, Line
from app.desktop.qt import single_shot, step_through
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import (
    ElidedLabel,
    ThemedIcon,
    button,
    column,
    framed,
    held,
    label,
    progress_bar,
    row,
    text_field,
)
from app.desktop.wording import plain_address, spoken
from app.errors import WebRAGError
from app.ingest.outcome import IngestedPage
from app.library.records import ALL
from app.library.scope import Filter
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import RetrievedChunk

BAR_WIDTH: Final = 90


class ReadFirst(QFrame):
    """A line that is visible if the clipboard contains an address, a page is being added, or the search is limited to one page.

    Emits `scope_changed` when `scope`, the address of that page, changes. Fetches nothing before the click.
    """

    scope_changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._address = ""
        self._read = ""
        self._reading = Latest(context.thread, self)
        self.scope = ""
        self.setProperty("role", "bar")
        self._icon = ThemedIcon("info", 16, "muted")
        self._words = ElidedLabel("", "")
        self._bar = progress_bar(BAR_WIDTH)
        self.read_button = button(self.tr("Ask this page"), self.read, "link")
        self.stop_button = button(self.tr("Stop"), self.stop, "link")
        self.everywhere_button = button(self.tr("Search everywhere"), self.ask_everywhere, "link")
        buttons = (self.read_button, self.stop_button, self.everywhere_button)
        row(self._icon, (self._words, 1), self._bar, *buttons, margins=(L, XS, M, XS), parent=self)
        self._show("")

    @property
    def text(self) -> str:
        return self._words.full_text

    def offer(self, clipboard: str) -> None:
        """Offer to add the address in the clipboard, unless it was already added."""
        address = address_in(clipboard)
        if self._reading.is_running or self.scope:
            return
        if address and address != self._read:
            self._address = address
            self._show(self.tr("In the clipboard: {}").format(plain_address(address)), self.read_button)
        else:
            self._show("")

    def read(self) -> None:
        """Add the page and limit the search to it until the user searches everywhere."""
        url = self._address
        if not url or self._reading.is_running:
            return
        self._show(self.tr("Reading {}…").format(plain_address(url)), self.stop_button, self._bar)
        self._reading.submit(lambda engine: engine.ensure_ingested(url), self._stored, self._fail)

    def stop(self) -> None:
        self._reading.cancel()
        self._show("")

    def ask_everywhere(self) -> None:
        self.scope = ""
        self._show("")
        self.scope_changed.emit()

    def forget(self) -> None:
        """Withdraw the offer and search everywhere."""
        self.stop()
        self._address = self._read = self.scope = ""

    def _stored(self, page: IngestedPage) -> None:
        self._read, self.scope = self._address, page.url
        title = page.title or plain_address(page.url)
        self._show(self.tr("Searching only “{}”").format(title), self.everywhere_button, icon="ok", role="success")
        self.scope_changed.emit()

    def _fail(self, error: WebRAGError) -> None:
        self._show(f"{error.message} {error.hint}".strip(), self.read_button, icon="error", role="danger")

    def _show(self, words: str, *shown: QWidget, icon: str = "external", role: str = "muted") -> None:
        """Show a text with controls next to it, or hide the line if the text is empty."""
        self._words.show_text(words)
        self._icon.show_icon(icon, role)
        for widget in (self._bar, self.read_button, self.stop_button, self.everywhere_button):
            widget.setVisible(widget in shown)
        self.setVisible(bool(words))


WIDTH, HEIGHT = 900, 560
TOP_SHARE: Final = 0.16  # Top of the window as a share of the screen height.
PAUSE_MS: Final = 80  # Milliseconds without typing before a search starts.
COMPLETE_MS: Final = 200
"""Milliseconds for which the first results are shown before passages are embedded for the question, because embedding slows down typing
and rendering.
"""
MIN_CHARS: Final = 3
HITS: Final = 8
SAID_MS: Final = 4_000  # Milliseconds for which a short message stays in the last line.
PAGE_STEP: Final = 4  # Number of results to move by Page Up and Page Down.


class AskWindow(QDialog):
    """The Ask window. It is hidden, never closed, and keeps the last question. Hides when it loses the focus.

    `in_window` returns an action that shows the main window first.
    """

    def __init__(self, context: Context, in_window: Callable[[Callable[..., object]], Callable[..., None]]) -> None:
        super().__init__(
            None, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        )
        self._context, self._in_window = context, in_window
        self.searching, self._renewing = Latest(context.thread, self), Latest(context.thread, self)
        self._asked: tuple[str, Filter | None] = ("", None)
        self._asked_everywhere = ""  # The question for which the user wants to search everywhere.
        self._asks_others = False  # Whether shared libraries are joined. They are searched after typing has stopped.
        self.results = Results(context, self, self._open, self._say)
        self.hits, self.list, self.page = self.results.hits, self.results.list, self.results.page
        # The focus stays in the box, which announces the result to screen readers.
        self.results.chosen.connect(
            lambda: self.box.setAccessibleDescription(str(self.list.currentIndex().data() or ""))
        )
        # Repeat the current search, now that more passages are embedded.
        self.results.due.connect(lambda: self._ask_again(keeps_best=True))
        self._pause = single_shot(self, PAUSE_MS, self._ask)
        # If the best result is still selected, select the best one of the complete search.
        self._completion = single_shot(self, COMPLETE_MS, lambda: self._ask_again(keeps_best=False))
        self._said = single_shot(self, SAID_MS, lambda: self._note.setText(""))
        self.setProperty("role", "ask")
        self.setWindowTitle(self.tr("Ask WebRAG"))
        self.setAccessibleName(self.tr("Ask WebRAG"))
        self.resize(WIDTH, HEIGHT)
        self._build()

    def open_up(self) -> None:
        """Show the window on the active screen with the previous question selected."""
        if not self.isVisible():
            self._context.ask(self, collections, self.show_places, lambda _error: None)
            # Reload the model in case it was unloaded, while the user is typing.
            self._context.ask(self, lambda engine: engine.make_ready(), lambda _: None, lambda _: None)

            def take(joined: bool) -> None:
                self._asks_others = joined

            self._context.ask(self, has_libraries, take, lambda _error: None)
            self.read_first.offer(QGuiApplication.clipboard().text())
            screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
            area = screen.availableGeometry()
            width, height = min(WIDTH, area.width()), min(HEIGHT, area.height())
            top = min(int(area.height() * TOP_SHARE), area.height() - height)
            self.setGeometry(area.left() + (area.width() - width) // 2, area.top() + top, width, height)
        self.show()
        self.raise_()
        self.activateWindow()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def toggle(self) -> None:
        """Handle the shortcut: show the window, or hide it if it has the focus."""
        self.hide() if self.isVisible() and self.isActiveWindow() else self.open_up()

    def show_places(self, places: Sequence[str]) -> None:
        """Offer these collections as search scopes and keep the current choice if it still exists."""
        offer_choices(self.place, self.tr("Everywhere"), [(place_words(each), each) for each in places])
        self.place.setVisible(bool(places))

    def forget(self) -> None:
        self._stop()
        self.box.clear()
        self.read_first.forget()
        self._show_idle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.box and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if step_through(self.list, key, PAGE_STEP):
                return True
            # Ctrl+C copies the result unless a part of the question is selected.
            copies_quote = self.hits.rowCount() > 0 and self.box.selectedText() in ("", self.box.text())
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                # Open the displayed result if it belongs to this question; otherwise search first.
                is_shown = self._stack.currentWidget() is self._results and not self.searching.is_running
                if is_shown and self._wanted == self._asked:
                    self.hide()
                    self.results.open_current()
                else:
                    self._ask()
            elif event.matches(QKeySequence.StandardKey.Copy) and copies_quote:
                self.results.copy_current()
            else:
                return False
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isVisible() and not self.isActiveWindow():
            is_ours = QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None
            if not is_ours:
                self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        self._pause.stop()
        self._completion.stop()
        super().hideEvent(event)

    def _build(self) -> None:
        self.box = text_field(
            self.tr("Ask your library"), self.tr("Question"), role="palette", most=caps.MAX_QUERY_CHARS
        )
        self.box.setMinimumWidth(200)  # On a small screen, the question needs the space more than the scope.
        self.box.textEdited.connect(self._typed)
        self.box.installEventFilter(self)
        self._state = label("", "caption")
        self.place = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.place.setMinimumWidth(110)
        self.place.setMaximumWidth(220)
        self.place.setAccessibleName(self.tr("Where to search"))
        self.place.currentIndexChanged.connect(lambda _index: self._scope_changed())
        self.show_places(())
        head = row(ThemedIcon("search", 20), self.box, self._state, self.place, margins=(L, S, L, S))
        self.read_first = ReadFirst(self._context)
        self.read_first.scope_changed.connect(self._scope_changed)
        keys = label(self.tr("↑ ↓ Select   ·   Enter Open   ·   Ctrl+C Copy with source   ·   Esc Close"), "caption")
        self._note = label("", "caption", wrap=True, align=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        foot = row(keys, (self._note, 1), spacing=L, margins=(L, S, L, S))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        # Also for a result of a shared library, which opens in the browser.
        self.list.activated.connect(self.hide)
        self._results = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self._looked_in = label("", "caption", wrap=True)
        everywhere = button(self.tr("Search everywhere"), self._ask_everywhere, "link")
        self._narrowed = held(row((self._looked_in, 1), everywhere, margins=(L, S, L, S)))
        self._results.addWidget(held(column(self._narrowed, self.results.doubt, (self.list, 1), spacing=0)))
        self._results.addWidget(framed("beside", column(self.page, margins=(1, 0, 0, 0))))
        self._results.setSizes([380, 520])
        text = self.tr(
            "Type a question to see the best page with the answer highlighted. Nothing is fetched from the web."
        )
        self._idle = EmptyState("quote", self.tr("Answers from your library"), text)
        self._nothing = EmptyState("search", "", "", button(self.tr("Open in Search"), self._search, "", "search"))
        self._failed = EmptyState("error", "", "")
        self._stack = stack_of(self._idle, self._results, self._nothing, self._failed)
        parts = (head, Line(), self.read_first, (self._stack, 1), Line(), foot)
        column(*parts, spacing=0, margins=(1, 1, 1, 1), parent=self)
        QShortcut("Ctrl+Shift+C", self, self.results.copy_markdown)
        self._show_idle()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    @property
    def _wanted(self) -> tuple[str, Filter | None]:
        url, place = self.read_first.scope, str(self.place.currentData() or "")
        within = Filter(urls=(url,)) if url else Filter(doc_tags=((place,),)) if place else None
        return self.box.text().strip(), within

    def _typed(self) -> None:
        self._completion.stop()
        if len(self.box.text().strip()) >= MIN_CHARS:
            self._pause.start()
        else:
            self._stop()
            self._show_idle()

    def _scope_changed(self) -> None:
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.box.text().strip():
            self._ask()

    def _ask(self) -> None:
        """Search for the current question and drop a running search."""
        self._stop()
        self._asked = self._wanted
        if not self._asked[0]:
            self._show_idle()
            return
        self._state.setText(self.tr("Searching…"))
        self._submit(self.searching, self._show_first, self._fail, at_once=True)

    def _ask_everywhere(self) -> None:
        """Search again for the current question, whatever place it names."""
        self._asked_everywhere = self._asked[0]
        self._scope_changed()

    def _submit(
        self, search: Latest, show: Callable[[OrchestrationResult], None], failed: Fail, *, at_once: bool
    ) -> None:
        query, within = self._asked
        asks_others = self._asks_others and not at_once

        def ask(engine: Engine) -> Awaitable[OrchestrationResult]:
            find = partial(engine.search, library=ALL) if asks_others else engine.search
            return find(query, top_k=HITS, within=within, at_once=at_once, narrows=query != self._asked_everywhere)

        search.submit(ask, show, failed)

    def _ask_again(self, *, keeps_best: bool) -> None:
        """Repeat the search after embedding the likely passages. Keeps the selected result; if it is the best one, only with
        `keeps_best`.
        """

        def show(result: OrchestrationResult) -> None:
            stays = keeps_best or self.list.currentIndex().row() > 0
            self._show(result, self.results.current if stays else None)

        if not self.searching.is_running and not self._renewing.is_running and self._asked[0]:
            # After a failure, the results stay, and text typed in the meantime is searched later.
            self._submit(self._renewing, show, lambda _error: None, at_once=False)

    def _stop(self) -> None:
        self._pause.stop()
        self._completion.stop()
        self.searching.cancel()
        self._renewing.cancel()
        self._state.setText("")

    def _show_first(self, result: OrchestrationResult) -> None:
        """Show results found without waiting for embedding, and complete the search if passages are not embedded yet or to be reranked.

        Relevant passages without vectors rank too low, so "No results" is only shown after the complete search.
        """
        if not result.chunks:
            self._submit(self.searching, self._show, self._fail, at_once=False)
            return
        self._show(result)
        rereads = bool(self._context.settings.running.reranker_model)
        if rereads or self._context.status.waiting or self._asks_others or any(hit.is_waiting for hit in result.chunks):
            self._completion.start()

    def _show(self, result: OrchestrationResult, chosen: RetrievedChunk | None = None) -> None:
        """Show the results and select `chosen` or, if it is not among them, the best one."""
        self.results.show(result, chosen)
        self._state.setText(self.results.summary(result))
        if not self.hits.rowCount():
            notes = " ".join(map(spoken, result.notes))
            advice = (
                self.tr("Try other words, or search everywhere.") if self._asked[1] else self.tr("Try other words.")
            )
            self._nothing.show_words(self.tr("No results"), f"{notes} {advice}".strip())
            self._stack.setCurrentWidget(self._nothing)
            return
        self._looked_in.setText(self.tr("Looked in: {}").format(spoken(result.looked_in)))
        self._narrowed.setVisible(bool(result.looked_in))
        self._say(" ".join(map(spoken, result.notes)) if self._asks_others else "")
        self._stack.setCurrentWidget(self._results)

    def _fail(self, error: WebRAGError) -> None:
        self._state.setText("")
        self._failed.show_words(error.title, f"{error.message} {error.hint}".strip(), "error", "danger")
        self._stack.setCurrentWidget(self._failed)

    def _show_idle(self) -> None:
        self._asked = ("", None)
        self.results.clear()
        self.box.setAccessibleDescription("")
        self._stack.setCurrentWidget(self._idle)

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._said.start()

    def _open(self, document_id: int, start: int = 0, end: int = 0) -> None:
        self.hide()
        self._in_window(self._context.show_document)(document_id, start, end)

    def _search(self) -> None:
        self.hide()
        self._in_window(self._context.search_for)(self.box.text().strip())
