"""All parts that exist between start and stop, built for one set of settings. Only this module builds them."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from app import caps
from app.corpus import Corpus
from app.corpus.pictures import PictureStore, open_pictures, remove_pictures
from app.corpus.restore import AUTOMATIC_FOLDER, clear_leftovers
from app.corpus.unread_files import NOTES_FILE, UnreadFiles
from app.docsets.indexing import Source
from app.docsets.service import DocOptions, Docs
from app.embed import NO_MODEL, EmbedderFactory, configured_embedder
from app.embed.embedder import CachingEmbedder, Embedder, ModelCard
from app.embed.folder import TOKENIZER_FILE, subjects
from app.embed.threads import embed_threads
from app.errors import EmbedderError, NotRunningError, SettingsError, WebRAGError
from app.events import EmbedderChanged, EventBus
from app.extract import extract
from app.ingest.background import SHARED_RESTS, EmbeddingQueue, GraphFilling
from app.ingest.files import guide_folder, guide_pages, guide_url
from app.ingest.folders.scan import check_kept
from app.ingest.jobs import Jobs
from app.ingest.pictures import PictureFetching
from app.ingest.pipeline import IngestPipeline
from app.kb.access import NamedTexts
from app.kb.service import KnowledgeBase
from app.library.protocol import LibraryWriter
from app.library.records import EmbeddingModel
from app.orchestration.assembly import CitedDocuments
from app.orchestration.loop import Orchestrator
from app.orchestration.page_queries import PageQueries
from app.paths import corpus_file, model_dir
from app.retrieval.graph.service import CorpusGraph
from app.retrieval.records import ALL_STAGES, Stages
from app.retrieval.rerank import closeness
from app.scratch.resources import Elsewhere, ResourceResolver
from app.scratch.store import CacheSweeper, ScratchStore
from app.secrets import SecretStore
from app.settings import Settings
from app.settings_schema import LIBRARY_VARIABLE, site_days
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.text.tokens import (
    ChunkingLimits,
    CountTokens,
    ScriptCounter,
    fast_counter,
    file_counter,
    token_counter,
    tokens_per_letter,
)
from app.web.address import AddressPolicy
from app.web.exchange import tls_context
from app.web.fetch import Fetcher, FetchOptions
from app.web.politeness import RobotsPolicy
from app.web.records import INSTALL_RENDERER, SWITCH_ON_RENDERER
from app.web.rendering import ProcessRenderer, available
from app.web.search.service import WebSearch

if TYPE_CHECKING:
    from app.engine.node import Node
    from app.engine.shared_pages import Search, SharedPages

    OpenNode: TypeAlias = Callable[[EmbeddingModel], Node]

log = logging.getLogger(__name__)

CHUNK_TOKENS: Final = 220
MIN_CHUNK_TOKENS: Final = 16
CHUNK_HEAD_TOKENS: Final = 36
"""Tokens of a chunk reserved in the model's window for title and heading path."""

SECONDS_PER_DAY = 86_400

UNREAD_DOCS_FILE: Final = "unread-docs.json"

PAGE = b"<html><head><title>A page</title></head><body><p>One paragraph of text.</p></body></html>"


