"""Callers, attached bridges and running calls, and their limits: rate, size of results, duration, and number of running calls."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import secrets
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

import anyio

from app import caps, extensions
from app.client_limits import limits_of
from app.errors import BusyError, WebRAGError
from app.events import ClientsChanged, EventBus
from app.server.render.text import Budget
from app.settings import Settings
from app.text.sentence import sentence

CLIENT_HEADER: Final = "x-webrag-client"
BRIDGE_HEADER: Final = "x-webrag-bridge"
TOOLS_HEADER: Final = "x-webrag-tools"
EXTENSIONS_HEADER: Final = "x-webrag-extensions"
SESSION_HEADER: Final = "mcp-session-id"
UNKNOWN: Final = "unknown"
PIPE: Final = "pipe"  # Key of the only client over standard input and output.
SUBJECT_KEY: Final = "webrag.subject"  # Key of the signed-in user in the scope of a request.

_SESSION = re.compile(
    rf"(?P<client>[\x21-\x7e]{{1,{caps.MAX_CLIENT_LABEL_CHARS}}})~(?P<nonce>[0-9a-f]{{32}})(?:~(?P<words>[a-z.]{{1,40}}))?"
)


@dataclass(frozen=True, slots=True)
class Caller:
    """The program or user that makes a call.

    `key` distinguishes connections of one program; `charged`: the call already passed the rate limit; `tools` is the requested tool
    profile. `subject` is the signed-in user, or empty without a sign-in. `extensions` are those that the client declared.
    """

    name: str = UNKNOWN
    version: str = ""
    key: str = ""
    charged: bool = False
    tools: str = ""
    subject: str = ""
    extensions: frozenset[str] = frozenset()

    @property
    def owner(self) -> str:
        """Return the owner of sessions and passages: one connection of one program (as far as known) of one user."""
        return f"{self.name}\0{self.key}\0{self.subject}" if self.subject else f"{self.name}\0{self.key}"


def caller_from_headers(headers: Mapping[str, str], subject: str = "") -> Caller:
    """Return the caller named by the headers of an HTTP request: a bridge, a session tag of this server, or unknown."""
    session = _SESSION.fullmatch(headers.get(SESSION_HEADER, ""))
    bridge = headers.get(BRIDGE_HEADER, "")
    key = f"bridge {_clean(bridge)}" if bridge else f"session {session['nonce']}" if session else ""
    label = headers.get(CLIENT_HEADER) or (session["client"] if session else "")
    name, version = split_label(label)
    words = headers.get(EXTENSIONS_HEADER, "") if bridge else (session["words"] or "") if session else ""
    tools = headers.get(TOOLS_HEADER, "").strip().lower()
    return Caller(name, version, key, tools=tools, subject=subject, extensions=extensions.from_words(words))


def caller_from_info(name: str | None, version: str | None) -> Caller:
    return Caller(_clean(name or "") or UNKNOWN, _clean(version or ""))


def split_label(label: str) -> tuple[str, str]:
    """Return name and version from a percent-encoded `name/version`."""
    name, _, version = unquote(label).rpartition("/") if "/" in label else (unquote(label), "", "")
    return _clean(name) or UNKNOWN, _clean(version)


def new_session_tag(params: Mapping[str, Any]) -> str:
    """Return an `Mcp-Session-Id` for a client that connected over plain HTTP.

    It names the client and its extensions, and distinguishes it from others, which a handshake without a session cannot do. Nothing is
    stored under it, so it stays valid when the application restarts.
    """
    info = params.get("clientInfo")
    info = info if isinstance(info, dict) else {}
    name, version = _clean(str(info.get("name", ""))), _clean(str(info.get("version", "")))
    label = quote(f"{name or UNKNOWN}/{version}", safe="/")
    words = extensions.to_words(extensions.declared(params.get("capabilities")))
    tag = f"{label if len(label) <= caps.MAX_CLIENT_LABEL_CHARS else UNKNOWN}~{secrets.token_hex(16)}"
    return f"{tag}~{words}" if words else tag


class AttachedClients:
    """The bridges that are connected to this instance."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus
        self._lines: dict[object, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._lines.values())

    @contextlib.contextmanager
    def attach(self, label: str) -> Iterator[None]:
        """Count a client as connected while the context is active."""
        line = object()
        self._lines[line] = split_label(label)[0]
        self._bus.publish(ClientsChanged(self.names))
        try:
            yield
        finally:
            del self._lines[line]
            self._bus.publish(ClientsChanged(self.names))


