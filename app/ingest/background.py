"""Work on stored documents in the background: embed chunks, starting with those a running question needs, and find mentions.

Pending work is in the corpus and survives a crash; after a failure it is tried again after growing delays.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event
from typing import Any, Final, TypeAlias, TypeVar

from app.durations import Backoff, Rate
from app.embed.embedder import Embedder, PassageEmbedding
from app.embed.threads import USUAL, EmbedThreads
from app.errors import EmbedderError, LibraryAwayError, WebRAGError
from app.events import DocumentChanged, EmbedderChanged, EmbeddingProgress, EventBus
from app.library.protocol import LibraryWriter, SecondLibrary
from app.library.records import PRIVATE, EmbeddingIn, PassageToEmbed, passage_text
from app.memory import IN_BACKGROUND, lasting_task, lower_priority, release_free_memory
from app.text.sentence import sentence

log = logging.getLogger(__name__)
Result = TypeVar("Result")

GRAPH_FILL_DOCUMENTS: Final = 8  # The number of documents to search for mentions at a time.
GRAPH_FILL_REST_SECONDS: Final = 0.02
QUESTION_POLL_SECONDS: Final = 0.1
MAX_WAITS_FOR_QUESTIONS: Final = 100
"""The maximum number of waits for running questions; afterwards the graph work runs alongside them."""
SHARED_RESTS: Final = 4.0
"""A node always has questions: it waits at most this many times as long as its last documents took."""
READING_SECONDS: Final = 3.0
"""After a page was stored, background embedding leaves a processor to reading and the window for this long."""
EMBED_RETRY_SECONDS: Final = 30.0
"""The delay before pending chunks are tried again after an embedder failure; it doubles up to the next limit."""
MAX_EMBED_RETRY_SECONDS: Final = 900.0
EMBED_OVERTIME_SECONDS: Final = 0.5
"""How long running passages may exceed the time of a question, which then continues without them."""
BATTERY_POLL_SECONDS: Final = 30.0
SHARED_POLL_SECONDS: Final = 30.0
"""A node that died leaves passages and documents without notifying others, so other nodes look for them."""
STOPPING: Final = sentence("WebRAG is quitting and has stopped preparing pages for semantic search.")
Batch: TypeAlias = tuple[list[PassageToEmbed], bool]
"""Passages, and whether the second model embeds them."""
NOTHING: Final[Batch] = ([], False)
BATCH = 16  # The number of chunks between two checks of the priorities: about a quarter of a second of work.


PREFERRED_DOCUMENTS: Final = 64
"""The number of pages recently added by a user or used by a question, whose chunks are embedded first."""


ABANDONED: Final[ContextVar[Event | None]] = ContextVar("abandoned", default=None)
"""Set when the question of the running code no longer has a caller, for threads that canceling a task does not reach."""


@contextmanager
def until_cancelled() -> Iterator[None]:
    """Let threads that embed for the current question's task learn that it was canceled or failed."""
    event = Event()
    token = ABANDONED.set(event)
    try:
        yield
    except BaseException:
        event.set()
        raise
    finally:
        ABANDONED.reset(token)


