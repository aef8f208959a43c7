"""The records that only the corpus file has.

Times are seconds since the epoch, sizes of text are characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.corpus.unread_files import UnreadFile
from app.events import CallFailure, PageRead
from app.library.packages import StoredProject
from app.library.records import CorpusTotals, DocumentSummary, FileStamp, PassageIn


@dataclass(frozen=True, slots=True)
class PictureIn:
    """An image to save, with the cache validators of its response. Sides in pixels."""

    url: str
    media_type: str
    width: int
    height: int
    content: bytes
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class PictureUse:
    """Metadata of a saved image; `fetched_at` in seconds since the epoch."""

    url: str
    bytes: int
    etag: str | None
    last_modified: str | None
    fetched_at: float


class LabelKind(StrEnum):
    """The two kinds of labels."""

    COLLECTION = "collection"  # A group of pages named by the user. It can be empty.
    TAG = "tag"  # A word that the user attached to pages. It is deleted with its last page.


@dataclass(frozen=True, slots=True)
class Label:
    """A collection or a tag with its number of pages."""

    kind: LabelKind
    name: str
    pages: int


@dataclass(frozen=True, slots=True)
class PageVersion:
    """An earlier text of a page under its address at that time; `bytes` is the size of its stored difference."""

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
    """A part of a page's text, as of that time, that a call gave to an assistant."""

    moment: float
    client: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Bytes of the corpus file by content. Compacting frees `unused`, and if it is worth it, an estimated `reclaimable` in total."""

    texts: int = 0
    vectors: int = 0
    indexes: int = 0
    pins: int = 0
    records: int = 0
    unused: int = 0
    reclaimable: int = 0

    @property
    def total(self) -> int:
        return self.texts + self.vectors + self.indexes + self.pins + self.records + self.unused


@dataclass(frozen=True, slots=True)
class Compacted:
    """Size of the corpus file in bytes before and after compacting."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """Contents of a backup, read without changing it. Times are seconds since the epoch; `newest` is 0 for an empty one."""

    documents: int
    chunks: int
    newest: float
    written_at: float
    file_bytes: int
    folders: tuple[
        str, ...
    ] = ()  # Paths of its watched folders and projects, whose files WebRAG reads after a restore.


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Data saved from a damaged corpus: `recut` pages were split again, `lost` had no text; `lost_rows` are others."""

    documents: int
    recut: int
    pins: int
    jobs: int
    lost: int
    lost_urls: tuple[str, ...]
    lost_rows: int


@dataclass(frozen=True, slots=True)
class Restored:
    """The new contents, the path of the previous corpus, and descriptions of rows that were left out."""

    documents: int
    chunks: int
    kept: str
    removed: tuple[str, ...] = ()
    salvaged: Salvaged | None = None


@dataclass(frozen=True, slots=True)
class ActivityRecord:
    """One tool call as shown in Activity. `outcome` is "ok" or an error code.

    `saved` is the number of tokens that its result is shorter than the pages that it read (negative: longer). `reads` describes its
    pages, `failure` why it failed, `question` the question, if recorded. `verdict` is one of app.events.Verdict, empty for a canceled
    call and for a successful one of an earlier version.
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
    """The calls of one assistant on one local day; a page counts once per call, `questions` without invalid ones."""

    day: str
    client: str
    calls: int
    tokens: int
    pages: int
    saved: int = 0
    questions: int = 0


@dataclass(frozen=True, slots=True)
class PinnedPassage:
    """A copy of a passage that the user pinned; its document may be deleted."""

    id: str
    content: PassageIn
    created_at: float


@dataclass(frozen=True, slots=True)
class FileHealth:
    """Unreadable parts of the corpus file, and why nothing can be stored for now; empty if there are none."""

    damage: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem found by `verify`."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """The contents of the index. `documents` is limited; `omitted` counts the rest.

    With `asked_url`, the list contains that page or nothing. `health` describes problems of the file, `without_meaning` why only keyword
    search works (empty: it does not apply), with `is_english_only` for other languages alone. `seconds_left` is the time to embed the
    waiting chunks. `unread` lists files of folders that could not be read in time; `left_out` counts unsupported files by folder;
    `projects` are those whose packages are known.
    `names` are sources and labels that a question can name, `reclaimable` bytes that compacting is worth freeing.
    """

    totals: CorpusTotals
    documents: tuple[DocumentSummary, ...]
    omitted: int = 0
    asked_url: str | None = None
    health: FileHealth = FileHealth()
    without_meaning: str = ""
    is_english_only: bool = False
    seconds_left: float | None = None
    unread: tuple[UnreadFile, ...] = ()
    left_out: tuple[str, ...] = ()
    projects: tuple[StoredProject, ...] = ()
    names: tuple[str, ...] = ()
    reclaimable: int = 0


@dataclass(frozen=True, slots=True)
class Folder:
    """A watched folder with its absolute path and own name, skipped files with reasons, and the number of others."""

    id: int
    path: str
    added_at: float
    documents: int
    name: str = ""
    unread: tuple[str, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A document from a file, with the stamp of the file when it was read."""

    document_id: int
    url: str
    stamp: FileStamp
