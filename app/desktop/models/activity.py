"""Tool calls, newest first, from the library (recorded) and from events (running), and the pages that a call used."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject, Signal

from app import caps, events
from app.corpus.records import ActivityRecord
from app.desktop.engine_thread import Engine, EngineThread
from app.desktop.models.jobs import TITLES, cause_text, kind_of
from app.desktop.models.rows import Column, RowsModel, amount, moment
from app.desktop.wording import assistant_title, clock, duration, number, plain_address, site_of, spoken, translator
from app.durations import time_span
from app.errors import ErrorCode
from app.events import CallFailure, CallFinished, Event, PageRead, Verdict
from app.library.records import DocumentSummary
from app.logs import redact

_tr = translator("ActivityModel")

TIME, CLIENT, TOOL, PAGES, TOKENS, DURATION, OUTCOME = range(7)

RUNNING = "running"
_VERDICTS: Final = frozenset(Verdict)
OK = "ok"
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Call:
    """A call as shown. `key` is ("live", call id) or ("stored", row id); `outcome` is running, ok or an error code."""

    key: tuple[str, int]
    started_at: float
    client: str
    tool: str
    outcome: str
    phase: str = ""
    detail: str = ""  # Current step of a running call, as reported to the assistant.
    duration_ms: float = 0.0
    tokens: int = 0
    pages: tuple[str, ...] = ()  # Addresses without secrets.
    saved: int = 0  # Tokens of its pages minus tokens returned. Negative if more was returned.
    reads: tuple[PageRead, ...] = ()  # The recorded pages. Empty until then.
    failure: CallFailure | None = None
    verdict: str = ""  # Verdict of the server on the result. Empty until the call ends.
    question: str = ""  # Empty unless questions are saved.

    @property
    def name(self) -> str:
        """The question on one line, or the tool name if there is none."""
        return " ".join(self.question.split()) or self.tool

    @property
    def result(self) -> str:
        """RUNNING, CANCELLED or a Verdict. Earlier versions recorded no verdict for successful calls."""
        if self.outcome in (RUNNING, CANCELLED):
            return self.outcome
        if self.outcome != OK:
            return Verdict.FAILED
        return self.verdict if self.verdict in _VERDICTS else Verdict.DONE

    @property
    def is_running(self) -> bool:
        return self.outcome == RUNNING

    @property
    def elapsed_ms(self) -> float:
        """Duration in milliseconds, so far or in total."""
        return max(0.0, 1000 * (time.time() - self.started_at)) if self.is_running else self.duration_ms

    @property
    def addresses(self) -> tuple[str, ...]:
        """Its pages; for a failed call, the page that caused the failure."""
        return self.pages or ((self.failure.url,) if self.failure is not None and self.failure.url else ())


def outcome_text(call: Call) -> str:
    """Return the text of the Outcome column: the phase of a running call, the result of an ended one."""
    if call.outcome == RUNNING:
        return phase_text(call.phase) or call.detail or _tr("Running")
    if call.outcome == OK:
        return result_text(call.result)
    if (failure := call.failure) is not None:
        if failure.argument:
            return _tr("Invalid argument: {}").format(failure.argument)
        kind = kind_of(failure.text)
        if failure.url and kind in TITLES:
            return cause_text(kind)
        if failure.title and call.outcome != ErrorCode.INTERNAL_ERROR:
            return spoken(failure.title)
    return {
        CANCELLED: _tr("Canceled"),
        "INVALID_ARGUMENT": _tr("Invalid request"),
        "SCOPE_VIOLATION": _tr("Not allowed"),
        "BACKEND_UNAVAILABLE": _tr("Not available"),
        "TIMEOUT": _tr("Timed out"),
        "BUDGET_EXCEEDED": _tr("Limit exceeded"),
        "INTERNAL_ERROR": _tr("Internal error"),
    }.get(call.outcome, call.outcome)


def _look(result: str) -> tuple[str, tuple[str, str]]:
    """Return the short text of a result, and its icon with a color."""
    return {
        RUNNING: (_tr("Running"), ("busy", "accent_text")),
        Verdict.ANSWERED: (_tr("Answered"), ("ok", "success")),
        Verdict.CLOSEST: (_tr("Closest only"), ("alert", "warning")),
        Verdict.NOTHING: (_tr("Nothing found"), ("search", "warning")),
        Verdict.FAILED: (_tr("Failed"), ("error", "danger")),
        Verdict.DONE: (_tr("Done"), ("ok", "success")),
        CANCELLED: (_tr("Canceled"), ("close", "muted")),
    }[result]


def result_text(result: str) -> str:
    return _look(result)[0]


def address_to_try(failure: CallFailure) -> str:
    """Return the address of a failure if it is a complete web address. Addresses with secrets are recorded redacted."""
    is_whole = failure.url.startswith(("http://", "https://")) and "[redacted]" not in failure.url
    return failure.url if is_whole else ""


def phase_text(phase: str) -> str:
    """Describe the current phase of a call, or return an empty string for an unknown phase."""
    return {
        "ingestion": _tr("Reading pages"),
        "analysis": _tr("Understanding the question"),
        "retrieval": _tr("Searching"),
        "reranking": _tr("Comparing passages"),
        "expansion": _tr("Following links"),
        "locality": _tr("Compiling the answer"),
        "merge": _tr("Compiling the answer"),
    }.get(phase, "")


def elapsed_text(call: Call) -> str:
    """Return the text of the Duration column. Running calls show whole seconds to be readable."""
    if not call.is_running:
        return duration(call.duration_ms)
    return time_span(call.elapsed_ms / 1000) if call.elapsed_ms >= 1000 else "…"


def pages_text(call: Call) -> str:
    """Return the first page of a call and the number of others."""
    pages = call.addresses
    if not pages:
        return "–"
    return plain_address(pages[0]) if len(pages) == 1 else f"{site_of(pages[0])} +{number(len(pages) - 1)}"


def outcome_mark(call: Call) -> tuple[str, str]:
    return _look(call.result)[1]


class ActivityModel(RowsModel[Call]):
    """At most MAX_ACTIVITY_SHOWN calls, running ones first. `failed` carries a WebRAGError, `held` the number of calls not shown yet.

    While paused, the rows do not change, but `everything` is still updated.
    """

    failed = Signal(object)
    held = Signal(int)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[Call]] = [
            moment(_tr("Time"), lambda c: c.started_at, clock),
            Column(
                _tr("Assistant"),
                lambda c: assistant_title(c.client) or _tr("unknown"),
                lambda c: assistant_title(c.client).casefold(),
            ),
            Column(
                _tr("Call"),
                lambda c: c.name,
                lambda c: c.name.casefold(),
                tip=lambda c: f"{c.question}\n{c.tool}".strip(),
                below=lambda c: c.tool if c.question else "",
            ),
            Column(_tr("Pages"), pages_text, lambda c: len(c.addresses), tip=lambda c: "\n".join(c.addresses)),
            amount(_tr("Tokens"), lambda c: c.tokens, is_zero_shown=False),
            Column(_tr("Duration"), elapsed_text, lambda c: c.elapsed_ms, right=True),
            Column(
                _tr("Outcome"),
                outcome_text,
                lambda c: c.result,
                tip=lambda c: (c.detail if c.is_running else c.failure.text if c.failure else "") or outcome_text(c),
                mark=outcome_mark,
            ),
        ]
        super().__init__(columns, parent, attrgetter("key"))
        self._thread = thread
        self._wanted: dict[str, str] = {}
        self._standing: dict[Hashable, Call] | None = None

    def haystack(self, record: Call) -> str:
        names = (assistant_title(record.client), record.client, record.tool, record.outcome, outcome_text(record))
        return "\n".join((record.question, *names, *record.addresses)).casefold()

    def accepts(self, record: Call) -> bool:
        known = {"client": assistant_title(record.client), "tool": record.tool, "result": record.result}
        return all(value in ("", known[name]) for name, value in self._wanted.items())

    @property
    def clients(self) -> list[str]:
        return sorted({assistant_title(call.client) for call in self.everything if call.client}, key=str.casefold)

    @property
    def tools(self) -> list[str]:
        return sorted({call.tool for call in self.everything})

    @property
    def running(self) -> int:
        """Number of the shown calls that are running."""
        return sum(call.is_running for call in self.records)

    @property
    def is_paused(self) -> bool:
        return self._standing is not None

    def narrow(self, **wanted: str) -> None:
        """Show only the calls of a `client`, `tool` or `result`. An empty string means all."""
        self._wanted |= wanted
        self.rearrange()

    def set_paused(self, on: bool) -> None:
        """Freeze the rows, or show what has happened since."""
        self._standing = dict(self._all) if on else None
        self.rearrange()
        self.held.emit(0)

    def reload(self) -> None:
        """Load the recorded calls. Running calls are kept."""
        most = caps.MAX_ACTIVITY_SHOWN
        self._thread.submit(
            lambda engine: engine.activity.calls(most), self._take_recorded, self.failed.emit, owner=self
        )

    def forget(self) -> None:
        """Remove all calls except running ones."""
        self._standing = None
        self.held.emit(0)
        self.replace([call for call in self._all.values() if call.is_running])

    def on_events(self, events: list[Event]) -> None:
        changed = False
        for event in events:
            call = self._told(event)
            if call is not None:
                changed = True
                self._all[call.key] = call
        if changed:
            self._trim()
            self.rearrange()
            if self._standing is not None:
                self.held.emit(len(self._all.keys() - self._standing.keys()))

    def count_on(self) -> None:
        """Redraw the duration of running calls."""
        for place, call in enumerate(self._visible):
            if not call.is_running:
                break
            self.dataChanged.emit(self.index(place, DURATION), self.index(place, DURATION))

    def call_of(self, key: tuple[str, int]) -> Call | None:
        return self._all.get(key)

    def _arranged(self) -> list[Call]:
        now = self._all
        self._all = now if self._standing is None else self._standing
        try:
            # The sort is stable, so running calls keep the selected order among themselves.
            return sorted(super()._arranged(), key=lambda call: not call.is_running)
        finally:
            self._all = now

    def _told(self, event: Event) -> Call | None:
        match event:
            case events.CallStarted():
                return Call(("live", event.call_id), event.started_at or time.time(), event.client, event.tool, RUNNING)
            case events.CallAsked() if (known := self._running(event.call_id)) is not None:
                return replace(known, question=event.query)
            case events.CallProgress() if (known := self._running(event.call_id)) is not None:
                return replace(known, phase=event.phase, detail=event.detail)
            case CallFinished():
                return ended_call(("live", event.call_id), event)
            case events.CallRecorded():
                known = self._all.get(("live", event.call_id))
                return replace(known, saved=event.saved, reads=event.reads) if known is not None else None
            case _:
                return None

    def _running(self, call_id: int) -> Call | None:
        known = self._all.get(("live", call_id))
        return known if known is not None and known.is_running else None

    def _take_recorded(self, records: list[ActivityRecord]) -> None:
        """Merge recorded calls. Live calls stay; the record has the more exact numbers of tokens saved."""
        live = {_moment(call): call for call in self._all.values() if call.key[0] == "live"}
        known = [(live.pop(_moment(record), None), record) for record in records]
        shown = [
            replace(call, saved=record.saved, reads=record.reads, question=record.question)
            if call
            else recorded_call(record)
            for call, record in known
        ]
        self._all = {call.key: call for call in (*live.values(), *shown)}
        self._trim()
        self.rearrange()

    def _trim(self) -> None:
        if len(self._all) > caps.MAX_ACTIVITY_SHOWN:
            newest = sorted(self._all.values(), key=lambda call: call.started_at, reverse=True)
            self._all = {call.key: call for call in newest[: caps.MAX_ACTIVITY_SHOWN]}


def _moment(call: Call | ActivityRecord) -> tuple[float, str, str]:
    """Return a key that is equal for a live call and its record."""
    return call.started_at, call.tool, call.client


def ended_call(key: tuple[str, int], ended: CallFinished | ActivityRecord) -> Call:
    return Call(
        key=key,
        started_at=ended.started_at,
        client=ended.client,
        tool=ended.tool,
        outcome=ended.outcome,
        duration_ms=ended.duration_ms,
        tokens=ended.tokens,
        pages=tuple(map(redact, ended.pages)),
        failure=ended.failure,
        verdict=ended.verdict,
        question=ended.question,
    )


def recorded_call(record: ActivityRecord) -> Call:
    return replace(ended_call(("stored", record.id), record), saved=record.saved, reads=record.reads)


@dataclass(frozen=True, slots=True)
class TouchedPage:
    """A page that a call used. `document_id` is 0 if the page is no longer stored; `ranges` are the passages used, best first."""

    url: str
    title: str = ""
    document_id: int = 0
    tokens: int = 0
    ranges: tuple[tuple[int, int], ...] = ()
    counted: int = 0  # The page size if the page counts in the ledger, otherwise 0.


async def touched_pages(engine: Engine, call: Call) -> tuple[TouchedPage, ...]:
    """Return the pages of a call in order. Passages of pages that have changed since are omitted, because they have moved."""
    if not call.reads:
        stored = await engine.documents.at(call.pages)
        return tuple(_touched(PageRead(url), page) for url, page in zip(call.pages, stored, strict=True))
    known = {page.id: page for page in await engine.documents.rows([read.document_id for read in call.reads])}
    ended = call.started_at + call.duration_ms / 1000
    pages = [(read, known.get(read.document_id)) for read in call.reads]
    return tuple(
        _touched(read if page is not None and page.changed_at <= ended else replace(read, ranges=()), page)
        for read, page in pages
    )


def _touched(read: PageRead, page: DocumentSummary | None) -> TouchedPage:
    if page is None:
        return TouchedPage(read.url, counted=read.whole)
    return TouchedPage(read.url, page.title, page.id, page.tokens, read.ranges, read.whole)


def saved_text(call: Call) -> str:
    """Explain how many tokens a call saved. Empty if none of its pages count."""
    whole = sum(read.whole for read in call.reads)
    if whole and call.saved < 0:
        words = _tr("{} − {} = {} more tokens than on its pages")
        return words.format(number(call.tokens), number(whole), number(-call.saved))
    if whole:
        return _tr("{} − {} = {} tokens saved").format(number(whole), number(call.tokens), number(call.saved))
    return _tr("No tokens saved: its pages were already counted that day") if call.saved else ""


def touched_model(parent: QObject) -> RowsModel[TouchedPage]:
    columns: list[Column[TouchedPage]] = [
        Column(
            _tr("Page"),
            lambda p: p.title or plain_address(p.url),
            lambda p: (p.title or p.url).casefold(),
            tip=lambda p: p.url,
            mark=lambda p: ("quote", "success") if p.ranges else None,
        ),
        amount(_tr("Passages used"), lambda p: len(p.ranges), is_zero_shown=False),
        Column(
            _tr("Page length"),
            lambda p: _tr("{} tokens").format(number(p.tokens)) if p.document_id else _tr("not stored"),
            lambda p: p.tokens,
            right=True,
        ),
        Column(
            _tr("Counted tokens"),
            lambda p: _tr("{} tokens").format(number(p.counted)) if p.counted else "–",
            lambda p: p.counted,
            right=True,
            tip=lambda _p: _tr("Each page counts once a day. For searches, only the top page counts."),
        ),
    ]
    return RowsModel(columns, parent, lambda page: page.url)
