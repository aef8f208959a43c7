"""Keep the documents of one folder in sync with its files: the differences, reading and deleting, and the job that does it."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app import caps
from app.containment import contained, is_inside
from app.corpus import Corpus
from app.corpus.records import Folder, StoredFile
from app.corpus.unread_files import NOTED_BYTES, UnreadFiles
from app.errors import CorpusError, EmptyPageError, FileAccessError, PreparationError
from app.events import DocumentChanged, EventBus
from app.ingest.files import file_path, file_url
from app.ingest.folders.scan import FolderScan, Stamp, scan_folder
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.run import Finished, Work
from app.library.job_records import ItemState, Job, JobItem
from app.text.sentence import joined, sentence

UNREAD_HINT: Final = "WebRAG tries again when the file changes."


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """The differences between the files and the corpus. `changed` has the stamps of new and changed files, the smallest first."""

    changed: dict[str, Stamp]
    vanished: tuple[StoredFile, ...]
    too_large: tuple[str, ...]
    note: str


class FolderFiles:
    """Finds changes in a folder, reads files, and deletes documents of missing ones. `unread` outlives the program."""

    def __init__(
        self,
        folder: Folder,
        attempts: Attempts,
        unread: UnreadFiles,
        *,
        corpus: Corpus,
        pipeline: IngestPipeline,
        bus: EventBus,
    ) -> None:
        self.folder = folder
        self.attempts = attempts
        self.root = Path(folder.path)
        self._unread = unread
        self._corpus = corpus
        self._pipeline = pipeline
        self._bus = bus

    async def changes(self, *, may_be_empty: bool = False) -> FolderChanges:
        """Return the current differences. Raises FileAccessError if the folder is unavailable.

        An empty folder with known files counts as a disconnected disk, unless it `may_be_empty`.
        """
        return await asyncio.to_thread(self._changes, may_be_empty)

    def untried(self, changes: FolderChanges) -> dict[str, Stamp]:
        """Return the changed files that are worth another attempt."""
        self._unread.forget_others(f"{file_url(self.root)}/", changes.changed)
        untried = self.attempts.untried(changes.changed)
        return {url: stamp for url, stamp in untried.items() if not self._unread.why_not(url, stamp)}

    async def forget(self, files: Iterable[StoredFile]) -> None:
        """Delete the documents of missing files."""
        for file in files:
            if await asyncio.to_thread(self._corpus.documents.delete, [file.document_id]):
                self._bus.publish(DocumentChanged(file.url, file.document_id, "deleted"))

    async def store(self, url: str) -> Finished:
        """Read one file of the folder. Raises WebRAGError if it cannot be read, or failed before and has not changed."""
        found = await asyncio.to_thread(self._checked, url)
        if found is None:
            return Finished(ItemState.SKIPPED, sentence("The file no longer exists."))
        path, stamp = found
        if why_not := self._unread.why_not(url, stamp):
            raise PreparationError(why_not, url=url, hint=UNREAD_HINT)
        try:
            finished = await self._read(path, url, stamp)
        except CorpusError:
            # The file itself is fine; try it again.
            raise
        except Exception:
            self.attempts.note(url, stamp)
            raise
        self.attempts.note(url, stamp)
        return finished

    async def _read(self, path: Path, url: str, stamp: Stamp) -> Finished:
        failure, is_suspect = "", False
        if stamp[1] >= NOTED_BYTES:
            is_suspect = await asyncio.to_thread(self._unread.begin, url, stamp)
        try:
            outcome = await self._pipeline.store_file(path, folder_id=self.folder.id, apart=is_suspect)
        except EmptyPageError as error:
            return Finished(ItemState.SKIPPED, str(error))
        except PreparationError as error:
            # An error without an address means that the process could not be started.
            failure = error.message if error.url else ""
            raise
        finally:
            if failure or url in self._unread:
                await asyncio.shield(asyncio.to_thread(self._unread.end, url, stamp, failure))
        return Finished(ItemState(outcome.change), outcome.note)

    def _checked(self, url: str) -> tuple[Path, Stamp] | None:
        """Return path and stamp of a file that is still a regular file in the folder, or None if it is gone."""
        path = file_path(url)
        if not path.is_relative_to(self.root):
            raise FileAccessError(sentence("{} is not in the folder {}.", path, self.root))
        is_plain = contained(self.root, path.relative_to(self.root).as_posix(), is_listed=True) == path
        try:
            status = path.lstat()
        except OSError:
            return None
        if not is_plain or not stat.S_ISREG(status.st_mode):
            message = sentence("{} is no longer a regular file in this folder.", path)
            raise FileAccessError(message, hint="Restore the file. WebRAG then indexes it automatically.")
        return path, (status.st_mtime_ns, status.st_size)

    def _changes(self, may_be_empty: bool) -> FolderChanges:
        scan = scan_folder(self.root)
        stored = {file.url: file for file in self._corpus.folders.files(self.folder.id)}
        if scan.is_empty and stored and not may_be_empty:
            message = sentence("The folder {} is empty. WebRAG keeps its pages ({}).", self.root, len(stored))
            hint = "Connect its disk. If the folder is empty on purpose, remove it from WebRAG."
            raise FileAccessError(message, hint=hint)
        self.attempts.left_out = scan.left_out
        stamps = {url: (file.stamp.mtime_ns, file.stamp.bytes) for url, file in stored.items()}
        found = dict(sorted(scan.files.items(), key=lambda entry: entry[1][1]))
        changed = {url: stamp for url, stamp in found.items() if stamp != stamps.get(url)}
        vanished = tuple(file for url, file in stored.items() if url not in found and _is_gone(url, scan))
        return FolderChanges(changed, vanished, tuple(map(file_url, scan.too_large)), _note(scan))


def _is_gone(url: str, scan: FolderScan) -> bool:
    """Whether a stored file that the scan did not find was removed from the folder."""
    path = file_path(url)
    if any(is_inside(folder, path) for folder in scan.unread):
        return False
    return not scan.is_cut or not os.path.lexists(path)


def _note(scan: FolderScan) -> str:
    parts = []
    if scan.is_cut:
        limit = f"{caps.MAX_FOLDER_FILES:,}"
        parts.append(
            sentence("WebRAG reads only the first {} files, up to {} folders deep.", limit, caps.MAX_FOLDER_DEPTH)
        )
    if scan.unread:
        message = sentence("Subfolders that cannot be opened: {}, for example {}.", len(scan.unread), scan.unread[0])
        parts.append(message)
    return joined((*parts, scan.left_out))


class FolderWork(Work):
    """The work of a folder job. An unreadable file never stops the others."""

    def __init__(self, job: Job, files: FolderFiles, corpus: Corpus) -> None:
        self._job = job
        self._files = files
        self._corpus = corpus
        self._note = ""

    async def prepare(self) -> None:
        """Compare the files with the corpus, delete missing ones, queue changed ones; raises FileAccessError."""
        changes = await self._files.changes()
        self._note = changes.note
        await self._files.forget(changes.vanished)
        reason = sentence("Larger than {} MiB.", caps.MAX_FILE_BYTES // caps.MIB)
        items = [JobItem(url, 0) for url in changes.changed]
        items += [JobItem(url, 0, ItemState.SKIPPED, reason) for url in changes.too_large]
        await asyncio.to_thread(self._corpus.jobs.add_items, self._job.id, items)

    async def read(self, item: JobItem) -> Finished:
        """Read one file; raises WebRAGError."""
        return await self._files.store(item.url)

    def remark(self) -> str:
        return self._note


class Attempts:
    """The attempts at the files of one folder that differ from the corpus. `left_out` describes the files that the last scan skipped."""

    def __init__(self) -> None:
        self.left_out = ""
        self._stamps: dict[str, Stamp] = {}

    def note(self, url: str, stamp: Stamp) -> None:
        """Record that a file with this stamp was read, or turned out to be unreadable."""
        self._stamps[url] = stamp

    def untried(self, changed: Mapping[str, Stamp]) -> dict[str, Stamp]:
        """Return the changed files not yet tried in their current state, and forget attempts at all others."""
        self._stamps = {url: stamp for url, stamp in self._stamps.items() if changed.get(url) == stamp}
        return {url: stamp for url, stamp in changed.items() if url not in self._stamps}
