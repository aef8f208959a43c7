"""`/browser/*`: the endpoints of the browser extension, which pairs with a code, adds pages, and asks about the pages it added.

The token of a browser opens only these paths, and the token of assistants does not open them. Only extensions of browsers on this machine
are served: web pages send their own `Origin`, and the responses do not permit pages to read them.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from app import __version__, caps
from app.browsers import EXTENSION_ORIGIN, Browser, PairedBrowsers
from app.errors import BusyError, CallTimeoutError, InvalidArgumentError, PairingError, PreparationError, WebRAGError
from app.events import judged
from app.ingest.pipeline import BrowserPage
from app.ingest.policies import BROWSER_KIND
from app.library.records import DocumentSummary
from app.library.scope import Filter
from app.serialise import read_json, sound
from app.server.calls.dispatch import Dispatcher, question_in
from app.server.calls.limits import BUSY_RETRY_SECONDS, Caller, rate_key, time_limit
from app.server.calls.registry import Engine
from app.server.gateway import Endpoint, Route, bearer, error_response, is_from_here, unauthorised
from app.server.render.errors import error_fields
from app.text.sentence import sentence
from app.web.body import too_large
from app.web.urls import tab_address

log = logging.getLogger(__name__)

KEEP_LESS: Final = "Select the part of the page that you need, and save only the selection."
MAX_KEEPS_AT_ONCE: Final = 2  # Each may hold a page of MAX_BODY_BYTES.
MAX_FIELD_CHARS: Final = 4 * caps.MAX_URL_CHARS
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class BrowserRoutes:
    """The paths of the extension; all use POST, so that a browser always sends the origin."""

    def __init__(self, engine: Engine, dispatcher: Dispatcher) -> None:
        self._engine = engine
        self._dispatcher = dispatcher
        self._browsers = PairedBrowsers(engine.settings.data_dir)
        self._keeping = 0

    def routes(self) -> dict[str, Route]:
        post, keep, ask = (
            ("POST",),
            self._recorded("browser.keep", self._keep),
            self._recorded("browser.ask", self._ask),
        )
        size = caps.MAX_BROWSER_REQUEST_BYTES
        return {
            "/browser/pair": Route(_endpoint(self._pair), post, is_open=True, refusal=_stranger),
            "/browser/proof": Route(_endpoint(self._proof), post, is_open=True, refusal=_stranger),
            "/browser/state": Route(_endpoint(self._state), post, refusal=self._refusal),
            "/browser/keep": Route(_endpoint(keep), post, refusal=self._refusal, max_body=size),
            "/browser/ask": Route(_endpoint(ask), post, refusal=self._refusal),
        }

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        if refusal := _stranger(scope, headers):
            return refusal
        try:
            return None if self._holder(headers) else unauthorised()
        except PairingError as error:
            return error_response(503, f"{error.message} {error.hint}")

    def _holder(self, headers: Headers) -> Browser | None:
        token = bearer(headers)
        return self._browsers.holder_of(token, headers["origin"]) if token else None

    async def _pair(self, request: _Request) -> dict[str, Any]:
        code, name = request.text("code"), request.text("name")
        made = await asyncio.to_thread(self._browsers.pair, code, request.origin, name)
        log.info("a browser was paired")
        return {"id": made.id, "token": made.token, "version": __version__}

    async def _proof(self, request: _Request) -> dict[str, Any]:
        named = (request.text("id"), request.origin, request.text("nonce"), request.port)
        return {"proof": self._browsers.proof(*named)}

    async def _state(self, request: _Request) -> dict[str, Any]:
        kept = await self._kept(tab_address(request.text("url")))
        if kept is None:
            return {"state": "new"}
        document = await self._engine.documents.get(kept.id)
        is_same = document is not None and document.etag == request.digest()
        return {"state": "kept" if is_same else "changed", "kept_at": kept.last_crawled}

    async def _keep(self, request: _Request) -> dict[str, Any]:
        is_selection = request.fields.get("selection") is True
        if len(request.rest) > caps.MAX_BODY_BYTES:
            raise too_large(request.text("url"), caps.MAX_BODY_BYTES)
        page = BrowserPage(request.text("url"), request.rest, request.digest(), is_selection)
        if self._keeping >= MAX_KEEPS_AT_ONCE:
            raise BusyError(
                sentence("Other pages are being saved."), retry_after=BUSY_RETRY_SECONDS, hint="Try again in a moment."
            )
        self._keeping += 1
        try:
            stored = await self._engine.keep_from_browser(page)
        except PreparationError as error:
            error.hint = KEEP_LESS
            raise
        finally:
            self._keeping -= 1
        facts = {"change": stored.change, "title": stored.title, "note": stored.note, "url": stored.url}
        return {"state": "kept", **facts}

    async def _ask(self, request: _Request) -> dict[str, Any]:
        kept = await self._kept(tab_address(request.text("url")))
        if kept is None:
            raise InvalidArgumentError(sentence("This page was not added from the browser."), hint="Add it first.")
        found = await self._engine.search(
            request.text("question"), within=Filter(urls=(kept.url,)), top_k=caps.BROWSER_HITS
        )
        best = sorted(found.chunks, key=lambda each: each.reranked_score, reverse=True)[: caps.BROWSER_HITS]
        hits = [{"text": each.chunk.text, "section": " › ".join(each.chunk.section_path)} for each in best]
        return {"hits": hits, "nothing_found": found.nothing_found, "title": kept.title, "url": kept.url}

    async def _kept(self, url: str) -> DocumentSummary | None:
        (found,) = await self._engine.documents.at((url,))
        return found if found is not None and found.kind == BROWSER_KIND else None

    def _recorded(self, name: str, work: _Work) -> _Work:
        """Return the handler with the limits of a tool and a record of its calls, under the name of the browser."""

        async def recorded(request: _Request) -> dict[str, Any]:
            browser = self._holder(request.headers)
            caller = Caller(
                browser.name if browser else "Browser", key=f"browser {browser.id}" if browser else "browser"
            )
            async with self._dispatcher.recorded(name, caller) as record:
                self._dispatcher.calls.asked(record, question_in(request.fields), keep=self._engine.keeps_questions)
                record.named = (request.text("url"),)
                self._dispatcher.rate.check(rate_key(caller))
                self._engine.check_not_paused()
                limit = self._engine.settings.mcp_tool_timeout
                late = sentence("The page took longer than {} s.", f"{limit:g}")
                async with time_limit(limit, CallTimeoutError(late, hint=KEEP_LESS)):
                    result = await work(request)
                record.pages = (result["url"],)
                if "hits" in result:
                    record.verdict = judged(result["hits"], answers=not result["nothing_found"])
                return result

        return recorded


@dataclass(frozen=True, slots=True)
class _Request:
    """A line of JSON, an object with a few fields, and the bytes after it."""

    headers: Headers
    port: int  # The port of this server.
    fields: Mapping[str, Any]
    rest: bytes

    @property
    def origin(self) -> str:
        return self.headers["origin"]

    def text(self, name: str) -> str:
        """Return a required field. Raises InvalidArgumentError."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip() or len(value) > MAX_FIELD_CHARS:
            raise InvalidArgumentError(sentence("{} is missing, is not text, or is too long.", f"`{name}`"))
        return value

    def digest(self) -> str:
        """Return the digest by which the browser knows the page. Raises InvalidArgumentError."""
        value = self.text("digest")
        if not _DIGEST.fullmatch(value):
            raise InvalidArgumentError(sentence("{} is not a SHA-256 digest.", "`digest`"))
        return value


