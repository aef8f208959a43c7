"""Extract and chunk pages without disturbing other work: small bodies in a thread, others in a separate process.

Time limits apply only in that process, since a thread can hold the GIL and stop the whole program. A thread reads only small bodies that
look like human text. `SkeletonReader` reads pages that need JavaScript from a Markdown version or with the page renderer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final, TypeVar
from urllib.parse import urlsplit

from app import caps
from app.errors import FetchError, PreparationError, SkeletonPageError, WebRAGError
from app.extract.pictures import Picture
from app.ingest.prepared import Body, PictureBody, Prepared, prepare_here
from app.ingest.worker_protocol import FrameError, read_answer, read_picture_answer, send_picture_request, send_request
from app.paths import program
from app.slots import NetworkSlots
from app.text.media_types import APART_NAMES, APART_STARTS, APART_TYPES, MARKDOWN_TYPES
from app.text.sentence import sentence
from app.text.tokens import ChunkingLimits, fast_counter
from app.web.fetch import Fetcher
from app.web.records import FetchResult, Occasion, PageRenderer
from app.web.urls import host_of

log = logging.getLogger(__name__)
Made = TypeVar("Made")

PREPARE_APART_BYTES: Final = 128 * caps.KIB
"""Bodies from this size on, and every PDF, are extracted and chunked in a separate process."""
PREPARE_APART_AT_LEISURE_BYTES: Final = 64 * caps.KIB
"""The same for bodies that no caller waits for, to keep the window and answers responsive."""
PREPARE_APART_SHRINKING: Final = 16
"""Bodies with a part that compresses to less than this share are read separately: it repeats itself, as in attacks on parsers.

Of 400 documentation pages, none had a part that compresses to less than a thirteenth.
"""
_SHRUNK_BYTES: Final = 4 * caps.KIB  # The length of these parts. Compressing 64 KiB takes a millisecond.
MAX_PREPARE_PROCESSES: Final = 2  # Each uses about 100 MB while it reads.
PREPARE_UNNAMED_SECONDS: Final = 40.0
"""The processor time for a page that the program found, as in a crawl or behind a link."""
PICTURE_SECONDS: Final = 20.0  # The processor time for decoding one image.
PREPARE_CHECK_SECONDS: Final = 0.5  # How often the processor time of a reading process is checked.
PREPARE_IDLE_SECONDS: Final = 20.0
PREPARE_EXIT_SECONDS: Final = 2.0
PREPARE_LOG_BYTES: Final = 8 * caps.KIB
_OTHERS: Final = "others"  # The queue key of pages that were not named, or that no caller waits for.
_ENVIRONMENT: Final = (
    *("PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
)
"""The environment of the process, because the full one may contain keys of services."""


class Preparer:
    """Makes pages and chunks from bodies. Starts at most two processes when needed and ends them when idle.

    Only one of them reads pages that the user did not name, with a shorter time limit, so that they cannot delay named ones. All
    coroutines belong to one event loop. A process that crashes or takes too long affects only the current page.
    """

    def __init__(
        self, limits: ChunkingLimits, *, command: Sequence[str] | None = None, reads_comments: bool = False
    ) -> None:
        self._reads_comments = reads_comments
        self._limits = replace(limits, count_tokens=fast_counter(limits.count_tokens, limits.tokenizer_file))
        made = list(command) if command is not None else worker_command()
        self._readers = tuple(_Reader(made) for _ in range(MAX_PREPARE_PROCESSES))
        self._turns = NetworkSlots(MAX_PREPARE_PROCESSES)
        self._leisure = asyncio.Lock()

    async def prepare(
        self, body: Body, *, at_leisure: bool = False, named: bool = True, apart: bool = False
    ) -> Prepared:
        """Return the page and chunks of a body. `apart`: always use the separate process.

        `at_leisure`: no caller waits. `named`: a user or a call named the address. Named pages with a waiting caller come first. Raises
        the errors of extraction, and PreparationError if the separate process fails or takes too long.
        """
        body = replace(body, reads_comments=self._reads_comments)
        if not apart and not is_apart(body, at_leisure=at_leisure):
            return await asyncio.to_thread(prepare_here, body, self._limits)
        seconds = caps.PREPARE_SECONDS if named else min(PREPARE_UNNAMED_SECONDS, caps.PREPARE_SECONDS)
        if not at_leisure:
            return await self._prepare_apart(body, seconds, is_first=named)
        async with self._leisure:
            return await self._prepare_apart(body, seconds, is_first=False)

    async def picture(self, picture: PictureBody) -> Picture:
        """Decode and re-encode an image, always in the separate process and at low priority.

        Raises UnsupportedContentError if it is not a useful image, PreparationError if the process failed or took too long.
        """
        async with self._leisure, self._turn(is_first=False) as reader:
            return await reader.read(lambda worker: worker.picture(picture), picture.url, PICTURE_SECONDS)

    async def _prepare_apart(self, body: Body, seconds: float, *, is_first: bool) -> Prepared:
        async with self._turn(is_first=is_first) as reader:
            return await reader.read(lambda worker: worker.ask(body, self._limits), body.url, seconds)

    @contextlib.asynccontextmanager
    async def _turn(self, *, is_first: bool) -> AsyncIterator[_Reader]:
        limit = MAX_PREPARE_PROCESSES if is_first else MAX_PREPARE_PROCESSES - 1
        async with self._turns.hold(urgent=is_first, key="" if is_first else _OTHERS, limit=limit):
            free = (reader for reader in self._readers if not reader.is_busy)
            yield max(free, key=lambda reader: reader.process_id is not None)

    async def stop(self) -> None:
        """End the processes immediately."""
        await asyncio.gather(*(reader.stop() for reader in self._readers))

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Return the running processes."""
        return tuple(found for reader in self._readers if (found := reader.process_id) is not None)


