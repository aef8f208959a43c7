"""What retrieval takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.corpus.records import Chunk


class Intent(StrEnum):
    """The kind of question."""

    FACTUAL = "factual"
    COMPARISON = "comparison"
    HOW_TO = "how_to"
    EXPLORATORY = "exploratory"


class Want(StrEnum):
    """What the passage that answers should hold."""

    CODE = "code"
    NUMBER = "number"
    DEFAULT = "default"
    DEFINITION = "definition"
    REASON = "reason"
    CHOICE = "choice"
    WARNING = "warning"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class QueryAnalysis:
    """A question made ready: what kind it is and the sub-queries that are searched, the whole question first.

    `names` are to be found as written, and so are the quoted `phrases`; constraints count for both. `wants` tells by what form
    an answering passage is known; nothing of it holds for a question that is plainly not English.
    """

    query: str
    intent: Intent
    sub_queries: tuple[str, ...]
    wants: tuple[Want, ...] = ()
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_english: bool = True


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk with its scores.

    `retrieval_score` is the fused rank score scaled to 0..1, `reranked_score` the relevance in 0..1 by which evidence is
    ordered, `similarity` the cosine to the query (None without vectors), `confidence` how likely it holds the answer (None where that
    was not estimated). `matched` names the retrievers that found it ("keyword", "meaning"); what `is_locality_expanded` was not
    found, it stands beside what was. Of a passage `chunk` is what it shows, under the id of its best chunk, and `members` are the
    stored chunks that it is made of.
    """

    chunk: Chunk
    retrieval_score: float
    reranked_score: float
    similarity: float | None = None
    confidence: float | None = None
    sub_query: str | None = None
    matched: tuple[str, ...] = ()
    is_locality_expanded: bool = False
    members: tuple[Chunk, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationSpan:
    """A verbatim quote: `verbatim_text` equals the stored document's text[start:end]."""

    chunk_id: int
    document_id: int
    verbatim_text: str
    start: int
    end: int
    url: str
    title: str
    section: str


@dataclass(frozen=True, slots=True)
class LinkProposal:
    """A page worth reading next, and why: `score` in 0..1 says how much its link promises for the question."""

    url: str
    source_url: str
    score: float
