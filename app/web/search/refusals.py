"""Why a search provider did not answer, as an error that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from app import caps
from app.errors import SearchError, SearchKeyError, SearchLimitError, SearchQueryError
from app.web.problems import seconds_text
from app.web.search.records import JsonObject

WHERE = "Settings > Search provider"


class Fault(Enum):
    """What an error status of a provider means."""

    KEY = auto()
    LIMIT = auto()
    QUERY = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is none. `body` is empty where it was no JSON object; `wait` is in seconds, None when it is not told."""

    status: int
    body: JsonObject
    wait: float | None


def usual_fault(refusal: Refusal) -> Fault:
    """The meaning that most providers give a status."""
    if refusal.status in (401, 403):
        return Fault.KEY
    if refusal.status == 429:
        return Fault.LIMIT
    return Fault.QUERY if refusal.status in (400, 413, 414, 422) else Fault.BROKEN


def error_of(refusal: Refusal, fault: Fault, title: str, hints: Mapping[Fault, str]) -> SearchError:
    """The error for a refusal; `hints` has the provider's own next steps."""
    words = said(refusal.body)
    told = f"{refusal.status}: {words}" if words else f"{refusal.status}"
    if fault is Fault.KEY:
        return SearchKeyError(f"{title} refused the key ({told}).", hint=hints.get(fault))
    if fault is Fault.QUERY:
        return SearchQueryError(f"{title} cannot do this search ({told}).", hint=hints.get(fault))
    if fault is Fault.LIMIT:
        wait = refusal.wait
        after = f" It asks to wait {seconds_text(wait)}." if wait is not None else ""
        hint = f"Call again after {seconds_text(wait)}." if wait is not None else _LIMIT_HINT
        return SearchLimitError(f"{title} takes no more searches for now ({told}).{after}", retry_after=wait, hint=hint)
    return SearchError(f"{title} answered {told}.", hint=hints.get(fault))


_LIMIT_HINT = f"Wait a while, raise the limit of your plan, or choose another provider in {WHERE}."


def said(body: JsonObject) -> str:
    """The provider's own words for the error, on one line; empty when it has none."""
    for path in (("error", "message"), ("error", "detail"), ("detail", "error"), ("detail",), ("message",), ("error",)):
        found: Any = body
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, str) and found.strip():
            return " ".join(found.split())[: caps.MAX_PROVIDER_WORDS].rstrip(".")
    return ""
