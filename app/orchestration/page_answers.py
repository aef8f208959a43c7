"""What one page says to several queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PROTECTED: Final = "content protected"
"""The note of a page behind a sign-in, a paywall or a refusal."""


@dataclass(frozen=True, slots=True)
class PageHit:
    """A passage of the page. `id` is the stable hash of its place and text.

    `score` is the similarity by which passages are ordered, `similarity` the cosine of passage and query vectors, None where the
    passage has no vector.
    """

    id: str
    text: str
    score: float
    similarity: float | None
    section_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The passages for one query, the best first."""

    query: str
    hits: tuple[PageHit, ...]


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """`last_crawled` is in seconds since the epoch. `note` has what the reader must know, empty when all went as asked."""

    url: str
    title: str
    last_crawled: float
    queries: tuple[PageQuery, ...]
    note: str = ""
