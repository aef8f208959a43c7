"""Tool calls, newest first: the recorded ones from the corpus, the running ones with their phase from events."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app import caps
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import clock, duration, full_time, number, plain_address, site_of
from app.events import CallFinished, CallProgress, CallStarted, Event

if TYPE_CHECKING:
    from app.corpus.records import ActivityRecord
    from app.desktop.engine_thread import EngineThread

TIME, CLIENT, TOOL, PAGES, TOKENS, DURATION, OUTCOME = range(7)

RUNNING = "running"
OK = "ok"
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Call:
    """One call as shown. `key` is ("live", call id) or ("stored", row id); `outcome` is running, ok or an error code."""

    key: tuple[str, int]
    started_at: float
    client: str
    tool: str
    outcome: str
    phase: str = ""
    duration_ms: float = 0.0
    tokens: int = 0
    pages: tuple[str, ...] = ()


def _tr(text: str) -> str:
    return QCoreApplication.translate("ActivityModel", text)


def outcome_text(call: Call) -> str:
    """The Outcome column: the phase of a running call, what became of an ended one."""
    if call.outcome == RUNNING:
        return call.phase or _tr("Running")
    words = {
        OK: _tr("Done"),
        CANCELLED: _tr("Cancelled"),
        "INVALID_ARGUMENT": _tr("Invalid request"),
        "SCOPE_VIOLATION": _tr("Not allowed"),
        "BACKEND_UNAVAILABLE": _tr("Not available"),
        "TIMEOUT": _tr("Timed out"),
        "BUDGET_EXCEEDED": _tr("Over a limit"),
        "INTERNAL_ERROR": _tr("Internal error"),
    }
    return words.get(call.outcome, call.outcome)


def pages_text(call: Call) -> str:
    """The first page touched and how many more."""
    if not call.pages:
        return "–"
    first = plain_address(call.pages[0])
    return first if len(call.pages) == 1 else f"{site_of(call.pages[0])} +{len(call.pages) - 1}"


def outcome_mark(call: Call) -> tuple[str, str]:
    """The icon beside the Outcome column's text."""
    if call.outcome == RUNNING:
        return "busy", "accent_text"
    if call.outcome == CANCELLED:
        return "close", "muted"
    return ("ok", "success") if call.outcome == OK else ("error", "danger")


class ActivityModel(RowsModel[Call]):
    """At most MAX_ACTIVITY_SHOWN calls. `failed` carries a WebRAGError."""

    failed = Signal(object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[Call]] = [
            Column(
                _tr("Time"),
                lambda c: clock(c.started_at),
                lambda c: c.started_at,
                tip=lambda c: full_time(c.started_at),
            ),
            Column(_tr("Assistant"), lambda c: c.client or _tr("unknown"), lambda c: c.client.casefold()),
            Column(_tr("Tool"), lambda c: c.tool, lambda c: c.tool, tip=lambda c: c.tool),
            Column(_tr("Pages"), pages_text, lambda c: len(c.pages), tip=lambda c: "\n".join(c.pages)),
            Column(_tr("Tokens"), lambda c: number(c.tokens) if c.tokens else "–", lambda c: c.tokens, right=True),
            Column(
                _tr("Duration"),
                lambda c: duration(c.duration_ms) if c.outcome != RUNNING else "…",
                lambda c: c.duration_ms,
                right=True,
            ),
            Column(_tr("Outcome"), outcome_text, lambda c: c.outcome, tip=outcome_text, mark=outcome_mark),
        ]
        super().__init__(columns, parent)
        self._thread = thread
        self._outcome = ""
        self._now: dict[int, Call] = {}

    def key(self, record: Call) -> Hashable:
        return record.key

    def haystack(self, record: Call) -> str:
        return f"{record.client}\n{record.tool}\n{record.outcome}\n{' '.join(record.pages)}".casefold()

    def accepts(self, record: Call) -> bool:
        if not self._outcome:
            return True
        if self._outcome == "failed":
            return record.outcome not in (OK, RUNNING)
        return record.outcome == self._outcome

    def set_outcome(self, outcome: str) -> None:
        """Show only running, ok or failed calls; an empty word shows all."""
        self._outcome = outcome
        self.rearrange()

    def reload(self) -> None:
        """Show what is recorded; calls that run now stay."""
        self._thread.submit(
            lambda engine: engine.activity(caps.MAX_ACTIVITY_SHOWN),
            self._take_recorded,
            self.failed.emit,
            owner=self,
        )

    def forget(self) -> None:
        """Show only what runs now."""
        self.replace([call for call in self._all.values() if call.outcome == RUNNING])

    def take(self, events: list[Event]) -> None:
        """Follow calls as they start, move on and end."""
        changed: list[Call] = []
        for event in events:
            match event:
                case CallStarted():
                    changed.append(_started(event))
                case CallProgress(call_id=call_id) if ("live", call_id) in self._all:
                    known = self._all["live", call_id]
                    changed.append(replace(known, phase=_phase(event)) if known.outcome == RUNNING else known)
                case CallFinished():
                    changed.append(_finished(event))
                case _:
                    pass
            for call in changed[-1:]:
                self._all[call.key] = call
        if changed:
            self._trim()
            self.rearrange()

    def _take_recorded(self, records: list[ActivityRecord]) -> None:
        running = [call for call in self._all.values() if call.outcome == RUNNING]
        self.replace([*running, *(_recorded(record) for record in records)])

    def _trim(self) -> None:
        if len(self._all) > caps.MAX_ACTIVITY_SHOWN:
            newest = sorted(self._all.values(), key=lambda call: call.started_at, reverse=True)
            self._all = {call.key: call for call in newest[: caps.MAX_ACTIVITY_SHOWN]}


def _started(event: CallStarted) -> Call:
    return Call(("live", event.call_id), time.time(), event.client, event.tool, RUNNING)


def _phase(event: CallProgress) -> str:
    return event.detail or event.phase


def _finished(event: CallFinished) -> Call:
    return Call(
        key=("live", event.call_id),
        started_at=event.started_at,
        client=event.client,
        tool=event.tool,
        outcome=event.outcome,
        duration_ms=event.duration_ms,
        tokens=event.tokens,
        pages=event.pages,
    )


def _recorded(record: ActivityRecord) -> Call:
    return Call(
        key=("stored", record.id),
        started_at=record.started_at,
        client=record.client,
        tool=record.tool,
        outcome=record.outcome,
        duration_ms=record.duration_ms,
        tokens=record.tokens,
        pages=record.pages,
    )