@dataclass(frozen=True, slots=True)
class Components:
    """All parts that exist between start and stop. `embedder_error` says why there is no embedder; `asked` embeds questions.

    `library` holds the pages: the corpus, or at a node the shared library. The corpus also has the data of this machine.

    `count_tokens` counts like the embedder, or estimates without one.
    """

    library: LibraryWriter
    corpus: Corpus
    node: Node | None
    policy: AddressPolicy
    fetcher: Fetcher
    embedder: Embedder | None
    asked: CachingEmbedder | None
    embedder_error: str
    count_tokens: CountTokens
    embeddings: EmbeddingQueue | None
    pipeline: IngestPipeline
    orchestrator: Orchestrator
    cited: CitedDocuments
    jobs: Jobs
    renderer: ProcessRenderer | None
    scratch: ScratchStore
    sweeper: CacheSweeper
    resources: ResourceResolver
    page_queries: PageQueries
    web_search: WebSearch
    graph: CorpusGraph
    filling: GraphFilling
    docs: Docs
    kb: KnowledgeBase
    pictures: PictureStore | None
    """None while images are not stored."""
    picture_fetching: PictureFetching | None

    def start(self) -> None:
        """Start the background work that does not need disk space."""
        asyncio.get_running_loop().run_in_executor(None, warm_up)
        if self.node is not None:
            self.node.start()
        if self.embeddings is not None:
            self.embeddings.start()
        self.sweeper.start()
        self.filling.start()
        if self.picture_fetching is not None:
            self.picture_fetching.start()

    def set_paused(self, paused: bool) -> None:
        for each in (self.embeddings, self.jobs, self.filling, self.picture_fetching):
            if each is not None:
                each.set_paused(paused)

    def embedder_state(self, detail: str) -> EmbedderState:
        """Return the embedder's name, whether it works, and the waiting chunks; `detail` says why it does not work."""
        name = self.embedder.card.name if self.embedder is not None else "none"
        usable, queue = self.embedder is not None and not detail, self.embeddings
        if queue is None:
            return EmbedderState(name, usable, detail, 0)
        left = None if queue.reason else queue.seconds_left
        return EmbedderState(name, usable, detail, queue.waiting, queue.reason, left)

    def shared_pages(self, search: Search) -> SharedPages:
        """Return the functions of a node for programs that joined its library. Raises NotRunningError on other installations."""
        if self.node is None:
            raise NotRunningError(
                sentence("This only works on a node of a shared library."), hint="Use the address of a node."
            )
        from app.engine.shared_pages import SharedPages

        prefer = self.embeddings.prefer if self.embeddings is not None else lambda _: None
        return SharedPages(self.node, self.pipeline, search, prefer)

    def wake(self) -> None:
        """Process new chunks and documents: embed the chunks, and add the documents to the graph."""
        if self.embeddings is not None:
            self.embeddings.wake()
        self.filling.wake()

    def retry_now(self) -> None:
        """Retry failed work now instead of waiting for its next attempt."""
        if self.embeddings is not None:
            self.embeddings.retry_now()
        self.filling.retry_now()

    def release_model(self, idle_seconds: float) -> bool:
        """Release the memory of the embedding model if nothing was embedded for so long; return whether there was any."""
        return self.embedder is not None and self.embedder.release_memory(idle_seconds)

    async def take_up(self, *, background: bool) -> None:
        """Continue unfinished work of an earlier run; jobs and folders only with `background`."""
        if background:
            await asyncio.to_thread(self.docs.start)
        await self.jobs.start(background=background)

    async def close(self) -> None:
        """End the work and release files, connections and the model, in this order."""
        self.sweeper.stop()
        await self.jobs.stop()
        if self.picture_fetching is not None:
            await self.picture_fetching.stop()
        await self.orchestrator.stop()
        await self.filling.stop()
        await self.web_search.aclose()
        await self.pipeline.stop()
        if self.renderer is not None:
            await self.renderer.aclose()
        if self.embeddings is not None:
            await self.embeddings.stop()
        await self.fetcher.aclose()
        await asyncio.to_thread(self.docs.stop)
        await asyncio.to_thread(self.corpus.close)
        if self.node is not None:
            await self.node.close()
        if self.embedder is not None:
            self.embedder.close()


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """The state of the embedder.

    `detail` says why it is not usable; `waiting` counts chunks without vectors; `reason` says why they wait, or is empty. `seconds_left`
    estimates the time for them, None if unknown.
    """

    name: str
    usable: bool
    detail: str
    waiting: int
    reason: str = ""
    seconds_left: float | None = None


def settings_for(settings: Settings, open_node: OpenNode | None) -> Settings:
    """Return the settings of an engine that opens a shared library with `open_node`, or a private one.

    Raises SettingsError if the environment names a shared library but nothing opens it.
    """
    if open_node is not None:
        # Questions and users are recorded in the audit log of the library, never in a file of one node.
        return replace(settings, activity_log=False, keep_questions=False, auto_backup=False)
    if os.environ.get(LIBRARY_VARIABLE, "").strip():
        raise SettingsError(
            sentence(
                "{} is set, but only {} can open a shared library.",
                LIBRARY_VARIABLE,
                "`webrag serve --transport streamable-http`",
            ),
            hint=sentence("Unset {}, or start that server.", LIBRARY_VARIABLE),
        )
    return settings


