"""What the system tells of changes in folders, brought from its thread into the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path

from app import caps
from app.ingest.folders.scan import SUFFIXES, is_skipped

WatchEvents = frozenset[tuple[bool, Path]]
"""Changed paths; True with those that were deleted. Empty when nothing happened for a while."""


class WatchingFailedError(Exception):
    """The system cannot watch these folders, for instance because its limit of watches is used up."""


async def watch_events(roots: Sequence[Path]) -> AsyncGenerator[WatchEvents, None]:
    """Changes below the folders, collected over the debounce time; an empty set every few seconds without any.

    Raises WatchingFailedError. The thread ends when the iterator is closed.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[WatchEvents | WatchingFailedError] = asyncio.Queue()
    stop = threading.Event()

    def hand_over(events: WatchEvents | WatchingFailedError) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(queue.put_nowait, events)

    thread = threading.Thread(target=_watch, args=(roots, stop, hand_over), name="folders", daemon=True)
    thread.start()
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

    def concerns_a_text(change: watchfiles.Change, path: str) -> bool:
        return _is_telling(roots, Path(path), is_deleted=change is watchfiles.Change.deleted)

    try:
        for changes in watchfiles.watch(
            *roots,
            watch_filter=concerns_a_text,
            debounce=caps.WATCH_DEBOUNCE_MS,
            stop_event=stop,
            rust_timeout=caps.WATCH_CHECK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            hand_over(frozenset((change is watchfiles.Change.deleted, Path(path)) for change, path in changes))
    except (OSError, RuntimeError) as error:
        hand_over(WatchingFailedError(str(error)))


def _is_telling(roots: Sequence[Path], path: Path, *, is_deleted: bool) -> bool:
    """Whether a change can concern a text: a file of a known kind, or a folder. What was deleted may have been a folder."""
    root = next((root for root in roots if root == path or root in path.parents), None)
    if root is None or any(is_skipped(part) for part in path.relative_to(root).parts):
        return False
    return path.suffix.lower() in SUFFIXES or is_deleted or path.is_dir()
