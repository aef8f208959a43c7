"""What retrieval takes and gives, and the switches of its stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from app.library.records import Chunk

if TYPE_CHECKING:
    from app.embed.embedder import QueryEmbedding


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
    an answering passage is known; nothing of it holds for a question that is plainly not English. `language` is what
    `text.languages.language_of` tells.
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
    """Which retrievers take part."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    MEANING = "meaning"


class Terms(StrEnum):
    """Which words of a query keyword search looks for."""

    EXPANDED = "expanded"
    """Its own and other words for the same thing."""
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How candidates are searched for: by which retrievers, by which words, whether the graph leads to more, and whether the search waits
    until the likely passages without vectors have theirs."""

    mode: SearchMode = SearchMode.HYBRID
    terms: Terms = Terms.EXPANDED
    graph: bool = False
    embeds: bool = True


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One query to search; `embedding` is None while no vectors can be made, or where the model knows too little of it (`is_unknown`)."""

    text: str
    embedding: QueryEmbedding | None
    is_unknown: bool = False

    @property
    def has_tokens(self) -> bool:
        """Whether there are token vectors to compare."""
        return self.embedding is not None and len(self.embedding.token_vectors) > 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk found, with its fused score (the largest possible is 1) and who found it."""

    chunk_id: int
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a passage of a joined library is from: `library` is its name here, `title` what its people call it, `url` the address of its
    page on the web.

    With `is_apart` another model ranked it: its relevance does not compare with that of others.
    """

    library: str
    url: str
    collection: str = ""
    added_by: str = ""
    is_apart: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk with its scores.

    `retrieval_score` is the fused rank score scaled to 0..1, `reranked_score` the relevance in 0..1 by which evidence is
    ordered, `similarity` the cosine to the query (None without vectors), `confidence` how likely it holds the answer (None where that
    was not estimated). One that `is_waiting` has no vectors yet and was judged by its words. `sub_query` is the part of the question that
    it comes closest to, None for a question without parts. `matched` names the retrievers that found it ("keyword", "meaning"); what
    `is_locality_expanded` was not found, it stands beside what was. Of a passage `chunk` is what it shows, under the id of its best
    chunk, `members` are the stored chunks that it is made of, and `headings` those over and in its text, as they follow each other.

    One of a joined library has an `origin`. Its chunk has the address of its page there (`webrag://lib/…`) and negative ids, which no
    store has.
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
        """Whether its relevance does not compare with that of others."""
        return self.origin is not None and self.origin.is_apart


@dataclass(frozen=True, slots=True)
class SharedEvidence:
    """What joined libraries hold for a question, the most relevant first. `notes` say which of them did not answer.

    `likelihood`: how likely they hold the answer, of those that compare (None: not estimated).
    """

    chunks: tuple[RetrievedChunk, ...] = ()
    likelihood: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedLibraries:
    """Joined libraries that are being asked, by name, and whether the private one is to be asked as well.

    `wait` gives what they hold; it blocks, for a worker thread, and is bounded in time. It raises LibraryAwayError, LibrarySignInError or
    another WebRAGError where the private one is not asked and none of them answered.
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
    """A page worth reading next, and why: `score` in 0..1 says how much its link promises for the question."""

    url: str
    source_url: str
    score: float


@dataclass(frozen=True, slots=True)
class Stages:
    """Switches, one a stage; all are on unless a setting or a measurement leaves one out.

    `embed_first`: waiting passages that a question likely needs get their vectors at once. `sub_queries`: parts of the question are
    searched beside the whole. `keyword`, `meaning`: the retrievers. `rerank`: the second,
    finer look at the candidates; it reads the question behind the titles of pages too (`context`), prefers passages of the form that
    answers such questions (`form`) and the pages that were named or read (`named_first`). `link_meaning`: links are judged by meaning
    beside their words. `sufficiency`: expansion ends once the evidence suffices. `passages`: neighbouring chunks are joined and completed.
    `whole_pages`: small pages are returned whole. `nothing_found`: weak evidence is said to be none.
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
        """The retrievers that take part."""
        if self.keyword == self.meaning:
            return SearchMode.HYBRID
        return SearchMode.KEYWORD if self.keyword else SearchMode.MEANING


ALL_STAGES: Final = Stages()