class _Reader:
    """One process at most and the thread that talks to it; reads one body at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prepare")
        self._worker: WorkerProcess | None = None
        self._idle: asyncio.TimerHandle | None = None
        self.is_busy = False

    @property
    def process_id(self) -> int | None:
        """Return the id of the process, or None if none is running."""
        worker = self._worker
        return worker.pid if worker is not None and worker.is_running else None

    async def read(self, ask: Callable[[WorkerProcess], Made], url: str, seconds: float) -> Made:
        """Return the process's result for a body; `ask` runs on the thread that talks to it."""
        self.is_busy = True
        self._keep()
        try:
            return await self._ask(ask, url, seconds)
        finally:
            self.is_busy = False
            if self._worker is not None:
                self._idle = asyncio.get_running_loop().call_later(PREPARE_IDLE_SECONDS, self._end)

    async def stop(self) -> None:
        """End the process immediately."""
        self._keep()
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(worker.kill)
            self._thread.submit(worker.end)
        await asyncio.to_thread(self._thread.shutdown, wait=True)

    async def _ask(self, ask: Callable[[WorkerProcess], Made], url: str, seconds: float) -> Made:
        loop = asyncio.get_running_loop()
        worker = await loop.run_in_executor(self._thread, self._running)
        used, taken, check = worker.processor_seconds, 0.0, min(PREPARE_CHECK_SECONDS, seconds)
        asked = loop.run_in_executor(self._thread, ask, worker)
        try:
            while not (await asyncio.wait({asked}, timeout=check))[0]:
                # Counted, because the clocks of some systems go on while the computer sleeps.
                taken += check
                if worker.processor_seconds - used > seconds or taken > seconds * caps.PREPARE_WALL_FACTOR:
                    log.warning("preparation process killed after %.0f s", taken)
                    message = sentence("{} could not be read within {} seconds.", url, f"{seconds:.0f}")
                    raise PreparationError(message, url=url)
            return await asked
        finally:
            if not asked.done():
                # The thread of a killed process has nothing left to wait for.
                self._worker = None
                await asyncio.to_thread(worker.kill)
                with contextlib.suppress(WebRAGError):
                    await asked

    def _running(self) -> WorkerProcess:
        """Return the process, started if necessary."""
        if self._worker is None or not self._worker.is_running:
            try:
                self._worker = WorkerProcess(self._command)
            except OSError as error:
                raise PreparationError(
                    sentence("WebRAG could not start the process that reads files ({}).", error),
                    hint="Restart WebRAG, then try again.",
                ) from error
        return self._worker

    def _keep(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _end(self) -> None:
        worker, self._worker, self._idle = self._worker, None, None
        if worker is not None:
            self._thread.submit(worker.end)


def is_apart(body: Body, *, at_leisure: bool = False) -> bool:
    """Whether the separate process reads a body: it is large, repetitive, or a format with a complex parser."""
    return (
        len(body.content) >= (PREPARE_APART_AT_LEISURE_BYTES if at_leisure else PREPARE_APART_BYTES)
        or body.content.startswith(APART_STARTS)
        or body.content_type in APART_TYPES
        or urlsplit(body.url).path.lower().endswith(APART_NAMES)
        or is_repetitive(body.content)
    )


def is_repetitive(content: bytes) -> bool:
    """Whether some part repeats itself as human text does not: one character, one tag or one short line."""
    pieces = (content[start : start + _SHRUNK_BYTES] for start in range(0, len(content), _SHRUNK_BYTES))
    return any(len(zlib.compress(piece, 1)) * PREPARE_APART_SHRINKING < len(piece) for piece in pieces)


def worker_command() -> list[str]:
    """Return the command of the preparation process: the console program, or Python from the sources."""
    if getattr(sys, "frozen", False):
        return [*program("webrag", "app.cli"), "prepare-worker"]
    return [sys.executable, "-m", "app.ingest.worker"]


class WorkerProcess:
    """One running process: blocking, used from one thread. The last part of its standard error is kept for the log."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the process. Raises OSError."""
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            # On Windows: no console window, and a low priority; elsewhere the process lowers its own.
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
            | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )
        self._said = bytearray()
        threading.Thread(target=self._listen, name="preparation log", daemon=True).start()
        log.info("preparation process %d started", self._process.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def processor_seconds(self) -> float:
        """Return the processor time of the process so far; 0 after it has ended."""
        import psutil

        try:
            times = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def ask(self, body: Body, limits: ChunkingLimits) -> Prepared:
        """Prepare one body in the process.

        Raises the error of the page, and PreparationError if the process failed; then it has ended.
        """
        with self._ending(body.url):
            send_request(_pipe(self._process.stdin), body, limits)
            return read_answer(_pipe(self._process.stdout), body.url, limits)

    def picture(self, picture: PictureBody) -> Picture:
        """Re-encode one image in the process. Raises as `ask` does."""
        with self._ending(picture.url):
            send_picture_request(_pipe(self._process.stdin), picture)
            return read_picture_answer(_pipe(self._process.stdout), picture.url)

    @contextlib.contextmanager
    def _ending(self, url: str) -> Iterator[None]:
        """End the process if it fails."""
        try:
            yield
        except (FrameError, OSError) as error:
            self.end()
            log.warning("preparation process ended (%s): %s", error, self._said.decode(errors="replace"))
            reason = sentence("{} could not be read: the process that reads files crashed ({}).", url, error)
            raise PreparationError(reason, url=url) from error
        except PreparationError:
            self.end()
            raise

    def end(self) -> None:
        """Let the process finish, or end it, and close its pipes."""
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PREPARE_EXIT_SECONDS)
        self.kill()
        _pipe(self._process.stdout).close()

    def kill(self) -> None:
        """Kill the process; a running call fails."""
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        stream = _pipe(self._process.stderr)
        while piece := os.read(stream.fileno(), PREPARE_LOG_BYTES):
            self._said = (self._said + piece)[-PREPARE_LOG_BYTES:]
        stream.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "all three streams are pipes"
    return stream


