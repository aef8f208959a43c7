"""Pages that need a sign-in: a link for clients that open links, to a page of this server about saving them from the browser.

Links are secrets and expire. Other clients get only the text of the error.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from string import Template
from typing import Final
from urllib.parse import urljoin

import mcp.types as types
from mcp.shared.exceptions import UrlElicitationRequiredError
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from app import extensions
from app.errors import InvalidURLError
from app.events import DocumentChanged, Event, EventBus
from app.paths import asset_text
from app.server.calls.arguments import as_list
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolOutput
from app.server.protocol.messages import NEWER_ERA, Context
from app.web.urls import host_of, normalise_url

PATH: Final = "/save/"
KEY: Final = "save"  # Key of the question and its answer.
LINK_SECONDS: Final = 600.0  # How long a link works. For as long, its client gets no other one for the same page.
MAX_LINKS: Final = 64
SAVE_SECONDS: Final = 30.0  # How long a repeated call waits for the user to save the page.

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class _Link:
    owner: str
    url: str
    made_at: float


class SignIns:
    """`address` returns the URL of the server. Without one, nothing can be saved from a browser."""

    def __init__(self, address: Callable[[], str] = str) -> None:
        self._address = address
        self._links: dict[str, _Link] = {}

    async def run(
        self,
        call: Callable[[], Awaitable[ToolOutput]],
        ctx: Context,
        params: types.CallToolRequestParams,
        caller: Caller,
        bus: EventBus,
    ) -> ToolOutput | types.InputRequiredResult:
        """Return the result of a call, or a question with a link if its page needs a sign-in. The client gets a link only once.

        After the user agreed to open it, the repeated call waits until the page is saved. Raises UrlElicitationRequiredError with the
        link in the older era of the protocol.
        """
        reply = await call()
        url = _page(params) if reply.needs_browser and self._address() else ""
        if not url or extensions.LINKS not in caller.extensions:
            return reply
        if not (token := self._token(caller.owner, url)):
            answer = (params.input_responses or {}).get(KEY)
            is_open = isinstance(answer, types.ElicitResult) and answer.action == "accept"
            return await call() if is_open and await _is_saved(url, bus) else reply
        text = f"{host_of(url)} requires a sign-in or payment. Open the link to save the page from your browser."
        link = urljoin(self._address(), f"{PATH}{token}")
        if ctx.protocol_version < NEWER_ERA:
            asked = types.ElicitRequestURLParams(message=text, url=link, elicitation_id=token)
            raise UrlElicitationRequiredError([asked])
        request = types.ElicitRequest(params=types.ElicitRequestURLParams(message=text, url=link))
        return types.InputRequiredResult(input_requests={KEY: request})

    async def show(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the page behind a link, in the language of the browser."""
        link = self._links.get(scope["path"].removeprefix(PATH))
        is_known = link is not None and time.monotonic() - link.made_at < LINK_SECONDS
        is_german = Headers(scope=scope).get("accept-language", "").lower().startswith("de")
        text = Template(asset_text("view/save.html")).substitute(
            language="de" if is_german else "en",
            state="known" if is_known else "gone",
            address=html.escape(link.url) if link is not None and is_known else "",
        )
        await HTMLResponse(text, 200 if is_known else 404, HEADERS)(scope, receive, send)

    def _token(self, owner: str, url: str) -> str:
        """Return the secret of a new link, or "" if there is a link already or there are too many."""
        now = time.monotonic()
        self._links = {token: link for token, link in self._links.items() if now - link.made_at < LINK_SECONDS}
        is_known = any((link.owner, link.url) == (owner, url) for link in self._links.values())
        if is_known or len(self._links) >= MAX_LINKS:
            return ""
        token = secrets.token_urlsafe(24)
        self._links[token] = _Link(owner, url, now)
        return token


NO_SIGN_INS: Final = SignIns()


async def _is_saved(url: str, bus: EventBus) -> bool:
    """Wait for the page, and return whether it was stored in time."""
    loop, stored = asyncio.get_running_loop(), asyncio.Event()

    def listen(event: Event) -> None:
        if isinstance(event, DocumentChanged) and event.url.partition("#")[0] == url:
            loop.call_soon_threadsafe(stored.set)

    unsubscribe = bus.subscribe(listen)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SAVE_SECONDS):
                await stored.wait()
    finally:
        unsubscribe()
    return stored.is_set()


def _page(params: types.CallToolRequestParams) -> str:
    """Return the address of the page that the call names first, or "" if it is not on the web."""
    urls = as_list((params.arguments or {}).get("url", ""))
    try:
        return normalise_url(str(urls[0])) if urls else ""
    except InvalidURLError:
        return ""
