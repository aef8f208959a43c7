"""The JSON API between a node of a shared library and a program that joined it, under PATH.

Both sides accept exactly these records. Times are seconds since the epoch, offsets are characters of the page's text. Unknown fields are
ignored so that both sides can add some. A field that is missing, has the wrong type or exceeds its limit raises InvalidArgumentError.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from app import caps
from app.errors import InvalidArgumentError
from app.library.records import EmbeddingModel, LinkRecord, SectionRecord
from app.serialise import from_jsonable, read_json, sound_text, to_jsonable
from app.text.sentence import sentence

T = TypeVar("T")

PATH: Final = "/library/v1"  # Path of the node's description; all other paths are below it.
SEARCH_PATH: Final = f"{PATH}/search"
PAGES_PATH: Final = f"{PATH}/pages"
PAGE_PATH: Final = f"{PAGES_PATH}/{{page_id}}"
READY_PATH: Final = "/readyz"
METRICS_PATH: Final = "/metrics"
INSTANCE_HEADER: Final = "X-WebRAG-Instance"  # Random ID of a program; several can share one token.
CLIENT_HEADER: Final = "X-WebRAG-Client"  # Name and version of the requesting program, as `name/version`.
INSTANCE: Final = re.compile(r"[0-9a-f]{32}")
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
MAX_PASSAGES: Final = 40
DEFAULT_PASSAGES: Final = 20
MAX_QUERIES: Final = 10
MAX_COLLECTIONS: Final = 1_000
MAX_PAGES_NAMED: Final = 100
MAX_PAGE_ROWS: Final = 200
DEFAULT_PAGE_ROWS: Final = 50
MAX_NAME_CHARS: Final = caps.MAX_COLLECTION_CHARS  # Longest name of a library or collection.
MAX_REQUEST_BYTES: Final = 32 * caps.MIB  # Largest request that stores a page; all other requests are smaller.
MAX_REPLY_BYTES: Final = 48 * caps.MIB  # Largest reply that a client reads: a whole page.
ROW_FIELDS: Final = ("title", "kind", "language", "last_crawled", "changed_at")
CHUNK_FIELDS: Final = ("title", "section_path", "anchor", "text", "start", "end", "prefix_length", "suffix_length")
MAX_LIST: Final = 20_000  # Most entries of any list.


@dataclass(frozen=True, slots=True)
class Person:
    """The caller. `subject` is `user:ISSUER|SUB`, or `token` on a node with one token for everyone; `name` is the display name."""

    subject: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that the user can read; `role` is `reader`, `writer` or `owner`."""

    name: str
    role: str
    pages: int = 0


