"""Detail pane of one document: preview, passages, links, changes, metadata, and its actions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QDir, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QTabWidget, QWidget

from app.desktop.context import Context
from app.desktop.exports import is_web, open_document, save_markdown, usable_name
from app.desktop.models import document as loading
from app.desktop.models.details import TEXT, ChunksModel, linking_model, links_model
from app.desktop.models.library import can_open
from app.desktop.pages.library.changes import ChangesView
from app.desktop.pages.library.document_tabs import ChunksView, LinksView, MetadataView
from app.desktop.pages.library.labels import LabelBar
from app.desktop.pages.parts import new_menu, open_below
from app.desktop.panels import Card
from app.desktop.preview.panel import PreviewPanel
from app.desktop.preview.stored import follow_link
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ElidedLabel, button, column, held, icon_button, restyle, row
from app.desktop.wording import local_path, plain_address
from app.errors import WebRAGError
from app.events import Event, PicturesChanged

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.documents import PageHistory
    from app.ingest.outcome import IngestedPage
    from app.library.records import Document, DocumentSummary

WIDE_TAB, NARROW_TAB = 28, 10  # Padding around a tab title, as in the style sheet.
PREVIEW, CHUNKS, LINKS, CHANGES, METADATA = range(5)
Span = tuple[int, int]
T = TypeVar("T")


class DocumentPane(Card):
    """One document in tabs. Each tab loads its content when shown."""

    delete_wanted = Signal()
    copy_wanted = Signal()
    page_wanted = Signal(int)  # ID of another document.
    loaded = Signal()  # The text of another document, or of none, has been loaded.
    reading_wanted = Signal(bool)  # Whether to show the page over the whole window.
    labels_wanted = Signal(QWidget)  # Widget at which to show the menu of collections and tags.

    def __init__(self, context: Context) -> None:
        super().__init__(margin=1, spacing=0)
        self.body.setContentsMargins(1, 1, 1, 6)
        self._context = context
        self._shown: DocumentSummary | None = None
        self._read_page: loading.ReadDocument | None = None
        self._loaded_tabs: set[int] = set()
        self._wanted: tuple[int, list[Span]] | None = None
        self.chunks, self.links, self.linking = ChunksModel(self), links_model(self), linking_model(self)
        self._build()
        self._enable()

    @property
    def document(self) -> Document | None:
        """The current document, once loaded."""
        return self._read_page.document if self._read_page is not None else None

    def show_document(self, summary: DocumentSummary | None) -> None:
        if summary is not None and self._shown is not None and summary.id == self._shown.id:
            return
        self._shown = summary
        if summary is not None and self._wanted is not None and self._wanted[0] not in (0, summary.id):
            self._wanted = None
        self._reload()

    def show_range(self, start: int, end: int, document_id: int = 0) -> None:
        """Highlight the passage between two text offsets and scroll to it once the text is loaded.

        With a document ID, the passage waits for that document and is dropped if another one is shown.
        """
        self.show_passages([(start, end)], document_id)

    def show_passages(self, spans: Sequence[Span], document_id: int = 0) -> None:
        """Highlight several passages that the user can step through."""
        self._wanted = (document_id, list(spans))
        self._mark_wanted()

    def update_summary(self, summary: DocumentSummary | None) -> None:
        """Apply a newer summary of the same document. Reloads the text if it has changed."""
        known = self._shown
        if summary is None or known is None or summary.id != known.id or summary == known:
            return
        self._shown = summary
        self._show_labels()
        if summary.changed_at != known.changed_at or summary.chunks != known.chunks:
            self._reload()
        elif self.document is not None:
            self._show_facts()
            if summary.chunks_embedded != known.chunks_embedded:
                self._loaded_tabs.discard(CHUNKS)
                self._load_tab(self.tabs.currentIndex())

    def on_events(self, events: Sequence[Event]) -> None:
        """Show the images of the current document when they arrive."""
        shown, document = self._shown, self.document
        if shown is None or not any(
            isinstance(event, PicturesChanged) and event.document_id == shown.id for event in events
        ):
            return
        if document is None:
            # The pending result may have been read before the images arrived.
            self._reload()
        else:
            self._load(lambda engine, _shown: loading.pictures_of(engine, document), self.preview.show_pictures)

    def refresh(self) -> None:
        shown = self._shown
        if shown is None or not can_open(shown):
            return
        self._refresh.setEnabled(False)
        words = {"unchanged": self.tr("Page has not changed"), "updated": self.tr("Page updated")}

        def done(page: IngestedPage) -> None:
            self._enable()
            self._context.notifier.say(words.get(page.change, self.tr("Page refreshed")))

        def fail(error: WebRAGError) -> None:
            self._enable()
            self._context.notifier.complain(error)

        self._context.ask(self, lambda engine: loading.read_again(engine, shown.url), done, fail)

    def export(self) -> None:
        """Save the document as Markdown in a file that the user chooses."""
        shown = self._shown
        if shown is None:
            return
        name = QDir.home().filePath(f"{usable_name(shown.title, 'page')}.md")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save as Markdown"), name, self.tr("Markdown (*.md)"))
        if chosen:
            self._context.ask(
                self,
                lambda engine: save_markdown(engine, shown.id, Path(chosen)),
                lambda path: self._context.notifier.say(self.tr("Saved as {}").format(path.name)),
            )

    def set_reading(self, on: bool) -> None:
        """Show only title and text."""
        if on:
            self.tabs.setCurrentIndex(PREVIEW)
        self.tabs.tabBar().setVisible(not on)
        # Otherwise Tab would move to the hidden titles and get stuck.
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus if on else Qt.FocusPolicy.TabFocus)
        self._corner.setVisible(not on)
        self._reading_bar.setVisible(on)
        self._show_head()

    def show_offset(self, offset: int) -> None:
        """Scroll an offset of the text to the top."""
        self.tabs.setCurrentIndex(PREVIEW)
        self.preview.show_place(offset)

    def _build(self) -> None:
        self.reader = PreviewPanel(self.tr("Page text"))
        self.preview = self.reader.preview
        self.reader.link_clicked.connect(self._follow_link)
        self.links_view = LinksView(self.links, self.linking)
        self.links_view.link_wanted.connect(self._follow_link)
        self.links_view.page_wanted.connect(self.page_wanted)
        self.links_view.setting_wanted.connect(lambda: self._context.show_settings("graph"))
        self.chunks_view = ChunksView(self.chunks)
        self.chunks_view.chosen.connect(lambda start, end: self.reader.show_marks([(start, end)]))
        self.chunks_view.wanted.connect(self.show_range)
        self.changes = ChangesView()
        self.changes.version_wanted.connect(self._load_history)
        context, memory = self._context, self._context.memory
        copied = self.tr("Copied: {}")
        self.metadata = MetadataView(lambda fact: context.copy(fact.value, copied.format(fact.name)))
        self.metadata.passages_wanted.connect(self.show_passages)
        self.chunks_view.table.remember_columns(memory, "document/passages", TEXT)
        self.links_view.table.remember_columns(memory, "document/links")
        self.links_view.linking.remember_columns(memory, "document/linking")
        self.tabs = QTabWidget(documentMode=True, usesScrollButtons=False, elideMode=Qt.TextElideMode.ElideRight)
        # Created before the tab contents, so that Tab reaches the buttons before the text below.
        self._corner = self._actions()
        self.tabs.setCornerWidget(self._corner, Qt.Corner.TopRightCorner)
        self.tabs.addTab(self.reader, self.tr("Preview"))
        self.tabs.addTab(self.chunks_view, self.tr("Passages"))
        self.tabs.addTab(self.links_view, self.tr("Links"))
        self.tabs.addTab(self.changes, self.tr("Changes"))
        self.tabs.addTab(self.metadata, self.tr("Metadata"))
        self.tabs.currentChanged.connect(self._load_tab)
        self.tabs.currentChanged.connect(self._weigh_tab)
        self._weigh_tab(PREVIEW)
        self._title = ElidedLabel("", "heading")
        self._address = ElidedLabel("", "muted", Qt.TextElideMode.ElideMiddle)
        leave = button(self.tr("Back to the list"), lambda: self.reading_wanted.emit(False), "link", tip=self.tr("Esc"))
        line = row((column(self._title, self._address, spacing=0), 1), 1, leave, margins=(L, S, M, S))
        self._reading_bar = held(line)
        self._reading_bar.hide()
        self.body.addWidget(self._reading_bar)
        self.body.addWidget(self.tabs, 1)
        self.labels_bar = LabelBar()
        self.labels_bar.menu_wanted.connect(self.labels_wanted)
        self.body.addWidget(self.labels_bar)

    def _weigh_tab(self, shown: int) -> None:
        """Let only the current tab claim room from the list, not the tallest of all."""
        for place in range(self.tabs.count()):
            if (tab := self.tabs.widget(place)) is not None:
                policy = tab.sizePolicy()
                kind = QSizePolicy.Policy.Preferred if place == shown else QSizePolicy.Policy.Ignored
                policy.setVerticalPolicy(kind)
                tab.setSizePolicy(policy)

    def _show_labels(self) -> None:
        """Show the label bar only for pages with labels."""
        shown = self._shown
        if not self.labels_bar.isHidden() or (shown is not None and (shown.collections or shown.tags)):
            self.labels_bar.show_labels(shown)

    def _show_head(self) -> None:
        shown = self._shown
        self._title.show_text((shown.title or plain_address(shown.url)) if shown is not None else "")
        self._address.show_text((local_path(shown.url) or shown.url) if shown is not None else "")

    def _actions(self) -> QWidget:
        self._read = icon_button("fit", self.tr("Read in full window"), lambda: self.reading_wanted.emit(True), "F9")
        self._label = icon_button("tag", self.tr("Collections and tags"), lambda: self.labels_wanted.emit(self._corner))
        self._refresh = icon_button("refresh", self.tr("Refresh page"), self.refresh, "F5")
        self._open = icon_button("external", self.tr("Open in browser"), self._open_page)
        self._export = icon_button("export", self.tr("Save as Markdown…"), self.export)
        self._copy = icon_button("quote", self.tr("Copy citation"), self.copy_wanted.emit)
        self._delete = icon_button("trash", self.tr("Delete page"), self.delete_wanted.emit, self.tr("Del"))
        self._more = icon_button("more", self.tr("More"), self._show_more)
        self._more.hide()
        others = (self._refresh, self._open, self._export, self._copy, self._delete)
        self._actions_shown = (self._read, self._label, *others)
        return held(row(*self._actions_shown, self._more, spacing=2, margins=(0, 0, S, 0)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Narrow the tab titles if needed, and move actions into a menu if that is not enough.
        step, bar = self._read.sizeHint().width() + 2, self.tabs.tabBar()
        titles = sum(bar.fontMetrics().horizontalAdvance(bar.tabText(tab)) for tab in range(bar.count()))
        is_narrow = self.width() < titles + bar.count() * WIDE_TAB + step + L
        if is_narrow != bool(bar.property("narrow")):
            bar.setProperty("narrow", is_narrow)
            restyle(bar)
        # The tab bar still reports its previous size.
        taken = titles + bar.count() * (NARROW_TAB if is_narrow else WIDE_TAB)
        room = int((self.width() - taken - L) // step)
        shown = len(self._actions_shown) if room >= len(self._actions_shown) else max(0, room - 1)
        for place, made in enumerate(self._actions_shown):
            made.setVisible(place < shown)
        self._more.setVisible(shown < len(self._actions_shown))

    def _show_more(self) -> None:
        menu = new_menu(self)
        for made in self._actions_shown:
            if made.isHidden():
                action = menu.addAction(made.icon(), made.accessibleName(), made.click)
                action.setEnabled(made.isEnabled())
        open_below(menu, self._more)

    def _enable(self) -> None:
        shown = self._shown
        self.tabs.setEnabled(shown is not None)
        for made in (self._read, self._label, self._export, self._copy, self._delete):
            made.setEnabled(shown is not None)
        for made in (self._refresh, self._open):
            made.setEnabled(shown is not None and can_open(shown))
        is_file = shown is not None and bool(local_path(shown.url))
        words = self.tr("Open file") if is_file else self.tr("Open in browser")
        self._open.setToolTip(words)
        self._open.setAccessibleName(words)

    def _reload(self) -> None:
        self._enable()
        self._show_head()
        self._show_labels()
        self._read_page = None
        for tab, clear in (
            (CHUNKS, self.chunks_view.clear),
            (LINKS, self.links_view.clear),
            (CHANGES, self.changes.clear),
            (METADATA, self.metadata.clear),
        ):
            if tab in self._loaded_tabs:
                clear()
        self._loaded_tabs.clear()
        shown = self._shown
        if shown is None:
            self.reader.show_text("")
            self.loaded.emit()
            return
        self._load(lambda engine, shown: loading.read(engine, shown.id), self._take_document)
        self._load_tab(self.tabs.currentIndex())

    def _load(self, work: Callable[[Engine, DocumentSummary], Awaitable[T]], take: Callable[[T], None]) -> None:
        """Load a part of the current document. The result is dropped if another document is shown by then."""
        shown = self._shown

        def loaded(found: T) -> None:
            if shown is not None and self._shown is not None and self._shown.id == shown.id:
                take(found)

        if shown is not None:
            self._context.ask(self, lambda engine: work(engine, shown), loaded)

    def _load_tab(self, tab: int) -> None:
        shown = self._shown
        if shown is None or tab in self._loaded_tabs:
            return
        self._loaded_tabs.add(tab)
        if tab == CHUNKS:
            self._load(lambda engine, shown: loading.chunks_of(engine, shown.id), self._take_chunks)
        elif tab == LINKS:
            self._show_links()
            self._load(loading.around, self._take_around)
        elif tab == CHANGES:
            self._load_history()
        elif tab == METADATA:
            self._show_facts()
            self._load(loading.facts_of, self.metadata.show_facts)

    def _take_document(self, read: loading.ReadDocument | None) -> None:
        shown = self._shown
        if read is None or shown is None:
            return
        self._read_page = read
        self.reader.show_page(read)
        self._show_links()
        self._show_facts()
        self._mark_wanted()
        self.loaded.emit()

    def _show_links(self) -> None:
        """List the links of the page, once the page has loaded and its tab was opened."""
        if self._read_page is not None and LINKS in self._loaded_tabs:
            self.links.replace(self._read_page.links)
            self.links_view.show_counts()

    def _show_facts(self) -> None:
        """Show the metadata, once the page has loaded and its tab was opened."""
        if self.document is not None and self._shown is not None and METADATA in self._loaded_tabs:
            self.metadata.show_document(self.document, self._shown)

    def _take_chunks(self, found: loading.Chunks) -> None:
        chunks, self.chunks.waiting = found
        self.chunks.replace(chunks)
        if not self.chunks_view.table.currentIndex().isValid():
            self.chunks_view.table.selectRow(0)

    def _take_around(self, found: loading.Around) -> None:
        neighbours, linking = found
        self.linking.replace(linking)
        self.links_view.show_neighbours(neighbours)
        self.links_view.show_counts()

    def _load_history(self, version_id: int = 0) -> None:
        """Load the changes since an earlier version, by default since the page was cited or added."""

        def take(found: PageHistory) -> None:
            if self._shown is not None:
                self.changes.show_history(found, self._shown.url, self._shown.cited_at)

        self._load(lambda engine, shown: engine.documents.history(shown.id, version_id), take)

    def _mark_wanted(self) -> None:
        if self._wanted is None or self.document is None:
            return
        document_id, spans = self._wanted
        if document_id in (0, self.document.id):
            self._wanted = None
            self.tabs.setCurrentIndex(PREVIEW)
            self.reader.show_marks(spans)

    def _follow_link(self, address: str) -> None:
        """Follow a link: scroll to a place on this page, or show a dialog with the address."""
        document, (page, _, anchor) = self.document, address.partition("#")
        sections = document.sections if document is not None and page == document.url and anchor else ()
        place = next((section.start for section in sections if section.anchor == anchor), None)
        if place is not None:
            self.tabs.setCurrentIndex(PREVIEW)
            self.preview.show_place(place)
        elif is_web(QUrl(address)):
            follow_link(self._context, address, self, self.page_wanted.emit)
        else:
            self._context.notifier.say(self.tr("This link does not lead to a web page: {}").format(address[:80]))

    def _open_page(self) -> None:
        if self._shown is not None:
            open_document(self._shown.url)