class _Background(ABC):
    """One task for pending work in the corpus, which survives a crash. After a failure it waits, longer each time."""

    def __init__(self, corpus: LibraryWriter, name: str) -> None:
        self._corpus = corpus
        self._name = name
        self._wake = asyncio.Event()
        self._backoff = Backoff(EMBED_RETRY_SECONDS, MAX_EMBED_RETRY_SECONDS)
        self._paused = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start with the work left by an earlier run or an older version."""
        self._task = lasting_task(self._run(), self._name)
        self._wake.set()

    async def stop(self) -> None:
        """Finish the current work and end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Report that something was stored."""
        self._wake.set()

    def retry_now(self) -> None:
        """Forget an earlier failure whose cause is gone."""
        self._backoff.succeeded()
        self._wake.set()

    def set_paused(self, paused: bool) -> None:
        """Hold back work that no question waits for."""
        self._paused = paused
        self._wake.set()

    async def _run(self) -> None:
        while True:
            # wait_for, before Python 3.12, can lose a cancellation that arrives with the wake-up.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._nap()):
                    await self._wake.wait()
            self._wake.clear()
            await self._work()

    def _nap(self) -> float | None:
        """Return the seconds until the corpus is checked without an event, or None for never."""
        return SHARED_POLL_SECONDS if self._corpus.name != PRIVATE else self._backoff.seconds_left or None

    @abstractmethod
    async def _work(self) -> None:
        """Do pending work until nothing is left or it fails."""

    def _fall_back(self, error: WebRAGError) -> None:
        """Wait longer after each failure, except if a shared library is unavailable, which is checked every SHARED_POLL_SECONDS."""
        if not isinstance(error, LibraryAwayError):
            self._backoff.failed()


class GraphFilling(_Background):
    """Finds the mentions of pending documents, then rewrites vectors of an earlier version by calling `pack` until it returns 0.

    Also waits while `is_asked` reports a running question, at most `rests` times the duration of its last work, if given.
    """

    def __init__(
        self,
        corpus: LibraryWriter,
        is_asked: Callable[[], bool] = lambda: False,
        *,
        rests: float | None = None,
        pack: Callable[[], int] = lambda: 0,
    ) -> None:
        super().__init__(corpus, "graph")
        self._is_asked = is_asked
        self._rests = rests
        self._pack = pack

    async def _work(self) -> None:
        """Process documents in small groups with a pause between them, so that questions can run."""
        IN_BACKGROUND.set(True)
        try:
            await self._wait_for_questions(0.0)
            while not self._paused and not self._backoff.seconds_left:
                began = time.monotonic()
                if not await asyncio.to_thread(lambda: self._corpus.upkeep.fill(GRAPH_FILL_DOCUMENTS) or self._pack()):
                    return
                self._backoff.succeeded()
                worked = time.monotonic() - began
                await asyncio.sleep(GRAPH_FILL_REST_SECONDS)
                await self._wait_for_questions(worked)
        except WebRAGError as error:
            self._fall_back(error)
            log.error("updating the graph failed: %s", error)
        except Exception:
            # It must not stop the work until the next start.
            self._backoff.failed()
            log.exception("updating the graph failed")

    async def _wait_for_questions(self, worked: float) -> None:
        until = time.monotonic() + (math.inf if self._rests is None else self._rests * worked)
        for _ in range(MAX_WAITS_FOR_QUESTIONS):
            if not self._is_asked() or time.monotonic() >= until:
                return
            await asyncio.sleep(QUESTION_POLL_SECONDS)


def is_on_battery() -> bool:
    """Whether the computer runs on battery; without information it counts as plugged in."""
    import psutil

    sensor = getattr(psutil, "sensors_battery", None)
    try:
        battery = sensor() if sensor is not None else None
    except (OSError, ValueError, RuntimeError) as error:
        log.debug("could not read the battery state: %s", error)
        return False
    return battery is not None and battery.power_plugged is False


class EmbeddingQueue(_Background):
    """Embeds pending chunks in small batches.

    Chunks that a question needs are embedded immediately, then chunks of preferred documents, the latest first, then the others in stored
    order. After a failure the others wait EMBED_RETRY_SECONDS, then twice as long, and so on. On battery they wait unless `on_battery`,
    during a question if the queue `yields`. After the last batch, `waiting` is the number of chunks without vectors, `seconds_left` the
    estimated time (None if unknown), and `failure` what stopped the work (None while it runs).

    With a `second` model (`Library.second`), passages that an English question needs come before those that only the others need.
    """

    def __init__(
        self,
        corpus: LibraryWriter,
        embedder: Embedder,
        bus: EventBus,
        *,
        on_battery: bool = True,
        yields: bool = True,
        read_battery: Callable[[], bool] = is_on_battery,
        threads: EmbedThreads = USUAL,
        second: Embedder | None = None,
    ) -> None:
        super().__init__(corpus, "embedding")
        self._embedder = embedder
        self._second = (corpus.second, second) if corpus.second is not None and second is not None else None
        self._bus = bus
        self.yields = yields
        self._works_on_battery = on_battery
        self._read_battery = read_battery
        self._battery_until = 0.0
        self._is_on_battery = False
        self._urgent: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}
        self._batch_done = asyncio.Condition()
        self._batches = 0
        self._woken_at = -math.inf
        self._failures = 0
        self._counts = threads
        self._threads = ThreadPoolExecutor(threads.urgent, thread_name_prefix="embed")
        self._background = ThreadPoolExecutor(
            threads.background, thread_name_prefix="embed-background", initializer=lower_priority
        )
        self._stopped = Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: set[int] = set()
        self._preferred: list[int] = []
        self._rate = Rate()
        self._made = 0
        self._questions = 0
        self.waiting = 0
        self.seconds_left: float | None = None
        self.failure: WebRAGError | None = None

    @property
    def reason(self) -> str:
        """Return why chunks are pending but not being embedded, or an empty text."""
        if not self.waiting:
            return ""
        if self._paused:
            return sentence("paused")
        if self.failure is not None:
            return self.failure.message
        return sentence("on battery") if self._is_on_battery and not self._works_on_battery else ""

    def start(self) -> None:
        """Start with the chunks left by an earlier run."""
        self._loop = asyncio.get_running_loop()
        super().start()

    async def stop(self) -> None:
        """Finish the current passages and end."""
        self._stopped.set()
        await super().stop()
        for threads in (self._threads, self._background):
            await asyncio.to_thread(threads.shutdown, wait=True, cancel_futures=True)

    def wake(self) -> None:
        """Report new pending chunks."""
        self._woken_at = time.monotonic()
        super().wake()

    def prefer(self, document_ids: Iterable[int]) -> None:
        """Embed pending chunks of these documents before the rest, and before earlier preferences."""
        self._preferred = list(dict.fromkeys((*document_ids, *self._preferred)))[:PREFERRED_DOCUMENTS]

    def set_paused(self, paused: bool) -> None:
        """Hold back work that no question waits for."""
        self._rate.forget()
        super().set_paused(paused)

    def is_asked(self) -> bool:
        """Whether a question is running."""
        return self._questions > 0

    @contextmanager
    def question(self) -> Iterator[None]:
        """While a question runs, embed only the chunks it needs if the queue yields, and leave the processor to it."""
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1
            if self.yields:
                self._wake.set()

    async def embed_now(self, chunk_ids: Sequence[int], *, by_second: bool = False) -> None:
        """Wait until each of these chunks has its vector for an English question, or for others its one of the second model.

        Raises the EmbedderError that made embedding impossible.
        """
        if not chunk_ids:
            return
        seen, failures = self._batches, self._failures
        vectors = self._part(by_second)[0].vectors
        if self._second is None and self._corpus.second is not None:
            # Without the second model, pages in other languages keep waiting.
            waiting = await asyncio.to_thread(self._corpus.vectors.waiting, len(chunk_ids), chunk_ids=chunk_ids)
            chunk_ids = [passage.chunk_id for passage in waiting]
        self._urgent[by_second].update(chunk_ids)
        self._wake.set()
        try:
            while await asyncio.to_thread(vectors.waiting_among, chunk_ids):
                async with self._batch_done:
                    await self._batch_done.wait_for(lambda seen=seen: self._batches != seen)  # type: ignore[misc]
                seen = self._batches
                if self.failure is not None and self._failures != failures:
                    raise self.failure
        finally:
            self._urgent[by_second].subtract(chunk_ids)
            self._urgent[by_second] += Counter()

    def _part(self, by_second: bool) -> tuple[SecondLibrary | LibraryWriter, Embedder]:
        return self._second if by_second and self._second is not None else (self._corpus, self._embedder)

    def _wanted(self, chunk_ids: Sequence[int], limit: int, by_second: bool) -> Batch:
        """Return waiting passages among these chunks. The second model also embeds those that the first one leaves to it."""
        if not by_second:
            found = self._corpus.vectors.waiting(limit, chunk_ids=chunk_ids)
            if found or self._second is None:
                return found, False
            chunk_ids = list(self._corpus.vectors.waiting_among(chunk_ids))
        library, _ = self._part(True)
        return (library.vectors.waiting(limit, chunk_ids=chunk_ids) if chunk_ids else []), True

    def embed_within(self, chunk_ids: Sequence[int], seconds: float, by_second: bool = False, /) -> int:
        """Embed these chunks in order for at most this many seconds, and return how many got their vectors.

        For worker threads. Does not wait for the current batch, or longer than EMBED_OVERTIME_SECONDS for the last passages, and starts
        none once the question has no caller. Raises EmbedderError and the errors of a corpus that cannot be written.
        """
        abandoned = ABANDONED.get() or Event()
        if abandoned.is_set():
            return 0
        until = time.monotonic() + seconds
        place = {chunk_id: number for number, chunk_id in enumerate(chunk_ids)}
        waiting, by_second = self._wanted(list(place), len(place), by_second)
        library, embedder = self._part(by_second)
        ordered = deque(sorted(waiting, key=lambda passage: place[passage.chunk_id]))
        lanes = self._submitted(
            self._vectors_until, [(embedder, ordered, until, abandoned)] * min(self._counts.urgent, len(ordered))
        )
        made: list[EmbeddingIn] = []
        for lane in lanes:
            try:
                made += lane.result(max(0.0, until + EMBED_OVERTIME_SECONDS - time.monotonic()))
            except (CancelledError, TimeoutError):
                # The thread is still working or has already ended.
                lane.cancel()
        if made:
            library.vectors.store(made)
        if waiting:
            document_ids = {passage.document_id for passage in waiting}

            def tell() -> None:
                """Announce the chunks, and embed the rest of the documents next."""
                self._made += len(made)
                self._told |= document_ids
                self.prefer(document_ids)
                self._wake.set()

            if self._loop is not None:
                with suppress(RuntimeError):  # the loop is closed, so there are no listeners
                    self._loop.call_soon_threadsafe(tell)
        return len(made)

    def embed_texts(self, texts: Sequence[str], *, by_second: bool = False) -> list[PassageEmbedding]:
        """Embed texts that are not stored, such as links, with all threads, in order. For worker threads; raises EmbedderError."""
        count = min(self._counts.urgent, len(texts))
        embedder = self._part(by_second)[1]
        shares = [(_Texts(texts[start::count], self._stopped),) for start in range(count)]
        lanes = self._submitted(embedder.embed_passages, shares)
        try:
            made = [lane.result() for lane in lanes]
        except CancelledError as error:
            raise EmbedderError(STOPPING) from error
        return [made[number % count][number // count] for number in range(len(texts))]

    def _submitted(self, work: Callable[..., Result], lanes: Sequence[tuple[Any, ...]]) -> list[Future[Result]]:
        try:
            return [self._threads.submit(work, *values) for values in lanes]
        except RuntimeError as error:
            raise EmbedderError(STOPPING) from error

    def _vectors_until(
        self, embedder: Embedder, passages: deque[PassageToEmbed], until: float, abandoned: Event
    ) -> list[EmbeddingIn]:
        """Return vectors of the passages that this thread takes from the shared list; it finishes the one it started."""
        made: list[EmbeddingIn] = []
        while passages and time.monotonic() < until and not abandoned.is_set():
            with suppress(IndexError):  # another thread took the last one
                made += self._vectors(embedder, [passages.popleft()])
        return made

    async def _work(self) -> None:
        await self._guarded(self._embed_waiting)
        await self._guarded(self._tell)
        await self._notify()

    def _nap(self) -> float | None:
        """Return the seconds until pending chunks are checked without an event, or None for never."""
        if self._corpus.name != PRIVATE:
            return SHARED_POLL_SECONDS
        if not self.waiting or self._paused or self._questions:
            return None
        if self._is_on_battery and not self._works_on_battery:
            return BATTERY_POLL_SECONDS
        return self._backoff.seconds_left if self.failure is not None else None

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run something whose failure delays the next attempt but does not end the task."""
        try:
            await work()
            return
        except WebRAGError as error:
            failure = error
            log.error("embedding stopped: %s", error)
        except Exception as error:
            failure = EmbedderError(sentence("Preparing pages for semantic search failed ({}).", type(error).__name__))
            log.exception("embedding stopped")
        self._note(failure)
        self._failures += 1
        self._fall_back(failure)

    def _note(self, failure: WebRAGError | None) -> None:
        """Keep what stopped the work, and announce when it stops and resumes."""
        has_changed = (failure is None) != (self.failure is None)
        self.failure = failure
        if has_changed:
            self._bus.publish(EmbedderChanged())

    async def _embed_waiting(self) -> None:
        loop, batches = asyncio.get_running_loop(), 0
        while (found := await self._next_batch())[0]:
            batch, by_second = found
            library, embedder = self._part(by_second)
            threads, lanes = self._threads, self._counts.urgent
            if not any(self._urgent.values()):
                is_reading = time.monotonic() - self._woken_at < READING_SECONDS
                threads = self._background
                lanes = 1 if self._is_on_battery else max(1, self._counts.background - is_reading)
            lanes = min(lanes, len(batch))
            parts = [batch[start::lanes] for start in range(lanes)]
            made = await asyncio.gather(
                *(loop.run_in_executor(threads, self._vectors, embedder, part) for part in parts)
            )
            await asyncio.to_thread(library.vectors.store, [vector for part in made for vector in part])
            self._made += len(batch)
            self._told.update(passage.document_id for passage in batch)
            await self._notify()
            await self._tell()
            self._note(None)
            batches += 1
            self._backoff.succeeded()
        if batches > 1:  # A single page leaves little memory, which the next one uses again.
            await asyncio.to_thread(release_free_memory)

    async def _notify(self) -> None:
        async with self._batch_done:
            self._batches += 1
            self._batch_done.notify_all()

    async def _next_batch(self) -> Batch:
        for by_second, urgent in self._urgent.items():
            batch = await asyncio.to_thread(self._wanted, tuple(urgent), BATCH, by_second) if urgent else NOTHING
            if batch[0]:
                return batch
        if self._paused or (self.yields and self._questions) or self._backoff.seconds_left:
            return NOTHING
        if time.monotonic() >= self._battery_until:
            self._is_on_battery = await asyncio.to_thread(self._read_battery)
            self._battery_until = time.monotonic() + BATTERY_POLL_SECONDS
        if self._is_on_battery and not self._works_on_battery:
            return NOTHING
        while self._preferred:
            document_id = self._preferred[0]
            batch = await asyncio.to_thread(self._next_of, document_id)
            if batch[0]:
                return batch
            self._preferred = [each for each in self._preferred if each != document_id]
        return await asyncio.to_thread(self._next_of, None)

    def _next_of(self, document_id: int | None) -> Batch:
        """Return the next passages of a document, or of all. Those that only the second model needs come last."""
        found = self._corpus.vectors.waiting(BATCH, document_id=document_id)
        if found or self._second is None:
            return found, False
        second = self._second[0].vectors
        if document_id is None:
            return second.waiting(BATCH), True
        ids = self._corpus.vectors.waiting_ids((document_id,))
        return (second.waiting(BATCH, chunk_ids=ids) if ids else []), True

    def _vectors(self, embedder: Embedder, passages: Sequence[PassageToEmbed]) -> list[EmbeddingIn]:
        made = embedder.embed_passages(_Texts(map(passage_text, passages), self._stopped))
        return [
            EmbeddingIn(passage.chunk_id, vector.vector, vector.token_bits)
            for passage, vector in zip(passages, made, strict=True)
        ]

    async def _tell(self) -> None:
        """Count pending chunks, and announce documents that are completely embedded."""
        waiting = await asyncio.to_thread(self._corpus.vectors.count_waiting)
        by_second = await asyncio.to_thread(self._second[0].vectors.count_waiting) if self._second is not None else 0
        now = time.monotonic()
        self._rate.note(self._made, waiting + by_second, now)
        # Most passages that wait for the first model also wait for the second one.
        waiting = max(waiting, by_second)
        self.seconds_left = self._rate.seconds_left(now) if waiting else None
        if waiting != self.waiting:
            self.waiting = waiting
            self._bus.publish(EmbeddingProgress(waiting))
        if not waiting:
            self._rate.forget()
            self._note(None)
            self._backoff.succeeded()
        document_ids, self._told = tuple(self._told), set()
        complete = await asyncio.to_thread(self._corpus.documents.complete, document_ids) if document_ids else {}
        for document_id, url in complete.items():
            self._bus.publish(DocumentChanged(url, document_id, "embedded"))


class _Texts(list[str]):
    """Texts for an embedder. One that reads them one by one, which can take a minute on a busy machine, ends with the queue."""

    def __init__(self, texts: Iterable[str], stopped: Event) -> None:
        super().__init__(texts)
        self._stopped = stopped

    def __iter__(self) -> Iterator[str]:
        for text in super().__iter__():
            if self._stopped.is_set():
                raise EmbedderError(STOPPING)
            yield text
