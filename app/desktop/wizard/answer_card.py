"""What was found for the first question: the passage with the exact words marked, and the way to its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget

from app.desktop.models.details import section_of
from app.desktop.panels import Card
from app.desktop.preview import Preview
from app.desktop.tokens import M, S
from app.desktop.widgets import ElidedLabel, button, label, row
from app.desktop.wording import duration

if TYPE_CHECKING:
    from app.corpus.records import Chunk
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import CitationSpan, RetrievedChunk

QUOTED = 0.1
"""What a quote is worth when the best passage is chosen, in the measure of relevance."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The best passage of a result, and the quote in it, if one was cut out."""

    hit: RetrievedChunk
    quote: CitationSpan | None
    milliseconds: float

    @property
    def span(self) -> tuple[int, int]:
        """Where the quote, else the passage, stands in its page."""
        chunk = self.hit.chunk
        return (self.quote.start, self.quote.end) if self.quote is not None else (chunk.start, chunk.end)


def best_evidence(result: OrchestrationResult) -> Evidence | None:
    """The passage that answers best; None where nothing was found."""
    hits = [] if result.nothing_found else [hit for hit in result.chunks if not hit.is_locality_expanded]
    if not hits:
        return None
    quoted = {hit.chunk.id: _quotes_in(hit.chunk, result.citations) for hit in hits}
    best = max(hits, key=lambda hit: hit.reranked_score + (QUOTED if quoted[hit.chunk.id] else 0.0))
    return Evidence(best, next(iter(quoted[best.chunk.id]), None), result.timing.total_ms)


def _quotes_in(chunk: Chunk, quotes: Sequence[CitationSpan]) -> list[CitationSpan]:
    """The quotes that stand in a passage; first those from the section that it is named after, for it may reach over several."""
    section = chunk.section_path[-1] if chunk.section_path else ""
    inside = [
        quote
        for quote in quotes
        if quote.document_id == chunk.document_id and chunk.start <= quote.start and quote.end <= chunk.end
    ]
    return sorted(inside, key=lambda quote: quote.section != section)


class AnswerCard(Card):
    """`opened` gives the document and the offsets of what is marked."""

    opened = Signal(int, int, int)

    def __init__(self) -> None:
        super().__init__(margin=M, spacing=S)
        self._evidence: Evidence | None = None
        self._source = ElidedLabel("", "strong")
        self._took = label("", "caption")
        self.open_button = button(self.tr("Open in the Library"), self._open, "link", "external")
        head = row(self._source, self._took, self.open_button, spacing=M)
        head.setStretch(0, 1)
        self.body.addLayout(head)
        self.passage = Preview(self.tr("The passage that was found"))
        self._nothing = label("", "muted", wrap=True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self.passage)
        self.body.addWidget(self._pages, 1)
        self.say("")

    def say(self, text: str) -> None:
        """Words in the place of a passage."""
        self._evidence = None
        self._source.show_text("")
        self._took.setText("")
        self.open_button.setVisible(False)
        self._nothing.setText(text)
        self._pages.setCurrentWidget(self._nothing)

    def show_evidence(self, evidence: Evidence) -> None:
        self._evidence = evidence
        chunk = evidence.hit.chunk
        self._source.show_text(" › ".join(dict.fromkeys((chunk.title or chunk.url, section_of(chunk)))))
        self._took.setText(self.tr("found in {}").format(duration(evidence.milliseconds)))
        self.open_button.setVisible(True)
        self.passage.show_text(chunk.text)
        self._pages.setCurrentWidget(self.passage)
        # Where the quote comes to stand depends on the height, which the text gets later.
        QTimer.singleShot(0, self, self._mark)

    def _mark(self) -> None:
        if self._evidence is None or self._evidence.quote is None:
            return
        chunk, quote = self._evidence.hit.chunk, self._evidence.quote
        # The passage may begin with something repeated from above, such as the head of a table.
        before = chunk.prefix_length - chunk.start
        self.passage.mark(quote.start + before, quote.end + before)

    def _open(self) -> None:
        if self._evidence is not None:
            self.opened.emit(self._evidence.hit.chunk.document_id, *self._evidence.span)
