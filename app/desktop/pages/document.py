"""One document in detail: preview, chunks, links, metadata, and what can be done with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.export_file import save_markdown
from app.desktop.flags import document_flags
from app.desktop.models.details import ChunksModel, LinksModel
from app.desktop.pages.document_chunks import ChunksView
from app.desktop.pages.document_links import LinksView
from app.desktop.pages.metadata import MetadataView
from app.desktop.panels import Card
from app.desktop.preview import Preview, open_outside
from app.desktop.tokens import XS, S
from app.desktop.widgets import icon_button, label
from app.desktop.wording import full_time, local_path, number, plain_address
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.corpus.records import Chunk, Document, DocumentSummary, LinkRecord
    from app.desktop.models.neighbours import Neighbours
    from app.engine import Engine
    from app.orchestration.result import IngestedPage

MAX_CHUNKS_SHOWN = 2_000
_UNUSABLE = re.compile(r"[^\w.-]+")


class DocumentPane(Card):
    """Shows the document it is given; loads its parts when they are looked at."""

    delete_wanted = Signal()
    copy_wanted = Signal()
    page_wanted = Signal(int)
    """Another document, by its id."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=1, spacing=0)
        self.body.setContentsMargins(1, 1, 1, 6)
        self._context = context
        self._shown: DocumentSummary | None = None
        self._document: Document | None = None
        self._loaded_tabs: set[int] = set()
        self._wanted_range: tuple[int, int] | None = None
        self.chunks, self.links = ChunksModel(self), LinksModel(self)
        self._build()
        self._enable()

    def show_document(self, summary: DocumentSummary | None) -> None:
        """Show another document, or none."""
        if summary is not None and self._shown is not None and summary.id == self._shown.id:
            return
        self._shown = summary
        self._reload()

    def show_range(self, start: int, end: int) -> None:
        """Mark the passage between two offsets of the text and scroll to it, as soon as the text is loaded."""
        self._wanted_range = (start, end)
        self._mark_range()

    def update_summary(self, summary: DocumentSummary | None) -> None:
        """Take over a newer summary of the same document; its text is loaded again when it changed."""
        known = self._shown
        if summary is None or known is None or summary.id != known.id or summary == known:
            return
        self._shown = summary
        if summary.changed_at != known.changed_at or summary.chunks != known.chunks:
            self._reload()
        elif self._document is not None:
            self.metadata.show_document(self._document, summary)

    def citation(self) -> str:
        """Title, address and date as Markdown; empty while nothing is shown."""
        shown = self._shown
        if shown is None:
            return ""
        return f"[{shown.title or shown.url}]({shown.url}), {full_time(shown.last_crawled)}"

    def refresh(self) -> None:
        """Read the page from the web, or the file, again."""
        shown = self._shown
        if shown is None or not _can_open(shown):
            return
        self._refresh.setEnabled(False)
        self._context.thread.submit(
            lambda engine: _read_again(engine, shown.url),
            self._refreshed,
            self._not_refreshed,
            owner=self,
        )

    def export(self) -> None:
        """Save the document as Markdown where the person wants it."""
        shown = self._shown
        if shown is None:
            return
        name = QDir.home().filePath(f"{_UNUSABLE.sub('-', shown.title).strip('-.')[:80] or 'page'}.md")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save as Markdown"), name, self.tr("Markdown (*.md)"))
        if chosen:
            self._context.thread.submit(
                lambda engine: save_markdown(engine, shown.id, Path(chosen)),
                lambda path: self._context.notifier.say(self.tr("Saved as {}").format(path.name)),
                self._context.notifier.complain,
                owner=self,
            )

    def _build(self) -> None:
        self.preview = Preview(self.tr("Text of the page"))
        self._cut = label("", "caption")
        preview_tab = QWidget()
        column = QVBoxLayout(preview_tab)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.preview, 1)
        column.addWidget(self._cut)
        self._cut.setContentsMargins(S, XS, S, XS)
        self._cut.hide()
        self.links_view = LinksView(self.links)
        self.links_view.table.opened.connect(self._open_link)
        self.links_view.page_wanted.connect(self.page_wanted)
        self.chunks_view = ChunksView(self.chunks)
        self.metadata = MetadataView()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(preview_tab, self.tr("Preview"))
        self.tabs.addTab(self.chunks_view, self.tr("Chunks"))
        self.tabs.addTab(self.links_view, self.tr("Links"))
        self.tabs.addTab(self.metadata, self.tr("Metadata"))
        self.tabs.setCornerWidget(self._actions(), Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(self._load_tab)
        self.body.addWidget(self.tabs)

    def _actions(self) -> QWidget:
        self._refresh = icon_button("refresh", self.tr("Refresh this page"), self.refresh, "F5")
        self._open = icon_button("external", self.tr("Open in the browser"), self._open_page)
        self._export = icon_button("export", self.tr("Save as Markdown"), self.export)
        self._copy = icon_button("quote", self.tr("Copy citation"), self.copy_wanted.emit)
        self._delete = icon_button("trash", self.tr("Delete this page"), self.delete_wanted.emit, self.tr("Del"))
        actions = QWidget()
        line = QHBoxLayout(actions)
        line.setContentsMargins(0, XS, S, XS)
        line.setSpacing(2)
        for made in (self._refresh, self._open, self._export, self._copy, self._delete):
            line.addWidget(made)
        return actions

    def _enable(self) -> None:
        shown = self._shown
        self.tabs.setEnabled(shown is not None)
        for made in (self._export, self._copy, self._delete):
            made.setEnabled(shown is not None)
        for made in (self._refresh, self._open):
            made.setEnabled(shown is not None and _can_open(shown))
        is_file = shown is not None and bool(local_path(shown.url))
        words = self.tr("Open the file") if is_file else self.tr("Open in the browser")
        self._open.setToolTip(words)
        self._open.setAccessibleName(words)

    def _reload(self) -> None:
        self._enable()
        self._document = None
        self._loaded_tabs.clear()
        self.chunks.replace(())
        self.links.replace(())
        self.chunks_view.clear()
        self.links_view.clear()
        shown = self._shown
        if shown is None:
            self.preview.show_text("")
            self.metadata.clear()
            return
        self._context.thread.submit(
            lambda engine: engine.document(shown.id),
            self._take_document,
            self._context.notifier.complain,
            owner=self,
        )
        self._load_tab(self.tabs.currentIndex())

    def _load_tab(self, tab: int) -> None:
        shown = self._shown
        if shown is None or tab in self._loaded_tabs:
            return
        self._loaded_tabs.add(tab)
        complain = self._context.notifier.complain
        if tab == 1:
            self._context.thread.submit(
                lambda engine: engine.document_chunks(shown.id, limit=MAX_CHUNKS_SHOWN),
                lambda chunks: self._take_chunks(shown.id, chunks),
                complain,
                owner=self,
            )
        elif tab == 2:
            self._context.thread.submit(
                lambda engine: engine.document_links(shown.id),
                lambda links: self._take_links(shown.id, links),
                complain,
                owner=self,
            )
            self._context.thread.submit(
                lambda engine: _neighbours(engine, shown),
                lambda found: self._take_neighbours(shown.id, found),
                complain,
                owner=self,
            )
        elif tab == 3:
            self._context.thread.submit(
                lambda engine: document_flags(engine, shown.id, shown.url, MAX_CHUNKS_SHOWN),
                lambda flags: self._take_flags(shown.id, flags),
                complain,
                owner=self,
            )

    def _take_document(self, document: Document | None) -> None:
        shown = self._shown
        if document is None or shown is None or document.id != shown.id:
            return
        self._document = document
        self.preview.show_text(document.text)
        self._cut.setVisible(self.preview.is_cut)
        self._cut.setText(self.tr("The beginning of {} characters").format(number(len(document.text))))
        self.metadata.show_document(document, shown)
        self._mark_range()

    def _take_chunks(self, document_id: int, chunks: list[Chunk]) -> None:
        if self._shown is not None and self._shown.id == document_id:
            self.chunks.replace(chunks)
            self.chunks_view.table.selectRow(0)

    def _take_links(self, document_id: int, links: list[LinkRecord]) -> None:
        if self._shown is not None and self._shown.id == document_id:
            self.links.replace(links)

    def _take_neighbours(self, document_id: int, found: Neighbours) -> None:
        if self._shown is not None and self._shown.id == document_id:
            self.links_view.show_neighbours(found)

    def _take_flags(self, document_id: int, flags: str) -> None:
        if self._shown is not None and self._shown.id == document_id:
            self.metadata.show_flags(document_id, flags)

    def _mark_range(self) -> None:
        if self._wanted_range is None or self._document is None:
            return
        start, end = self._wanted_range
        self._wanted_range = None
        self.tabs.setCurrentIndex(0)
        self.preview.mark(start, end)

    def _open_link(self, index: QModelIndex) -> None:
        link = self.links.record_at(index)
        if link is not None:
            open_outside(QUrl(link.url))

    def _open_page(self) -> None:
        """Only a document that the person added opens a file; what pages link to never does."""
        if self._shown is None:
            return
        url = QUrl(self._shown.url)
        if url.isLocalFile():
            QDesktopServices.openUrl(url)
        else:
            open_outside(url)

    def _refreshed(self, page: IngestedPage) -> None:
        self._enable()
        words = {"unchanged": self.tr("The page has not changed"), "updated": self.tr("The page was updated")}
        self._context.notifier.say(words.get(page.change, self.tr("The page was read again")))

    def _not_refreshed(self, error: WebRAGError) -> None:
        self._enable()
        self._context.notifier.complain(error)


def _can_open(summary: DocumentSummary) -> bool:
    return summary.url.startswith(("http://", "https://")) or bool(local_path(summary.url))


async def _neighbours(engine: Engine, shown: DocumentSummary) -> Neighbours:
    from app.desktop.models.neighbour_loading import load_neighbours

    return await load_neighbours(engine, shown.id, shown.title or plain_address(shown.url))


async def _read_again(engine: Engine, url: str) -> IngestedPage:
    path = local_path(url)
    return await engine.add_file(Path(path)) if path else await engine.ensure_ingested(url, refresh=True)
