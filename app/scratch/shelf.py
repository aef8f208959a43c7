"""Where pinned passages stay when the program ends."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final, Protocol

from app.scratch.records import PINNED, Passage, PassageIn

if TYPE_CHECKING:
    from app.corpus import Corpus
    from app.corpus.records import PinnedPassage

_CONTENT: Final = tuple(field.name for field in fields(PassageIn))


class Shelf(Protocol):
    """Blocking. The store holds what is on it in memory too, and keeps its bounds."""

    def load(self) -> list[Passage]:
        """All pinned passages, the oldest pin first."""
        ...

    def save(self, passage: Passage) -> None: ...

    def remove(self, passage_id: str) -> None: ...


class NoShelf:
    """Nothing outlives the program."""

    def load(self) -> list[Passage]:
        return []

    def save(self, passage: Passage) -> None:
        """Pinned passages stay in memory only."""

    def remove(self, passage_id: str) -> None:
        """Nothing to remove."""


class CorpusShelf:
    """Pinned passages in the corpus, so that they are backed up with it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def load(self) -> list[Passage]:
        return [_restored(record) for record in self._corpus.pinned_passages()]

    def save(self, passage: Passage) -> None:
        from app.corpus.records import PinnedPassage

        content = {name: getattr(passage.content, name) for name in _CONTENT}
        self._corpus.pin_passage(PinnedPassage(id=passage.id, created_at=passage.created_at, **content))

    def remove(self, passage_id: str) -> None:
        self._corpus.unpin_passage(passage_id)


def _restored(record: PinnedPassage) -> Passage:
    content = PassageIn(**{name: getattr(record, name) for name in _CONTENT})
    return Passage(record.id, PINNED, content, record.created_at, len(content.text.encode()))
