"""The SQLite file: documents, chunks, keyword index, vectors, activity. Nothing outside this room writes SQL."""

from app.corpus.corpus import Corpus

__all__ = ["Corpus"]
