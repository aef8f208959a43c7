"""What a job did not read, grouped by why."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.desktop.language import translator
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import number

if TYPE_CHECKING:
    from app.corpus.job_records import JobItem

_tr = translator("JobCauses")

FAILED: Final = "failed"
ALL: Final = "all"
"""Stands for every cause together."""
GONE: Final = "gone"

_KINDS: Final = (
    (GONE, r"\((?:404|410)\)|is gone|answered with 404"),
    ("protected", r"content protected|sign-?in|paywall"),
    ("robots", r"robots"),
    ("noindex", r"noindex|not to be indexed"),
    ("slow", r"in time|timed out|time budget"),
    ("busy", r"\((?:429|503)\)|asks (?:for|to wait)"),
    ("broken", r"problem of its own|\(5\d\d\)"),
    (
        "unreachable",
        r"refused the connection|cannot be reached|broke off|connection to|certificate|no secure connection",
    ),
    ("same", r"same (?:page|text) as"),
    ("outside", r"outside the crawl"),
    ("blocked", r"blocked|closed address|not allowed"),
    ("empty", r"no readable text|needs javascript"),
    ("large", r"too large|larger than|more than"),
    ("kind", r"not supported|kind of file"),
)
_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why some pages were not read. `is_failure` tells failures from what was left out on purpose."""

    kind: str
    text: str
    count: int
    is_failure: bool


def kind_of(reason: str) -> str:
    """The kind of a reason; one that is like no other is its own kind."""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(reason)), reason)


def cause_text(kind: str) -> str:
    """A kind of reason in a few words."""
    return {
        GONE: _tr("Page not found"),
        "protected": _tr("Sign-in or payment needed"),
        "robots": _tr("The site does not want programs to read it"),
        "noindex": _tr("The page asks not to be stored"),
        "slow": _tr("No answer in time"),
        "busy": _tr("The site asked for patience"),
        "broken": _tr("The site has a problem"),
        "unreachable": _tr("The site cannot be reached"),
        "same": _tr("The same as another page"),
        "outside": _tr("Leads away from the site"),
        "blocked": _tr("The address is blocked"),
        "empty": _tr("No readable text"),
        "large": _tr("Too large"),
        "kind": _tr("Not a kind of file that can be read"),
        "": _tr("No reason given"),
        ALL: _tr("All that was not read"),
    }.get(kind, kind)


def causes_of(items: Iterable[JobItem]) -> list[Cause]:
    """The causes, failures first, each by how often it is met; before several of them all together."""
    counts: dict[tuple[bool, str], int] = {}
    for item in items:
        key = (item.state.value == FAILED, kind_of(item.reason))
        counts[key] = counts.get(key, 0) + 1
    order = sorted(counts.items(), key=lambda entry: (not entry[0][0], -entry[1], entry[0][1]))
    found = [Cause(kind, cause_text(kind), count, is_failure) for (is_failure, kind), count in order]
    return [Cause(ALL, cause_text(ALL), sum(counts.values()), False), *found] if len(found) > 1 else found


class CausesModel(RowsModel[Cause]):
    """The causes of one job."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[Cause]] = [
            Column(
                _tr("Why"),
                lambda c: c.text,
                lambda c: c.text.casefold(),
                tip=lambda c: c.text,
                mark=lambda c: None if c.kind == ALL else ("error", "danger") if c.is_failure else ("minus", "muted"),
            ),
            Column(_tr("Pages"), lambda c: number(c.count), lambda c: c.count, right=True),
        ]
        super().__init__(columns, parent)

    def key(self, record: Cause) -> Hashable:
        return record.is_failure, record.kind

    def haystack(self, record: Cause) -> str:
        return record.text.casefold()
