"""The path of every tool call: resolve, limit, validate, run, map errors, bound, record.

Calls are recorded on the bus and in the log with tool, caller, sizes and times. Only diagnostic logging records arguments and text.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app import caps, errors, events
from app.engine.facade import troubles_of
from app.logs import DIAGNOSTICS, redact
from app.server.calls import limits
from app.server.calls.arguments import check_size, checked_arguments
from app.server.calls.registry import (
    COLLECTION,
    Engine,
    Registry,
    ToolCall,
    ToolOffers,
    ToolOutput,
    ToolSpec,
    disabled_message,
    normalised_name,
)
from app.server.render.errors import (
    REPORT_DEFECT,
    disabled_text,
    error_text,
    failure_of,
    internal_text,
    safe,
    timeout_text,
)
from app.server.render.text import Budget, ShownPassage, clip
from app.text.page_text import one_line, tame
from app.text.sentence import sentence

log = logging.getLogger(__name__)

WARNING_SHARE: Final = 0.8  # Share of a call's time limit after which the log warns.
OK: Final = "ok"
CANCELLED: Final = "cancelled"
MAX_DIAGNOSTIC_PARAMETER_CHARS: Final = 1_000
MAX_DIAGNOSTIC_PREVIEW_CHARS: Final = 500
MAX_REQUEST_ID_CHARS: Final = 40
MAX_PASSAGES_RECORDED: Final = 40  # Per page, in the record of a call.
MAX_CONNECTIONS_REMEMBERED: Final = 64  # Connections whose pages are remembered.
QUEUED_PER_PLACE: Final = caps.MAX_QUEUED_CALLS // caps.MAX_CONCURRENT_CALLS
"""Waiting calls allowed for each running one."""
QUEUED_AT_NODE: Final = 512  # Waiting calls allowed at a node, however few run at a time.
SHARES_OF_NODE: Final = 4
"""The share of a node's slots for one caller. It is small because many users with one token behind a proxy can look like one caller."""

NOTE_FRAME_BYTES: Final = 32  # Bytes around a note in either form of a result.

_NUMBERS = itertools.count(1)

_ADDRESS: Final = re.compile(r"\s*(?:https?|file|webrag):\S+\s*", re.IGNORECASE)
_SECTION: Final = re.compile(r"^\[([A-Z][A-Z ]*)\]$", re.MULTILINE)


class UnknownToolError(LookupError):
    """The caller has no tool with this name. The message names the profile that has it."""


class ResultTooLargeError(errors.WebRAGError):
    """Structured content is too large. It cannot be cut, so it is refused."""

    code = errors.ErrorCode.BUDGET_EXCEEDED
    title = "Result too large"
    default_hint = "Ask for fewer or smaller results."