class RunningCalls:
    """Running calls that a later request of the same caller can cancel."""

    def __init__(self) -> None:
        self._scopes: dict[tuple[str, str | int], anyio.CancelScope] = {}

    @contextlib.contextmanager
    def cancellable(self, caller: Caller, request_id: str | int | None) -> Iterator[anyio.CancelScope]:
        """Return a scope that `cancel` with the same caller and id ends."""
        with anyio.CancelScope() as scope:
            if not caller.key or request_id is None:
                yield scope
                return
            place = (caller.owner, request_id)
            self._scopes[place] = scope
            try:
                yield scope
            finally:
                if self._scopes.get(place) is scope:
                    del self._scopes[place]

    def cancel(self, caller: Caller, request_id: object) -> bool:
        """Cancel a call of this caller; return False if there is none with this id."""
        if not caller.key or not isinstance(request_id, str | int):
            return False
        scope = self._scopes.get((caller.owner, request_id))
        if scope is not None:
            scope.cancel()
        return scope is not None


def _clean(text: str) -> str:
    printable = "".join(letter for letter in text if letter.isprintable())
    return " ".join(printable.split())[: caps.MAX_CLIENT_NAME_CHARS]


log = logging.getLogger(__name__)

BUSY_RETRY_SECONDS: Final = 5.0  # Least number of seconds after which a caller should retry when the queue is full.
MAX_BUSY_RETRY_SECONDS: Final = 60.0
NEW_SHARE: Final = 0.1  # Weight of the latest call in the average duration.
MAX_CALLERS_REMEMBERED: Final = 256  # Callers whose rate is counted; the one that was idle longest is dropped first.
CLIENT_MARGIN_SECONDS: Final = 15.0  # A call ends this long before its client would give up on it.
MIN_SOFT_DEADLINE_SECONDS: Final = 5.0
RATE_LIMITED: Final = -32000
RATE_MESSAGE: Final = "Rate limit exceeded"
"""The protocol error for a call over the limit; its data have `retryAfter` in seconds."""


def effective_budget(settings: Settings, client: str) -> Budget:
    """Return the smaller of the setting and the client's limit."""
    limits = limits_of(client)
    budget = Budget(
        tokens=min(settings.mcp_response_token_budget, limits.result_tokens),
        characters=min(limits.result_chars, caps.MAX_RESPONSE_CHARS),
        bytes=min(limits.result_bytes, caps.MAX_RESPONSE_BYTES),
    )
    log.debug("budget for %s: %d tokens, %d characters", client or "unknown", budget.tokens, budget.characters)
    return budget


def data_budget(budget: Budget) -> Budget:
    """Return the budget of a result that is sent in two forms: bytes limit the characters of both."""
    return Budget(budget.tokens, budget.characters, min(budget.bytes, budget.characters))


def soft_deadline(settings: Settings, client: str) -> float:
    """Return the seconds after which a call returns what it has: the setting, or less if the client gives up earlier."""
    patience = max(MIN_SOFT_DEADLINE_SECONDS, limits_of(client).call_seconds - CLIENT_MARGIN_SECONDS)
    return min(settings.mcp_soft_deadline, patience)


def rate_key(caller: Caller) -> str:
    """Return the key that calls are counted by: one connection of one program, or one user."""
    return caller.subject or f"{caller.name} {caller.key}"


@contextlib.asynccontextmanager
async def time_limit(seconds: float | None, late: WebRAGError) -> AsyncIterator[None]:
    """End the context after this time, if it is not None, and raise `late`."""
    scope = asyncio.timeout(seconds)
    try:
        async with scope:
            yield
    except TimeoutError as error:
        if not scope.expired():
            raise
        raise late from error


