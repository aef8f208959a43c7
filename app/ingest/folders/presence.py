"""Whether folders are there, without waiting for a disk that does not answer."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Iterable
from pathlib import Path

from app import caps
from app.corpus.job_records import Folder

log = logging.getLogger(__name__)

Identity = tuple[int, int] | None
"""What tells one folder from another that took its place; None while there is none that can be read."""


class Presence:
    """Looks at folders in threads of their own, one a folder, which a dead network share may keep for ever."""

    def __init__(self) -> None:
        self._asked: dict[str, asyncio.Future[Identity]] = {}

    async def of(self, folders: Iterable[Folder]) -> dict[Folder, Identity]:
        """The folders as they are now; one whose disk does not answer is away, and is not waited for a second time."""
        known = {folder.path: folder for folder in folders}
        new = [self._ask(path) for path in known if path not in self._asked]
        if new:
            await asyncio.wait(new, timeout=caps.FOLDER_ANSWER_SECONDS)
        return {folder: self._taken(path) for path, folder in known.items()}

    def _ask(self, path: str) -> asyncio.Future[Identity]:
        loop = asyncio.get_running_loop()
        answer = self._asked[path] = loop.create_future()
        threading.Thread(target=_answer, args=(path, loop, answer), name="folder presence", daemon=True).start()
        return answer

    def _taken(self, path: str) -> Identity:
        return self._asked.pop(path).result() if self._asked[path].done() else None


def _answer(path: str, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Identity]) -> None:
    found = identity(Path(path))

    def hand_over() -> None:
        if not answer.done():
            answer.set_result(found)

    try:
        loop.call_soon_threadsafe(hand_over)
    except RuntimeError:
        log.debug("nobody waits any more for a look at a folder")


def identity(path: Path) -> Identity:
    """What a folder is known by; None for what is no folder, is a link, or may not be listed."""
    try:
        status = path.stat()
        is_usable = path.is_dir() and path.resolve() == path and os.access(path, os.R_OK | os.X_OK)
    except (OSError, RuntimeError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if is_usable else None
