"""The SQLite file behind stores: documents, chunks, vectors, graph, docsets, folders, jobs, activity, pins. No other package writes SQL.

`Corpus` is loaded when it is first used, so that the records alone cost little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.corpus.corpus import Corpus
else:

    def __getattr__(name: str) -> object:
        """`Corpus`, from its module."""
        if name != "Corpus":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.corpus.corpus import Corpus

        return Corpus


__all__ = ["Corpus"]