class RateLimiter:
    """A token bucket per caller: `requests` in `window` seconds on average, and at most that many at a time."""

    def __init__(self, requests: int, window: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = requests
        self._window = window
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def retry_after(self, key: str) -> float:
        """Take one call from the caller's bucket; return 0 if it may run, otherwise the seconds to wait."""
        now = self._clock()
        level, since = self._buckets.pop(key, (float(self._requests), now))
        rate = self._requests / self._window
        level = min(float(self._requests), level + (now - since) * rate)
        wait = 0.0 if level >= 1 else (1 - level) / rate
        self._buckets[key] = (level - 1 if wait == 0 else level, now)
        while len(self._buckets) > MAX_CALLERS_REMEMBERED:
            self._buckets.popitem(last=False)
        return wait

    def check(self, key: str) -> None:
        """Take one call from the caller's bucket. Raises BusyError over the limit."""
        wait = self.retry_after(key)
        if wait > 0:
            raise BusyError(
                sentence("The limit is {} calls in {} s.", self._requests, f"{self._window:g}"),
                retry_after=wait,
                hint=sentence("Wait {} s and call again.", math.ceil(wait)),
            )


@dataclass(eq=False)
class CallGate:
    """Runs up to `running` calls at a time and queues up to `waiting` more. One caller gets only its share of both.

    The caller whose last slot is longest ago is next. Belongs to one event loop.
    """

    running: int = caps.MAX_CONCURRENT_CALLS
    waiting: int = caps.MAX_QUEUED_CALLS
    _: KW_ONLY
    share: int = caps.MAX_CONCURRENT_CALLS_PER_CALLER
    waiting_share: int = caps.MAX_QUEUED_CALLS_PER_CALLER

    def __post_init__(self) -> None:
        self._free = self.running
        self._call_seconds = 0.0
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def slot(self, caller: str = "") -> AsyncIterator[None]:
        """Wait for a slot. Raises BusyError if too many calls are waiting."""
        turn = self._enter(caller)
        began = None
        try:
            await turn
            began = time.monotonic()
            yield
        finally:
            if began is not None:
                self._call_seconds += NEW_SHARE * (time.monotonic() - began - self._call_seconds)
            if turn in self._queues.get(caller, ()):
                self._forget(caller, turn)
            else:
                self._free += 1
                self._running[caller] -= 1
                self._running += Counter()
                self._grant()

    def _enter(self, caller: str) -> asyncio.Future[None]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(turn)
        self._grant()
        if not turn.done():
            own, all_waiting = len(self._queues[caller]), sum(map(len, self._queues.values()))
            if own > self.waiting_share or all_waiting > self.waiting:
                self._forget(caller, turn)
                waiting, at_once = (
                    (own - 1, self.share) if own > self.waiting_share else (all_waiting - 1, self.running)
                )
                seconds = self._call_seconds * waiting / min(at_once, self.running)  # Until the waiting calls have run.
                wait = math.ceil(min(max(seconds, BUSY_RETRY_SECONDS), MAX_BUSY_RETRY_SECONDS))
                raise BusyError(
                    sentence("{} calls are already waiting.", waiting),
                    retry_after=wait,
                    hint=sentence("Wait {} s and call again.", wait),
                )
        return turn

    def _grant(self) -> None:
        while self._free:
            caller = next((name for name in self._queues if self._running[name] < self.share), None)
            if caller is None:
                return
            turn = self._queues[caller].popleft()
            if self._queues[caller]:
                self._queues.move_to_end(caller)
            else:
                del self._queues[caller]
            self._free -= 1
            self._running[caller] += 1
            # A call that is canceled at this moment leaves on its own and releases the slot.
            if not turn.done():
                turn.set_result(None)

    def _forget(self, caller: str, turn: asyncio.Future[None]) -> None:
        self._queues[caller].remove(turn)
        if not self._queues[caller]:
            del self._queues[caller]