_VERSION_TYPES: Final = MARKDOWN_TYPES | {"text/plain"}


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A page without its text. `url` is where it was found, `store_url` its own address, `read` the text that could be read, if any."""

    url: str
    store_url: str
    markdown_url: str | None
    read: Prepared | None


class SkeletonReader:
    """Reads such a page in another way: from the version it names, one at the usual address, or by rendering.

    `advice` is the hint without a renderer. A Markdown version that a caller waits for has `seconds`. The renderer has its own limit,
    which does not include waiting for its slot; the same applies to the fetcher.
    """

    def __init__(
        self, preparer: Preparer, fetcher: Fetcher, renderer: PageRenderer | None, *, advice: str, seconds: float
    ) -> None:
        self._preparer = preparer
        self._fetcher = fetcher
        self._renderer = renderer
        self._advice = advice
        self._seconds = seconds

    async def read(self, skeleton: Skeleton, occasion: Occasion) -> Prepared:
        """Return the page with a note on how it was read. Raises SkeletonPageError if it cannot be read at all."""
        advice = self._advice
        try:
            found = await self._attempt(skeleton, occasion)
        except (FetchError, TimeoutError) as error:
            why = str(error) or sentence("that took too long")
            found, advice = None, sentence("WebRAG could not read it in another way either ({}).", why)
        if found is not None:
            return found
        if skeleton.read is None:
            message = sentence("{} has no text without JavaScript.", skeleton.url)
            raise SkeletonPageError(message, url=skeleton.url, markdown_url=skeleton.markdown_url, hint=advice)
        return _noted(skeleton.read, advice)

    async def _attempt(self, skeleton: Skeleton, occasion: Occasion) -> Prepared | None:
        if skeleton.markdown_url is not None and host_of(skeleton.markdown_url) == host_of(skeleton.url):
            async with asyncio.timeout(self._seconds if occasion.is_urgent else None):
                result = await self._fetcher.fetch(skeleton.markdown_url, occasion=occasion)
                is_here = host_of(result.url) == host_of(skeleton.url)
                return await self._stored_as(skeleton, result, occasion) if is_here else None
        if skeleton.markdown_url is None and (found := await self._guessed(skeleton, occasion)) is not None:
            return found
        if self._renderer is not None:
            content = await self._renderer.render(skeleton.url, occasion)
            body = Body(content, skeleton.url, "text/html", "utf-8", skeleton.store_url)
            found = await self._preparer.prepare(body, named=not occasion.is_unasked)
            return _noted(found, sentence("WebRAG read it with the page renderer."))
        return None

    async def _guessed(self, skeleton: Skeleton, occasion: Occasion) -> Prepared | None:
        """Return the Markdown version at the usual address; most sites have none, and some serve the skeleton for every address."""
        # The address that generators use (llmstxt.org); none for files and queries.
        parts = urlsplit(skeleton.url)
        name = parts.path.rpartition("/")[2]
        if parts.query or ("." in name and not name.endswith((".html", ".htm"))):
            return None
        url = f"{skeleton.url}.md" if name else f"{skeleton.url}index.html.md"
        try:
            async with asyncio.timeout(self._seconds if occasion.is_urgent else None):
                result = await self._fetcher.fetch(url, occasion=occasion)
        except (FetchError, TimeoutError):
            return None
        if result.content_type not in _VERSION_TYPES or host_of(result.url) != host_of(skeleton.url):
            return None
        return await self._stored_as(skeleton, result, occasion)

    async def _stored_as(self, skeleton: Skeleton, result: FetchResult, occasion: Occasion) -> Prepared:
        body = Body(result.body, result.url, result.content_type, result.charset, skeleton.store_url)
        prepared = await self._preparer.prepare(body, named=not occasion.is_unasked)
        return _noted(prepared, sentence("WebRAG read its Markdown version, {}.", result.url))


def _noted(prepared: Prepared, note: str) -> Prepared:
    page = prepared.page
    return replace(prepared, page=replace(page, note=f"{page.note} {note}".strip()))
