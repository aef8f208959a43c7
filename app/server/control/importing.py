"""Files that a person hands over: exported bookmarks become a job, every other file a document."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import caps
from app.corpus.job_records import Job
from app.errors import FileAccessError, InvalidArgumentError, WebRAGError
from app.ingest.outcome import IngestedPage
from app.progress import ProgressCallback

if TYPE_CHECKING:
    from app.engine import Engine
    from app.extract.bookmarks import BookmarkFolder

HEAD_BYTES: Final = 1_024
_BOOKMARKS = re.compile(rb"<!DOCTYPE\s+NETSCAPE-Bookmark-file-1", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one file: a stored or failed document, or the job that reads the pages of its bookmarks."""

    path: str
    page: IngestedPage | None = None
    job: Job | None = None


async def import_files(engine: Engine, paths: Sequence[Path], progress: ProgressCallback) -> list[Imported]:
    """Every file is tried; one that cannot be read is an entry with its failure."""
    imported: list[Imported] = []
    for path in paths:
        await progress("ingestion", f"Reading {path.name}...")
        imported.append(await _import_file(engine, path))
    return imported


async def _import_file(engine: Engine, path: Path) -> Imported:
    try:
        if await asyncio.to_thread(is_bookmarks, path):
            return Imported(str(path), job=await import_bookmarks(engine, path))
        return Imported(str(path), page=await engine.add_file(path))
    except WebRAGError as error:
        return Imported(str(path), page=IngestedPage.failed(str(path), error))


async def import_bookmarks(engine: Engine, path: Path) -> Job:
    """A job for the pages of a browser's exported bookmarks. Raises FileAccessError, InvalidArgumentError."""
    urls = await asyncio.to_thread(_bookmarked, path)
    if not urls:
        raise InvalidArgumentError(f"{path.name} holds no bookmarks of web pages.")
    return await engine.jobs.read_pages(urls[: caps.MAX_IMPORTED_URLS], target=path.name)


def is_bookmarks(path: Path) -> bool:
    """Whether a file holds a browser's exported bookmarks. Raises FileAccessError."""
    if path.suffix.lower() not in (".html", ".htm"):
        return False
    try:
        with path.open("rb") as stream:
            return _BOOKMARKS.search(stream.read(HEAD_BYTES)) is not None
    except OSError as error:
        raise _unreadable(path, error) from error


def _bookmarked(path: Path) -> tuple[str, ...]:
    from app.extract.bookmarks import bookmark_urls

    return bookmark_urls(_body(path))


def bookmark_folders_of(path: Path) -> tuple[BookmarkFolder, ...]:
    """The folders of a browser's exported bookmarks with their pages. Raises FileAccessError."""
    from app.extract.bookmarks import bookmark_folders

    return bookmark_folders(_body(path))


def _body(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            body = stream.read(caps.MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(body) > caps.MAX_FILE_BYTES:
        raise FileAccessError(f"{path.name} is larger than {caps.MAX_FILE_BYTES // caps.MIB} MiB.")
    return body


def _unreadable(path: Path, error: OSError) -> FileAccessError:
    return FileAccessError(f"{path} cannot be read: {error.strerror or type(error).__name__}.")
