"""Notifications about changed lists (tools, prompts, resources), in both protocol eras."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final

import anyio
from mcp.server import subscriptions
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import NotificationOptions
from mcp.server.session import ServerSession
from starlette.requests import Request

from app.events import DocumentChanged, Event, EventBus, LibrariesChanged, ScratchChanged, ToolsChanged
from app.library.records import PRIVATE
from app.library.scope import LIBRARY_PAGE_TEMPLATE
from app.scratch.resources import page_uri
from app.server.calls.limits import BRIDGE_HEADER
from app.server.protocol.messages import Context

MAX_LISTENERS: Final = 64  # Streams on which clients wait for changed lists.
MAX_LISTENER_EVENTS: Final = 64
TOOLS_CHANGE_SECONDS: Final = 0.2
"""Delay before a change of the tools is announced, so that several changes share one notification."""
RESOURCES_CHANGE_SECONDS: Final = 5.0
"""Minimum seconds between two notifications about resources: a crawl changes the list constantly."""


class Kind(StrEnum):
    """The list that changed; the value is the word sent to a bridge."""

    TOOLS = "tools"
    PROMPTS = "prompts"
    RESOURCES = "resources"


EVERY_CHANGE: Final = NotificationOptions(tools_changed=True, prompts_changed=True, resources_changed=True)

_EVENTS: Final[Mapping[Kind, subscriptions.ServerEvent]] = {
    Kind.TOOLS: subscriptions.ToolsListChanged(),
    Kind.PROMPTS: subscriptions.PromptsListChanged(),
    Kind.RESOURCES: subscriptions.ResourcesListChanged(),
}

Told = Callable[[Kind], None]


class ListChanges:
    """Follows program events while at least one server runs, and announces changed lists, several together.

    `listen` serves streams of `subscriptions/listen`, `told` the lines to bridges and sessions over pipes. Without `shows_pages`, changes
    of pages are not announced, because not every client may know of them.
    """

    def __init__(self, bus: EventBus, *, shows_pages: bool = True) -> None:
        self._bus = bus
        self._shows_pages = shows_pages
        self._streams = subscriptions.InMemorySubscriptionBus()
        self.listen = subscriptions.ListenHandler(
            self._streams, max_subscriptions=MAX_LISTENERS, max_buffered_events=MAX_LISTENER_EVENTS
        )
        self.end_streams = self.listen.close
        self._told: dict[object, Told] = {}
        self._timers: dict[Kind, asyncio.TimerHandle] = {}
        self._last: dict[Kind, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._publishing: set[asyncio.Task[None]] = set()
        self._servers = 0

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the events while any of these contexts is active."""
        self._servers += 1
        if self._servers == 1:
            self._loop = asyncio.get_running_loop()
            self._unsubscribe = self._bus.subscribe(self._on_event)
        try:
            yield
        finally:
            self._servers -= 1
            if self._servers == 0:
                self._unsubscribe()
                self._loop = None
                for timer in self._timers.values():
                    timer.cancel()
                self._timers.clear()

    @contextlib.contextmanager
    def told(self, tell: Told) -> Iterator[None]:
        """Call `tell` on the loop for every change while the context is active."""
        key = object()
        self._told[key] = tell
        try:
            yield
        finally:
            del self._told[key]

    def _on_event(self, event: Event) -> None:
        if not self._shows_pages and isinstance(event, DocumentChanged):
            return
        loop, kinds = self._loop, _kinds(event)
        if loop is not None and kinds:
            loop.call_soon_threadsafe(self._note, kinds)
        if loop is not None and isinstance(event, DocumentChanged) and event.change in ("updated", "deleted"):
            named = LIBRARY_PAGE_TEMPLATE.format(library=PRIVATE, page_id=event.document_id)
            for uri in (page_uri(event.document_id, event.url, PRIVATE), named):
                loop.call_soon_threadsafe(self._publish, subscriptions.ResourceUpdated(uri))

    def _note(self, kinds: tuple[Kind, ...]) -> None:
        loop = self._loop
        for kind in kinds:
            if loop is not None and kind not in self._timers:
                since = loop.time() - self._last.get(kind, float("-inf"))
                pause = RESOURCES_CHANGE_SECONDS if kind is Kind.RESOURCES else TOOLS_CHANGE_SECONDS
                wait = max(TOOLS_CHANGE_SECONDS, pause - since)
                self._timers[kind] = loop.call_later(wait, self._tell, kind)

    def _tell(self, kind: Kind) -> None:
        loop = self._loop
        self._timers.pop(kind, None)
        if loop is None:
            return
        self._last[kind] = loop.time()
        self._publish(_EVENTS[kind])
        for tell in tuple(self._told.values()):
            tell(kind)

    def _publish(self, event: subscriptions.ServerEvent) -> None:
        """Send to the streams; each takes the events that its client asked for."""
        if self._loop is not None:
            task = self._loop.create_task(self._streams.publish(event))
            self._publishing.add(task)
            task.add_done_callback(self._publishing.discard)


def _kinds(event: Event) -> tuple[Kind, ...]:
    match event:
        case ToolsChanged():
            return Kind.TOOLS, Kind.PROMPTS
        case LibrariesChanged():
            return (Kind.TOOLS,)
        case ScratchChanged(pins_changed=True) | DocumentChanged(change="stored" | "deleted"):
            return (Kind.RESOURCES,)
    return ()


async def over_bridges(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Promise change notifications in the handshake of a bridge, which delivers them. Plain HTTP of that era cannot."""
    result = await call_next(ctx)
    is_bridge = isinstance(ctx.request, Request) and BRIDGE_HEADER in ctx.request.headers
    if ctx.method == "initialize" and is_bridge and isinstance(result, dict):
        for kind in Kind:
            if isinstance(offered := result["capabilities"].get(kind.value), dict):
                offered["listChanged"] = True
    return result


class PipeSession:
    """The single session over standard input and output; gets notifications after its handshake."""

    def __init__(self) -> None:
        self._session: ServerSession | None = None
        self._sending: set[asyncio.Task[None]] = set()

    async def remember(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Middleware that stores the session after the client reports that it is ready."""
        result = await call_next(ctx)
        if ctx.method == "notifications/initialized":
            self._session = ctx.session
        return result

    def tell(self, kind: Kind) -> None:
        """Send the notification of the older protocol era; the library drops it in the newer one."""
        if self._session is not None:
            task = asyncio.get_running_loop().create_task(_sent(self._session, kind))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)


async def _sent(session: ServerSession, kind: Kind) -> None:
    send = {
        Kind.TOOLS: session.send_tool_list_changed,
        Kind.PROMPTS: session.send_prompt_list_changed,
        Kind.RESOURCES: session.send_resource_list_changed,
    }
    with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        await send[kind]()