async def build_components(
    settings: Settings,
    secrets: SecretStore,
    bus: EventBus,
    stages: Stages = ALL_STAGES,
    make_embedder: EmbedderFactory = configured_embedder,
    elsewhere: Elsewhere | None = None,
    open_node: OpenNode | None = None,
) -> Components:
    """Load the embedder, open the corpus and at a node the shared library, and connect the parts. Raises CorpusError.

    A missing or damaged model does not prevent this: the bundled model card applies, so that stored vectors stay usable.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    slots, policy = NetworkSlots(settings.concurrency), address_policy(settings)
    await asyncio.to_thread(_clear_leftovers, settings)
    embedder, card, embedder_error = await asyncio.to_thread(_load_embedder, make_embedder, settings, secrets, slots)
    corpus = await asyncio.to_thread(
        Corpus.open, corpus_file(settings.data_dir), dimension=card.dimension, model=card.fingerprint
    )
    node = await _node(open_node, card, corpus)
    library: LibraryWriter = corpus if node is None else node.shared
    fetcher, renderer = open_fetcher(settings, policy, slots), _renderer(settings, policy, slots)
    limits = _chunking(settings, embedder, card)
    pipeline = _pipeline(settings, library, fetcher, limits, bus, renderer, node)
    stages = replace(
        stages, rerank=stages.rerank and settings.rerank, nothing_found=stages.nothing_found and card.calibrated
    )
    embeddings = _embeddings(settings, library, embedder, bus, node)
    asked = _asked(embedder, bus)
    unread = await asyncio.to_thread(UnreadFiles, settings.data_dir / NOTES_FILE)
    own: LibraryWriter = library if node is None else node.own
    jobs = Jobs(library, corpus, pipeline, fetcher, bus, concurrency=settings.concurrency, own=own, unread=unread)
    cited = CitedDocuments(library, is_on=settings.activity_log)
    answering = _Answering(library, pipeline, asked, embeddings, stages, bus, jobs, cited)
    count = fast_counter(limits.count_tokens, limits.tokenizer_file)
    scratch = await asyncio.to_thread(_scratch, settings, corpus, ids_name_chunks=node is not None)
    pictures = await asyncio.to_thread(_pictures, settings) if node is None else None
    return Components(
        library=library,
        corpus=corpus,
        node=node,
        policy=policy,
        fetcher=fetcher,
        embedder=embedder,
        asked=asked,
        embedder_error=embedder_error,
        count_tokens=count,
        embeddings=embeddings,
        pipeline=pipeline,
        orchestrator=answering.orchestrator(settings),
        cited=cited,
        jobs=jobs,
        renderer=renderer[0],
        scratch=scratch,
        sweeper=CacheSweeper(scratch, bus),
        resources=ResourceResolver(library, scratch, pictures, elsewhere)
        if node is None
        else NamedTexts(library, scratch, elsewhere=elsewhere),
        page_queries=answering.page_queries(settings),
        web_search=WebSearch(settings, secrets, slots),
        graph=CorpusGraph(library, enabled=settings.graph_enabled),
        filling=GraphFilling(
            own,
            embeddings.is_asked if embeddings is not None else lambda: False,
            rests=None if node is None else SHARED_RESTS,
        ),
        docs=open_docs(corpus, asked, settings),
        kb=_knowledge_base(settings, answering, scratch, count, elsewhere),
        pictures=pictures,
        picture_fetching=PictureFetching(library, pictures, pipeline, fetcher, bus) if pictures is not None else None,
    )


async def _node(open_node: OpenNode | None, card: ModelCard, corpus: Corpus) -> Node | None:
    """Return the node of a shared library, or None for a program with its own library."""
    if open_node is None:
        return None
    try:
        return await asyncio.to_thread(open_node, EmbeddingModel(card.fingerprint, card.dimension))
    except BaseException:
        await asyncio.to_thread(corpus.close)
        raise


@dataclass(frozen=True, slots=True)
class _Answering:
    """The parts that answer questions from pages."""

    library: LibraryWriter
    pipeline: IngestPipeline
    embedder: Embedder | None
    embeddings: EmbeddingQueue | None
    stages: Stages
    bus: EventBus
    jobs: Jobs
    cited: CitedDocuments

    def orchestrator(self, settings: Settings) -> Orchestrator:
        return Orchestrator(
            self.library,
            self.pipeline,
            embedder=self.embedder,
            embeddings=self.embeddings,
            soft_deadline=settings.mcp_soft_deadline,
            read_on=self.jobs.read_on,
            max_depth=settings.max_expansion_depth,
            stages=self.stages,
            similarity_threshold=settings.similarity_threshold,
            cited=self.cited,
            bus=self.bus,
        )

    def page_queries(self, settings: Settings) -> PageQueries:
        return PageQueries(
            self.library,
            self.pipeline,
            embedder=self.embedder,
            embeddings=self.embeddings,
            stages=self.stages,
            read_on=self.jobs.read_on,
            threshold=settings.similarity_threshold,
        )


def _asked(embedder: Embedder | None, bus: EventBus) -> CachingEmbedder | None:
    """Return the cached embedder of questions; a failure and its end are published as changes of the engine's state."""
    if embedder is None:
        return None
    return CachingEmbedder(embedder, changed=lambda: bus.publish(EmbedderChanged()))


