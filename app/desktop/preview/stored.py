"""Stored page of a search result, loaded on demand, with its passage and quote highlighted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desktop.context import Context, ShowDocument
from app.desktop.engine_thread import Latest
from app.desktop.exports import ask_and_open, is_web, open_document, open_outside
from app.desktop.models import document as loading
from app.desktop.models.details import section_of
from app.desktop.models.search import address_of, library_words, quotes_in
from app.desktop.panels import EmptyState, Line
from app.desktop.preview.panel import PreviewPanel
from app.desktop.qt import Act
from app.desktop.tokens import XS, L, S
from app.desktop.widgets import ElidedLabel, column, held, icon_button, row
from app.desktop.wording import file_or_address, local_path
from app.events import Event, PicturesChanged
from app.library.records import DocumentSummary, KeptPicture
from app.retrieval.records import CitationSpan, RetrievedChunk

Span = tuple[int, int]
_PAGE: Final = re.compile(r"page=([0-9]{1,6})")


def marks_of(hit: RetrievedChunk, quotes: Sequence[CitationSpan]) -> tuple[Span, Span]:
    """Return what to highlight on the page of a result: its first quote or otherwise its passage, and the passage itself."""
    chunk = hit.chunk
    passage = (chunk.start, chunk.end)
    inside = quotes_in(chunk, quotes)
    return ((inside[0].start, inside[0].end) if inside else passage), passage


def open_source(hit: RetrievedChunk) -> None:
    """Open the file of a result, or its page in the browser at the section, or at the page of a PDF."""
    address, anchor = address_of(hit), hit.chunk.anchor
    if anchor and is_web(QUrl(address)) and "#" not in address:
        address = f"{address}#{anchor}"
    if hit.origin is not None:
        # The address is from a shared library, so a file address would refer to a file on this computer.
        open_outside(QUrl(address))
    else:
        page = _PAGE.fullmatch(anchor or "")
        open_document(address, page[1] if page else "")


def quotation(hit: RetrievedChunk, quotes: Sequence[CitationSpan] = ()) -> QMimeData:
    """Return the highlighted text of a result with its source for the clipboard, as plain text and Markdown."""
    made = QMimeData()
    source = ", ".join(part for part in (hit.chunk.title, section_of(hit.chunk), library_words(hit)) if part)
    made.setText(f"{_marked_text(hit, quotes)}\n\n{source}\n{local_path(address_of(hit)) or address_of(hit)}")
    made.setData("text/markdown", markdown_quotation(hit, quotes).encode())
    return made


def markdown_quotation(hit: RetrievedChunk, quotes: Sequence[CitationSpan] = ()) -> str:
    """Return the same as a Markdown quote with a link to the source."""
    chunk = hit.chunk
    quoted = "\n".join(f"> {line}".rstrip() for line in _marked_text(hit, quotes).splitlines())
    url = address_of(hit)
    source = ", ".join(filter(None, (linked(chunk.title or url, url), section_of(chunk), library_words(hit))))
    return f"{quoted}\n>\n> — {source}\n"


def linked(title: str, url: str) -> str:
    words = re.sub(r"([\\\[\]])", r"\\\1", title)
    return f"[{words}]({url.replace('(', '%28').replace(')', '%29').replace(' ', '%20')})"


def _marked_text(hit: RetrievedChunk, quotes: Sequence[CitationSpan]) -> str:
    (start, end), passage = marks_of(hit, quotes)
    inside = [quote for quote in quotes if (quote.start, quote.end) == (start, end)]
    return inside[0].verbatim_text if inside and (start, end) != passage else hit.chunk.text


def follow_link(context: Context, address: str, owner: QWidget, show_document: Callable[[int], object]) -> None:
    """Ask before opening a web page. A stored one can be read here instead."""

    def ask(stored: DocumentSummary | None) -> None:
        show = (lambda: show_document(stored.id)) if stored is not None else None
        ask_and_open(QUrl(address), owner, show)

    if is_web(QUrl(address)):
        work, failed = lambda engine: loading.stored_page(engine, address), lambda _error: ask(None)
        context.ask(owner, work, ask, failed)


class StoredPage(QWidget):
    """The page of a result. `show_document` opens a stored page, and `copy` copies the passage."""

    def __init__(self, context: Context, show_document: ShowDocument, copy: Act, open_tip: str) -> None:
        super().__init__()
        self._context, self._show_document = context, show_document
        self._hit: RetrievedChunk | None = None
        self._mark: tuple[Span, Span] = ((0, 0), (0, 0))
        self._is_weak = False
        self._read: loading.ReadDocument | None = None
        self.loading = Latest(context.thread, self)
        self._title = ElidedLabel("", "strong")
        self._address = ElidedLabel("", "caption", Qt.TextElideMode.ElideMiddle)
        self._origin = ElidedLabel("", "caption")
        words = column(self._title, self._address, self._origin, spacing=0)
        copying = icon_button("quote", self.tr("Copy with source"), copy, "Ctrl+C")
        self._library = icon_button("library", self.tr("Open in Library"), self._open, open_tip)
        self._outside = icon_button(
            "external", self.tr("Open in browser"), lambda: open_source(self._hit) if self._hit is not None else None
        )
        self._head = held(row((words, 1), copying, self._library, self._outside, spacing=2, margins=(L, S, S, XS)))
        self.reader = PreviewPanel(self.tr("Page of the result"))
        self.reader.link_clicked.connect(lambda address: follow_link(context, address, self, show_document))
        self._gone = EmptyState("error", "", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.reader)
        self._pages.addWidget(self._gone)
        column(self._head, Line(), (self._pages, 1), spacing=0, parent=self)
        self.clear()

    def show_hit(self, hit: RetrievedChunk, quotes: Sequence[CitationSpan] = (), *, is_weak: bool = False) -> None:
        """Show the page of a result at its passage. A weak passage is not highlighted, because most likely it is not the answer.

        A page that is already shown is kept, unless `forget` was called.
        """
        self._hit, self._mark, self._is_weak = hit, marks_of(hit, quotes), is_weak
        self.loading.cancel()
        chunk = hit.chunk
        url, origin = address_of(hit), library_words(hit)
        self._title.show_text(chunk.title or url)
        self._address.show_text(file_or_address(url))
        self._origin.show_text(origin)
        self._origin.setVisible(bool(origin))
        can_open = is_web(QUrl(url)) or bool(local_path(url))
        words = self.tr("Open file") if local_path(url) else self.tr("Open in browser")
        self._outside.setToolTip(words)
        self._outside.setAccessibleName(words)
        self._outside.setVisible(can_open)
        self._library.setVisible(hit.origin is None)
        self._head.setEnabled(True)
        # IDs are only unique within a library; addresses of shared pages include the library.
        shown = self._read.document if self._read is not None else None
        if shown is not None and (shown.url == chunk.url if hit.origin is not None else shown.id == chunk.document_id):
            self._show_marks()
        else:
            self._load(hit)

    def on_events(self, events: Sequence[Event]) -> None:
        """Show the images of the current page when they arrive."""
        hit, read = self._hit, self._read
        if hit is None or not any(
            isinstance(event, PicturesChanged) and event.document_id == hit.chunk.document_id for event in events
        ):
            return
        if self.loading.is_running:
            # The pending result may have been read before the images arrived.
            self._load(hit)
        elif read is not None:

            def show(pictures: dict[str, KeptPicture]) -> None:
                if self._read is read:
                    self.reader.preview.show_pictures(pictures)

            self._context.ask(self, lambda engine: loading.pictures_of(engine, read.document), show)

    def forget(self) -> None:
        """Reload the page of the next result, because it may have changed."""
        self._read = None

    def clear(self) -> None:
        self.loading.cancel()
        self._hit, self._read = None, None
        self._title.show_text("")
        self._address.show_text("")
        self._origin.hide()
        self._head.setEnabled(False)
        self.reader.show_text("")
        self._pages.setCurrentWidget(self.reader)

    def _load(self, hit: RetrievedChunk) -> None:
        document_id, uri, is_shared = hit.chunk.document_id, hit.chunk.url, hit.origin is not None
        self.loading.submit(
            lambda engine: loading.read_shared(engine, uri) if is_shared else loading.read(engine, document_id),
            self._take,
            lambda error: self._say(error.title, f"{error.message} {error.hint}".strip()),
        )

    def _take(self, read: loading.ReadDocument | None) -> None:
        if read is None:
            self._say(self.tr("Page not found"), self.tr("The page was deleted after the search. Search again."))
            return
        self._read = read
        self.reader.show_page(read)
        self._show_marks()

    def _show_marks(self) -> None:
        self._pages.setCurrentWidget(self.reader)
        mark, passage = self._mark
        self.reader.close_find()
        self.reader.preview.set_marks([] if self._is_weak else [mark], around=passage)
        if self._is_weak:
            self.reader.preview.show_place(passage[0])

    def _say(self, title: str, text: str) -> None:
        self._read = None
        self._gone.show_words(title, text, "error", "danger")
        self._pages.setCurrentWidget(self._gone)

    def _open(self) -> None:
        if self._hit is not None:
            self._show_document(self._hit.chunk.document_id, *self._mark[0])
