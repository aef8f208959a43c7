"""Every call under way, on the bus and in the log: tool, who, sizes, times. Arguments and text only while diagnostic logging is on."""

from __future__ import annotations

import itertools
import json
import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app import caps
from app.errors import ErrorCode
from app.events import CallAsked, CallFinished, CallProgress, CallStarted, EventBus
from app.logs import DIAGNOSTICS, redact
from app.server.render.budget import Budget
from app.server.render.text import one_line

log = logging.getLogger(__name__)

MAX_DIAGNOSTIC_PARAMETER_CHARS: Final = 1_000
MAX_DIAGNOSTIC_PREVIEW_CHARS: Final = 500

OK: Final = "ok"

CANCELLED: Final = "cancelled"

_NUMBERS = itertools.count(1)

_SECTION: Final = re.compile(r"^\[([A-Z][A-Z ]*)\]$", re.MULTILINE)


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


def note_arguments(call_id: int, tool: str, arguments: Mapping[str, Any] | None) -> None:
    """The arguments as they came, shortened and without secrets."""
    if DIAGNOSTICS.is_on:
        text = json.dumps(arguments or {}, ensure_ascii=False, default=str)
        DIAGNOSTICS.write(f"call {call_id}: {tool} {_shown(text, MAX_DIAGNOSTIC_PARAMETER_CHARS)}")


def note_result(call_id: int, text: str, tokens: int, budget: Budget) -> None:
    """What was used of the budget, section by section, and the first characters."""
    if DIAGNOSTICS.is_on:
        used = f"{tokens}/{budget.tokens} tokens, {len(text)}/{budget.characters} characters"
        sizes = ", ".join(f"{name.lower()} {size}" for name, size in section_sizes(text))
        DIAGNOSTICS.write(f"call {call_id}: {used}{f'; characters by section: {sizes}' if sizes else ''}")
        DIAGNOSTICS.write(f"call {call_id}: begins with {_shown(text, MAX_DIAGNOSTIC_PREVIEW_CHARS)}")


def section_sizes(text: str) -> list[tuple[str, int]]:
    """The sections of a result and their characters, in order."""
    found = list(_SECTION.finditer(text))
    ends = (*(match.start() for match in found), len(text))[1:]
    return [(match.group(1), end - match.start()) for match, end in zip(found, ends, strict=False)]


def _shown(text: str, limit: int) -> str:
    return one_line(redact(text), limit)