def open_docs(corpus: Corpus, embedder: Embedder | None, settings: Settings) -> Docs:
    """Return the pages of the guide and of all folders. Passages are compared with questions as in `search`."""
    options = DocOptions(
        results=settings.mcp_max_search_results, snippet_chars=settings.mcp_snippet_length, rebuild=settings.debug
    )
    guide = Source(guide_folder().resolve(), guide_url)
    unread = UnreadFiles(settings.data_dir / UNREAD_DOCS_FILE, unfinished=1)
    return Docs(corpus, embedder, closeness, guide, check_kept, options, unread)


def warm_up() -> None:
    """Load the trusted certificates and the page parsers, which take 0.1 s and 5 MB. Blocking."""
    tls_context()
    try:
        extract(PAGE, url="https://example.org/", content_type="text/html", charset=None)
    except WebRAGError as error:
        log.warning("cannot read pages: %s", error)


def _knowledge_base(
    settings: Settings, answering: _Answering, scratch: ScratchStore, count: CountTokens, elsewhere: Elsewhere | None
) -> KnowledgeBase:
    return KnowledgeBase(
        answering.library,
        answering.embedder,
        answering.stages,
        scratch,
        lambda text: count([text])[0],
        embed_within=answering.embeddings.embed_within if answering.embeddings is not None else None,
        has_graph=settings.graph_enabled and answering.library.graph is not None,
        elsewhere=elsewhere,
    )


def _pipeline(
    settings: Settings,
    library: LibraryWriter,
    fetcher: Fetcher,
    limits: ChunkingLimits,
    bus: EventBus,
    renderer: tuple[ProcessRenderer | None, str],
    node: Node | None,
) -> IngestPipeline:
    days = site_days(settings.site_stale_after)
    return IngestPipeline(
        library,
        fetcher,
        limits,
        bus,
        stale_after_seconds=settings.stale_after_days * SECONDS_PER_DAY,
        site_stale_after_seconds={site: count * SECONDS_PER_DAY for site, count in days.items()},
        obeys_noindex=settings.robots_policy != RobotsPolicy.IGNORE,
        renderer=renderer[0],
        renderer_advice=renderer[1],
        probe_seconds=min(settings.mcp_soft_deadline, caps.RENDER_SECONDS),
        for_whom=node.for_whom if node is not None else None,
        refusal=node.refusal if node is not None else None,
        claim=library.documents.claim if isinstance(library, Corpus) else None,
    )


def _embeddings(
    settings: Settings, library: LibraryWriter, embedder: Embedder | None, bus: EventBus, node: Node | None
) -> EmbeddingQueue | None:
    """Return the queue of chunks to embed. A node always has questions, so it embeds anyway."""
    if embedder is None:
        return None
    if node is not None:
        return EmbeddingQueue(node.own, embedder, bus, yields=False, threads=embed_threads(settings.embed_threads))
    threads = embed_threads(settings.embed_threads)
    return EmbeddingQueue(library, embedder, bus, on_battery=settings.embed_on_battery, threads=threads)


