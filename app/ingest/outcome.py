"""Results of ingesting an address."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.errors import StillReadingError, WebRAGError
from app.library.records import DocumentSummary
from app.text.sentence import joined, sentence

READING: Final = "reading"
ADD_FILE: Final = sentence(
    "Ask the user to add the file or its folder in WebRAG (Library > Add, or the command webrag import). Activity > Jobs shows why a"
    " file of an added folder was not read."
)
"""The next step for an assistant that names a file which is not stored."""


class Change(StrEnum):
    """The change to the corpus."""

    STORED = "stored"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """The stored document and what changed.

    `fetched` is False if the stored copy was used. `note` says why, if a refresh was due, and continues a sentence about the page.
    """

    summary: DocumentSummary
    change: Change
    fetched: bool
    note: str = ""

    def remark(self, subject: str) -> str:
        """Return a sentence about an outdated copy: why it was used, and its age; otherwise empty."""
        if not self.note:
            return ""
        read = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.summary.last_crawled))
        return sentence("{} {}; the stored copy was used (read {}).", subject, self.note, read)


@dataclass(frozen=True, slots=True)
class IngestedPage:
    """The result of `ingest` for one address. `change` is stored, updated, unchanged, failed or reading; `job_id` belongs to the last."""

    url: str
    title: str
    change: str
    document_id: int
    chunks: int
    tokens: int
    note: str = ""
    failure_code: str = ""
    failure_reason: str = ""
    failure_type: str = ""
    job_id: int = 0

    @property
    def is_failed(self) -> bool:
        return bool(self.failure_code)

    @property
    def is_reading(self) -> bool:
        """Whether the page needed more time than the call had and is still being read."""
        return self.change == READING

    @property
    def is_read(self) -> bool:
        return not self.is_failed and not self.is_reading

    @classmethod
    def of(cls, outcome: IngestOutcome) -> IngestedPage:
        """Return the result for a page that was read or is fresh."""
        stored = outcome.summary
        note = joined((outcome.remark(sentence("The page")), stored.note)) if outcome.note else stored.note
        facts = (stored.id, stored.chunks, stored.tokens, note)
        return cls(stored.url, stored.title, outcome.change.value, *facts)

    @classmethod
    def of_reading(cls, address: str, result: IngestedPage | BaseException) -> IngestedPage:
        """Return the result of a reading, complete or not; raises errors that are not failures of reading."""
        if isinstance(result, IngestedPage):
            return result
        if not isinstance(result, WebRAGError):
            raise result
        return cls.unread(address, result)

    @classmethod
    def unread(cls, address: str, error: WebRAGError) -> IngestedPage:
        """Return the result for an address that could not be read, or needs more time."""
        if isinstance(error, StillReadingError):
            return cls(address, "", READING, 0, 0, 0, error.hint, job_id=error.job_id)
        facts = (error.hint, error.code.value, error.message, type(error).__name__)
        return cls(address, "", "failed", 0, 0, 0, *facts)
