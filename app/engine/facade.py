"""The methods that the server, desktop and command line call, on top of the lifecycle."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import caps, errors, events
from app.corpus import Corpus
from app.corpus.records import CorpusStatus, FileHealth
from app.docsets.service import Docs
from app.engine.components import Components, EmbedderState
from app.engine.documents import Documents, sources_of
from app.engine.lifecycle import EngineLifecycle
from app.engine.packages import Packages
from app.ingest.crawling.preview import PagePreview, preview_page
from app.ingest.files import named_file
from app.ingest.jobs import Jobs
from app.ingest.outcome import Change, IngestedPage, IngestOutcome
from app.ingest.pipeline import BrowserPage
from app.kb.service import KnowledgeBase
from app.library.protocol import Library, LibraryWriter
from app.library.records import PRIVATE, Freshness
from app.library.scope import FILES_ROOT, GUIDE_ROOT, Filter, asks_about_changes, label_named, library_of
from app.orchestration.page_queries import PageAnswers
from app.orchestration.pages import address_in, address_of, check_count, read_page, within
from app.orchestration.question import Question, bounded_queries, bounded_query
from app.orchestration.result import OrchestrationResult, SourceFailure
from app.retrieval.graph.service import CorpusGraph
from app.retrieval.records import AskedLibraries, SearchMode
from app.scratch.resources import ResourceResolver
from app.scratch.store import ScratchStore
from app.text.sentence import sentence
from app.text.terms import estimate_tokens
from app.web.search.records import QuerySearch, WebQuery

if TYPE_CHECKING:
    from app.engine.node import Node
    from app.engine.shared_pages import SharedPages

FIRST_CHECK_SECONDS: Final = 2.0  # Seconds that a status waits for the check that follows the start.
MAX_SOURCES: Final = 8  # Names that a status shows.
MAX_LABELS: Final = 6


class Engine(EngineLifecycle):
    """The engine; the lifecycle has start and stop. All coroutines belong to the loop that ran `start`."""

    async def run(
        self,
        question: Question,
        progress: events.ProgressCallback = events.no_progress,
        *,
        library: str = PRIVATE,
        whole_library: bool = True,
    ) -> OrchestrationResult:
        """Return evidence for a question from the named pages and, within the budget, from their links.

        `library` names a joined library to search too, or "all" or "shared". Without `whole_library`, only the sites of the named pages
        are searched there.

        With `collection:NAME` or `tag:NAME` among the addresses, only stored pages are used and no links are followed. Raises WebRAGError
        if no named page could be read; a single unreadable one is reported in the result.
        """
        pages = () if whole_library and not all(map(self.elsewhere, question.urls)) else question.urls
        asked = self.ask_libraries(library, question.query, pages=pages)
        if asked is not None:
            urls = tuple(url for url in question.urls if self.elsewhere(url) not in asked.names)
            own = partial(self.run, replace(question, urls=urls), progress)
            return await self.libraries.answered(asked, question.query, own, keeps_own=True)
        self._check_private(question.urls)
        if any(map(label_named, question.urls)):
            return await self._run_within_labels(question, progress)
        given = [await address_in(self._library, url, or_as_given=len(question.urls) > 1) for url in question.urls]
        urls = tuple(dict.fromkeys(given))
        if not urls:
            raise errors.InvalidArgumentError(
                sentence("No URL is given."), hint="Pass at least one URL, or use search to query stored pages."
            )
        check_count(urls)
        question = replace(question, urls=urls, query=bounded_query(question.query))
        return self._told(await self._components.orchestrator.run(question, progress))

    async def _run_within_labels(self, question: Question, progress: events.ProgressCallback) -> OrchestrationResult:
        """Return evidence from the stored pages of collections, and from the pages named with them, which are read first."""
        named = [url for url in question.urls if label_named(url) is None]
        read = await self.ingest(named, seconds=question.seconds, progress=progress) if named else ()
        failures = tuple(SourceFailure.of(url, page) for url, page in zip(named, read, strict=True) if not page.is_read)
        unread = {failure.url for failure in failures}
        sources = [url for url in question.urls if url not in unread]
        found = await self.search(
            question.query, source_urls=sources, intent=question.intent, about=question, progress=progress
        )
        return replace(found, failures=(*found.failures, *failures))

    async def search(
        self,
        query: str,
        *,
        source_urls: Sequence[str] = (),
        intent: str | None = None,
        top_k: int | None = None,
        mode: str = SearchMode.HYBRID,
        within: Filter | None = None,
        about: Question | None = None,
        at_once: bool = False,
        narrows: bool = True,
        rereads: bool = True,
        progress: events.ProgressCallback = events.no_progress,
        library: str = PRIVATE,
    ) -> OrchestrationResult:
        """Return evidence from stored pages, restricted by `within`, without network requests except to the joined libraries in
        `library`.

        `about` is the question of an `answer`. `at_once` does not wait for vectors: a passage without them is estimated. `narrows`:
        a place that the question names is searched. `rereads`: the chosen reranker orders the best passages, unless `at_once`.
        `source_urls` are addresses of stored pages, `collection:NAME` or `tag:NAME`. Raises InvalidArgumentError if all sources are
        unknown, and UnknownLabelError.
        """
        library = library if within is None else PRIVATE
        asked = self.ask_libraries(library, query, limit=top_k or caps.DEFAULT_TOP_K, pages=source_urls)
        if asked is not None:
            urls = [url for url in source_urls if self.elsewhere(url) not in asked.names]
            own = partial(self.search, query, source_urls=urls, intent=intent, top_k=top_k, mode=mode)
            own = partial(own, about=about, at_once=at_once, narrows=narrows, rereads=rereads, progress=progress)
            return await self.libraries.answered(asked, query, own, keeps_own=False)
        self._check_private(source_urls)
        sources = await asyncio.to_thread(sources_of, self._library, source_urls)
        scope = sources.filter
        if within is not None:
            tags = (*within.doc_tags, *scope.doc_tags)
            scope = replace(within, document_ids=scope.document_ids, doc_tags=tags)
        scope = replace(scope, with_changes=asks_about_changes(query))
        found = await self._components.orchestrator.search(
            bounded_query(query),
            scope=scope,
            documents=sources.documents,
            chunks=sources.chunks,
            missing=sources.missing,
            intent=intent,
            top_k=max(1, min(top_k or caps.DEFAULT_TOP_K, caps.MAX_TOP_K)),
            mode=SearchMode(mode),
            about=about,
            at_once=at_once,
            narrows=narrows,
            rereads=rereads,
            progress=progress,
        )
        return self._told(found)

    async def web_search(
        self,
        queries: Sequence[str],
        *,
        results: int = caps.SEARCH_RESULTS,
        region: str = "",
        language: str = "",
        safe_search: str = "",
        seconds: float | None = None,
    ) -> tuple[QuerySearch, ...]:
        """Return web pages for each query from the configured provider; a failed query has its error instead.

        An empty `safe_search` and `seconds` None (the soft deadline) mean the settings. Raises SearchNotSetUpError, and the first error
        if every query failed.
        """
        asked = bounded_queries(queries)
        plan = WebQuery("", max(1, min(results, caps.MAX_SEARCH_RESULTS)), region, language, safe_search)
        return await self._components.web_search.search(asked, plan, self._seconds(seconds))

    async def read_from_page(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = caps.PAGE_RESULTS,
        seconds: float | None = None,
        progress: events.ProgressCallback = events.no_progress,
    ) -> PageAnswers:
        """Return the passages of one page closest to each query; the page is read if there is no fresh copy.

        The note reports a page behind a sign-in or without text. Raises FetchError and similar errors for an unreadable page. A page of a
        joined library is read from that library.
        """
        if self._is_shared(url):
            return await asyncio.to_thread(self.libraries.read, url, bounded_queries(queries), max_results)
        return await self._components.page_queries.read(
            await address_in(self._library, url),
            bounded_queries(queries),
            force_refresh=force_refresh,
            limit=max(1, min(max_results, caps.MAX_PAGE_RESULTS)),
            seconds=self._seconds(seconds),
            progress=progress,
        )

    async def cite(self, document_ids: Sequence[int]) -> tuple[Freshness, ...]:
        """Return the state of stored pages that a result will quote; they count as cited from now on."""
        return await self._components.cited.cite(document_ids)

    async def ensure_ingested(
        self, url: str, *, refresh: bool = False, progress: events.ProgressCallback = events.no_progress
    ) -> IngestedPage:
        """Store the page unless a fresh copy is stored. Raises WebRAGError if it cannot be read."""
        address = await address_in(self._library, url)
        return self._added(await read_page(self._components.pipeline, address, progress, refresh=refresh))

    async def ingest(
        self,
        urls: Sequence[str],
        *,
        refresh: bool = False,
        seconds: float | None = None,
        progress: events.ProgressCallback = events.no_progress,
    ) -> tuple[IngestedPage, ...]:
        """Store several pages. A failed one is an entry with its failure, one that needs longer than `seconds` (default: the soft
        deadline) an entry with the job that continues it."""
        check_count(urls)
        readings = [self.ensure_ingested(url, refresh=refresh, progress=progress) for url in urls]
        results = await within(self._seconds(seconds), urls, readings, self.jobs.read_on, refresh=refresh)
        return tuple(IngestedPage.of_reading(url, result) for url, result in zip(urls, results, strict=True))

    async def preview_page(self, url: str) -> PagePreview:
        """Return what would be stored of a page, fetched now and not stored. Raises FetchError and similar errors."""
        opened = self._components
        return await preview_page(
            address_of(url), pipeline=opened.pipeline, fetcher=opened.fetcher, corpus=opened.library
        )

    async def ingest_preview(self, preview: PagePreview) -> IngestedPage:
        """Store a page from `preview_page` without another request to the site. Raises WebRAGError."""
        return self._added(await self._components.pipeline.store_fetched_page(preview.read()))

    async def keep_from_browser(self, page: BrowserPage) -> IngestedPage:
        """Store a page as the user's browser shows it. Raises FetchError and similar errors."""
        return self._added(await self._components.pipeline.store_browser_page(page))

    async def add_file(self, path: Path) -> IngestedPage:
        """Store one local file that the user named; files in watched folders stay part of their folder.

        Raises FileAccessError and the errors of reading a page.
        """
        file = await asyncio.to_thread(named_file, path)
        outcome = await self._components.pipeline.store_file(file, folder_id=self.jobs.folder_of(file))
        return self._added(outcome)

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus:
        """Return counts of the corpus and the indexed pages, newest first, or one page."""
        health, embedder = await self.checked(), await self.embedding_for_caller()
        totals = await asyncio.to_thread(self._library.totals)
        state = CorpusStatus(
            totals,
            (),
            health=health,
            without_meaning=embedder.detail,
            is_english_only=embedder.is_english_only,
            seconds_left=embedder.seconds_left,
            reclaimable=self._corpus.reclaimable,
        )
        if source_url is not None and self._is_shared(source_url):
            row = await asyncio.to_thread(self.libraries.summary, source_url)
            return replace(state, documents=(row,), asked_url=row.url)
        if source_url is not None:
            address = await address_in(self._library, source_url)
            summary = await asyncio.to_thread(self._library.documents.summary, address)
            return replace(state, documents=(summary,) if summary else (), asked_url=address)
        documents = await asyncio.to_thread(self._library.documents.summaries, limit=limit)
        omitted = max(0, totals.documents - len(documents))
        unread, left_out = self.jobs.unread(), self.jobs.left_out()
        projects = tuple(await asyncio.to_thread(self._corpus.packages.projects)) if self.node is None else ()
        state = replace(state, unread=unread, left_out=left_out, projects=projects)
        names = await asyncio.to_thread(named_in, self._library)
        return replace(state, documents=tuple(documents), omitted=omitted, names=names)

    async def checked(self) -> FileHealth:
        """Return the problems of the corpus file; waits a moment for the check that follows the start."""
        if self._upkeep is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(FIRST_CHECK_SECONDS):
                    await self._upkeep.checked.wait()
        return self._corpus.health

    def count_tokens(self, text: str) -> int:
        """Count tokens with the embedder's tokenizer, or estimate them without one."""
        return estimate_tokens(text) if self._opened is None else self._opened.count_tokens([text])[0]

    def check_not_paused(self) -> None:
        """Raise PausedError while paused. Everything that serves calls from outside checks this first."""
        if self.is_paused:
            raise errors.PausedError(sentence("The user paused WebRAG."))

    @property
    def keeps_questions(self) -> bool:
        """Whether the user allows questions of assistants to be stored."""
        return self._recorder.keeps_questions

    @property
    def embedder_state(self) -> EmbedderState:
        """Return the embedder's name, whether it works, and the waiting chunks. A full disk is not a fault of the embedder."""
        opened = self._opened
        if opened is None:
            return EmbedderState("none", False, "", 0)
        name = " + ".join(each.card.name for each in (opened.embedder, opened.second) if each is not None) or "none"
        failures = [each.failure for each in (opened.asked, opened.embeddings) if each is not None]
        failure = next((str(failure) for failure in failures if isinstance(failure, errors.EmbedderError)), "")
        detail = opened.embedder_error or failure
        usable, queue = opened.embedder is not None and not detail, opened.embeddings
        is_english_only = opened.embedder is not None and bool(opened.embedder_error) and not failure
        state = EmbedderState(name, usable, detail, 0, is_english_only=is_english_only)
        if queue is None or not queue.waiting:
            return state
        left = None if queue.reason else queue.seconds_left
        return replace(state, waiting=queue.waiting, reason=queue.reason, seconds_left=left)

    async def embedding_for_caller(self) -> EmbedderState:
        """Return the same, counting only passages that the caller may read."""
        if self.node is None:
            return self.embedder_state
        waiting = await asyncio.to_thread(self._library.vectors.count_waiting)
        return replace(self.embedder_state, waiting=waiting, seconds_left=None)

    @property
    def health(self) -> FileHealth:
        """Return the known problems of the corpus file; none before start and after stop."""
        return self._opened.corpus.health if self._opened is not None else FileHealth()

    @property
    def reclaimable(self) -> int:
        """Return the bytes that compacting the library is worth freeing, as last measured."""
        return self._opened.corpus.reclaimable if self._opened is not None else 0

    @property
    def joined(self) -> tuple[str, ...]:
        """Return the names of the joined libraries that are on. Loads nothing while there are none."""
        return self.libraries.names if self._open_node is None and self._joined_file.exists() else ()

    def elsewhere(self, address: str) -> str:
        """Return the name of the library in a page address if it is not this program's own, otherwise ""."""
        named = library_of(address.strip())
        own = self._opened.library.name if self._opened is not None else PRIVATE
        return "" if named in (PRIVATE, own) else named

    def check_here(self, addresses: Iterable[str], instead: str) -> None:
        """Raise InvalidArgumentError for an address in another library, with `instead` as the hint."""
        for address in filter(self._is_shared, addresses):
            library = self.elsewhere(address)
            raise errors.InvalidArgumentError(
                sentence("{} is a page of the shared library {}.", address, library), hint=instead
            )

    def ask_libraries(
        self, library: str, question: str, *, limit: int = caps.DEFAULT_TOP_K, pages: Sequence[str] = ()
    ) -> AskedLibraries | None:
        """Start searching the given joined libraries, with `pages` only for the sites of these. None if only the private one is meant."""
        if library == PRIVATE or not self.joined:
            return None
        return self.libraries.ask(library, question, limit=limit, model=self._corpus.model, pages=pages)

    @property
    def jobs(self) -> Jobs:
        """Crawls, lists of pages and watched folders. Raises NotRunningError before start and after stop."""
        return self._components.jobs

    @property
    def scratch(self) -> ScratchStore:
        """Saved passages. Raises NotRunningError before start and after stop."""
        return self._components.scratch

    @property
    def docs(self) -> Docs:
        """Pages of documentation folders, blocking. Raises NotRunningError before start and after stop."""
        return self._components.docs

    @property
    def artifacts(self) -> ResourceResolver:
        """Passages and pages by their addresses. Raises NotRunningError before start and after stop."""
        return self._components.resources

    @property
    def graph(self) -> CorpusGraph:
        """The graph of the corpus. Raises NotRunningError before start and after stop."""
        return self._components.graph

    @property
    def documents(self) -> Documents:
        """The stored pages. Raises NotRunningError before start and after stop."""
        return Documents(self._library, self._corpus, self.bus, self._components.pictures)

    @property
    def packages(self) -> Packages:
        return Packages(self._components, self._packages_lock)

    @property
    def kb(self) -> KnowledgeBase:
        """Passages, quotes and excerpts of stored pages. Raises NotRunningError before start and after stop."""
        return self._components.kb

    async def writing_to(self, collection: str | None) -> AbstractContextManager[None]:
        """Return a context that stores all fetched pages in this collection of the shared library, or without one in any permitted
        collection.

        Raises InvalidArgumentError if this is not a node or the caller cannot use the collection.
        """
        if collection is None:
            return nullcontext()
        if self.node is None:
            raise errors.InvalidArgumentError(
                sentence(
                    "Only a node of a shared library can store pages in a given collection. This library is private."
                ),
                hint="Leave out the collection. The user adds pages to private collections in the window.",
            )
        return await self.node.writing_to(collection)

    @property
    def shared_pages(self) -> SharedPages:
        """Return the functions of a node for programs that joined its library. Raises NotRunningError on other installations."""
        opened = self._components
        if opened.node is None:
            raise errors.NotRunningError(
                sentence("This only works on a node of a shared library."), hint="Use the address of a node."
            )
        from app.engine.shared_pages import SharedPages

        prefer = opened.embeddings.prefer if opened.embeddings is not None else lambda _: None
        return SharedPages(opened.node, opened.pipeline, self.search, prefer)

    @property
    def node(self) -> Node | None:
        """The rights of users of a shared library. None for a program with its own library, before start and after stop."""
        return self._opened.node if self._opened is not None else None

    @property
    def _components(self) -> Components:
        if self._opened is not None:
            return self._opened
        if self._updated is not None:
            said = sentence("WebRAG is updating the library for its new version ({} %).", int(100 * self._updated))
            raise errors.LibraryUpdatingError(said)
        raise errors.NotRunningError(sentence("WebRAG is not running."), hint="Start it first.")

    def _on_event(self, event: events.Event) -> None:
        opened = self._opened
        has_come = isinstance(event, events.DocumentChanged) and event.change in (Change.STORED, Change.UPDATED)
        if has_come and opened is not None and self._loop is not None:
            # Embed the chunks and add the document to the graph. Events arrive on the thread that stored the document.
            for queue in (opened.embeddings, opened.filling):
                if queue is not None:
                    self._loop.call_soon_threadsafe(queue.wake)
        if isinstance(event, events.EvidenceTraced):
            self._recorder.note(event)
        if opened is not None and opened.node is not None:
            opened.node.on_event(event)
        if isinstance(event, events.CallFinished) and opened is not None:
            if event.outcome != "ok":
                opened.corpus.stop_waiting(event.call_id)
            if self._recorder.is_on:
                task = asyncio.create_task(self._recorder.record(event, opened.corpus))
                self._background.add(task)
                task.add_done_callback(self._background.discard)

    def _tell_state(self) -> None:
        self.bus.publish(events.EngineStateChanged("paused" if self.is_paused else "running"))

    @property
    def _library(self) -> LibraryWriter:
        return self._components.library

    @property
    def _corpus(self) -> Corpus:
        return self._components.corpus

    def _is_shared(self, address: str) -> bool:
        """Whether an address is in a joined library. Raises LibraryNotJoinedError if that library is not on."""
        library = self.elsewhere(address)
        if library and library not in self.joined:
            raise errors.LibraryNotJoinedError(library)
        return bool(library)

    def _check_private(self, addresses: Iterable[str]) -> None:
        self.check_here(addresses, "This call asks the private library: leave out `library`, or name that one.")

    def _told(self, result: OrchestrationResult) -> OrchestrationResult:
        """Return the result with notes about problems of its corpus file."""
        troubles = troubles_of(self.health)
        return replace(result, notes=(*result.notes, *troubles)) if troubles else result

    def _seconds(self, seconds: float | None) -> float:
        return self.settings.mcp_soft_deadline if seconds is None else seconds

    def _added(self, outcome: IngestOutcome) -> IngestedPage:
        """Return the entry of a requested page, which is embedded before older waiting pages."""
        if self._components.embeddings is not None:
            self._components.embeddings.prefer([outcome.summary.id])
        return IngestedPage.of(outcome)


def troubles_of(health: FileHealth) -> tuple[str, ...]:
    """Return the notes about the file for readers of results; empty if there are no problems."""
    troubles: list[str] = []
    if health.damage:
        damaged = sentence(
            "The library on this computer is damaged ({}), so passages may be missing. Tell the user to repair it in"
            " Settings > Storage of WebRAG, or with {} or {}.",
            health.damage.rstrip("."),
            "`webrag restore --newest`",
            "`webrag restore --salvage`",
        )
        troubles.append(damaged)
    if health.refusal:
        refusal = health.refusal
        troubles.append(
            sentence("{} Stored pages can be searched; new ones cannot be stored until there is space.", refusal)
        )
    return tuple(troubles)


def named_in(library: Library) -> tuple[str, ...]:
    """Return the largest sources and some labels of a library, for a reader to name."""
    roots = [root for root in library.documents.roots(MAX_SOURCES) if root not in (GUIDE_ROOT, FILES_ROOT)]
    return (*roots, *library.documents.labels()[:MAX_LABELS])
