"""The SQLite stores: documents, chunks, vectors, graph, docsets, folders, jobs, activity, pins. No other package contains SQL for SQLite.

`Corpus` is loaded on first use, so that importing the records alone stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.corpus.corpus import Corpus
else:

    def __getattr__(name: str) -> object:
        """Return `Corpus` from its module."""
        if name != "Corpus":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.corpus.corpus import Corpus

        return Corpus


__all__ = ["Corpus"]
