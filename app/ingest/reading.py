"""A page that was fetched and understood, and is not stored."""

from __future__ import annotations

from dataclasses import dataclass

from app.ingest.prepared import Prepared
from app.web.records import FetchResult


@dataclass(frozen=True, slots=True)
class Reading:
    """What storing needs: the address asked for, the answer of the site, and what was made of it."""

    requested: str
    result: FetchResult
    prepared: Prepared
