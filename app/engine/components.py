"""All parts that exist between start and stop, built for one set of settings. Only this module builds them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from app import caps
from app.corpus import Corpus
from app.corpus.checks import has_second_model
from app.corpus.pictures import PictureStore, open_pictures, remove_pictures
from app.corpus.restore import AUTOMATIC_FOLDER, clear_leftovers
from app.corpus.unread_files import NOTES_FILE, UnreadFiles
from app.corpus.watch import UNWATCHED, Watch
from app.docsets.indexing import Source
from app.docsets.service import DocOptions, Docs
from app.embed import NO_MODEL, EmbedderFactory, configured_embedder, folder_of, is_multilingual, model_folder
from app.embed.embedder import CachingEmbedder, Embedder, ModelCard, SideBySide, TokenBits
from app.embed.folder import TOKENIZER_FILE, load_card, subjects
from app.embed.onnx import OnnxEmbedder
from app.embed.reranker import CrossEncoder
from app.embed.threads import embed_threads
from app.errors import EmbedderError, WebRAGError
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
from app.library.records import EmbeddingModel, PassageToEmbed, passage_text
from app.orchestration.assembly import CitedDocuments
from app.orchestration.loop import Orchestrator
from app.orchestration.page_queries import PageQueries
from app.paths import corpus_file, model_dir
from app.retrieval.graph.service import CorpusGraph
from app.retrieval.records import ALL_STAGES, Stages
from app.retrieval.rerank import closeness
from app.retrieval.second_look import SecondLook
from app.scratch.resources import Elsewhere, ResourceResolver
from app.scratch.store import CacheSweeper, ScratchStore
from app.secrets import SecretStore
from app.settings import Settings
from app.settings_schema import site_days
from app.slots import NetworkSlots
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

    OpenNode: TypeAlias = Callable[[EmbeddingModel], Node]

log = logging.getLogger(__name__)

CHUNK_TOKENS: Final = 220
MIN_CHUNK_TOKENS: Final = 16
CHUNK_HEAD_TOKENS: Final = 36  # Tokens of a chunk reserved in the model's window for title and heading path.
PACKED_AT_ONCE: Final = 32  # Passages of an earlier version to rewrite between two pauses for questions.

SECONDS_PER_DAY = 86_400

UNREAD_DOCS_FILE: Final = "unread-docs.json"

PAGE = b"<html><head><title>A page</title></head><body><p>One paragraph of text.</p></body></html>"


@dataclass(frozen=True, slots=True)
class Components:
    """All parts that exist between start and stop. `embedder_error` says why there is no embedder; `asked` embeds questions.

    `second` is a multilingual model next to the built-in one.

    `library` holds the pages: the corpus, or at a node the shared library. The corpus also has the data of this machine.

    `count_tokens` counts like the embedder, or estimates without one.
    """

    library: LibraryWriter
    corpus: Corpus
    node: Node | None
    policy: AddressPolicy
    fetcher: Fetcher
    embedder: Embedder | None
    second: Embedder | None
    asked: CachingEmbedder | None
    embedder_error: str
    second_look: SecondLook
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
    pictures: PictureStore | None  # None while images are not stored.
    picture_fetching: PictureFetching | None

    def start(self) -> None:
        """Start the background work that does not need disk space."""
        asyncio.get_running_loop().run_in_executor(None, warm_up)
        for each in (self.node, self.embeddings, self.sweeper, self.filling, self.picture_fetching):
            if each is not None:
                each.start()

    def set_paused(self, paused: bool) -> None:
        for each in (self.embeddings, self.jobs, self.filling, self.picture_fetching):
            if each is not None:
                each.set_paused(paused)

    def retry_now(self) -> None:
        """Retry failed work now instead of waiting for its next attempt."""
        for each in (self.embeddings, self.filling):
            if each is not None:
                each.retry_now()

    def release_model(self, idle_seconds: float) -> bool:
        """Release the memory of the models if they were not used for so long; return whether there was any."""
        had_reranker = self.second_look.release_memory(idle_seconds)
        return (self.asked is not None and self.asked.release_memory(idle_seconds)) or had_reranker

    async def take_up(self, *, background: bool) -> None:
        """Continue unfinished work of an earlier run; jobs and folders only with `background`."""
        if background:
            await asyncio.to_thread(self.docs.start)
        await self.jobs.start(background=background)

    async def close(self) -> None:
        """End the work and release files, connections and the model, in this order."""
        self.sweeper.stop()
        for each in (self.jobs, self.picture_fetching, self.orchestrator, self.filling):
            if each is not None:
                await each.stop()
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
        if self.asked is not None:
            self.asked.close()
        self.second_look.close()


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """The state of the embedder.

    `detail` says why it is not usable; `waiting` counts chunks without vectors; `reason` says why they wait, or is empty. `seconds_left`
    estimates the time for them, None if unknown. `is_english_only`: of two models side by side, only the second one is not usable.
    """

    name: str
    usable: bool
    detail: str
    waiting: int
    reason: str = ""
    seconds_left: float | None = None
    is_english_only: bool = False


async def build_components(
    settings: Settings,
    secrets: SecretStore,
    bus: EventBus,
    stages: Stages = ALL_STAGES,
    make_embedder: EmbedderFactory = configured_embedder,
    elsewhere: Elsewhere | None = None,
    open_node: OpenNode | None = None,
    watch: Watch = UNWATCHED,
) -> Components:
    """Load the embedder, open the corpus and at a node the shared library, and connect the parts. Raises CorpusError.

    A missing or damaged model does not prevent this: the bundled model card applies, so that stored vectors stay usable. `watch` follows
    the update of a library of an earlier version.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    slots, policy = NetworkSlots(settings.concurrency), address_policy(settings)
    await asyncio.to_thread(_clear_leftovers, settings)
    embedder: Embedder | None = None
    second: Embedder | None = None
    card, embedder_error = NO_MODEL, ""
    is_beside = open_node is None and await asyncio.to_thread(_is_beside, settings)
    for chosen in (replace(settings, embedding_model_folder=""), settings) if is_beside else (settings,):
        try:
            made = await asyncio.to_thread(make_embedder, chosen, secrets, slots)
        except EmbedderError as error:
            log.error("no embedder: %s", error)
            embedder_error = str(error)
            continue
        if chosen is settings and is_beside:
            second = made
        else:
            embedder, card = made, made.card
    beside = second.card if second is not None else NO_MODEL
    corpus = await asyncio.to_thread(
        Corpus.open,
        corpus_file(settings.data_dir),
        dimension=card.dimension,
        model=card.fingerprint,
        second=EmbeddingModel(beside.fingerprint, beside.dimension) if is_beside else None,
        watch=watch,
    )
    try:
        model = EmbeddingModel(card.fingerprint, card.dimension)
        node = await asyncio.to_thread(open_node, model) if open_node is not None else None
    except BaseException:
        await asyncio.to_thread(corpus.close)
        raise
    library: LibraryWriter = corpus if node is None else node.shared
    own: LibraryWriter = library if node is None else node.own
    fetcher, can_render = open_fetcher(settings, policy, slots), available()
    renderer = ProcessRenderer(policy, slots) if can_render and settings.render_pages else None
    advice = SWITCH_ON_RENDERER if can_render else INSTALL_RENDERER
    limits = _chunking(settings, second, second.card) if second is not None else _chunking(settings, embedder, card)
    days = site_days(settings.site_stale_after)
    pipeline = IngestPipeline(
        library,
        fetcher,
        limits,
        bus,
        stale_after_seconds=settings.stale_after_days * SECONDS_PER_DAY,
        site_stale_after_seconds={site: count * SECONDS_PER_DAY for site, count in days.items()},
        obeys_noindex=settings.robots_policy != RobotsPolicy.IGNORE,
        reads_comments=settings.read_comments,
        renderer=renderer,
        renderer_advice=advice if renderer is None else "",
        probe_seconds=min(settings.mcp_soft_deadline, caps.RENDER_SECONDS),
        for_whom=node.for_whom if node is not None else None,
        refusal=node.refusal if node is not None else None,
        claim=library.documents.claim if isinstance(library, Corpus) else None,
    )
    stages = replace(
        stages, rerank=stages.rerank and settings.rerank, nothing_found=stages.nothing_found and card.calibrated
    )
    threads, embeddings = embed_threads(settings.embed_threads), None
    if embedder is not None and node is not None:
        # A node always has questions, so it embeds anyway.
        embeddings = EmbeddingQueue(node.own, embedder, bus, yields=False, threads=threads)
    elif embedder is not None:
        on_battery = settings.embed_on_battery
        embeddings = EmbeddingQueue(library, embedder, bus, on_battery=on_battery, threads=threads, second=second)
    second_look = await asyncio.to_thread(_second_look, settings) if stages.rerank else SecondLook()
    # A failure to embed a question, and its end, are published as changes of the engine's state.
    asked: CachingEmbedder | None = None
    if embedder is not None:
        note = partial(bus.publish, EmbedderChanged())
        asked = (
            SideBySide(embedder, second, embedder_error, note) if is_beside else CachingEmbedder(embedder, changed=note)
        )
    unread = await asyncio.to_thread(UnreadFiles, settings.data_dir / NOTES_FILE)
    jobs = Jobs(library, corpus, pipeline, fetcher, bus, concurrency=settings.concurrency, own=own, unread=unread)
    cited = CitedDocuments(library, is_on=settings.activity_log)
    count = fast_counter(limits.count_tokens, limits.tokenizer_file)
    # Nothing is pinned at a node, because every user can read pinned passages.
    pins = corpus.pins if node is None else None
    scratch = await asyncio.to_thread(
        ScratchStore, settings.scratch_max_mb * caps.MIB, pins=pins, ids_name_chunks=node is not None
    )
    pictures = None
    if node is None and settings.keep_pictures:
        most = settings.pictures_max_mb * caps.MIB
        pictures = await asyncio.to_thread(open_pictures, settings.data_dir, most)
    elif node is None:
        await asyncio.to_thread(remove_pictures, settings.data_dir)
    return Components(
        library=library,
        corpus=corpus,
        node=node,
        policy=policy,
        fetcher=fetcher,
        embedder=embedder,
        second=second,
        asked=asked,
        embedder_error=embedder_error,
        second_look=second_look,
        count_tokens=count,
        embeddings=embeddings,
        pipeline=pipeline,
        orchestrator=Orchestrator(
            library,
            pipeline,
            embedder=asked,
            embeddings=embeddings,
            soft_deadline=settings.mcp_soft_deadline,
            read_on=jobs.read_on,
            max_depth=settings.max_expansion_depth,
            stages=stages,
            similarity_threshold=settings.similarity_threshold,
            cited=cited,
            bus=bus,
            second_look=second_look,
        ),
        cited=cited,
        jobs=jobs,
        renderer=renderer,
        scratch=scratch,
        sweeper=CacheSweeper(scratch, bus),
        resources=ResourceResolver(library, scratch, pictures, elsewhere)
        if node is None
        else NamedTexts(library, scratch, elsewhere=elsewhere),
        page_queries=PageQueries(
            library,
            pipeline,
            embedder=asked,
            embeddings=embeddings,
            stages=stages,
            read_on=jobs.read_on,
            threshold=settings.similarity_threshold,
        ),
        web_search=WebSearch(settings, secrets, slots),
        graph=CorpusGraph(library, enabled=settings.graph_enabled),
        filling=GraphFilling(
            own,
            embeddings.is_asked if embeddings is not None else lambda: False,
            rests=None if node is None else SHARED_RESTS,
            pack=_packing(corpus, embedder),
        ),
        docs=open_docs(corpus, asked, settings),
        kb=KnowledgeBase(
            library,
            asked,
            stages,
            scratch,
            count,
            embed_within=embeddings.embed_within if embeddings is not None else None,
            has_graph=settings.graph_enabled and library.graph is not None,
            elsewhere=elsewhere,
            second_look=second_look,
        ),
        pictures=pictures,
        picture_fetching=PictureFetching(library, pictures, pipeline, fetcher, bus) if pictures is not None else None,
    )


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


