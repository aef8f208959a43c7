"""Inputs and outputs of retrieval, and the switches of its stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from app.library.records import Chunk

if TYPE_CHECKING:
    from app.embed.embedder import ModelCard, QueryEmbedding


class Intent(StrEnum):
    """The kind of question."""

    FACTUAL = "factual"
    COMPARISON = "comparison"
    HOW_TO = "how_to"
    EXPLORATORY = "exploratory"


class Want(StrEnum):
    """Content that an answering passage should have."""

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
    """An analyzed question: its intent and the sub-queries to search, the whole question first.

    `names` and quoted `phrases` must match as written; constraints count for both. `wants` describes the form of an answering passage and
    is empty for a question that is clearly not English. `language` is the result of `text.languages.language_of`.
    """

    query: str
    intent: Intent
    sub_queries: tuple[str, ...]
    wants: tuple[Want, ...] = ()
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_english: bool = True
    language: str = ""


class SearchMode(StrEnum):
    """The retrievers that take part."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    MEANING = "meaning"


class Terms(StrEnum):
    """The words of a query that keyword search uses."""

    EXPANDED = "expanded"  # Its own words and their equivalents.
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How to search: retrievers, words, with the graph or not, and whether likely passages are embedded first."""

    mode: SearchMode = SearchMode.HYBRID
    terms: Terms = Terms.EXPANDED
    graph: bool = False
    embeds: bool = True


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One query to search. `embedding` is None if no vectors are available or the model knows too little of it (`is_unknown`).

    `second` is the card of the second model of a library if it embedded the query. Otherwise `again` returns the same query by the second
    model, for pages in other languages than English (None without one), and raises EmbedderError.
    """

    text: str
    embedding: QueryEmbedding | None
    is_unknown: bool = False
    second: ModelCard | None = None
    again: Callable[[], SubQuery] | None = field(default=None, compare=False)

    @property
    def has_tokens(self) -> bool:
        return self.embedding is not None and len(self.embedding.token_vectors) > 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk with its fused score (at most 1), the retrievers that found it, and its keyword score (the best result has 1)."""

    chunk_id: int
    score: float
    matched: tuple[str, ...]
    by_words: float = 0.0


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a passage from a joined library. With `is_apart`, its relevance is not comparable."""

    library: str
    url: str
    collection: str = ""
    added_by: str = ""
    is_apart: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk with its scores.

    `retrieval_score` is the fused rank score scaled to 0..1. `reranked_score` is the relevance in 0..1 that orders evidence. `similarity`
    is the cosine to the query (None without vectors). `confidence` is the likelihood that it contains the answer (None if not estimated).
    `is_waiting`: not embedded yet, judged by its words. `sub_query` is the nearest part of the question, None for a question without
    parts. `matched` lists the retrievers that found it ("keyword", "meaning"). If `is_locality_expanded`, it was not found but is next to
    one that was. For a passage, `chunk` is its text with the id of its best chunk, `members` are the stored chunks in it, and `headings`
    those above and in its text, in order.

    A chunk of a joined library has an `origin`, the address of its page there (`webrag://lib/…`), and a negative id, which no store uses.
    """

    chunk: Chunk
    retrieval_score: float
    reranked_score: float
    similarity: float | None = None
    confidence: float | None = None
    sub_query: str | None = None
    matched: tuple[str, ...] = ()
    is_locality_expanded: bool = False
    is_waiting: bool = False
    members: tuple[Chunk, ...] = ()
    headings: tuple[str, ...] = ()
    origin: Origin | None = None

    @property
    def is_apart(self) -> bool:
        """Whether the relevance cannot be compared with other passages."""
        return self.origin is not None and self.origin.is_apart


@dataclass(frozen=True, slots=True)
class SharedEvidence:
    """The passages of joined libraries, best first, the likelihood that they answer, and who did not reply."""

    chunks: tuple[RetrievedChunk, ...] = ()
    likelihood: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedLibraries:
    """Joined libraries that are being searched, by name, and whether the private one is searched too.

    `wait` returns their passages. It blocks, for a worker thread, for a limited time. It raises LibraryAwayError, LibrarySignInError or
    another WebRAGError if the private library is not searched and none of them answered.
    """

    names: tuple[str, ...]
    asks_private: bool
    wait: Callable[[], SharedEvidence]


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
    """A page to read next, and why: `score` in 0..1 is the promise of its link for the question."""

    url: str
    source_url: str
    score: float


@dataclass(frozen=True, slots=True)
class Stages:
    """One switch per stage; all are on unless a setting or a measurement turns one off.

    `embed_first`: embed waiting passages that a question likely needs first. `sub_queries`: search parts of the question in addition to
    the whole. `keyword`, `meaning`: the retrievers. `rerank`: the second, finer ranking. It also reads the question after page titles
    (`context`), prefers passages of the right form (`form`) and the named or read pages (`named_first`). `link_meaning`: judge links by
    meaning as well as words. `sufficiency`: stop expanding when the evidence suffices. `passages`: join and complete neighboring chunks.
    `whole_pages`: return small pages whole. `nothing_found`: report weak evidence as none.
    """

    embed_first: bool = True
    sub_queries: bool = True
    keyword: bool = True
    meaning: bool = True
    rerank: bool = True
    context: bool = True
    form: bool = True
    named_first: bool = True
    link_meaning: bool = True
    sufficiency: bool = True
    passages: bool = True
    whole_pages: bool = True
    nothing_found: bool = True

    @property
    def mode(self) -> SearchMode:
        if self.keyword == self.meaning:
            return SearchMode.HYBRID
        return SearchMode.KEYWORD if self.keyword else SearchMode.MEANING


ALL_STAGES: Final = Stages()
