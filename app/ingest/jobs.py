"""Background jobs: crawls, lists of pages, and watched folders."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from app import caps
from app.containment import is_inside
from app.corpus import Corpus
from app.corpus.records import Folder
from app.corpus.unread_files import UnreadFile, UnreadFiles
from app.errors import FileAccessError, InvalidArgumentError, InvalidURLError
from app.events import CURRENT_CALL, DocumentChanged, Event, EventBus, JobChanged, LabelsChanged
from app.ingest.crawling.crawl import FOR_ASSISTANT, REFRESH, CrawlWork, PageListWork
from app.ingest.crawling.options import CrawlOptions, CrawlPreview, checked_options, options_from_json, options_to_json
from app.ingest.crawling.preview import preview_crawl
from app.ingest.files import file_url
from app.ingest.folders.files import Attempts, FolderFiles, FolderWork
from app.ingest.folders.scan import check_kept, checked_folder, is_taken
from app.ingest.folders.watch import FolderWatcher
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.queue import ACTIVE_SHOWN, JobQueue
from app.ingest.runner.run import Work
from app.library.job_records import ItemState, Job, JobItem, JobKind, JobState
from app.library.protocol import LibraryWriter
from app.text.sentence import sentence
from app.web.fetch import Fetcher
from app.web.urls import normalise_url

log = logging.getLogger(__name__)


_SAVED_IN_BROWSER = sentence("The page was saved from the browser and can only be refreshed by saving it there again.")


class Jobs(JobQueue):
    """Manages background reading. Call every method from the event loop that ran `start`.

    Pages are stored in `library`. `corpus` contains this computer's folders, which are read only if it is the library. `own` sees the
    jobs of all users, `library` only the current caller's. `unread` are files of folders to skip until they change. `concurrency` is the
    number of pages or files that one job reads at the same time.
    """

    def __init__(
        self,
        library: LibraryWriter,
        corpus: Corpus,
        pipeline: IngestPipeline,
        fetcher: Fetcher,
        bus: EventBus,
        *,
        concurrency: int,
        own: LibraryWriter | None = None,
        unread: UnreadFiles | None = None,
    ) -> None:
        gate = asyncio.Event()
        gate.set()
        super().__init__(library, bus, gate, at_once=concurrency, own=own)
        self._unread = unread or UnreadFiles()
        self._corpus = corpus
        self._pipeline = pipeline
        self._fetcher = fetcher
        self._known_folders: dict[str, Folder] = {}
        self._refused: dict[str, FileAccessError] = {}
        self._attempts: dict[int, Attempts] = {}
        self._is_watching = False
        self._reading_on = asyncio.Lock()
        self._collecting: set[int] = set()
        self.package_work: Callable[[Job], Work] | None = None  # Set by the engine.
        self._unfollow: Callable[[], None] = lambda: None
        self._watcher = FolderWatcher(
            files_of=self._files_of,
            refresh=self._queue_folder,
            is_busy=lambda folder: self.is_busy(JobKind.FOLDER, folder.path),
            gate=gate,
        )

    async def start(self, *, background: bool = True) -> None:
        """Continue the jobs of an earlier run, and watch the folders; without `background`, only run what is requested."""
        self._is_watching = background
        self._fill(await asyncio.to_thread(self._corpus.jobs.filling))
        await self._watch()
        await super().start(background=background)
        if background:
            # A failed job tells of each folder that must not be read.
            known = await self.jobs(caps.MAX_JOBS_KEPT) if self._refused else []
            for path, error in self._refused.items():
                log.warning("%s", error)
                if any(job.target == path and job.detail.startswith(str(error)) for job in known):
                    continue
                try:
                    await self._queue_folder(self._known_folders[path])
                except InvalidArgumentError as too_many:
                    log.warning("could not add a note about %s: %s", path, too_many)

    async def stop(self) -> None:
        """End running jobs, which continue at the next start. Call it before the pipeline is stopped."""
        self._unfollow()
        await self._watcher.stop()
        await super().stop()

    def set_paused(self, paused: bool) -> None:
        """Hold back all jobs and watching; running items are finished."""
        if paused:
            self._gate.clear()
        else:
            self._gate.set()
        self.held_up()

    async def preview(self, url: str, options: CrawlOptions) -> CrawlPreview:
        """Preview a crawl with a few requests, without storing anything. Raises FetchError and InvalidArgumentError."""
        address = self._checked_address(url)
        return await preview_crawl(
            address, checked_options(options), corpus=self._library, fetcher=self._fetcher, pipeline=self._pipeline
        )

    async def crawl(self, url: str, options: CrawlOptions) -> Job:
        """Start to crawl a site, or return the running job with the same address and options."""
        job, _ = await self.add(JobKind.CRAWL, self._checked_address(url), options_to_json(checked_options(options)))
        return await self.wake(job)

    async def read_pages(self, urls: Sequence[str], *, target: str, refresh: bool = False) -> Job:
        """Start to read a list of pages; `target` names its source. Invalid addresses are recorded as skipped.

        With `refresh`, pages are fetched again even if their copies are fresh.
        """
        items = await asyncio.to_thread(self._list_items, urls)
        if not 1 <= len(items) <= caps.MAX_IMPORTED_URLS:
            raise InvalidArgumentError(
                sentence("A list must have 1 to {} addresses, not {}.", caps.MAX_IMPORTED_URLS, len(items)),
                hint="Split the list into smaller ones.",
            )
        job, _ = await self.add(JobKind.PAGES, target, _list_options(refresh))
        await asyncio.to_thread(self._library.jobs.add_items, job.id, tuple(items.values()))
        return await self.wake(job)

    async def read_on(self, url: str, refresh: bool) -> int:
        """Return the number of the job that finishes reading a page after a call's time ran out. All such calls share it.

        A running fetch is joined, not repeated; the job remains in case the program ends before it.
        """
        options = _list_options(refresh)
        async with self._reading_on:
            for job in await asyncio.to_thread(self._library.jobs.recent, ACTIVE_SHOWN, active_only=True):
                if (job.kind, job.target, job.options) == (JobKind.PAGES, url, options):
                    return job.id
            return (await self.read_pages([url], target=url, refresh=refresh)).id

    async def add_folder(self, path: Path) -> Job:
        """Keep the files of a folder in the corpus from now on. Raises FileAccessError if it cannot be added."""
        self._private()
        folder = await asyncio.to_thread(checked_folder, path)
        for known in await self.folders():
            # Each file belongs to one folder; the same folder may be added again.
            other = Path(known.path)
            if folder != other and is_inside(other, folder):
                raise FileAccessError(
                    sentence("{} is already included in the added folder {}.", folder, other),
                    hint="WebRAG already indexes its files. You do not need to add it.",
                )
            if folder != other and is_inside(folder, other):
                message = sentence("{} contains the folder {}, which is already added.", folder, other)
                raise FileAccessError(message, hint=sentence("Remove {} first, then add this one.", other))
        added = await asyncio.to_thread(self._corpus.folders.add, str(folder))
        await self._watch()
        return await self._queue_folder(added)

    async def remove_folder(self, path: Path) -> bool:
        """Remove a folder and the documents of its files, not the files; return False if it was not added."""
        folder = await self._find_folder(path)
        if folder is None:
            return False
        del self._known_folders[folder.path]
        self._attempts.pop(folder.id, None)
        self._unread.forget_others(f"{file_url(Path(folder.path))}/", ())
        await self._watch_known()
        await self.end_all(JobKind.FOLDER, folder.path)
        files = await asyncio.to_thread(self._corpus.folders.files, folder.id)
        removed = await asyncio.to_thread(self._corpus.folders.remove, folder.id)
        for file in files:
            self._bus.publish(DocumentChanged(file.url, file.document_id, "deleted"))
        return removed

    async def refresh_folder(self, path: Path) -> Job:
        """Scan a folder again; raises FileAccessError if it was not added."""
        folder = await self._find_folder(path)
        if folder is None:
            raise FileAccessError(sentence("The folder {} was not added.", path), hint="Add it first.")
        return await self._queue_folder(folder)

    async def rename_folder(self, path: Path, name: str) -> Folder:
        """Rename a folder; raises FileAccessError if it was not added, InvalidArgumentError for an invalid name."""
        folder = await self._find_folder(path)
        renamed = await asyncio.to_thread(self._corpus.folders.rename, folder.id, name) if folder is not None else None
        if renamed is None:
            raise FileAccessError(sentence("The folder {} was not added.", path), hint="Add it first.")
        self._known_folders[renamed.path] = renamed
        return renamed

    def folder_of(self, path: Path) -> int | None:
        """Return the number of the folder that contains this resolved path, or None."""
        usable = (folder for folder in self._known_folders.values() if folder.path not in self._refused)
        return next((folder.id for folder in usable if is_taken(Path(folder.path), path)), None)

    async def folders(self) -> list[Folder]:
        """Return the watched folders."""
        if self._library is not self._corpus:
            return []
        return [
            replace(
                folder,
                unread=tuple(file.reason for file in self._unread.below(f"{file_url(Path(folder.path))}/")),
                left_out=self._attempts[folder.id].left_out if folder.id in self._attempts else "",
            )
            for folder in await asyncio.to_thread(self._corpus.folders.all)
        ]

    def unread(self) -> tuple[UnreadFile, ...]:
        """Return files of folders that could not be read in time and are skipped until they change."""
        return self._unread.below() if self._known_folders else ()

    def left_out(self) -> tuple[str, ...]:
        """Return how many files of each folder are always skipped, and why."""
        folders = self._known_folders.values()
        known = ((folder.path, self._attempts[folder.id].left_out) for folder in folders if folder.id in self._attempts)
        return tuple(f"{path}: {text}" for path, text in known if text)

    async def jobs(self, limit: int) -> list[Job]:
        """Return jobs, newest first."""
        return [self.as_it_is(job) for job in (await asyncio.to_thread(self._library.jobs.recent, limit))]

    async def items(
        self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0
    ) -> list[JobItem]:
        """Return pages or files of a job, in the order they were found; raises UnknownJobError."""
        await self.job(job_id)
        return await asyncio.to_thread(self._library.jobs.items, job_id, states=states, limit=limit, offset=offset)

    async def collect(self, job_id: int, name: str) -> None:
        """Add all past and future pages of a job to a collection, which is created if necessary.

        Raises UnknownJobError, and InvalidArgumentError for an invalid name.
        """
        found = await asyncio.to_thread(self._private().jobs.collect, job_id, name)
        if not (await self.job(job_id)).state.is_final:
            self._fill([job_id])
        self._bus.publish(LabelsChanged(tuple(found)))

    async def task_of(self, job_id: int, client: str) -> str:
        """Return the unguessable ID under which a client follows a job, also after a restart. Raises UnknownJobError."""
        return await asyncio.to_thread(self._private().jobs.task_of, job_id, client)

    async def of_task(self, task_id: str, client: str) -> Job:
        """Return the job that a client follows. Raises UnknownJobError, also for the ID of another client."""
        job_id = await asyncio.to_thread(self._private().jobs.of_task, task_id, client)
        return await self.job(job_id or 0)

    def _fill(self, job_ids: Sequence[int]) -> None:
        """Follow these jobs, which fill collections, to their end."""
        if job_ids and not self._collecting:
            self._unfollow = self._bus.subscribe(self._follow)
        self._collecting.update(job_ids)

    def _follow(self, event: Event) -> None:
        """Announce a change of collections when a job that fills one has ended."""
        if isinstance(event, JobChanged) and event.job_id in self._collecting and JobState(event.state).is_final:
            self._collecting.discard(event.job_id)
            if not self._collecting:
                self._unfollow()
            self._bus.publish(LabelsChanged())

    def _private(self) -> Corpus:
        """Return the corpus if it is the library. Raises InvalidArgumentError on a node."""
        if self._library is not self._corpus:
            raise InvalidArgumentError(
                sentence("A shared library does not support watched folders or private collections."),
                hint="Add it to your private library, then share its pages.",
            )
        return self._corpus

    def _list_items(self, urls: Sequence[str]) -> dict[str, JobItem]:
        items: dict[str, JobItem] = {}
        for url in urls:
            try:
                if "#" in url and self._pipeline.kept_under_fragment(url) is not None:
                    item = JobItem(url, 0, ItemState.SKIPPED, _SAVED_IN_BROWSER)
                else:
                    item = JobItem(normalise_url(url), 0)
            except InvalidURLError as error:
                item = JobItem(url[: caps.MAX_URL_CHARS_IN_ERRORS], 0, ItemState.SKIPPED, str(error))
            items[item.url] = item
        return items

    def _work_of(self, job: Job) -> Work:
        if job.kind is JobKind.CRAWL:
            return CrawlWork(
                job,
                options_from_json(job.options),
                corpus=self._library,
                pipeline=self._pipeline,
                fetcher=self._fetcher,
                bus=self._bus,
            )
        if job.kind is JobKind.PAGES:
            return PageListWork(job, corpus=self._library, pipeline=self._pipeline)
        if job.kind is JobKind.PACKAGES and self.package_work is not None:
            return self.package_work(job)
        folder = self._known_folders.get(job.target)
        if folder is None:
            raise FileAccessError(
                sentence("The folder {} was removed.", job.target), hint="Add it again to index its files."
            )
        if folder.path in self._refused:
            raise self._refused[folder.path]
        return FolderWork(job, self._files_of(folder), self._corpus)

    def _files_of(self, folder: Folder) -> FolderFiles:
        attempts = self._attempts.setdefault(folder.id, Attempts())
        return FolderFiles(folder, attempts, self._unread, corpus=self._corpus, pipeline=self._pipeline, bus=self._bus)

    async def _queue_folder(self, folder: Folder) -> Job:
        job, _ = await self.add(JobKind.FOLDER, folder.path)
        if job.id in await asyncio.to_thread(self._corpus.jobs.filling):
            self._fill([job.id])
        return await self.wake(job)

    async def _watch(self) -> None:
        self._known_folders = {folder.path: folder for folder in await self.folders()}
        self._refused = await asyncio.to_thread(_find_refused, self._known_folders)
        await self._watch_known()

    async def _watch_known(self) -> None:
        if self._is_watching:
            usable = [folder for path, folder in self._known_folders.items() if path not in self._refused]
            await self._watcher.watch(usable)

    async def _find_folder(self, path: Path) -> Folder | None:
        """Return the added folder at a path, which may no longer exist."""
        full = await asyncio.to_thread(lambda: path.expanduser().absolute())
        names = (str(full), str(await asyncio.to_thread(full.resolve)))
        return next((folder for name, folder in self._known_folders.items() if name in names), None)

    def _checked_address(self, url: str) -> str:
        address = normalise_url(url)
        self._fetcher.check(address)
        return address


def _find_refused(paths: Collection[str]) -> dict[str, FileAccessError]:
    """Return the folders that must not be read, with the reason."""
    refused: dict[str, FileAccessError] = {}
    for path in paths:
        try:
            check_kept(Path(path))
        except FileAccessError as error:
            refused[path] = error
    return refused


def _list_options(refresh: bool) -> str:
    if refresh:
        return REFRESH
    return FOR_ASSISTANT if CURRENT_CALL.get() else "{}"
