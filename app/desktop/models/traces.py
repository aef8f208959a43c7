"""Traces of how answers were found: the pages of the latest calls, collected from events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from app.desktop.wording import counted, duration, percent, plain_address, split_address, translator
from app.events import CallAsked, CallFinished, Event, EvidenceTraced, PageTraced, RoundTraced, SearchEnded
from app.logs import redact

MAX_TRACES_KEPT: Final = 50  # Maximum number of calls to keep until WebRAG quits.

_tr = translator("Traces")

WAITING, READING, READ, FAILED, SKIPPED, USED = "waiting", "reading", "read", "failed", "skipped", "used"
UNFINISHED: Final = (WAITING, READING)


@dataclass(slots=True)
class Trace:
    """One call. `pages` are in the order of the events; `query` is only known while diagnostic logging is on."""

    call_id: int
    pages: dict[str, PageTraced] = field(default_factory=dict)
    rounds: dict[int, RoundTraced] = field(default_factory=dict)
    evidence: dict[str, EvidenceTraced] = field(default_factory=dict)
    query: str = ""
    reason: str = ""

    def count(self, *states: str) -> int:
        return sum(page.state in states for page in self.pages.values())

    def ranges(self, url: str) -> tuple[tuple[int, int], ...]:
        """Return the passages of a page used in the answer. The page can be known by the address that was requested."""
        page = self.pages.get(url)
        wanted = page.document_id if page is not None else 0
        others = (each for each in self.evidence.values() if wanted and each.document_id == wanted)
        known = self.evidence.get(url) or next(others, None)
        return known.ranges if known is not None else ()


class Traces(QObject):
    """The latest MAX_TRACES_KEPT calls with events, without secrets in addresses. `changed` carries the IDs of changed calls."""

    changed = Signal(set)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[int, Trace] = {}

    def of(self, call_id: int) -> Trace | None:
        return self._known.get(call_id)

    def forget(self) -> None:
        told = set(self._known)
        self._known.clear()
        self.changed.emit(told)

    def forget_queries(self) -> None:
        """Forget all questions after diagnostic logging has ended."""
        for trace in self._known.values():
            trace.query = ""

    def on_events(self, events: list[Event]) -> None:
        changed = {call_id for event in events if (call_id := self._take(event))}
        while len(self._known) > MAX_TRACES_KEPT:
            self._known.pop(next(iter(self._known)))
        if changed:
            self.changed.emit(changed)

    def _take(self, event: Event) -> int:
        """Return the ID of the call that the event changed, or 0."""
        match event:
            case PageTraced():
                words: dict[str, Any] = {
                    name: redact(getattr(event, name)) for name in ("url", "source_url", "title", "reason")
                }
                self._of(event.call_id).pages[words["url"]] = replace(event, **words)
            case RoundTraced():
                passed_over = tuple((redact(url), promise) for url, promise in event.passed_over)
                self._of(event.call_id).rounds[event.round] = replace(event, passed_over=passed_over)
            case EvidenceTraced():
                self._of(event.call_id).evidence[redact(event.url)] = event
            case CallAsked():
                self._of(event.call_id).query = event.query
            case SearchEnded():
                self._of(event.call_id).reason = event.reason
            case CallFinished() if event.call_id in self._known:
                trace = self._known[event.call_id]
                # Pages that were still in progress when the call ended were given up.
                for page in [page for page in trace.pages.values() if page.state in UNFINISHED]:
                    reason = _tr("The call ended before this page was read.")
                    trace.pages[page.url] = replace(page, state=SKIPPED, reason=reason)
            case _:
                return 0
        return event.call_id

    def _of(self, call_id: int) -> Trace:
        return self._known.setdefault(call_id, Trace(call_id))


def page_name(page: PageTraced) -> str:
    """Return the title of a page, or its path if the title is unknown."""
    return page.title or split_address(page.url).path.strip("/") or plain_address(page.url)


def _look(state: str) -> tuple[str, tuple[str, str]]:
    """Return the text of a state, and its icon with a color."""
    return {
        WAITING: (_tr("Waiting"), ("clock", "muted")),
        READING: (_tr("Reading…"), ("busy", "accent_text")),
        READ: (_tr("Read"), ("ok", "muted")),
        FAILED: (_tr("Failed"), ("error", "danger")),
        SKIPPED: (_tr("Skipped"), ("minus", "muted")),
        USED: (_tr("Used"), ("quote", "success")),
    }.get(state, (state, ("info", "muted")))


def state_mark(state: str) -> tuple[str, str]:
    return _look(state)[1]


def state_text(page: PageTraced, passages: int = 0) -> str:
    """Return the result of a page in a few words. `passages` of it are in the answer."""
    if page.state == USED and passages:
        return counted(passages, _tr("1 passage used"), _tr("{} passages used"))
    return _look(page.state)[0]


def page_facts(page: PageTraced, passages: int = 0) -> str:
    words = [state_text(page, passages)]
    if page.reason:
        words.append(page.reason)
    if page.promise is not None:
        words.append(_tr("link score {}").format(percent(page.promise)))
    if page.relevance is not None:
        words.append(_tr("best passage {}").format(percent(page.relevance)))
    if page.tokens:
        words.append(counted(page.tokens, _tr("1 token"), _tr("{} tokens")))
    if page.duration_ms:
        words.append(duration(page.duration_ms))
    return "  ·  ".join(words)


def reason_text(reason: str) -> str:
    """Return why no more links were followed, as a sentence."""
    return {
        "evidence sufficient": _tr("Found enough."),
        "expansion budget exhausted": _tr("Reached the link-following limit."),
        "time budget": _tr("Reached the time limit for reading pages."),
        "no link promises more": _tr("No other link looked promising."),
        "score plateau": _tr("More pages did not improve the results."),
        "expansion not requested": _tr("Following links was not requested."),
        "search complete": _tr("Searched stored pages only."),
        "No chunks above relevance threshold.": _tr("Nothing on these pages matches the question."),
    }.get(reason, reason)


def summary_text(trace: Trace) -> str:
    """Summarize the progress of a question, or how it ended."""
    read = trace.count(READ, USED)
    words = [counted(read, _tr("1 page read"), _tr("{} pages read"))]
    if used := trace.count(USED):
        words.append(counted(used, _tr("1 used in the answer"), _tr("{} used in the answer")))
    if failed := trace.count(FAILED):
        words.append(counted(failed, _tr("1 failed"), _tr("{} failed")))
    if trace.reason:
        words.append(reason_text(trace.reason))
    elif waiting := trace.count(*UNFINISHED):
        words.append(counted(waiting, _tr("1 waiting"), _tr("{} waiting")))
    return "  ·  ".join(words)