class Dispatcher:
    """Runs the calls of all transports of one instance, which share its limits."""

    def __init__(self, engine: Engine, registry: Registry) -> None:
        settings = engine.settings
        offered = registry if engine.node is None else registry.at_node()
        self.offers = ToolOffers(offered, settings, engine.bus, lambda: engine.joined)
        self.calls = CallLog(engine.bus)
        self.rate = limits.RateLimiter(settings.mcp_rate_limit_requests, settings.mcp_rate_limit_window)
        self._engine = engine
        self._read: OrderedDict[str, dict[str, None]] = OrderedDict()
        self._quick = _call_gate(engine)
        self._slow = _call_gate(engine)
        if settings.diagnostic_logging:
            DIAGNOSTICS.on()

    def close(self) -> None:
        """Stop following program events; running calls may finish."""
        self.offers.close()

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        caller: limits.Caller,
        *,
        request_id: str | int | None = None,
        progress: events.ProgressCallback = events.no_progress,
    ) -> ToolOutput:
        """Run a tool. Raises UnknownToolError; every other failure is an output with `is_error`."""
        registry = self.offers.of(caller)
        spec, disabled = registry.resolve(name), disabled_message(name)
        if spec is None and disabled is None:
            told = f"Unknown tool: {name[: caps.MAX_TOOL_NAME_CHARS]}"
            if profiles := ", ".join(registry.profiles_of(name)):
                offered = ", ".join(registry.wire_name(spec) for spec in registry.listed())
                told += f". This client has the tool profile {registry.profile}: {offered}. Profiles with this tool: {profiles}."
            raise UnknownToolError(told)
        budget = limits.effective_budget(self._engine.settings, caller.name)
        if spec is not None and spec.is_structured:
            budget = limits.data_budget(budget)
        tool = spec.id if spec is not None else normalised_name(name)
        async with self.recorded(tool, caller, request_id) as record:
            note_arguments(record.id, tool, arguments)
            self.calls.asked(record, question_in(arguments), keep=self._engine.keeps_questions)
            if spec is None:
                failure = events.CallFailure("Invalid input", str(disabled))
                output = ToolOutput(
                    disabled_text(str(disabled)), failure_code=errors.ErrorCode.INVALID_ARGUMENT, failure=failure
                )
            else:
                output = await self._guarded(spec, arguments, caller, budget, record, progress)
            whole = len(output.text)
            output, tokens = await asyncio.to_thread(self._bounded, output, budget)
            note_result(record.id, output.text, tokens, budget)
            record.outcome, record.verdict = output.failure_code or OK, output.verdict
            record.tokens, record.characters, record.pages = tokens, len(output.text), output.pages
            self.calls.shown(record, output.passages)
            record.failure = output.failure
            said = output.structured or {}
            record.is_partial = bool(said.get("partial") or said.get("truncated")) or len(output.text) < whole
            record.goes_on = bool((arguments or {}).get("cursor"))
        return output

    @asynccontextmanager
    async def recorded(
        self, tool: str, caller: limits.Caller, request_id: str | int | None = None
    ) -> AsyncIterator[CallRecord]:
        """Announce and log a call, with its outcome unless the block sets one."""
        # A client's request id for the log: bounded and printable.
        shown = "-" if request_id is None else re.sub(r"[^\w.:-]", "?", str(request_id))[:MAX_REQUEST_ID_CHARS]
        record = self.calls.begin(tool, caller.name, shown)
        current = events.CURRENT_CALL.set(record.id)
        try:
            yield record
        except asyncio.CancelledError:
            record.outcome = CANCELLED
            raise
        except errors.WebRAGError as error:
            record.outcome, record.failure = error.code, failure_of(error)
            raise
        except Exception as error:
            if record.outcome == OK:
                is_late = isinstance(error, TimeoutError)
                record.outcome = errors.ErrorCode.TIMEOUT if is_late else errors.ErrorCode.INTERNAL_ERROR
            raise
        finally:
            events.CURRENT_CALL.reset(current)
            self.calls.end(record)

    def slot(self, caller: limits.Caller) -> AbstractAsyncContextManager[None]:
        """Wait for a slot for a call that is not a tool call and does not use the network. Raises BusyError."""
        return self._quick.slot(limits.rate_key(caller))

    def gate(self, spec: ToolSpec) -> limits.CallGate:
        """Return the queue of a tool. Calls that use the network do not delay those that only read."""
        return self._slow if spec.hints.open_world else self._quick

    async def _guarded(
        self,
        spec: ToolSpec,
        arguments: Mapping[str, Any] | None,
        caller: limits.Caller,
        budget: Budget,
        record: CallRecord,
        progress: events.ProgressCallback,
    ) -> ToolOutput:
        """Return the handler's output, or an error output."""

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self.calls.progress(record, phase, detail)
            await progress(phase, detail, iteration, total)

        try:
            if not caller.charged:
                self.rate.check(limits.rate_key(caller))
            check_size(arguments or {})
            note = " ".join(troubles_of(self._engine.health)) if spec.notes_health else ""
            # Both forms of a result contain the note, and a token has at least one byte.
            size = 2 * len(json.dumps(note)) + NOTE_FRAME_BYTES if note else 0
            left = (max(limit // 2, limit - size) for limit in (budget.tokens, budget.characters, budget.bytes))
            given = checked_arguments(spec.check_input, arguments)
            record.named = named_addresses(given)
            read = tuple(reversed(self._read.get(caller.owner, {}))) if caller.key else None
            call = ToolCall(self._engine, given, caller, Budget(*left), report, read=read)
            if spec.asks_libraries and self._engine.joined:
                call = replace(call, library=self.offers.library(caller, given))
            self._engine.check_not_paused()
            output = await self._timed(spec, call, record)
            if caller.key and not output.failure_code:
                self._note_read(caller.owner, output.pages)
            return _validated(spec, output, one_line(note), budget)
        except errors.WebRAGError as error:
            needs_browser = isinstance(error, errors.ContentProtectedError) and error.may_open_in_browser
            return replace(_error_output(spec, error, error_text(error)), needs_browser=needs_browser)
        except Exception as error:
            # The message of an unknown exception may contain arguments or page text, so the log gets only its type and
            # place.
            withheld = RuntimeError(type(error).__name__)
            info = (RuntimeError, withheld, error.__traceback__)
            log.error("call %d: %s failed", record.id, spec.id, exc_info=info)
            message = sentence("Unexpected error in WebRAG; see call {} in its log.", record.id)
            told = errors.WebRAGError(message, hint=REPORT_DEFECT)
            return _error_output(spec, told, internal_text(f"call {record.id}"))

    def _note_read(self, owner: str, pages: Sequence[str]) -> None:
        """Remember the pages of a result for its connection, the newest last."""
        known = self._read.setdefault(owner, {})
        self._read.move_to_end(owner)
        for url in reversed(pages):
            known.pop(url, None)
            known[url] = None
        for old in list(known)[: -caps.MAX_STATUS_URLS]:
            del known[old]
        while len(self._read) > MAX_CONNECTIONS_REMEMBERED:
            self._read.popitem(last=False)

    async def _timed(self, spec: ToolSpec, call: ToolCall, record: CallRecord) -> ToolOutput:
        limit = spec.time_limit or self._engine.settings.mcp_tool_timeout
        warning = asyncio.get_running_loop().call_later(
            WARNING_SHARE * limit, log.warning, "call %d: %s is near its limit of %g s", record.id, spec.id, limit
        )
        scope = asyncio.timeout(limit)
        deadline = limits.soft_deadline(self._engine.settings, call.caller.name)
        arrived = time.monotonic()
        try:
            async with scope, self.gate(spec).slot(limits.rate_key(call.caller)):
                left = deadline - (time.monotonic() - arrived)
                seconds = min(deadline, max(limits.MIN_SOFT_DEADLINE_SECONDS, left))
                named = call.arguments.get(COLLECTION) if spec.chooses_collection else None
                with await self._engine.writing_to(named):
                    return await spec.handler(replace(call, seconds=seconds))
        except TimeoutError:
            if not scope.expired():
                raise
            log.error("call %d: %s exceeded its limit of %g s", record.id, spec.id, limit)
            message = sentence("Timed out after {} s.", f"{limit:g}")
            told = errors.CallTimeoutError(message, hint="Try again, or request less in one call.")
            return _error_output(spec, told, timeout_text(limit))
        finally:
            warning.cancel()

    def _bounded(self, output: ToolOutput, budget: Budget) -> tuple[ToolOutput, int]:
        """Return the output cut to the limits, and the tokens of its text."""
        count = self._engine.count_tokens
        text = clip(output.text, budget, count)
        if text != output.text:
            log.warning("a result of %d characters was cut to %d", len(output.text), len(text))
        return replace(output, text=text, links=output.links[: caps.MAX_LINKS_PER_RESULT]), count(text)


@dataclass(slots=True)
class CallRecord:
    """One call from arrival to end. `outcome` is "ok", "cancelled" or an error code.

    `named` are the addresses in its arguments; `question` is set if questions may be stored; `verdict` rates a successful result.
    `is_partial`: there is more than the result contains; `goes_on`: the call continued an earlier one.
    """

    tool: str
    client: str
    id: int = field(default_factory=lambda: next(_NUMBERS))
    started_at: float = field(default_factory=time.time)
    outcome: str = OK
    tokens: int = 0
    characters: int = 0
    pages: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    failure: events.CallFailure | None = None
    question: str = ""
    verdict: events.Verdict = events.Verdict.DONE
    is_partial: bool = False
    goes_on: bool = False
    _started: float = field(default_factory=time.perf_counter)

    @property
    def elapsed_ms(self) -> float:
        return 1000 * (time.perf_counter() - self._started)


class CallLog:
    """Announces calls to the window, the tray and the log file."""

    def __init__(self, bus: events.EventBus) -> None:
        self._bus = bus

    def begin(self, tool: str, client: str, request: str) -> CallRecord:
        record = CallRecord(tool, client)
        log.info("call %d: %s from %s, request %s", record.id, tool, client, request)
        self._bus.publish(events.CallStarted(record.id, tool, client, record.started_at))
        return record

    def asked(self, record: CallRecord, question: str, *, keep: bool) -> None:
        """Announce the question of a call, but only if it may be stored or diagnostic logging is on."""
        if question and (keep or DIAGNOSTICS.is_on):
            self._bus.publish(events.CallAsked(record.id, question))
        record.question = question if keep else ""

    def shown(self, record: CallRecord, passages: Sequence[ShownPassage]) -> None:
        """Announce the passages that the result of a call shows, page by page."""
        pages: dict[int, list[ShownPassage]] = {}
        for passage in passages:
            pages.setdefault(passage.document_id, []).append(passage)
        for document_id, each in pages.items():
            ranges = tuple(dict.fromkeys((passage.start, passage.end) for passage in each))[:MAX_PASSAGES_RECORDED]
            self._bus.publish(events.EvidenceTraced(record.id, each[0].url, document_id, each[0].title, ranges))

    def progress(self, record: CallRecord, phase: str, detail: str) -> None:
        self._bus.publish(events.CallProgress(record.id, phase, detail))

    def end(self, record: CallRecord) -> None:
        failure, verdict = record.failure, record.verdict if record.outcome == OK else events.Verdict.FAILED
        if failure and len(record.named) == 1 and not (failure.url or failure.argument):
            failure = replace(failure, url=redact(record.named[0]))
        log.info(
            "call %d: %s %s after %.0f ms, %d tokens, %d characters, %d pages%s%s",
            record.id,
            record.tool,
            record.outcome,
            record.elapsed_ms,
            record.tokens,
            record.characters,
            len(record.pages),
            ", partial" if record.is_partial else "",
            ", from a cursor" if record.goes_on else "",
        )
        self._bus.publish(
            events.CallFinished(
                call_id=record.id,
                tool=record.tool,
                client=record.client,
                started_at=record.started_at,
                duration_ms=record.elapsed_ms,
                outcome=str(record.outcome),
                tokens=record.tokens,
                characters=record.characters,
                pages=record.pages,
                named=record.named,
                failure=failure,
                question=record.question,
                verdict="" if record.outcome == CANCELLED else verdict,
            )
        )


def _call_gate(engine: Engine) -> limits.CallGate:
    """Return the queue of the engine: a node serves many users, a desktop the assistants of one."""
    return limits.CallGate() if engine.node is None else gate_of_node(engine.node.options.calls)


def gate_of_node(calls: int) -> limits.CallGate:
    """Return the queue of a node that runs `calls` calls at a time."""
    places = max(QUEUED_AT_NODE, QUEUED_PER_PLACE * calls)
    return limits.CallGate(calls, places, share=max(1, calls // SHARES_OF_NODE), waiting_share=places // SHARES_OF_NODE)


def named_addresses(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the distinct addresses that are arguments or entries of list arguments, up to the limit of a call."""
    values = [entry for value in arguments.values() for entry in (value if isinstance(value, list) else [value])]
    found = (value.strip() for value in values if isinstance(value, str) and _ADDRESS.fullmatch(value))
    return tuple(itertools.islice(dict.fromkeys(found), caps.MAX_URLS_PER_CALL))


def question_in(arguments: Mapping[str, Any] | None) -> str:
    """Return the questions of a call, one per line, without secrets. The arguments are unchecked."""
    given = (arguments or {}).get("query", (arguments or {}).get("question"))
    asked = given[: caps.MAX_SEARCH_QUERIES] if isinstance(given, list) else [given]
    lines = "\n".join(each.strip() for each in asked if isinstance(each, str))
    return redact(tame(lines[: caps.MAX_QUERY_CHARS])).encode("utf-8", "replace").decode() if lines else ""


def note_arguments(call_id: int, tool: str, arguments: Mapping[str, Any] | None) -> None:
    """Log the arguments as they came, shortened and without secrets."""
    if DIAGNOSTICS.may_be_on:
        text = json.dumps(arguments or {}, ensure_ascii=False, default=str)
        DIAGNOSTICS.write(f"call {call_id}: {tool} {_shown(text, MAX_DIAGNOSTIC_PARAMETER_CHARS)}")


def note_result(call_id: int, text: str, tokens: int, budget: Budget) -> None:
    """Log how much of the budget each section used, and the beginning of the result."""
    if DIAGNOSTICS.may_be_on:
        used = f"{tokens}/{budget.tokens} tokens, {len(text)}/{budget.characters} characters"
        sizes = ", ".join(f"{name.lower()} {size}" for name, size in section_sizes(text))
        DIAGNOSTICS.write(f"call {call_id}: {used}{f'; characters by section: {sizes}' if sizes else ''}")
        DIAGNOSTICS.write(f"call {call_id}: begins with {_shown(text, MAX_DIAGNOSTIC_PREVIEW_CHARS)}")


def section_sizes(text: str) -> list[tuple[str, int]]:
    """Return the sections of a result and their characters, in order."""
    found = list(_SECTION.finditer(text))
    ends = (*(match.start() for match in found), len(text))[1:]
    return [(match.group(1), end - match.start()) for match, end in zip(found, ends, strict=False)]


def _shown(text: str, limit: int) -> str:
    return one_line(redact(text), limit)


def _validated(spec: ToolSpec, output: ToolOutput, note: str, budget: Budget) -> ToolOutput:
    """Return the output, after the note about the library, if its structured content fits schema and budget; otherwise raise."""
    if output.failure_code:
        return replace(output, structured=None, links=(), picture=None)
    if note:
        structured = output.structured
        if structured is not None:
            structured = {**structured, "note": " ".join(filter(None, (note, structured.get("note"))))}
        output = replace(output, text=f"Note: {note}\n{output.text}", structured=structured)
    if not spec.is_structured:
        return replace(output, structured=None)
    assert spec.check_output is not None
    if output.structured is None or not spec.check_output.is_valid(output.structured):
        raise TypeError("a structured result does not fit its schema")
    size = len(json.dumps(output.structured, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    if size > budget.bytes:
        raise ResultTooLargeError(
            sentence("The result has {} bytes; the maximum is {}.", f"{size:,}", f"{budget.bytes:,}")
        )
    return output


def _error_output(spec: ToolSpec, error: errors.WebRAGError, text: str) -> ToolOutput:
    """Return the error template of texts, or the error object of structured results.

    Errors have no structured content: some clients check it against the output schema even then.
    """
    if spec.is_structured:
        details = {"hint": error.hint, **error.details}
        shown = {key: safe(value) if isinstance(value, str) else value for key, value in details.items()}
        envelope = {"error": {"code": error.code.value, "message": safe(error.message), "details": shown}}
        text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    return ToolOutput(text, failure_code=error.code.value, failure=failure_of(error))
