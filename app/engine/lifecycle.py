"""Start and stop: everything that an engine opens, resumes and closes."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app import events
from app.corpus.watch import Watch
from app.embed import EmbedderFactory, configured_embedder
from app.engine.activity import Activity, CallRecorder, Questions
from app.engine.components import Components, build_components, keep_guide
from app.engine.documents import Documents
from app.engine.maintenance import Maintenance
from app.engine.packages import Packages, PackagesWork
from app.engine.upkeep import Upkeep
from app.errors import CorpusDamagedError, DiskFullError, LibraryNotJoinedError
from app.memory import lasting_task, settle
from app.paths import joined_file
from app.retrieval.records import ALL_STAGES, Stages
from app.scratch.resources import Artifact
from app.secrets import SecretStore
from app.settings import Settings

if TYPE_CHECKING:
    from app.engine.components import OpenNode
    from app.engine.libraries import Libraries

log = logging.getLogger(__name__)


class EngineLifecycle(ABC):
    """Opens, keeps and closes the parts of an engine. All coroutines belong to the loop that ran `start`."""

    def __init__(
        self,
        settings: Settings,
        secrets: SecretStore,
        bus: events.EventBus,
        stages: Stages = ALL_STAGES,
        make_embedder: EmbedderFactory = configured_embedder,
        open_node: OpenNode | None = None,
    ) -> None:
        self.settings = settings
        self._open_node = open_node
        self.bus = bus
        self._secrets = secrets
        self._stages = stages
        self._make_embedder = make_embedder
        self._opened: Components | None = None
        self.is_paused = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None
        self._recorder = CallRecorder(settings, bus)
        self._upkeep: Upkeep | None = None
        self._joined_file = joined_file(settings.data_dir)
        self._libraries: Libraries | None = None
        self._waits_for_room = False
        self._begins = True
        self._updated: float | None = None  # The completed share of an update of the library.
        self._packages_lock = asyncio.Lock()
        self._unsubscribe = bus.subscribe(self._on_event)

    async def start(
        self,
        *,
        background: bool = True,
        begins: bool = True,
        on_update: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """Open the corpus, load the embedder and resume unfinished work.

        Without `background`, folders are not watched and only requested jobs run. Without `begins`, folders and jobs wait for `begin`, so
        that a server can listen first. `on_update` runs while a library of an earlier version is updated; until then, calls raise
        LibraryUpdatingError. Raises CorpusError. A missing or damaged model does not stop the engine: keyword search still works, and
        `embedder_state` says why.
        """
        self._begins = begins
        loop = self._loop = asyncio.get_running_loop()
        watch = Watch(lambda share: loop.call_soon_threadsafe(self._note_update, share, on_update))
        try:
            self._opened = await build_components(
                self.settings,
                self._secrets,
                self.bus,
                self._stages,
                self._make_embedder,
                elsewhere=self._elsewhere if self._open_node is None else None,
                open_node=self._open_node,
                watch=watch,
            )
        finally:
            watch.cancel()  # Ends the update in its thread if this task was canceled.
            self._updated = None
        opened = self._opened
        opened.start()
        if opened.node is None:
            opened.jobs.package_work = lambda job: PackagesWork(job, Packages(opened, self._packages_lock))
        self._waits_for_room = self._opened.corpus.is_read_only
        if not self._waits_for_room:
            await self._take_up(background=background)
        self._upkeep = Upkeep(
            self._opened.corpus,
            self._tell_state,
            lambda: self._resume(background=background),
            backs_up=self.settings.auto_backup,
            expire=self._recorder.questions.expire,
            release_model=self._opened.release_model,
        )
        self._upkeep.start(background=background)
        settle()
        self.bus.publish(events.EngineStateChanged("running", self._opened.embedder_error))
        log.info("engine started: %d documents", (await asyncio.to_thread(self._opened.library.totals)).documents)

    def _note_update(self, share: float, on_update: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
        if self._updated is None and on_update is not None:
            self._keep(on_update(), "update")
        self._updated = share
        self.bus.publish(events.LibraryUpdating(share))

    async def begin(self) -> None:
        """Check the folders and resume the jobs of an earlier run, if `start` postponed that."""
        self._begins = True
        if not self._waits_for_room:
            with self._as_far_as_possible():
                await self._components.take_up(background=True)

    async def stop(self) -> None:
        """Stop background work and close the corpus. Can be called twice."""
        self._unsubscribe()
        tasks = [*self._background, *([self._following] if self._following is not None else ())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        upkeep, self._upkeep = self._upkeep, None
        if upkeep is not None:
            await upkeep.stop()
        libraries, self._libraries = self._libraries, None
        if libraries is not None:
            libraries.close()
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.close()
        self.bus.publish(events.EngineStateChanged("stopped"))

    @property
    def libraries(self) -> Libraries:
        if self._libraries is None:
            from app.engine.libraries import Libraries

            self._libraries = Libraries(self.settings.data_dir, self._secrets, self.bus)
        return self._libraries

    def apply(self, settings: Settings) -> None:
        """Apply settings that need no restart: recording of calls, blocked sites, and packages that assistants may add."""
        self.settings = replace(self.settings, mcp_add_packages=settings.mcp_add_packages)
        self._recorder.apply(settings)
        self._components.cited.is_on = settings.activity_log
        self._components.policy.deny(settings.deny_hosts)
        if self._upkeep is not None:
            self._upkeep.backs_up = settings.auto_backup

    def set_paused(self, paused: bool) -> None:
        """Pause background work and refuse calls from outside; questions in the window are still embedded."""
        self.is_paused = paused
        self._components.set_paused(paused)
        self._tell_state()

    async def make_ready(self) -> None:
        """Load the model for questions if it was released. Raises EmbedderError."""
        if self._components.embedder is not None:
            await asyncio.to_thread(self._components.embedder.make_ready)

    @property
    def maintenance(self) -> Maintenance:
        """Sizes, checks and copies of stored data. Raises NotRunningError before start and after stop."""
        return Maintenance(self.settings, self._secrets, self._components)

    @property
    def activity(self) -> Activity:
        """The record of calls. Raises NotRunningError before start and after stop."""
        return Activity(
            self._components.corpus, self._recorder.questions, shows_questions=self._recorder.keeps_questions
        )

    @property
    def questions(self) -> Questions:
        """The questions of assistants. Raises NotRunningError before start and after stop."""
        return Questions(self._components.corpus, self._recorder.questions)

    @property
    @abstractmethod
    def _components(self) -> Components: ...

    @abstractmethod
    def _on_event(self, event: events.Event) -> None: ...

    @abstractmethod
    def _tell_state(self) -> None: ...

    def _elsewhere(self, library: str, page_id: int) -> Artifact:
        if not self._joined_file.exists():
            raise LibraryNotJoinedError(library)
        return self.libraries.artifact(library, page_id)

    async def _take_up(self, *, background: bool) -> None:
        """Start work that writes: the guide, folders and jobs of an earlier run, and unfinished deletions."""
        opened = self._components
        with self._as_far_as_possible():
            if opened.node is None:
                await keep_guide(opened.pipeline, opened.library)
                documents = Documents(opened.library, opened.corpus, self.bus, opened.pictures)
            else:
                documents = Documents(opened.node.own, opened.corpus, self.bus)
            self._keep(documents.finish_deletions(), "deleting")
            if self._begins:
                await opened.take_up(background=background)
            if background and opened.node is None and self._following is None:
                following = Packages(opened, self._packages_lock).follow(lambda: not self.is_paused)
                self._following = lasting_task(following, "following projects")

    def _keep(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run work in the background until it ends or the engine stops."""
        task = lasting_task(work, name)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    @contextmanager
    def _as_far_as_possible(self) -> Iterator[None]:
        """Let background work wait if the disk is full or the file is damaged."""
        try:
            yield
            self._waits_for_room = False
        except DiskFullError as error:
            self._waits_for_room = True
            log.warning("background work is waiting for disk space: %s", error)
        except CorpusDamagedError as error:
            log.error("background work cannot start: %s", error)

    async def _resume(self, *, background: bool) -> None:
        """The disk has space again: start work that was blocked, and retry work that failed."""
        log.info("the disk has space again")
        if self._waits_for_room:
            await self._take_up(background=background)
        self._components.retry_now()
        self._tell_state()
        await self._components.jobs.take_up_left_ones()