def _clear_leftovers(settings: Settings) -> None:
    """Delete leftovers of killed processes next to the corpus; the corpus reports a folder that cannot be read."""
    backups = settings.data_dir / AUTOMATIC_FOLDER
    try:
        clear_leftovers(settings.data_dir)
        if backups.is_dir():
            clear_leftovers(backups)
    except OSError as error:
        log.warning("cannot delete leftovers of killed processes: %s", error)


def _pictures(settings: Settings) -> PictureStore | None:
    """Return the store of images; without the setting, there is none, and stored images are deleted."""
    if settings.keep_pictures:
        return open_pictures(settings.data_dir, settings.pictures_max_mb * caps.MIB)
    remove_pictures(settings.data_dir)
    return None


def _scratch(settings: Settings, corpus: Corpus, *, ids_name_chunks: bool) -> ScratchStore:
    """Return the store of saved passages. Nothing is pinned at a node, because every user can read pinned passages."""
    pins = None if ids_name_chunks else corpus.pins
    return ScratchStore(settings.scratch_max_mb * caps.MIB, pins=pins, ids_name_chunks=ids_name_chunks)


def _load_embedder(
    make: EmbedderFactory, settings: Settings, secrets: SecretStore, slots: NetworkSlots
) -> tuple[Embedder | None, ModelCard, str]:
    try:
        embedder = make(settings, secrets, slots)
    except EmbedderError as error:
        log.error("no embedder: %s", error)
        return None, NO_MODEL, str(error)
    return embedder, embedder.card, ""


def address_policy(settings: Settings) -> AddressPolicy:
    return AddressPolicy(
        allow_networks=settings.allow_networks, allow_hosts=settings.allow_hosts, deny_hosts=settings.deny_hosts
    )


def open_fetcher(settings: Settings, policy: AddressPolicy | None = None, slots: NetworkSlots | None = None) -> Fetcher:
    """Return a fetcher with the address policy and the limits of these settings."""
    options = FetchOptions(
        timeout_seconds=settings.request_timeout_ms / 1000,
        concurrency=settings.concurrency,
        robots_policy=settings.robots_policy,
    )
    return Fetcher(options, policy or address_policy(settings), slots)


def _renderer(settings: Settings, policy: AddressPolicy, slots: NetworkSlots) -> tuple[ProcessRenderer | None, str]:
    """Return the page renderer if it is installed and turned on, otherwise how to get it."""
    if not available():
        return None, INSTALL_RENDERER
    if not settings.render_pages:
        return None, SWITCH_ON_RENDERER
    return ProcessRenderer(policy, slots), ""


def _chunking(settings: Settings, embedder: Embedder | None, card: ModelCard) -> ChunkingLimits:
    """Return limits for chunks, which are equally long for all models, so that the budgets of results mean the same."""
    room = card.max_tokens - CHUNK_HEAD_TOKENS
    if embedder is None:
        return ChunkingLimits(min(CHUNK_TOKENS, room), token_counter(None))
    limit = max(MIN_CHUNK_TOKENS, min(CHUNK_TOKENS, room - embedder.count_tokens(card.passage_prefix)))
    if settings.embedding_server_url:
        return ChunkingLimits(limit, embedder.count_tokens_batch)
    tokenizer = model_dir() / TOKENIZER_FILE
    if not settings.embedding_model_folder:
        return ChunkingLimits(limit, embedder.count_tokens_batch, tokenizer)
    scripts = tokens_per_letter(embedder.count_tokens_batch, subjects())
    return ChunkingLimits(limit, ScriptCounter(file_counter(tokenizer), scripts), tokenizer, scripts)


async def keep_guide(pipeline: IngestPipeline, corpus: LibraryWriter) -> None:
    """Store new and changed pages of the guide."""
    for url, page in await asyncio.to_thread(guide_pages):
        stored = await asyncio.to_thread(corpus.documents.get, url)
        if stored is None or stored.text != page.text:
            await pipeline.store_text(page, url=url, kind="guide", crawled=time.time())
