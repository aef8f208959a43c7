"""Dialog to add pages, a site, or files to the library, each with a preview and its own errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from app.corpus.records import Label, LabelKind
from app.desktop.context import Context
from app.desktop.dialogs.add.files import FilesPanel
from app.desktop.dialogs.add.pages import PagesPanel
from app.desktop.dialogs.add.panel import AddPanel, CollectionBox, Remedy, address_in, remedy_of, setting_of
from app.desktop.dialogs.add.site import SitePanel
from app.desktop.engine_thread import Engine
from app.desktop.exports import open_outside
from app.desktop.notices import Banner, Notice
from app.desktop.offer import Offer, things_in
from app.desktop.panels import resize_to_fit
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import Gap, Segments, button, clear_layout, column, held, label, progress_bar, row
from app.errors import FetchError, WebRAGError

__all__ = ["AddPageDialog", "address_in"]

WIDTH, HEIGHT = 620, 548  # Constant size that fits the smallest window. The content adapts to it.
PAGES, SITE, FILES = "pages", "site", "files"


class AddPageDialog(QDialog):
    """Adds content to the library. `added` carries the ID of the first stored document, `job_begun` a background job, and `folder_begun`
    a job that reads a folder and its path.
    """

    added = Signal(int)
    job_begun = Signal(int)
    folder_begun = Signal(int, str)

    def __init__(
        self, context: Context, parent: QWidget | None, url: str = "", way: str = PAGES, *, offer: Offer | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(self.tr("Add to the library"))
        self.setMinimumWidth(WIDTH)
        resize_to_fit(self, WIDTH, HEIGHT)
        self.setAcceptDrops(True)
        url = url or ("" if offer else address_in(QGuiApplication.clipboard().text()))
        self.pages, self.site, self.files = PagesPanel(context, url), SitePanel(context, url), FilesPanel(context)
        self.panels: dict[str, AddPanel] = {PAGES: self.pages, SITE: self.site, FILES: self.files}
        self._has_both = False
        self._build()
        self._load_collections()
        self.show_way(way)
        if offer:
            self.take(offer)

    @property
    def panel(self) -> AddPanel:
        return self.panels[self.way.value]

    def show_way(self, name: str) -> None:
        self.way.select(name)
        # Showing two panels at the same time, even briefly, would enlarge the dialog.
        for panel in self.panels.values():
            if panel is not self.panel:
                panel.hide()
        self.panel.show()
        self._show_problem(self.panel.problem)
        self.panel.open_up()
        self.panel.take_focus()

    def take(self, offer: Offer) -> None:
        """Fill in dropped, pasted or passed content. Local files have priority over pages."""
        if offer.paths:
            self.files.fill(offer.paths)
        if offer.addresses:
            self.pages.fill(offer.addresses)
            self.site.address.setText(offer.addresses[0])
        self._has_both = bool(offer.paths and offer.addresses)
        self.show_way(FILES if offer.paths else PAGES)

    def reject(self) -> None:
        for panel in self.panels.values():
            panel.stop()
        super().reject()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        # While something is added, the dialog could not add more.
        if self._holder.isEnabled() and things_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        things = things_in(event.mimeData())
        event.acceptProposedAction()
        self.take(Offer(things.addresses, things.paths))

    def _build(self) -> None:
        ways = (
            (PAGES, self.tr("Page"), self.tr("One or several pages")),
            (SITE, self.tr("Site"), self.tr("A page and the pages around it")),
            (FILES, self.tr("Folder or file"), self.tr("Files on this computer")),
        )
        self.way = Segments(self.tr("Content to add"), ways)
        self.way.chosen.connect(self.show_way)
        head = row(label(self.tr("Add to the library"), "heading"), 1, self.way)
        self._holder = held(column(*self.panels.values()))
        for panel in self.panels.values():
            panel.busy.connect(self._show_busy)
            panel.failed.connect(self._show_problem)
            panel.added.connect(self._stored)
            panel.job_begun.connect(self._collect_job)
            panel.job_begun.connect(self.job_begun)
            panel.folder_begun.connect(lambda job_id, _path: self._collect_job(job_id))
            panel.folder_begun.connect(self.folder_begun)
            panel.finished.connect(partial(self._finish, panel))
            panel.renamed.connect(self._name_start)
            panel.handed_on.connect(lambda paths: self.take(Offer(files=paths)))
        self.pages.card.remedy_wanted.connect(self._remedy)
        self._problem_place = column()
        self._bar, self._phase = progress_bar(72), label("", "muted")
        self._start = button("", lambda: self.panel.press(), "primary", default=True)
        self._cancel = button(self.tr("Cancel"), self.reject)
        self._cancel.setAutoDefault(False)
        self.collection = CollectionBox()
        foot = row(self._bar, self._phase, self.collection, 1, self._cancel, self._start, spacing=M)
        parts = (head, Gap(S), (self._holder, 1), self._problem_place, Gap(S), foot)
        column(*parts, margins=(XL, L, XL, L), parent=self)
        self._show_busy("")

    def _load_collections(self) -> None:
        def show(labels: list[Label]) -> None:
            self.collection.offer([each.name for each in labels if each.kind is LabelKind.COLLECTION])

        self._context.ask(self, lambda engine: engine.documents.labels(), show)

    def _stored(self, document_ids: list[int]) -> None:
        if name := self.collection.name:
            self._collect(lambda engine: engine.documents.add_label(LabelKind.COLLECTION, name, document_ids))
        self.added.emit(document_ids[0])

    def _collect_job(self, job_id: int) -> None:
        if name := self.collection.name:
            self._collect(lambda engine: engine.jobs.collect(job_id, name))

    def _collect(self, work: Callable[[Engine], Awaitable[object]]) -> None:
        """Put the added documents into the collection without waiting for it."""
        self._context.thread.submit(work, None, self._context.notifier.complain, lasting=True)

    def _name_start(self) -> None:
        self._start.setText(self.panel.action)
        self._start.setEnabled(self._holder.isEnabled() and self.panel.can_start)

    def _finish(self, panel: AddPanel) -> None:
        """Continue with another panel that was filled in, or close the dialog."""
        if panel is self.files and self._has_both and self.pages.urls:
            self.show_way(PAGES)
        else:
            self.accept()

    def _show_busy(self, words: str) -> None:
        busy = bool(words)
        for widget in (self._holder, self.way):
            widget.setEnabled(not busy)
        self._name_start()
        self._bar.setVisible(busy)
        self._phase.setText(self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, WIDTH // 2))
        self._phase.setVisible(busy)
        self.collection.setVisible(not busy)

    def _show_problem(self, error: WebRAGError | None) -> None:
        clear_layout(self._problem_place)
        self._name_start()
        if error is None:
            return
        remedy = remedy_of(error)
        run = partial(self._remedy, error) if remedy is not Remedy.NONE else None
        text = f"{error.message} {error.hint}".strip()
        notice = Notice("failed", "error", error.title, text, remedy.words, run)
        self._problem_place.addWidget(Banner(notice))
        self.panel.take_focus()

    def _remedy(self, error: WebRAGError) -> None:
        remedy = remedy_of(error)
        if remedy is Remedy.SETTING:
            self.reject()
            self._context.show_settings("crawling", setting_of(error))
        elif remedy is Remedy.BROWSER and isinstance(error, FetchError) and error.url:
            open_outside(QUrl(error.url))
        elif remedy is Remedy.AGAIN and self.panel is self.pages and self.pages.card.error is not None:
            self.pages.look()
        elif remedy is Remedy.AGAIN:
            self.panel.again()