@dataclass(frozen=True, slots=True)
class NodeDescription:
    """Description of a node for the caller: GET PATH. `version` is the program's; `model` is None until something is embedded."""

    name: str
    version: str
    who: Person
    model: EmbeddingModel | None = None
    collections: tuple[Collection, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query: POST SEARCH_PATH. Empty `collections` and `pages` (IDs) restrict nothing; `intent` may be unknown."""

    question: str
    queries: tuple[str, ...] = ()
    intent: str | None = None
    collections: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    limit: int = DEFAULT_PASSAGES

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise InvalidArgumentError(sentence("The query is empty."))
        for text in (self.question, *self.queries):
            _check_length("query", text, caps.MAX_QUERY_CHARS)
        _check_count("queries", self.queries, MAX_QUERIES)
        _check_count("collections", self.collections, MAX_COLLECTIONS)
        _check_count("pages", self.pages, MAX_PAGES_NAMED)
        if not 1 <= self.limit <= MAX_PASSAGES:
            raise InvalidArgumentError(sentence("{}: {} is not between 1 and {}.", "limit", self.limit, MAX_PASSAGES))


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of a page, with the fields of `RetrievedChunk`.

    `library` is the node's own name; the user may have joined it under another one. `relevance` (0 to 1) orders passages and is
    comparable between libraries with the same model; `score` is the fused rank. `flags` lists text of the page that addresses the
    assistant.
    """

    library: str
    page_id: int
    chunk_id: int
    collection: str
    url: str
    title: str
    text: str
    start: int
    end: int
    relevance: float
    kind: str = ""
    section_path: tuple[str, ...] = ()
    anchor: str | None = None
    prefix_length: int = 0
    suffix_length: int = 0
    confidence: float | None = None
    score: float = 0.0
    added_by: str = ""
    last_crawled: float = 0.0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchReply:
    """Passages, best first; `likelihood`: that they answer; `unknown`: requested pages that cannot be read."""

    passages: tuple[FoundPassage, ...] = ()
    likelihood: float | None = None
    notes: tuple[str, ...] = ()
    model: EmbeddingModel | None = None
    unknown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as a row of a list."""

    page_id: int
    collection: str
    url: str
    title: str
    kind: str = ""
    language: str = ""
    passages: int = 0
    passages_embedded: int = 0
    last_crawled: float = 0.0
    changed_at: float = 0.0
    added_by: str = ""
    flags: tuple[str, ...] = ()
    is_quarantined: bool = False


@dataclass(frozen=True, slots=True)
class PageRows:
    """Rows, most recently fetched first; `next` is `after` of the next ones. Owners get hidden pages on request."""

    pages: tuple[PageRow, ...] = ()
    next: str = ""


@dataclass(frozen=True, slots=True)
class WholePage:
    """A page with its text: GET PAGE_PATH. With `quarantined=true`, an owner of its collection gets a hidden page."""

    row: PageRow
    text: str
    sections: tuple[SectionRecord, ...] = ()
    links: tuple[LinkRecord, ...] = ()
    published: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class PageIn:
    """A page to store: POST PAGES_PATH. An empty `collection` means the only writable one of the user."""

    url: str
    title: str
    text: str
    collection: str = ""
    kind: str = "markdown"
    language: str = ""
    sections: tuple[SectionRecord, ...] = ()
    links: tuple[LinkRecord, ...] = ()
    published: str | None = None
    last_crawled: float = 0.0

    def __post_init__(self) -> None:
        _check_length("address", self.url, caps.MAX_URL_CHARS)
        _check_length("title", self.title, caps.MAX_TITLE_CHARS)
        _check_length("text", self.text, caps.MAX_PAGE_CHARS)
        _check_count("links", self.links, caps.MAX_LINKS_PER_PAGE)
        if not self.url or not self.text.strip():
            raise InvalidArgumentError(sentence("The page has no address or no text."))
        for start, end in [(part.start, part.end) for parts in (self.sections, self.links) for part in parts]:
            if not 0 <= start <= end <= len(self.text):
                raise InvalidArgumentError(sentence("Position {} to {} is outside the text of the page.", start, end))


@dataclass(frozen=True, slots=True)
class PageChange:
    """A change of a page by an owner: PUT PAGE_PATH hides it or shows it again."""

    is_quarantined: bool


@dataclass(frozen=True, slots=True)
class PageStored:
    """Result of storing a page. `state` is `stored`, `updated` or `unchanged`."""

    page_id: int
    state: str
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The body of an error reply with a `code` of `ErrorCode`; `sign_in` is the address of sign-in metadata."""

    error: str
    code: str = ""
    hint: str = ""
    sign_in: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def same_fields(record: object, names: tuple[str, ...]) -> dict[str, Any]:
    """Return fields by name: ROW_FIELDS of a row, or CHUNK_FIELDS of a passage, here or in the stored form."""
    return {name: getattr(record, name) for name in names}


def is_secure(scheme: str, host: str) -> bool:
    """Whether the connection cannot be read in transit: HTTPS, or HTTP on this computer."""
    return scheme == "https" or (scheme == "http" and host in LOOPBACK)


def encoded(record: Any) -> bytes:
    """Return a record as JSON. Replaces each lone surrogate with one character, so that offsets stay right."""
    return sound_text(json.dumps(to_jsonable(record), ensure_ascii=False, separators=(",", ":"))).encode()


def decoded(kind: type[T], body: bytes) -> T:
    """Parse JSON into a record of this kind. Raises InvalidArgumentError."""
    try:
        value = read_json(body)
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(sentence("The data is not valid JSON.")) from error
    try:
        return from_jsonable(kind, value, most=MAX_LIST)
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from error


def _check_length(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidArgumentError(
            sentence("{}: {} characters exceed the limit of {}.", what, f"{len(text):,}", f"{most:,}")
        )


def _check_count(what: str, entries: tuple[object, ...], most: int) -> None:
    if len(entries) > most:
        raise InvalidArgumentError(
            sentence("{}: {} entries exceed the limit of {}.", what, f"{len(entries):,}", f"{most:,}")
        )
