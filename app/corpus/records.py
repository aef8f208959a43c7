"""The records of the corpus file that no other store has, as every other package sees them.

Times are seconds since the epoch, sizes of text are characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.corpus.unread_files import UnreadFile
from app.events import CallFailure, PageRead
from app.library.records import CorpusTotals, DocumentSummary, FileStamp


@dataclass(frozen=True, slots=True)
class PictureIn:
    """A picture to keep, with the validators of the answer that brought it. Sides in pixels."""

    url: str
    media_type: str
    width: int
    height: int
    content: bytes
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class PictureUse:
    """What is known of a kept picture; `fetched_at` in seconds since the epoch."""

    url: str
    bytes: int
    etag: str | None
    last_modified: str | None
    fetched_at: float


class LabelKind(StrEnum):
    """The two kinds of labels."""

    COLLECTION = "collection"
    """A group of pages that a person named; it stays when it is empty."""
    TAG = "tag"
    """A word that a person gave pages; it goes with its last page."""


@dataclass(frozen=True, slots=True)
class Label:
    """A collection or a tag, and how many pages it has."""

    kind: LabelKind
    name: str
    pages: int


@dataclass(frozen=True, slots=True)
class PageVersion:
    """An earlier text of a page: first read at `read_at`, found replaced at `replaced_at`, under the address that it had then.

    `bytes` is what its difference from the next text takes in the file.
    """

    id: int
    document_id: int
    read_at: float
    replaced_at: float
    url: str
    title: str
    content_hash: str
    bytes: int


@dataclass(frozen=True, slots=True)
class PassageGiven:
    """A place of a page's text, as it was at that moment, that a call gave to an assistant."""

    moment: float
    client: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Bytes of the corpus file by what they hold; `unused` is space that compacting gives back."""

    texts: int = 0
    vectors: int = 0
    indexes: int = 0
    pins: int = 0
    records: int = 0
    unused: int = 0

    @property
    def total(self) -> int:
        return self.texts + self.vectors + self.indexes + self.pins + self.records + self.unused


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes of the corpus file before and after it was compacted."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup holds, read without changing it. Times are seconds since the epoch; `newest` is 0 for an empty one."""

    documents: int
    chunks: int
    newest: float
    written_at: float
    file_bytes: int
    folders: tuple[str, ...] = ()
    """Paths of the folders that would be watched."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What could be saved of a damaged corpus. `recut` counts pages whose passages were cut anew, `lost` those without text.

    `lost_urls` are the addresses of lost pages as far as they could be read, `lost_rows` other rows that could not.
    """

    documents: int
    recut: int
    pins: int
    jobs: int
    lost: int
    lost_urls: tuple[str, ...]
    lost_rows: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in the corpus now, and where the corpus before it is kept (empty: there was none).

    `removed` counts in words what of the backup was left out, because this program could not have stored it.
    `salvaged` is what could be read, when the file was damaged.
    """

    documents: int
    chunks: int
    kept: str
    removed: tuple[str, ...] = ()
    salvaged: Salvaged | None = None


@dataclass(frozen=True, slots=True)
class ActivityRecord:
    """One tool call as the Activity page and the ledger show it. `outcome` is "ok" or an error code.

    `saved` is how many tokens fewer it returned than the pages have that count as read, negative for more. `reads` is what is
    known of its pages, `failure` why it failed, `question` what it asked, where that is kept and was read with it. `verdict` is one
    of app.events.Verdict, empty for a cancelled call and for a successful one of an earlier version.
    """

    id: int
    started_at: float
    client: str
    tool: str
    duration_ms: float
    outcome: str
    tokens: int
    characters: int
    pages: tuple[str, ...]
    saved: int = 0
    verdict: str = ""
    reads: tuple[PageRead, ...] = ()
    failure: CallFailure | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class DayUsage:
    """The calls of one assistant on one day. `day` as 2026-11-21 in local time; `pages` counts a page once a call.

    `saved` is the sum of what its calls saved; `questions` counts calls that asked something, without wrong calls.
    """

    day: str
    client: str
    calls: int
    tokens: int
    pages: int
    saved: int = 0
    questions: int = 0


@dataclass(frozen=True, slots=True)
class PinnedPassage:
    """A copy of a passage that the person keeps; `document_id` may name a document that is gone."""

    id: str
    section_id: str
    doc_tag: str
    title: str
    text: str
    source_uri: str
    anchor: str | None
    media_type: str
    document_id: int | None
    document_hash: str
    start: int
    end: int
    created_at: float


@dataclass(frozen=True, slots=True)
class FileHealth:
    """What is wrong with the corpus file, in words; both empty when all is well.

    `damage` is what could not be read. `refusal` is why nothing can be stored for now.
    """

    damage: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something `verify` found wrong."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """What is indexed. `documents` is bounded; `omitted` counts the rest.

    With `asked_url` the list holds that page or nothing. `health` says what is wrong with the file, `without_meaning` why pages are
    found by their words only, empty while the embedder works, and `seconds_left` how long the chunks that wait for vectors still take.
    `unread` are files of folders that could not be read in time; `left_out` counts the files that are never read, a folder each.
    """

    totals: CorpusTotals
    documents: tuple[DocumentSummary, ...]
    omitted: int = 0
    asked_url: str | None = None
    health: FileHealth = FileHealth()
    without_meaning: str = ""
    seconds_left: float | None = None
    unread: tuple[UnreadFile, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder whose files are kept in the corpus; `path` is absolute, `name` is its own.

    `unread` says which files are left out until they change, and why; `left_out` counts those that are never read.
    """

    id: int
    path: str
    added_at: float
    documents: int
    name: str = ""
    unread: tuple[str, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A document that came from a file, with the stamp of the file when it was read."""

    document_id: int
    url: str
    stamp: FileStamp
