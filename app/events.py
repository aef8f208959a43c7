"""Typed events on one bus: progress, activity, library changes. MCP progress, tray, Activity page and progress bar use the same events.

A `ProgressCallback` reports the progress of a running question to its caller.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from app.settings import Settings

log = logging.getLogger(__name__)

CURRENT_CALL: Final[ContextVar[int]] = ContextVar("current_call", default=0)
"""The `call_id` of the call that the running code serves, or 0."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of all events."""


@dataclass(frozen=True, slots=True)
class EngineStateChanged(Event):
    """The engine started, stopped or paused, or the problem of its file changed."""

    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class EmbedderChanged(Event):
    """The embedder started to fail, or works again. The engine's `embedder_state` says which."""


@dataclass(frozen=True, slots=True)
class ServerStateChanged(Event):
    """The HTTP endpoint started (`url`) or stopped (empty `url`)."""

    url: str


@dataclass(frozen=True, slots=True)
class ClientsChanged(Event):
    """The names of the clients attached through bridges, one entry per bridge."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolsChanged(Event):
    """The selection of tools changed. Every field has its current value, in the spelling of the settings."""

    profile: str
    client_profiles: tuple[str, ...] = ()
    name_style: str = "underscore"
    client_name_styles: tuple[str, ...] = ()
    client_libraries: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> ToolsChanged:
        tools = (settings.mcp_tool_profile, settings.mcp_client_tools)
        return cls(*tools, settings.mcp_tool_name_style, settings.mcp_client_name_style, settings.mcp_client_library)


@dataclass(frozen=True, slots=True)
class LibrariesChanged(Event):
    """Shared libraries were joined, left, turned on or off, lost or reconnected. Contains the names of the available ones."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScratchChanged(Event):
    """Passages were saved or deleted since the last event: their current number, and whether the pinned ones changed."""

    kept: int
    bytes: int
    pinned: int
    pins_changed: bool


@dataclass(frozen=True, slots=True)
class LabelsChanged(Event):
    """Collections or tags changed. Contains the IDs of the affected pages."""

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
    """The reason why a call failed: title, message and hint of the error, as sent to the assistant in English.

    `url` is the affected page and `argument` the invalid argument, or empty. Secrets are redacted in all fields.
    """

    title: str
    text: str
    hint: str = ""
    url: str = ""
    argument: str = ""


class Verdict(StrEnum):
    """The kind of result of a call, as judged by the code that created it. A canceled call has none."""

    DONE = "done"  # The call was not a question and succeeded.
    ANSWERED = "answered"  # The result most likely contains an answer.
    CLOSEST = "closest"  # Only the closest passages, which most likely do not contain an answer.
    NOTHING = "nothing"
    FAILED = "failed"


def judged(found: object, *, answers: bool = True) -> Verdict:
    """Return the verdict on a result: empty, an answer, or only the closest passages."""
    if not found:
        return Verdict.NOTHING
    return Verdict.ANSWERED if answers else Verdict.CLOSEST


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    """A tool call ended. `outcome` is "ok" or an error code. Sizes refer to the result text.

    `pages` are the pages used for the result, best first; `named` the URLs in the arguments. `question` is empty unless the user lets
    WebRAG record questions. `verdict` is a Verdict, or empty for a canceled call.
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
    """Whether a call saved tokens by returning passages to the assistant instead of whole pages.

    `ingest` only stores pages, `status` and the graph only describe them, and to verify a quote the assistant must have read its page.
    """
    tells_only = tool in ("ingest", "status", "kb.verify_quote") or tool.startswith("graph.")
    return outcome == "ok" and tokens > 0 and not tells_only


QUESTION_TOOLS: Final = ("answer", "search", "kb.search", "kb.retrieve_evidence", "search_docs", "web.search")
"""Tools whose calls are questions. The others read, store or report."""
MISTAKES: Final = ("INVALID_ARGUMENT", "SCOPE_VIOLATION")
"""Outcomes that the assistant must correct itself, unless a web page is the cause."""
OF_THE_WEB: Final = "http"


def is_mistake(outcome: str, failure: CallFailure | None) -> bool:
    """Whether the assistant made an invalid call, so that the user cannot fix it."""
    return outcome in MISTAKES and not (failure is not None and failure.url.startswith(OF_THE_WEB))


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that an ended call used. `document_id` is 0 for a page that is not stored.

    `whole` is its size in tokens if it counts as read by the assistant, otherwise 0. `ranges` are the used characters, best first.
    """

    url: str
    document_id: int = 0
    whole: int = 0
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CallRecorded(Event):
    """A call was recorded: its pages, and the tokens it saved. Negative if the result was larger than the pages."""

    call_id: int
    reads: tuple[PageRead, ...]
    saved: int


@dataclass(frozen=True, slots=True)
class CallAsked(Event):
    """The question of a call that has started. Published only while questions are recorded or diagnostic logging is on."""

    call_id: int
    query: str


@dataclass(frozen=True, slots=True)
class PageTraced(Event):
    """The current state of one page of a running question. Each event contains all that is known by then.

    `state` is waiting, reading, read, failed, skipped or used (as evidence); `reason` explains failed and skipped. `source_url` is the page
    with the link to it. `round` is the round of following links. Pages from the arguments have no `source_url` and round 0. `promise` is
    the score of the link and `relevance` the score of the best passage, both in 0..1 or None. `tokens` is the size of the whole page.
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
    """A round of following links begins, with at most `budget` links.

    `passed_over` are the next best links, which are not followed, with their scores.
    """

    call_id: int
    round: int
    budget: int
    passed_over: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceTraced(Event):
    """The passages of one page used for a result, as character ranges of its text, best first."""

    call_id: int
    url: str
    document_id: int
    title: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PassageWanted(Event):
    """The user wants to see a passage in the window: characters of a page's text."""

    document_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SearchEnded(Event):
    """The reason why a question stops following links."""

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
    """The images of a stored page were fetched."""

    url: str
    document_id: int


@dataclass(frozen=True, slots=True)
class LibraryUpdating(Event):
    """A library of an earlier version is updated before it opens. `share` is the completed share, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True)
class EmbeddingProgress(Event):
    """The number of chunks not embedded yet."""

    waiting: int


@dataclass(frozen=True, slots=True)
class JobChanged(Event):
    """A background job was added, made progress or ended. `state` is a JobState, `seconds_left` an estimate (None: unknown)."""

    job_id: int
    kind: str
    target: str
    state: str
    done: int
    total: int
    failed: int
    detail: str = ""
    seconds_left: float | None = None
    skipped: int = 0

    @property
    def indexed(self) -> int:
        """The number of pages that are in the library now, also unchanged ones."""
        return self.done - self.failed - self.skipped


Listener = Callable[[Event], None]


class EventBus:
    """Publish-subscribe between threads. Listeners run on the publisher's thread and must return immediately."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener, and return a function that removes it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Pass the event to every listener. A failing listener is logged and does not affect the others."""
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed on %s", type(event).__name__)


class ProgressCallback(Protocol):
    """Called at each phase with the wording of the contract. `iteration` and `total` count expansion rounds."""

    def __call__(
        self, phase: str, detail: str, iteration: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def no_progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
    """Ignore the progress."""
