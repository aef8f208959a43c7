"""Every call under way, on the bus and in the log: tool, who, sizes, times; arguments only for diagnosis, never text."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app import caps
from app.errors import ErrorCode
from app.events import CallAsked, CallFinished, CallProgress, CallStarted, EventBus
from app.logs import DIAGNOSTICS

log = logging.getLogger(__name__)

OK: Final = "ok"
CANCELLED: Final = "cancelled"

_NUMBERS = itertools.count(1)


@dataclass(slots=True)
class CallRecord:
    """One call from arrival to end. `outcome` is "ok", "cancelled" or the code of an error.

    `is_partial`: its result holds less than there is; `goes_on`: it asked for more of an earlier one.
    """

    tool: str
    client: str
    id: int = field(default_factory=lambda: next(_NUMBERS))
    started_at: float = field(default_factory=time.time)
    outcome: str = ErrorCode.INTERNAL_ERROR
    tokens: int = 0
    characters: int = 0
    pages: tuple[str, ...] = ()
    is_partial: bool = False
    goes_on: bool = False
    _started: float = field(default_factory=time.perf_counter)

    @property
    def elapsed_ms(self) -> float:
        return 1000 * (time.perf_counter() - self._started)


class CallLog:
    """Announces calls to the window, the tray and the log file."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus

    def begin(self, tool: str, client: str, request: str) -> CallRecord:
        """A call arrived; `request` is its id on the wire."""
        record = CallRecord(tool, client)
        log.info("call %d: %s from %s, request %s", record.id, tool, client, request)
        self._bus.publish(CallStarted(record.id, tool, client))
        return record

    def asked(self, record: CallRecord, arguments: Mapping[str, Any] | None) -> None:
        """The question of a call, told only while diagnostic logging is on; arguments are as they came, unchecked."""
        query = (arguments or {}).get("query", (arguments or {}).get("question"))
        if DIAGNOSTICS.is_on and isinstance(query, str):
            self._bus.publish(CallAsked(record.id, query[: caps.MAX_QUERY_CHARS]))

    def progress(self, record: CallRecord, phase: str, detail: str) -> None:
        """A call entered a phase."""
        self._bus.publish(CallProgress(record.id, phase, detail))

    def end(self, record: CallRecord) -> None:
        """A call ended, however it did."""
        log.info(
            "call %d: %s %s after %.0f ms, %d tokens, %d characters, %d pages%s%s",
            *(record.id, record.tool, record.outcome, record.elapsed_ms),
            *(record.tokens, record.characters, len(record.pages)),
            *(", partial" if record.is_partial else "", ", from a cursor" if record.goes_on else ""),
        )
        self._bus.publish(
            CallFinished(
                call_id=record.id,
                tool=record.tool,
                client=record.client,
                started_at=record.started_at,
                duration_ms=record.elapsed_ms,
                outcome=str(record.outcome),
                tokens=record.tokens,
                characters=record.characters,
                pages=record.pages,
            )
        )
