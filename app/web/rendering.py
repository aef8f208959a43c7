"""Render pages in a separate process whose only network access is a proxy that checks every address."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from app import caps
from app.errors import FetchError, InvalidURLError, RenderError
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.web.address import AddressPolicy
from app.web.exchange import USER_AGENT
from app.web.records import INSTALL_RENDERER, Occasion
from app.web.render_proxy import RenderProxy
from app.web.urls import normalise_url, same_site

log = logging.getLogger(__name__)

RENDER_IDLE_SECONDS: Final = 60.0
RENDER_SETTLE_SECONDS: Final = 10.0  # A page that never settles is taken as it is after this time.
RENDER_EXIT_SECONDS: Final = 2.0
RENDER_LINE_BYTES: Final = 16 * caps.KIB
RENDER_LOG_BYTES: Final = 8 * caps.KIB
_SLOT_KEY: Final = "page renderer"
"""Not a valid host name; its limit of one makes the queue of the slots also the renderer's queue."""


def available() -> bool:
    """Whether the browser engine is installed; does not load it."""
    try:
        return importlib.util.find_spec("PySide6.QtWebEngineCore") is not None
    except ModuleNotFoundError:
        return False


class ProcessRenderer:
    """A PageRenderer for one page at a time. Starts the process when needed and keeps it for `idle_seconds`.

    Each page holds one of `slots`, and urgent ones come first. A page that needs more than `seconds` ends the process.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        slots: NetworkSlots | None = None,
        *,
        command: Sequence[str] = (),
        seconds: float = caps.RENDER_SECONDS,
        settle_seconds: float = RENDER_SETTLE_SECONDS,
        idle_seconds: float = RENDER_IDLE_SECONDS,
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
        """Return the page as HTML in UTF-8 after its scripts have run. Loads its resources as a browser does.

        Raises RenderError, InvalidURLError and AddressDeniedError. Canceling ends the process.
        """
        address = normalise_url(url)
        if not self._command and not available():
            raise RenderError(sentence("The page renderer is not installed."), url=address, hint=INSTALL_RENDERER)
        slot = self._slots.hold(urgent=occasion.is_urgent, key=_SLOT_KEY, limit=1)
        async with slot, self._turn:
            self._stay()
            try:
                final, html = await self._rendered(address)
            finally:
                # Keep the process for some time.
                if self._process is not None:
                    self._expiry = asyncio.get_running_loop().create_task(self._expire(), name="renderer expiry")
        try:
            stayed = same_site(normalise_url(final), address)
        except InvalidURLError:
            stayed = False
        if not stayed:
            shown = final.split("?", 1)[0][: caps.MAX_URL_CHARS_IN_ERRORS]
            message = sentence("The scripts of {} redirect to {}.", address, shown)
            raise RenderError(message, url=address, hint="Use that address instead.")
        return html

    async def aclose(self) -> None:
        """End process and proxy; running and waiting pages fail."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        async with self._turn:
            self._stay()
            await self._end()

    async def _rendered(self, url: str) -> tuple[str, bytes]:
        if self._is_closed:
            raise RenderError(sentence("The page renderer was closed."), url=url, hint="Start WebRAG and try again.")
        is_done = False
        try:
            async with asyncio.timeout(self._seconds):
                proxy, process = await self._ready(url)
                async with proxy.visit(url):
                    result = await process.render(url, self._settle_seconds)
            is_done = True
            return result
        except TimeoutError as error:
            message = sentence("{} was not rendered within {} seconds.", url, f"{self._seconds:.0f}")
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
                command = self._command or [sys.executable, "-m", "app.desktop.rendering"]
                self._process = await RendererProcess.start(command, proxy_port=self._proxy.port, setup=setup)
            except OSError as error:
                await self._end()
                raise RenderError(sentence("The page renderer could not be started ({}).", error), url=url) from error
        return self._proxy, self._process

    def _stay(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    async def _expire(self) -> None:
        await asyncio.sleep(self._idle_seconds)
        async with self._turn:
            self._expiry = None
            log.info("ended the idle page renderer")
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        proxy, self._proxy = self._proxy, None
        if process is not None:
            await process.end()
        if proxy is not None:
            await proxy.aclose()


_ENVIRONMENT: Final = (
    *("PATH", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "FONTCONFIG_PATH"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
)
"""The environment of the process: no proxies, no keys, no display."""

_FLAGS: Final = (
    # Also send loopback addresses through the proxy; Chromium would otherwise connect directly.
    "--proxy-bypass-list=<-loopback>",
    # The proxy resolves names; none resolves here, so that nothing bypasses it.
    '"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"',
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-features=NetworkPrediction,SpeculativePreconnect,WebRtcHideLocalIpsWithMdns",
    "--disable-gpu",
    "--mute-audio",
    "--renderer-process-limit=1",
    "--js-flags=--max-old-space-size=256",
)
ANOTHER_VERSION: Final = "Try a printable or plain version of the page."
_ROOT: Final = Path(__file__).resolve().parents[2]
_NO_SANDBOX: Final = "No usable sandbox"


class RendererProcess:
    """One running process with its own temporary home folder."""

    def __init__(self, process: asyncio.subprocess.Process, home: Path) -> None:
        self._process = process
        self._home = home
        self._said = bytearray()
        self._number = 0
        self._listening = asyncio.get_running_loop().create_task(self._listen(), name="renderer log")

    @classmethod
    async def start(cls, command: Sequence[str], *, proxy_port: int, setup: dict[str, str]) -> RendererProcess:
        """Start the process and configure the proxy. Raises OSError."""
        home = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="webrag-renderer-"))
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=_ROOT,
                env=_environment(home, proxy_port),
                limit=RENDER_LINE_BYTES,
                start_new_session=True,
                # No console window on Windows.
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            shutil.rmtree(home, ignore_errors=True)
            raise
        log.info("page renderer %d started", process.pid)
        running = cls(process, home)
        running._tell(setup)
        return running

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    async def render(self, url: str, seconds: float) -> tuple[str, bytes]:
        """Return address and HTML of the page. Raises RenderError; check `is_running` afterwards."""
        self._number += 1
        self._tell({"id": self._number, "url": url, "timeout": seconds})
        assert self._process.stdout is not None
        try:
            head = _head(await self._process.stdout.readuntil(b"\n"), self._number)
            if not head["ok"]:
                reason = head["error"][: caps.MAX_REASON_CHARS_SHOWN]
                raise RenderError(
                    sentence("{} could not be rendered ({}).", url, reason), url=url, hint=ANOTHER_VERSION
                )
            return head["url"], await self._process.stdout.readexactly(head["bytes"])
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError, RecursionError) as error:
            await self.end()
            raise self._ended(url) from error

    def kill(self) -> None:
        """Kill the process and its child processes; a running page fails."""
        if not self.is_running:
            return
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Kill the process and clean up; not while a page is rendered."""
        self.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(RENDER_EXIT_SECONDS):
                assert self._process.stdout is not None
                while await self._process.stdout.read(RENDER_LINE_BYTES):
                    # The data is not needed, but a full pipe hides the end of the process.
                    pass
                await self._process.wait()
                await self._listening
        await asyncio.to_thread(shutil.rmtree, self._home, ignore_errors=True)

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _listen(self) -> None:
        """Read standard error continuously and keep its last part."""
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(RENDER_LOG_BYTES):
            self._said = (self._said + piece)[-RENDER_LOG_BYTES:]

    def _ended(self, url: str) -> RenderError:
        said = self._said.decode(errors="replace")
        log.warning("the page renderer ended unexpectedly: %s", said)
        if _NO_SANDBOX in said:
            hint = "Allow unprivileged user namespaces for WebRAG, or turn off the page renderer."
            return RenderError(sentence("The page renderer cannot use its sandbox on this system."), url=url, hint=hint)
        hint = "Try again. If it happens with every page, see the log and turn off the page renderer."
        return RenderError(sentence("The page renderer crashed while reading {}.", url), url=url, hint=hint)


def _head(line: bytes, number: int) -> dict[str, Any]:
    """Return the response to a request. Raises ValueError if it is not one."""
    head = json.loads(line)
    if not isinstance(head, dict) or head.get("id") != number:
        raise ValueError("not the expected answer")
    if head.get("ok") is True:
        size = head.get("bytes")
        if isinstance(size, int) and 0 <= size <= caps.MAX_RENDERED_BYTES and isinstance(head.get("url"), str):
            return head
    elif head.get("ok") is False and isinstance(head.get("error"), str):
        return head
    raise ValueError("not an answer")


def _environment(home: Path, proxy_port: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    flags = [f"--proxy-server=http://127.0.0.1:{proxy_port}", *_FLAGS]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium refuses to run with its sandbox as root.
        flags.append("--no-sandbox")
    own = dict.fromkeys(
        ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(home)
    )
    own |= {
        "XDG_DATA_HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "QT_QPA_PLATFORM": "offscreen",
        "QT_QUICK_BACKEND": "software",
    }
    return {**kept, **own, "QTWEBENGINE_CHROMIUM_FLAGS": " ".join(flags)}
