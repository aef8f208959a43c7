"""The SQLite file: documents, chunks, keyword index, vectors, activity. No other room writes SQL."""

from app.corpus.corpus import Corpus

__all__ = ["Corpus"]
