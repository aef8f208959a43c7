"""Documents read from the corpus once for a question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.corpus import Corpus
from app.corpus.records import Document


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of one question by id, each read when it is first asked for. Blocking, for one thread at a time."""

    corpus: Corpus
    _read: dict[int, Document | None] = field(default_factory=dict)

    def get(self, document_id: int) -> Document | None:
        """The document, None when it is gone."""
        if document_id not in self._read:
            self._read[document_id] = self.corpus.document_by_id(document_id)
        return self._read[document_id]

    def of(self, document_ids: Iterable[int]) -> dict[int, Document]:
        """Those that exist, by id, in the order of their first mention."""
        found = {document_id: self.get(document_id) for document_id in dict.fromkeys(document_ids)}
        return {document_id: document for document_id, document in found.items() if document is not None}
