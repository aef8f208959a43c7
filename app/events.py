"""Typed events on one bus: progress, activity, corpus changes. MCP progress, tray, Activity page and progress bar read the same stream.

A `ProgressCallback` is how a running question tells the one caller that waits for it where it is.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

log = logging.getLogger(__name__)

CURRENT_CALL: Final[ContextVar[int]] = ContextVar("current_call", default=0)
"""The `call_id` of the call that the running code works for; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class EngineStateChanged(Event):
    """The engine started, stopped or paused, or something else is wrong with its file than before."""

    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class EmbedderChanged(Event):
    """The embedder began to fail, or works again; the engine's `embedder_state` says which."""


@dataclass(frozen=True, slots=True)
class ServerStateChanged(Event):
    """The HTTP endpoint went up (`url`) or down (empty `url`)."""

    url: str


@dataclass(frozen=True, slots=True)
class ClientsChanged(Event):
    """The names of the clients attached through bridges, one entry a bridge."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolsChanged(Event):
    """Which tools are offered to whom has been changed; every field as it is now, in the spelling of the settings."""

    profile: str
    client_profiles: tuple[str, ...] = ()
    name_style: str = "underscore"
    client_name_styles: tuple[str, ...] = ()
    client_libraries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LibrariesChanged(Event):
    """Shared libraries were joined, left, switched, went away or came back: the names of those that may be asked now."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScratchChanged(Event):
    """Passages were kept or removed since the last of these: how many there are now, and whether the pinned ones are others."""

    kept: int
    bytes: int
    pinned: int
    pins_changed: bool


@dataclass(frozen=True, slots=True)
class LabelsChanged(Event):
    """Collections or tags were changed; the ids of the pages that have others than before."""

    document_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CallStarted(Event):
    """A tool call arrived. `call_id` is unique in this process."""

    call_id: int
    tool: str
    client: str
    started_at: float = 0.0


@dataclass(frozen=True, slots=True)
class CallProgress(Event):
    """A phase of a running call, as worded for the assistant."""

    call_id: int
    phase: str
    detail: str


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why a call failed: the title of the error, the sentence and the hint that went to the assistant, in English.

    `url` is the page that it is about, `argument` the one that cannot be used; empty where there is none. Secrets are replaced
    in all of it.
    """

    title: str
    text: str
    hint: str = ""
    url: str = ""
    argument: str = ""


class Verdict(StrEnum):
    """What a call gave the assistant, as the code that made the result judged it. A cancelled call has none."""

    DONE = "done"
    """It asked nothing and did its work."""
    ANSWERED = "answered"
    """A result that most likely answers."""
    CLOSEST = "closest"
    """Only the closest passages: most likely they do not answer."""
    NOTHING = "nothing"
    FAILED = "failed"


def judged(found: object, *, answers: bool = True) -> Verdict:
    """The verdict on a result: empty, an answer, or only what comes closest to one."""
    if not found:
        return Verdict.NOTHING
    return Verdict.ANSWERED if answers else Verdict.CLOSEST


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    """A tool call ended. `outcome` is "ok" or the taxonomy code of the error; sizes are of the result text.

    `pages` are those that the result rests on, the best first; `named` the addresses that the arguments name. `question` is what
    it asked, empty unless the person lets questions be kept. `verdict` is a Verdict, or empty for a cancelled call.
    """

    call_id: int
    tool: str
    client: str
    started_at: float
    duration_ms: float
    outcome: str
    tokens: int
    characters: int
    pages: tuple[str, ...]
    named: tuple[str, ...] = ()
    failure: CallFailure | None = None
    question: str = ""
    verdict: str = ""


def reads_pages(tool: str, outcome: str, tokens: int) -> bool:
    """Whether a call gave the assistant text of its pages in place of reading them, and so saved the rest of them.

    `ingest` only stores pages, `status` and the graph only tell of them, and a quote is checked by who has read its page.
    """
    tells_only = tool in ("ingest", "status", "kb.verify_quote") or tool.startswith("graph.")
    return outcome == "ok" and tokens > 0 and not tells_only


QUESTION_TOOLS: Final = ("answer", "search", "kb.search", "kb.retrieve_evidence", "search_docs", "web.search")
"""Tools whose calls are questions; the others read, store or tell."""
MISTAKES: Final = ("INVALID_ARGUMENT", "SCOPE_VIOLATION")
"""Outcomes that the assistant itself has to correct, unless a page of the web is the reason."""
OF_THE_WEB: Final = "http"


def is_mistake(outcome: str, failure: CallFailure | None) -> bool:
    """Whether the assistant called wrongly, so that the person at the computer cannot do anything about it."""
    return outcome in MISTAKES and not (failure is not None and failure.url.startswith(OF_THE_WEB))


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that an ended call drew on. `document_id` is 0 for one that is not stored.

    `whole` is the size of the page in tokens where it counts as read for the assistant, else 0. `ranges` are the passages used,
    as character ranges of its text, the best first.
    """

    url: str
    document_id: int = 0
    whole: int = 0
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CallRecorded(Event):
    """A call was written down: its pages, and how many tokens it saved; fewer than none if it returned more than they have."""

    call_id: int
    reads: tuple[PageRead, ...]
    saved: int


