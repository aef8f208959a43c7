"""The hits of a search in the order of their relevance."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.desktop.flags import flag_mark, flagged, text_flags, with_flags
from app.desktop.models.details import section_of
from app.desktop.models.rows import Column, RowsModel

if TYPE_CHECKING:
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import RetrievedChunk


def _tr(text: str) -> str:
    return QCoreApplication.translate("HitsModel", text)


def spoken(hit: RetrievedChunk) -> str:
    """A hit for screen readers."""
    section = section_of(hit.chunk)
    words = _tr("{}, {}, relevance {}, matched by {}").format(
        hit.chunk.title, section, f"{hit.reranked_score:.2f}", ", ".join(hit.matched)
    )
    return ", ".join(part for part in (words, flagged(text_flags(hit.chunk.text))) if part)


class HitsModel(RowsModel["RetrievedChunk"]):
    """One row a chunk that was found, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[RetrievedChunk]] = [
            Column(
                _tr("Hit"),
                spoken,
                lambda h: -h.reranked_score,
                tip=lambda h: with_flags(h.chunk.url, text_flags(h.chunk.text)),
                mark=lambda h: flag_mark(text_flags(h.chunk.text)),
            )
        ]
        super().__init__(columns, parent)

    def key(self, record: RetrievedChunk) -> Hashable:
        return record.chunk.id

    def haystack(self, record: RetrievedChunk) -> str:
        return record.chunk.text.casefold()

    def show_result(self, result: OrchestrationResult) -> None:
        """Replace the hits by those of a result."""
        found = [hit for hit in result.chunks if not hit.is_locality_expanded]
        self.replace(sorted(found, key=lambda hit: hit.reranked_score, reverse=True))
