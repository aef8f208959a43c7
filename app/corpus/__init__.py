"""The SQLite file: documents, chunks, keyword index, vectors, activity. No other room writes SQL.

What stores is loaded when it is first asked for, so that the records alone cost little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.corpus.corpus import Corpus
else:

    def __getattr__(name: str) -> object:
        """What this room offers, from the module that has it."""
        if name != "Corpus":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.corpus.corpus import Corpus

        return Corpus


__all__ = ["Corpus"]
