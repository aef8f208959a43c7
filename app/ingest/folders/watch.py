"""Watching the folders: what changes on disk is taken up within seconds, what is away is left as it is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from app import caps
from app.corpus.job_records import Folder
from app.errors import CorpusError, FileAccessError, WebRAGError
from app.ingest.folders.files import FolderFiles
from app.ingest.folders.presence import Identity, Presence
from app.ingest.folders.watch_events import WatchEvents, WatchingFailedError, watch_events

log = logging.getLogger(__name__)


class FolderWatcher:
    """One task for all folders; none while there are no folders.

    `files_of` gives the keeper of a folder, `refresh` queues a job for many changes, `is_busy` says that a job of the folder is under way,
    and `gate` is closed while the application is paused.
    """

    def __init__(
        self,
        *,
        files_of: Callable[[Folder], FolderFiles],
        refresh: Callable[[Folder], Awaitable[object]],
        is_busy: Callable[[Folder], bool],
        gate: asyncio.Event,
    ) -> None:
        self._files_of = files_of
        self._refresh = refresh
        self._is_busy = is_busy
        self._gate = gate
        self._folders: tuple[Folder, ...] = ()
        self._dirty: dict[int, bool] = {}
        self._away: set[int] = set()
        self._presence = Presence()
        self._is_told = True
        self._task: asyncio.Task[None] | None = None

    async def watch(self, folders: Sequence[Folder]) -> None:
        """Watch these folders instead of the ones before."""
        await self.stop()
        self._folders = tuple(folders)
        self._is_told = True
        if folders:
            self._task = asyncio.create_task(self._run(), name="watch folders")

    async def stop(self) -> None:
        """Watch nothing."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while True:
            try:
                await self._watch()
            except WatchingFailedError as error:
                self._is_told = False
                log.warning(
                    "changes of folders cannot be watched (%s); looking every %.0f s instead",
                    error,
                    caps.WATCH_POLL_SECONDS,
                )
            except Exception:
                log.exception("watching folders failed; starting again")
                await asyncio.sleep(caps.WATCH_POLL_SECONDS)

    async def _watch(self) -> None:
        """Look through the folders that are there, and follow what the system tells until one goes away or comes back."""
        present = await self._presence.of(self._folders)
        self._note_away(present)
        there = {folder: identity for folder, identity in present.items() if identity is not None}
        for folder in there:
            self._mark(folder)
        if not self._is_told:
            await self._look_through(there)
            await asyncio.sleep(caps.WATCH_POLL_SECONDS)
        elif there:
            await self._follow(there, present)
        else:
            await asyncio.sleep(caps.WATCH_CHECK_MS / 1000)

    async def _follow(self, there: Mapping[Folder, Identity], present: Mapping[Folder, Identity]) -> None:
        async with aclosing(watch_events([Path(folder.path) for folder in there])) as stream:
            async for events in stream:
                for folder in there:
                    if _concern(events, folder):
                        self._mark(folder, may_be_empty=_tells_deletion(events, folder))
                now = await self._presence.of(self._folders)
                await self._look_through([folder for folder in there if now[folder] is not None])
                if now != present:
                    return

    async def _look_through(self, folders: Iterable[Folder]) -> None:
        """Take up the changes of each folder; an error inside the program keeps no other folder from its turn."""
        await self._gate.wait()
        has_failed = False
        for folder in folders:
            try:
                await self._look(folder)
            except Exception:
                log.exception("looking through %s failed; it is tried again", folder.path)
                has_failed = True
        if has_failed:
            await asyncio.sleep(caps.WATCH_POLL_SECONDS)

    def _mark(self, folder: Folder, *, may_be_empty: bool = False) -> None:
        """Note that something in the folder may differ."""
        self._dirty[folder.id] = self._dirty.get(folder.id, False) or may_be_empty

    async def _look(self, folder: Folder) -> None:
        """Take up the changes of a folder that may have some, unless a job is about to."""
        if folder.id not in self._dirty or self._is_busy(folder):
            return
        try:
            await self._take_up(folder, self._dirty[folder.id])
        except FileAccessError as error:
            log.warning("%s", error)
        except WebRAGError as error:
            log.error("the changes in %s were not taken up yet: %s", folder.path, error)
            return
        del self._dirty[folder.id]

    async def _take_up(self, folder: Folder, may_be_empty: bool) -> None:
        files = self._files_of(folder)
        changes = await files.changes(may_be_empty=may_be_empty)
        untried = files.attempts.untried(changes.changed)
        if len(untried) > caps.WATCH_DIRECT_FILES:
            await self._refresh(folder)
            return
        await files.forget(changes.vanished)
        for url in untried:
            await self._store(files, url)

    async def _store(self, files: FolderFiles, url: str) -> None:
        """Read one file; raises CorpusError, after which it is tried again."""
        try:
            finished = await files.store(url)
            log.info("a file of %s changed: %s %s", files.root.name, finished.state.value, finished.reason)
        except CorpusError:
            raise
        except WebRAGError as error:
            log.warning("a changed file was not read: %s", error)

    def _note_away(self, present: Mapping[Folder, Identity]) -> None:
        for folder, identity in present.items():
            if identity is None and folder.id not in self._away:
                log.warning("the folder %s is away; its documents are kept", folder.path)
        self._away = {folder.id for folder, identity in present.items() if identity is None}


def _concern(events: WatchEvents, folder: Folder) -> bool:
    root = Path(folder.path)
    return any(root == path or root in path.parents for _, path in events)


def _tells_deletion(events: WatchEvents, folder: Folder) -> bool:
    """Whether something inside was deleted, which the loss of a disk does not tell."""
    root = Path(folder.path)
    return any(is_deleted and root in path.parents for is_deleted, path in events)