_Work = Callable[[_Request], Awaitable[dict[str, Any]]]


def _endpoint(work: _Work) -> Endpoint:
    """Return an endpoint that sends the result of a handler, or its error in words."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        head, _, rest = (await receive()).get("body", b"").partition(b"\n")
        try:
            fields = read_json(head) if len(head) <= caps.MAX_BROWSER_HEAD_BYTES else None
        except (ValueError, RecursionError):
            fields = None
        try:
            if not isinstance(fields, dict):
                raise InvalidArgumentError(sentence("The first line of the request must be a JSON object."))
            body, status = await work(_Request(Headers(scope=scope), scope["server"][1], fields, rest)), 200
        except WebRAGError as error:
            body = {"error": error_fields(error)}
            status = 429 if isinstance(error, BusyError) else 400
        except Exception as error:
            # The message of an unknown exception may contain page text, so the log gets only its type and place.
            info = (RuntimeError, RuntimeError(type(error).__name__), error.__traceback__)
            log.error("a request of a browser failed", exc_info=info)
            body = {"error": error_fields(WebRAGError(sentence("Unexpected error ({}).", type(error).__name__)))}
            status = 500
        await JSONResponse(sound(body), status, {"cache-control": "no-store"})(scope, receive, send)

    return answered


def _stranger(scope: Scope, headers: Headers) -> JSONResponse | None:
    """Return the refusal for every client that is not a browser extension on this machine."""
    origins = headers.getlist("origin")
    if not is_from_here(scope):
        return error_response(403, "browsers on other machines are refused")
    if len(origins) != 1 or not EXTENSION_ORIGIN.fullmatch(origins[0]):
        return error_response(403, "only the browser extension is served here")
    return None
