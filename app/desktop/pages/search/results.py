"""Results of a search with the page of the selected one, for the Search page, the Ask window and the first question of the setup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QWidget

from app.desktop.context import Context
from app.desktop.models.search import Confidence, HitsModel, Renewal
from app.desktop.pages.search.hits import hits_list
from app.desktop.preview.links import open_outside
from app.desktop.preview.stored import StoredPage, markdown_quotation, marks_of, quotation
from app.desktop.qt import choose_row
from app.desktop.tokens import L, S
from app.desktop.widgets import label
from app.desktop.wording import counted, duration, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import CitationSpan, RetrievedChunk


class Results(QObject):
    """The widgets `list`, `doubt` and `page`, which the owner places, and their actions.

    `document_wanted` carries a document and the range to highlight, `said` a message. `chosen` is emitted after another result was
    selected, and `due` when the search should be repeated.
    """

    document_wanted = Signal(int, int, int)
    said = Signal(str)
    chosen = Signal()

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._quotes: Sequence[CitationSpan] = ()
        self.hits = HitsModel(self)
        self.renewal = Renewal(context.status, self)
        self.due = self.renewal.due
        self.list = hits_list(self.hits, self.tr("Results"))
        self.list.setParent(parent)
        self.list.activated.connect(lambda _index: self.open_current())
        self.list.selectionModel().currentChanged.connect(lambda *_: self._choose())
        QShortcut("Ctrl+C", self.list, self.copy_current, context=Qt.ShortcutContext.WidgetShortcut)
        self.page = StoredPage(context, open_tip=self.tr("Enter"))
        self.page.document_wanted.connect(self.document_wanted)
        self.page.copy_wanted.connect(self.copy_current)
        self.doubt = label("", "warning", wrap=True)
        self.doubt.setContentsMargins(L, S, L, S)
        self.doubt.hide()

    @property
    def current(self) -> RetrievedChunk | None:
        """The selected result."""
        return self.hits.record_at(self.list.currentIndex())

    def show(
        self, result: OrchestrationResult, chosen: RetrievedChunk | None = None, notes: Iterable[str] = ()
    ) -> None:
        """Show results and select `chosen` or, if it is not among them, the best one. `notes` are shown above them."""
        self._quotes = result.citations
        self.renewal.watch(result.chunks)
        self.page.forget()
        self.hits.show_result(result)
        closest = [self.tr("No passage answers this. Closest passages:")] if result.nothing_found else []
        self.doubt.setText("\n".join([*map(spoken, notes), *closest]))
        self.doubt.setVisible(bool(self.doubt.text()))
        if self.hits.rowCount():
            choose_row(self.list, max(0, self.hits.row_of(chosen.chunk.id)) if chosen is not None else 0)
            self._choose()

    def summary(self, result: OrchestrationResult) -> str:
        """Return the number of results and the duration of the search."""
        hits = counted(self.hits.rowCount(), self.tr("1 result"), self.tr("{} results"))
        return self.tr("{hits} in {time}").format(hits=hits, time=duration(result.timing.total_ms))

    def clear(self) -> None:
        self._quotes = ()
        self.renewal.forget()
        self.hits.query = ""
        self.hits.replace(())
        self.page.clear()

    def open_current(self) -> None:
        """Open the page of the selected result at its passage."""
        hit = self.current
        if hit is not None and hit.origin is not None:
            open_outside(QUrl(hit.origin.url))
        elif hit is not None:
            self.document_wanted.emit(hit.chunk.document_id, *marks_of(hit, self._quotes)[0])

    def copy_current(self) -> None:
        """Copy the marked text with its source, as plain text and Markdown."""
        if (hit := self.current) is not None:
            QGuiApplication.clipboard().setMimeData(quotation(hit, self._quotes))
            self.said.emit(self.tr("Passage copied with its source"))

    def copy_markdown(self) -> None:
        """Copy the marked text with its source as Markdown only."""
        if (hit := self.current) is not None:
            QGuiApplication.clipboard().setText(markdown_quotation(hit, self._quotes))
            self.said.emit(self.tr("Passage copied as Markdown"))

    def _choose(self) -> None:
        """Show the page of the selected result."""
        if (hit := self.current) is not None:
            self.page.show_hit(hit, self._quotes, is_weak=self.hits.confidence(hit) is Confidence.WEAK)
        self.chosen.emit()
