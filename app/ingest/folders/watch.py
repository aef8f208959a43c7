"""Watch folders: read changes on disk within seconds, and leave unavailable folders unchanged.

Events come from a thread of the system's watcher. A disk that does not respond is not waited for again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Final

from app.containment import is_skipped
from app.corpus.records import Folder
from app.errors import CorpusError, FileAccessError, WebRAGError
from app.ingest.folders.files import FolderFiles
from app.memory import on_own_thread
from app.text.media_types import kind_of

log = logging.getLogger(__name__)

WATCH_DEBOUNCE_MS: Final = 1_200  # Changes of a watched folder within this time are handled together.
WATCH_DIRECT_FILES: Final = 20  # Up to this many changed files are read directly; more become a job.
WATCH_CHECK_MS: Final = 2_000  # How often to check whether a watched folder disappeared or came back.
FOLDER_ANSWER_SECONDS: Final = 5.0  # A folder whose disk does not respond for this long counts as unavailable.
WATCH_POLL_SECONDS: Final = 10.0  # The polling interval if the system cannot report changes.
WatchEvents = frozenset[tuple[bool, Path]]
"""Changed paths, with True for deleted ones. Empty if nothing happened for a while."""
Identity = tuple[int, int] | None
"""Distinguishes a folder from another one in the same place; None if there is no readable folder."""


class FolderWatcher:
    """One task for all folders; none if there are no folders.

    `files_of` returns the files of a folder, `refresh` queues a job for many changes, `is_busy`: such a job is running. `gate` is closed
    while WebRAG is paused.
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
        """Watch these folders instead of the previous ones."""
        await self.stop()
        self._folders = tuple(folders)
        self._is_told = True
        if folders:
            self._task = asyncio.create_task(self._run(), name="watch folders")

    async def stop(self) -> None:
        """Stop watching."""
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
                log.warning("cannot watch folders (%s); checking every %.0f s instead", error, WATCH_POLL_SECONDS)
            except Exception:
                log.exception("watching folders failed; restarting")
                await asyncio.sleep(WATCH_POLL_SECONDS)

    async def _watch(self) -> None:
        """Scan available folders, and handle system events until one disappears or comes back."""
        present = await self._presence.of(self._folders)
        for folder, identity in present.items():
            if identity is None and folder.id not in self._away:
                log.warning("the folder %s is unavailable; its documents are kept", folder.path)
        self._away = {folder.id for folder, identity in present.items() if identity is None}
        there = {folder: identity for folder, identity in present.items() if identity is not None}
        for folder in there:
            self._mark(folder)
        if not self._is_told:
            await self._look_through(there)
            await asyncio.sleep(WATCH_POLL_SECONDS)
        elif there:
            await self._follow(there, present)
        else:
            await asyncio.sleep(WATCH_CHECK_MS / 1000)

    async def _follow(self, there: Mapping[Folder, Identity], present: Mapping[Folder, Identity]) -> None:
        async with aclosing(watch_events([Path(folder.path) for folder in there])) as stream:
            async for events in stream:
                for folder in there:
                    root = Path(folder.path)
                    inside = [is_deleted for is_deleted, path in events if root in path.parents]
                    if inside or any(path == root for _, path in events):
                        # A lost disk does not report the deletion of something inside.
                        self._mark(folder, may_be_empty=any(inside))
                now = await self._presence.of(self._folders)
                await self._look_through([folder for folder in there if now[folder] is not None])
                if now != present:
                    return

    async def _look_through(self, folders: Iterable[Folder]) -> None:
        """Handle the changes of each folder; an internal error does not affect the other folders."""
        await self._gate.wait()
        has_failed = False
        for folder in folders:
            try:
                await self._look(folder)
            except Exception:
                log.exception("scanning %s failed; WebRAG will try again", folder.path)
                has_failed = True
        if has_failed:
            await asyncio.sleep(WATCH_POLL_SECONDS)

    def _mark(self, folder: Folder, *, may_be_empty: bool = False) -> None:
        """Record that something in the folder may have changed."""
        self._dirty[folder.id] = self._dirty.get(folder.id, False) or may_be_empty

    async def _look(self, folder: Folder) -> None:
        """Handle the changes of a marked folder, unless a job is about to."""
        if folder.id not in self._dirty or self._is_busy(folder):
            return
        try:
            files = self._files_of(folder)
            changes = await files.changes(may_be_empty=self._dirty[folder.id])
            untried = files.untried(changes)
            if len(untried) > WATCH_DIRECT_FILES:
                await self._refresh(folder)
            else:
                await files.forget(changes.vanished)
                for url in untried:
                    try:
                        finished = await files.store(url)
                        log.info("a file of %s changed: %s %s", files.root.name, finished.state.value, finished.reason)
                    except CorpusError:
                        # The file itself is fine; try it again.
                        raise
                    except WebRAGError as error:
                        log.warning("a changed file was not read: %s", error)
        except FileAccessError as error:
            log.warning("%s", error)
        except WebRAGError as error:
            log.error("changes in %s were not read yet: %s", folder.path, error)
            return
        del self._dirty[folder.id]