def _is_beside(settings: Settings) -> bool:
    """Whether the chosen model runs next to the built-in one. A missing one did if the library has a second model."""
    if settings.embedding_server_url or not settings.embedding_model_folder:
        return False
    try:
        return is_multilingual(load_card(model_folder(settings)).languages)
    except EmbedderError:
        return has_second_model(corpus_file(settings.data_dir))


def _second_look(settings: Settings) -> SecondLook:
    """Load the chosen reranker. A missing or damaged one is reported in each result; answers go on without it."""
    if not settings.reranker_model:
        return SecondLook()
    try:
        return SecondLook(CrossEncoder(folder_of(settings, settings.reranker_model)))
    except EmbedderError as error:
        log.error("no reranker: %s", error)
        return SecondLook(problem=error.message)


def _packing(corpus: Corpus, embedder: Embedder | None) -> Callable[[], int]:
    """Return a function that rewrites some vectors of an earlier version and returns how many. Without the model, they stay as they are."""

    def merged(passage: PassageToEmbed, bits: TokenBits) -> TokenBits:
        return embedder.with_marks_merged(passage_text(passage), bits) if isinstance(embedder, OnnxEmbedder) else bits

    return partial(corpus.vectors.pack, PACKED_AT_ONCE, merged) if embedder is not None else int


def _clear_leftovers(settings: Settings) -> None:
    """Delete leftovers of killed processes next to the corpus; the corpus reports a folder that cannot be read."""
    backups = settings.data_dir / AUTOMATIC_FOLDER
    try:
        clear_leftovers(settings.data_dir)
        if backups.is_dir():
            clear_leftovers(backups)
    except OSError as error:
        log.warning("cannot delete leftovers of killed processes: %s", error)


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


def _chunking(settings: Settings, embedder: Embedder | None, card: ModelCard) -> ChunkingLimits:
    """Return limits for chunks, which are equally long for all models, so that the budgets of results mean the same."""
    room = card.max_tokens - CHUNK_HEAD_TOKENS
    if embedder is None:
        return ChunkingLimits(min(CHUNK_TOKENS, room), token_counter(None))
    limit = max(MIN_CHUNK_TOKENS, min(CHUNK_TOKENS, room - embedder.count_tokens_batch([card.passage_prefix])[0]))
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
