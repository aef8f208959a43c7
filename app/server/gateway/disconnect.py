"""ASGI helpers: a request read once and given again, and endpoints that end when the other side goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Scope, Send

Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]


def replayed(request: Message, receive: Receive) -> Receive:
    """A `receive` that gives `request` first and then what really comes."""
    pending = [request]

    async def next_message() -> Message:
        return pending.pop() if pending else await receive()

    return next_message


async def disconnected(receive: Receive) -> None:
    """Return when the other side has gone away; the body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def until_disconnected(app: Endpoint, scope: Scope, receive: Receive, send: Send) -> None:
    """Run an endpoint that does not listen for the end of the connection, and cancel it when that comes."""
    request = await receive()
    gone = asyncio.Event()

    async def receive_later() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    answering = asyncio.ensure_future(app(scope, replayed(request, receive_later), send))
    leaving = asyncio.ensure_future(disconnected(receive))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        gone.set()
        for task in (answering, leaving):
            task.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)
