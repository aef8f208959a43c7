"""What a node of a shared library and a program that joined it say to each other: JSON over HTTP, under PATH.

Both sides take these records and nothing else. Times are seconds since the epoch, offsets are characters of the page's text. A field
that a side does not know is passed over, so that both can grow; one that is missing, of another type or beyond its limit raises
InvalidArgumentError.
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

T = TypeVar("T")

PATH: Final = "/library/v1"
"""Of the description of the node; the others stand below it."""
SEARCH_PATH: Final = f"{PATH}/search"
PAGES_PATH: Final = f"{PATH}/pages"
PAGE_PATH: Final = f"{PAGES_PATH}/{{page_id}}"
READY_PATH: Final = "/readyz"
METRICS_PATH: Final = "/metrics"
INSTANCE_HEADER: Final = "X-WebRAG-Instance"
"""What a program that joined calls itself until it ends: so a node tells those apart who have one token."""
CLIENT_HEADER: Final = "X-WebRAG-Client"
"""Name and version of the program that asks, as `name/version`."""
INSTANCE: Final = re.compile(r"[0-9a-f]{32}")

LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})

MAX_PASSAGES: Final = 40
DEFAULT_PASSAGES: Final = 20
MAX_QUERIES: Final = 10
MAX_COLLECTIONS: Final = 1_000
MAX_PAGES_NAMED: Final = 100
MAX_PAGE_ROWS: Final = 200
DEFAULT_PAGE_ROWS: Final = 50
MAX_NAME_CHARS: Final = caps.MAX_COLLECTION_CHARS
"""Of a library and of a collection."""
MAX_REQUEST_BYTES: Final = 32 * caps.MIB
"""Of a page to be stored; everything else is smaller."""
MAX_REPLY_BYTES: Final = 48 * caps.MIB
"""Of a whole page; a client reads no more."""
MAX_LIST: Final = 20_000
"""Entries of any list."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: `subject` is `user:ISSUER|SUB`, or `token` where a node has one token for all; `name` is for showing."""

    subject: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that the person may read; `role` is `reader`, `writer` or `owner`."""

    name: str
    role: str
    pages: int = 0


@dataclass(frozen=True, slots=True)
class NodeDescription:
    """What a node is to the person who asks: GET PATH. `version` is that of the program, `model` None while nothing is embedded."""

    name: str
    version: str
    who: Person
    model: EmbeddingModel | None = None
    collections: tuple[Collection, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question: POST SEARCH_PATH.

    `queries` are parts of it that are searched beside it, `intent` the kind of question (None: the node finds out), `collections`
    and `pages` (ids) restrict it, empty ones do not.
    """

    question: str
    queries: tuple[str, ...] = ()
    intent: str | None = None
    collections: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    limit: int = DEFAULT_PASSAGES

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise InvalidArgumentError("There is no question.")
        for text in (self.question, *self.queries):
            _check_length("A question", text, caps.MAX_QUERY_CHARS)
        _check_count("queries", self.queries, MAX_QUERIES)
        _check_count("collections", self.collections, MAX_COLLECTIONS)
        _check_count("pages", self.pages, MAX_PAGES_NAMED)
        _check_range("limit", self.limit, MAX_PASSAGES)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of a page, as `RetrievedChunk` has it.

    `library` is the node's name for itself; who joined it may know it by another. `relevance` (0 to 1) orders passages and can be
    compared with that of other libraries with the same model; `score` is the fused rank. `flags` are what addresses the assistant in
    the page.
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
    """Passages, best first. `likelihood`: how likely they hold the answer (None: not estimated); `notes` are sentences for the reader;
    `unknown` are the pages of the request that there are not, or not for the person."""

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
    """Rows, the pages read last first: GET PAGES_PATH with `text`, `collection`, `after`, `limit`; with
    `quarantined=true` those that are hidden, to their owners. `next` is `after` of the next rows."""

    pages: tuple[PageRow, ...] = ()
    next: str = ""


@dataclass(frozen=True, slots=True)
class WholePage:
    """A page with its text: GET PAGE_PATH; with `quarantined=true` one that is hidden, to an owner of its collection."""

    row: PageRow
    text: str
    sections: tuple[SectionRecord, ...] = ()
    links: tuple[LinkRecord, ...] = ()
    published: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class PageIn:
    """A page to be stored: POST PAGES_PATH. The node cuts it into passages and makes their vectors.

    An empty `collection` is the only one that the person may write. `sections` and `links` have offsets into `text`.
    """

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
        _check_length("The address", self.url, caps.MAX_URL_CHARS)
        _check_length("The title", self.title, caps.MAX_TITLE_CHARS)
        _check_length("The text", self.text, caps.MAX_PAGE_CHARS)
        _check_count("links", self.links, caps.MAX_LINKS_PER_PAGE)
        if not self.url or not self.text.strip():
            raise InvalidArgumentError("A page needs an address and a text.")
        places = ((part.start, part.end) for parts in (self.sections, self.links) for part in parts)
        for start, end in places:
            if not 0 <= start <= end <= len(self.text):
                raise InvalidArgumentError(f"A place of the page ({start} to {end}) is outside of its text.")


@dataclass(frozen=True, slots=True)
class PageChange:
    """What becomes of a page: PUT PAGE_PATH. Owners hide a page from everybody and let it go."""

    is_quarantined: bool


@dataclass(frozen=True, slots=True)
class PageStored:
    """What became of a page that was stored. `state` is `stored`, `updated` or `unchanged`."""

    page_id: int
    state: str
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The body of every reply that is no success. `code` is one of `ErrorCode`; of a person who is not signed in, `sign_in` is where
    the description of the sign-in stands (RFC 9728), empty where the node wants its token."""

    error: str
    code: str = ""
    hint: str = ""
    sign_in: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def is_secure(scheme: str, host: str) -> bool:
    """Whether nobody reads on the way what goes there: https, or http on this computer."""
    return scheme == "https" or (scheme == "http" and host in LOOPBACK)


def encoded(record: Any) -> bytes:
    """A record as JSON. Half a surrogate pair becomes one other character, so that offsets stay right."""
    return sound_text(json.dumps(to_jsonable(record), ensure_ascii=False, separators=(",", ":"))).encode()


def decoded(kind: type[T], body: bytes) -> T:
    """The record of this kind that the JSON says. Raises InvalidArgumentError."""
    try:
        value = read_json(body)
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError("What came is not JSON.") from error
    try:
        return from_jsonable(kind, value, most=MAX_LIST)
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from error


def _check_length(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidArgumentError(f"{what} has {len(text):,} characters; at most {most:,} are taken.")


def _check_count(what: str, entries: tuple[object, ...], most: int) -> None:
    if len(entries) > most:
        raise InvalidArgumentError(f"There are {len(entries):,} {what}; at most {most:,} are taken.")


def _check_range(what: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise InvalidArgumentError(f"{what} is {number}; it must be 1 to {most}.")
