"""What ingesting an address did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.corpus.records import DocumentSummary


class Change(StrEnum):
    """What ingesting an address did to the corpus."""

    STORED = "stored"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """The stored document and what changed.

    `fetched` is False when the stored copy was used; `note` says why although it was due for a refresh.
    """

    summary: DocumentSummary
    change: Change
    fetched: bool
    note: str = ""