@dataclass(frozen=True, slots=True)
class CallAsked(Event):
    """The question of a call that has begun; published only while questions are kept or diagnostic logging is on."""

    call_id: int
    query: str


@dataclass(frozen=True, slots=True)
class PageTraced(Event):
    """How one page of a running question stands; each says all that is known of the page by then.

    `state` is waiting, reading, read, failed, skipped or used (as evidence); `reason` says why one failed or was skipped.
    `source_url` is the page whose link leads to it, empty for one that was named; `round` is the round of following links, 0
    for named pages. `promise` is what its link promised and `relevance` the relevance of its best passage, both in 0..1, None
    while unknown. `tokens` are those of the whole page.
    """

    call_id: int
    url: str
    state: str
    source_url: str = ""
    round: int = 0
    title: str = ""
    document_id: int = 0
    passages: int = 0
    tokens: int = 0
    promise: float | None = None
    relevance: float | None = None
    duration_ms: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundTraced(Event):
    """A round of following links begins, of at most `budget`. `passed_over` are the next best links, which are not followed,
    with what they promise."""

    call_id: int
    round: int
    budget: int
    passed_over: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceTraced(Event):
    """The passages of one page that a result rests on, as character ranges of its text, the best first."""

    call_id: int
    url: str
    document_id: int
    title: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SearchEnded(Event):
    """Why a question follows no more links."""

    call_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class DocumentChanged(Event):
    """A document was stored, updated, embedded or deleted. `change` is stored, updated, unchanged, embedded or deleted."""

    url: str
    document_id: int
    change: str


@dataclass(frozen=True, slots=True)
class PicturesChanged(Event):
    """The pictures of a stored page were fetched."""

    url: str
    document_id: int


@dataclass(frozen=True, slots=True)
class EmbeddingProgress(Event):
    """Chunks that still wait for their vectors."""

    waiting: int


@dataclass(frozen=True, slots=True)
class JobChanged(Event):
    """A background job was added, moved on or ended. `state` is a JobState, `seconds_left` an estimate (None: unknown)."""

    job_id: int
    kind: str
    target: str
    state: str
    done: int
    total: int
    failed: int
    detail: str = ""
    seconds_left: float | None = None


Listener = Callable[[Event], None]


class EventBus:
    """Publish-subscribe between threads; listeners run on the publisher's thread and must return at once."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned function removes it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Hand the event to every listener; one that fails is logged and does not stop the others."""
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed on %s", type(event).__name__)


class ProgressCallback(Protocol):
    """Called at each phase with the wording of the contract; `iteration` and `total` count expansion rounds."""

    def __call__(
        self, phase: str, detail: str, iteration: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def no_progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
    """Tell nobody."""
