"""The results of the knowledge base. Every text is limited by the request and the caps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from app.library.records import KeptPicture
from app.library.scope import Narrowing, Scope
from app.retrieval.records import AskedLibraries


class Format(StrEnum):
    """The layout of an excerpt."""

    TEXT = "text"
    BULLETS = "bullets"


SOURCES: Final = ("reranked", "rrf_fusion", "graph_expanded", "vector", "bm25", "hybrid")
"""The methods that can find a candidate."""


class Mode(StrEnum):
    """Whether to use the graph for search. `AUTO` does not, as it does not find more answers (docs/internals/answers.md)."""

    AUTO = "auto"
    VECTOR_ONLY = "vector_only"
    HYBRID_LOCAL = "hybrid_local"


class LimitReason(StrEnum):
    """The reason why a result is limited."""

    NONE = "none"
    PAGE_SIZE = "page_size"
    TOKEN_CAP = "token_cap"
    BYTE_CAP = "byte_cap"


class Verdict(StrEnum):
    """Whether a stored page contains a text."""

    EXACT = "exact"
    NEAR = "near"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Asking:
    """The owner, the session (None: the current one), the scope, and the joined libraries to ask (None: only the private one)."""

    owner: str
    session_id: str | None = None
    scope: Scope = field(default_factory=Scope)
    shared: AskedLibraries | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search for candidates. `cursor` continues an earlier page of the same search; `rewrite` also tries other words."""

    query: str
    top_k: int
    page_size: int
    cursor: str | None = None
    narrowing: Narrowing = field(default_factory=Narrowing)
    max_snippet_chars: int = 280
    max_per_doc: int = 1
    mode: Mode = Mode.AUTO
    rewrite: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """One candidate from `start` to `end` of its page, by one of SOURCES. `is_waiting`: rated by its words only."""

    passage_id: str
    section_id: str
    doc_tag: str
    title: str
    rank: int
    score: float
    source: str
    preview: str
    scratch_uri: str
    size_bytes: int
    anchor: str | None
    url: str
    last_modified: float
    debug: str = ""
    is_waiting: bool = False
    document_id: int = 0
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of candidates. `nothing_found`: most likely none answers; `note`: what made the search worse."""

    results: tuple[Found, ...]
    next_cursor: str | None
    partial: bool
    limit_reason: LimitReason
    session_id: str
    mode: Mode
    graph_disabled: bool = False
    note: str = ""
    nothing_found: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a passage or of the text around it; `next_start_char` is None at the end. `page` is the address of its page.

    `start_char` and `end_char` count from the beginning of the passage, negative before it. `start` and `end` are the same positions in
    the document with the hash `document_hash`. `note` says whether the document has changed since.
    """

    passage_id: str
    excerpt: str
    truncated: bool
    start_char: int
    next_start_char: int | None
    section_id: str
    doc_tag: str
    title: str
    uri: str
    url: str
    session_id: str
    document_hash: str = ""
    start: int = 0
    end: int = 0
    note: str = ""
    end_char: int = 0
    picture: KeptPicture | None = None  # The image, if one was requested; `excerpt` is then its text on the page.
    page: str = ""
    document_id: int = 0


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote from `start` to `end` of the page with `document_hash`. `context` is page text around and including it.

    `url` is the address of the page; `document_id` is 0 if no stored page contains the quote now. With `is_waiting`, its passage is not
    embedded yet and was rated by its words.
    """

    quote: str
    context: str
    passage_id: str
    section_id: str
    title: str
    heading: str
    uri: str
    url: str
    confidence: float
    document_hash: str
    start: int
    end: int
    is_waiting: bool = False
    document_id: int = 0


@dataclass(frozen=True, slots=True)
class Quotes:
    """Quotes, best first. `likelihood`: probability that they answer (None: not estimated); `nothing_found`: most likely they do not."""

    quotes: tuple[Quote, ...]
    session_id: str
    limit_reason: LimitReason = LimitReason.NONE
    nothing_found: bool = False
    likelihood: float | None = None
    searched: int = 0
    mode: Mode = Mode.AUTO
    graph_disabled: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of looking for a text in the corpus or one page.

    `closest` is the same or most similar page text, from `start` to `end` of the page. `difference` lists different words, `similarity`
    is the share of common words. `looked_at` counts the compared pages.
    """

    verdict: Verdict
    url: str = ""
    title: str = ""
    heading: str = ""
    uri: str = ""
    session_id: str = ""
    similarity: float = 0.0
    looked_at: int = 0
    document_hash: str = ""
    start: int = 0
    end: int = 0
    closest: str = ""
    difference: str = ""
    note: str = ""
    document_id: int = 0
