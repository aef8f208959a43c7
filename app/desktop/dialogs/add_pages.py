"""Add one page or several: an address is read at once, a list of them in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from app.desktop.context import Context
from app.desktop.dialogs.adding import AddPanel, with_scheme
from app.desktop.widgets import label

if TYPE_CHECKING:
    from app.corpus.job_records import Job
    from app.orchestration.result import IngestedPage


class PagesPanel(AddPanel):
    """A line for addresses."""

    def __init__(self, context: Context, url: str) -> None:
        super().__init__(context, self.tr("Add page"))
        text = self.tr("WebRAG reads the page once and keeps it on this computer. Its links are not followed.")
        self.column.addWidget(label(text, "muted", wrap=True))
        self.address = QLineEdit(url)
        self.address.setPlaceholderText(self.tr("https:// – or several addresses with spaces between them"))
        self.address.setAccessibleName(self.tr("Address of the page"))
        self.address.setClearButtonEnabled(True)
        self.address.selectAll()
        self.column.addWidget(self.address)

    def start(self) -> None:
        urls = [with_scheme(part) for part in self.address.text().split()]
        if not urls:
            return
        self.address.setText(" ".join(urls))
        if len(urls) > 1:
            target = self.tr("{} pages from {}").format(len(urls), urls[0])
            self.run(
                self.tr("Starting…"), lambda engine: engine.jobs.read_pages(tuple(urls), target=target), self._begun
            )
            return
        progress = self.progress()
        self.run(self.tr("Reading…"), lambda engine: engine.ensure_ingested(urls[0], progress=progress), self._stored)

    def take_focus(self) -> None:
        self.address.setFocus()

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _stored(self, page: IngestedPage) -> None:
        words = self.tr("Added “{}”") if page.change != "unchanged" else self.tr("“{}” was in the library already")
        self.context.notifier.say(words.format(page.title or page.url))
        self.added.emit(page.document_id)
        self.finished.emit()
