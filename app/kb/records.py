"""What the knowledge base answers. Every text is bounded by what was asked for and by the caps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from app.library.records import KeptPicture
from app.library.scope import Narrowing, Scope
from app.retrieval.records import AskedLibraries


class Format(StrEnum):
    """How an excerpt is laid out."""

    TEXT = "text"
    BULLETS = "bullets"


SOURCES: Final = ("reranked", "rrf_fusion", "graph_expanded", "vector", "bm25", "hybrid")
"""What can have found a candidate."""


class Mode(StrEnum):
    """Whether the graph helps to find; `AUTO` leaves it out, as it brings no more answers (docs/internals/answers.md)."""

    AUTO = "auto"
    VECTOR_ONLY = "vector_only"
    HYBRID_LOCAL = "hybrid_local"


class LimitReason(StrEnum):
    """Why there is less than there could be."""

    NONE = "none"
    PAGE_SIZE = "page_size"
    TOKEN_CAP = "token_cap"
    BYTE_CAP = "byte_cap"


class Verdict(StrEnum):
    """Whether a text stands in a stored page."""

    EXACT = "exact"
    NEAR = "near"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Asking:
    """The owner of the session, which of its sessions (None: the current one), the scope of the call, and the joined libraries that are
    being asked (None: the private one alone)."""

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
    """One candidate, from `start` to `end` of its page. `source` is one of SOURCES.

    One that `is_waiting` has no vectors yet and was judged by its words.
    """

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
    """One page of candidates. `mode` is the one used; `note` says what made the search worse than it could be.

    `nothing_found`: most likely none of the candidates answers.
    """

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
    """A piece of a passage or of the text around it; `next_start_char` is None at the end. `page` is the address of its page.

    `start_char` and `end_char` count from the beginning of the passage, negative before it. `start` and `end` are the same
    places in the document whose hash is `document_hash`. `note` says what became of the document meanwhile.
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
    picture: KeptPicture | None = None
    """What was asked for, where that is a picture; `excerpt` are the words of its page for it."""
    page: str = ""
    document_id: int = 0


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote that stands in its page, whose hash is `document_hash`, from `start` to `end`; `context` is page text around and with it.

    `url` is the address of the page; `document_id` is 0 where the quote stands in no stored page as it is now. One that `is_waiting` is
    from a passage that has no vectors yet and was judged by its words.
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
    """Quotes, best first. `likelihood`: how likely they hold the answer (None: not estimated); `nothing_found`: most likely they do not."""

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
    """What became of a text in the corpus or one page.

    `closest` is the page text that equals it or comes nearest, from `start` to `end` of the page; `difference` is what differs in words,
    `similarity` the share of words in common. `looked_at` counts the pages that were compared.
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