class WatchingFailedError(Exception):
    """The system cannot watch these folders, for example because its limit of watches is reached."""


async def watch_events(roots: Sequence[Path]) -> AsyncGenerator[WatchEvents, None]:
    """Yield changes below the folders, collected over the debounce time; an empty set every few seconds without any.

    Raises WatchingFailedError. The thread ends when the iterator is closed.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[WatchEvents | WatchingFailedError] = asyncio.Queue()
    stop = threading.Event()

    def hand_over(events: WatchEvents | WatchingFailedError) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(queue.put_nowait, events)

    threading.Thread(target=_watch, args=(roots, stop, hand_over), name="folders", daemon=True).start()
    try:
        while True:
            events = await queue.get()
            if isinstance(events, WatchingFailedError):
                raise events
            yield events
    finally:
        stop.set()


def _watch(
    roots: Sequence[Path], stop: threading.Event, hand_over: Callable[[WatchEvents | WatchingFailedError], None]
) -> None:
    import watchfiles

    def concerns_a_text(change: watchfiles.Change, name: str) -> bool:
        """Whether the change affects a supported file or a folder. A deleted path may have been a folder."""
        path = Path(name)
        root = next((root for root in roots if root == path or root in path.parents), None)
        if root is None or any(is_skipped(part) for part in path.relative_to(root).parts):
            return False
        return kind_of(path) is not None or change is watchfiles.Change.deleted or path.is_dir()

    try:
        for changes in watchfiles.watch(
            *roots,
            watch_filter=concerns_a_text,
            debounce=WATCH_DEBOUNCE_MS,
            stop_event=stop,
            rust_timeout=WATCH_CHECK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            hand_over(frozenset((change is watchfiles.Change.deleted, Path(path)) for change, path in changes))
    except (OSError, RuntimeError) as error:
        hand_over(WatchingFailedError(str(error)))


class Presence:
    """Checks folders in separate threads, one per folder, which a dead network share may block forever."""

    def __init__(self) -> None:
        self._asked: dict[str, asyncio.Task[Identity]] = {}

    async def of(self, folders: Iterable[Folder]) -> dict[Folder, Identity]:
        """Return the state of the folders. A folder whose disk does not respond is unavailable, and is not waited for twice."""
        known = {folder.path: folder for folder in folders}
        new = {
            path: asyncio.create_task(on_own_thread("folder presence", partial(identity, Path(path))))
            for path in known.keys() - self._asked.keys()
        }
        self._asked |= new
        if new:
            await asyncio.wait(new.values(), timeout=FOLDER_ANSWER_SECONDS)
        return {
            folder: self._asked.pop(path).result() if self._asked[path].done() else None
            for path, folder in known.items()
        }


def identity(path: Path) -> Identity:
    """Return the identity of a folder, or None if it is not a folder, is a link, or cannot be listed."""
    try:
        status = path.stat()
        is_usable = path.is_dir() and path.resolve() == path and os.access(path, os.R_OK | os.X_OK)
    except (OSError, RuntimeError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if is_usable else None
