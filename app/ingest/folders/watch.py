"""Watching the folders: what changes on disk is taken up within seconds, what is away is left as it is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

from app import caps
from app.corpus.records import Folder
from app.errors import FileAccessError, WebRAGError
from app.ingest.folders.files import FolderFiles, Stamp
from app.ingest.folders.watch_events import WatchEvents, WatchingFailedError, watch_events

log = logging.getLogger(__name__)

Identity = tuple[int, int] | None


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
        self._tried: dict[str, Stamp] = {}
        self._away: set[int] = set()
        self._task: asyncio.Task[None] | None = None

    async def watch(self, folders: Sequence[Folder]) -> None:
        """Watch these folders instead of the ones before."""
        await self.stop()
        self._folders = tuple(folders)
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
            present = {folder: _identity(folder) for folder in self._folders}
            for folder, identity in present.items():
                if identity is not None:
                    self._mark(folder)
            self._note_away(present)
            try:
                await self._follow(present)
            except WatchingFailedError as error:
                log.warning(
                    "changes of folders cannot be watched (%s); looking every %.0f s instead",
                    error,
                    caps.WATCH_POLL_SECONDS,
                )
                await self._poll()
            except Exception:
                log.exception("watching folders failed; starting again")
                await asyncio.sleep(caps.WATCH_POLL_SECONDS)

    async def _follow(self, present: dict[Folder, Identity]) -> None:
        """Take up what the system tells until a folder goes away or comes back."""
        roots = [Path(folder.path) for folder, identity in present.items() if identity is not None]
        if not roots:
            await asyncio.sleep(caps.WATCH_CHECK_MS / 1000)
            return
        async with aclosing(watch_events(roots)) as stream:
            async for events in stream:
                for folder in present:
                    if _concern(events, folder):
                        self._mark(folder, may_be_empty=_tells_deletion(events, folder))
                await self._gate.wait()
                for folder in present:
                    await self._look(folder)
                if any(_identity(folder) != identity for folder, identity in present.items()):
                    return

    async def _poll(self) -> None:
        while True:
            await self._gate.wait()
            for folder in self._folders:
                self._mark(folder)
                await self._look(folder)
            await asyncio.sleep(caps.WATCH_POLL_SECONDS)

    def _mark(self, folder: Folder, *, may_be_empty: bool = False) -> None:
        """Note that something in the folder may differ."""
        self._dirty[folder.id] = self._dirty.get(folder.id, False) or may_be_empty

    async def _look(self, folder: Folder) -> None:
        """Take up the changes of a folder that may have some, unless a job is about to."""
        if folder.id not in self._dirty or self._is_busy(folder):
            return
        may_be_empty = self._dirty.pop(folder.id)
        try:
            await self._take_up(folder, may_be_empty)
        except FileAccessError as error:
            log.warning("%s", error)
        except WebRAGError as error:
            log.error("the changes in %s were not taken up: %s", folder.path, error)
            self._mark(folder, may_be_empty=may_be_empty)

    async def _take_up(self, folder: Folder, may_be_empty: bool) -> None:
        files = self._files_of(folder)
        changes = await files.changes(may_be_empty=may_be_empty)
        changed = {url: stamp for url, stamp in changes.changed.items() if self._tried.get(url) != stamp}
        if len(changed) > caps.WATCH_DIRECT_FILES:
            await self._refresh(folder)
            self._tried.update(changed)
            return
        await files.forget(changes.vanished)
        for url, stamp in changed.items():
            self._tried[url] = stamp
            await self._store(files, url)

    async def _store(self, files: FolderFiles, url: str) -> None:
        try:
            finished = await files.store(url)
            log.info("a file of %s changed: %s %s", files.root.name, finished.state.value, finished.reason)
        except WebRAGError as error:
            log.warning("a changed file was not read: %s", error)

    def _note_away(self, present: dict[Folder, Identity]) -> None:
        for folder, identity in present.items():
            if identity is None and folder.id not in self._away:
                log.warning("the folder %s is away; its documents are kept", folder.path)
        self._away = {folder.id for folder, identity in present.items() if identity is None}


def _identity(folder: Folder) -> Identity:
    """What tells one folder from another that took its place; None while there is none."""
    path = Path(folder.path)
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if path.is_dir() else None


def _concern(events: WatchEvents, folder: Folder) -> bool:
    root = Path(folder.path)
    return any(root == path or root in path.parents for _, path in events)


def _tells_deletion(events: WatchEvents, folder: Folder) -> bool:
    """Whether something inside was deleted, which the loss of a disk does not tell."""
    root = Path(folder.path)
    return any(is_deleted and root in path.parents for is_deleted, path in events)
