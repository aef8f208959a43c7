"""Rendering pages in a process of their own, whose only way into the network is a proxy that checks every address."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from app import caps
from app.errors import FetchError, InvalidURLError, RenderError
from app.slots import NetworkSlots
from app.web.address import AddressPolicy
from app.web.fetch import USER_AGENT
from app.web.occasion import Occasion
from app.web.render import INSTALL_RENDERER
from app.web.render_proxy import RenderProxy
from app.web.renderer_process import ANOTHER_VERSION, RendererProcess
from app.web.urls import normalise_url, same_site

log = logging.getLogger(__name__)

_SLOT_KEY: Final = "page renderer"
"""No host is called this; its limit of one makes the queue of the slots that of the renderer as well."""


def available() -> bool:
    """Whether the browser engine is installed; looks for it without loading it."""
    try:
        return importlib.util.find_spec("PySide6.QtWebEngineCore") is not None
    except ModuleNotFoundError:
        return False


def renderer_command() -> list[str]:
    """How the process is started from the sources or an installed package."""
    return [sys.executable, "-m", "app.desktop.rendering"]


class ProcessRenderer:
    """A PageRenderer. One page at a time; the process is started when it is needed and stays for `idle_seconds`.

    Each page holds one of `slots`, and those that somebody waits for go first. A page that is not ready after `seconds`,
    which count from its turn on, costs the process its life.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        slots: NetworkSlots | None = None,
        *,
        command: Sequence[str] = (),
        seconds: float = caps.RENDER_SECONDS,
        settle_seconds: float = caps.RENDER_SETTLE_SECONDS,
        idle_seconds: float = caps.RENDER_IDLE_SECONDS,
    ) -> None:
        self._policy = policy
        self._slots = slots or NetworkSlots(1)
        self._command = list(command)
        self._seconds = seconds
        self._settle_seconds = settle_seconds
        self._idle_seconds = idle_seconds
        self._turn = asyncio.Lock()
        self._proxy: RenderProxy | None = None
        self._process: RendererProcess | None = None
        self._expiry: asyncio.Task[None] | None = None
        self._is_closed = False

    async def render(self, url: str, occasion: Occasion = Occasion.NAMED) -> bytes:
        """The page as HTML in UTF-8 once its scripts have run. What it loads besides itself is loaded as a browser would.

        Raises RenderError, InvalidURLError and AddressDeniedError. When it is cancelled the process ends.
        """
        address = normalise_url(url)
        if not self._command and not available():
            raise RenderError("The page renderer is not installed.", url=address, hint=INSTALL_RENDERER)
        slot = self._slots.hold(urgent=occasion.is_urgent, key=_SLOT_KEY, limit=1)
        async with slot, self._turn, self._in_use():
            final, html = await self._rendered(address)
        if not _is_same(final, address):
            message = (
                f"{address} leads to {final.split('?', 1)[0][: caps.MAX_URL_CHARS_IN_ERRORS]} once its scripts run."
            )
            raise RenderError(message, url=address, hint="Give the address where the page really is.")
        return html

    async def aclose(self) -> None:
        """End process and proxy; a page under way fails, and so do those that wait."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        async with self._turn:
            self._stay()
            await self._end()

    @asynccontextmanager
    async def _in_use(self) -> AsyncIterator[None]:
        """Keep the process while a page is rendered and for some time after."""
        self._stay()
        try:
            yield
        finally:
            if self._process is not None:
                self._expiry = asyncio.get_running_loop().create_task(self._expire(), name="renderer expiry")

    async def _rendered(self, url: str) -> tuple[str, bytes]:
        if self._is_closed:
            raise RenderError("The page renderer was closed.", url=url, hint="Start WebRAG and try again.")
        is_done = False
        try:
            async with asyncio.timeout(self._seconds):
                proxy, process = await self._ready(url)
                async with proxy.visit(url):
                    result = await process.render(url, self._settle_seconds)
            is_done = True
            return result
        except TimeoutError as error:
            message = f"{url} was not rendered within {self._seconds:.0f} seconds."
            raise RenderError(message, url=url, hint=ANOTHER_VERSION) from error
        except FetchError:
            is_done = True
            raise
        finally:
            if not is_done:
                await asyncio.shield(self._end())

    async def _ready(self, url: str) -> tuple[RenderProxy, RendererProcess]:
        if self._process is not None and not self._process.is_running:
            await self._end()
        if self._proxy is None or self._process is None:
            try:
                self._proxy = RenderProxy(self._policy)
                await self._proxy.start()
                setup = {
                    "proxy_user": self._proxy.user,
                    "proxy_password": self._proxy.password,
                    "user_agent": USER_AGENT,
                }
                command = self._command or renderer_command()
                self._process = await RendererProcess.start(command, proxy_port=self._proxy.port, setup=setup)
            except OSError as error:
                await self._end()
                raise RenderError(f"The page renderer could not be started: {error}.", url=url) from error
        return self._proxy, self._process

    def _stay(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    async def _expire(self) -> None:
        await asyncio.sleep(self._idle_seconds)
        async with self._turn:
            self._expiry = None
            log.info("page renderer ended after a time without use")
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        proxy, self._proxy = self._proxy, None
        if process is not None:
            await process.end()
        if proxy is not None:
            await proxy.aclose()


def _is_same(final: str, address: str) -> bool:
    """Whether the page stayed on its site."""
    try:
        return same_site(normalise_url(final), address)
    except InvalidURLError:
        return False
