"""Looking after what is kept: sizes, checks, copies, compacting; the embedder's self-test, keys, and newer versions."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from app import __version__, caps
from app.corpus import Corpus
from app.corpus.records import Compacted, CorpusTotals, Problem, StorageUse
from app.corpus.replacing import Prepared, kept_copies, prepare
from app.corpus.watch import Watch
from app.embed import configured_embedder
from app.embed.check import EmbedderCheck, check, load_reference
from app.embed.embedder import Embedder
from app.engine.embedder_trial import EmbedderTrial, try_embedder
from app.engine.updates import UpdateCheck, check_for_update
from app.errors import EmbedderError
from app.paths import assets_dir, corpus_file, log_dir
from app.secrets import SecretName, SecretStore
from app.settings import Settings
from app.slots import NetworkSlots
from app.web.fetch import Fetcher
from app.web.search.records import WebQuery
from app.web.search.service import KEYS, WebSearch

T = TypeVar("T")

KEY_TRIAL = "weather"
"""What a provider is asked when its key is tried."""


@dataclass(frozen=True, slots=True)
class Storage:
    """What lies on the disk, in bytes. `copies` are earlier corpora beside the corpus, `write_log` is SQLite's."""

    use: StorageUse
    totals: CorpusTotals
    write_log: int
    logs: int
    copies: int
    free: int
    folder: str


@dataclass(frozen=True, slots=True)
class EmbedderFacts:
    """The embedder as the window describes it; `server` is the host of a hosted one, empty for one on this computer."""

    name: str
    dimension: int
    max_tokens: int
    licence: str
    server: str
    threads: int


class Care:
    """Made for one engine; blocking work runs on worker threads and ends when its caller is cancelled."""

    def __init__(
        self,
        settings: Settings,
        secrets: SecretStore,
        corpus: Corpus,
        fetcher: Fetcher,
        embedder: Embedder | None,
        embedder_error: str = "",
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._corpus = corpus
        self._fetcher = fetcher
        self._embedder = embedder
        self._embedder_error = embedder_error

    async def storage(self, watch: Watch | None = None) -> Storage:
        """Sizes of everything kept; reads the whole corpus file."""
        return await _on_worker(self._storage, watch)

    async def verify(self, watch: Watch | None = None) -> list[Problem]:
        """Everything wrong with the corpus file; empty when all is well."""
        return await _on_worker(self._corpus.verify, watch)

    async def backup(self, target: Path, watch: Watch | None = None) -> None:
        """Copy the corpus while it is in use; `target` appears whole or not at all."""
        await _on_worker(lambda watch: self._corpus.backup(target, watch), watch)

    async def prepare_restore(self, backup: Path, watch: Watch | None = None) -> Prepared:
        """A checked copy of a backup beside the corpus, which stays in use."""
        corpus = corpus_file(self._settings.data_dir)
        return await _on_worker(lambda watch: prepare(backup, corpus, watch), watch)

    async def compact(self, watch: Watch | None = None) -> Compacted:
        """Give unused room of the corpus file back to the disk; storing waits meanwhile."""
        return await _on_worker(self._corpus.compact, watch)

    def embedder(self) -> EmbedderFacts | None:
        """What the embedder is; None where there is none."""
        if self._embedder is None:
            return None
        card, url = self._embedder.card, self._settings.embedding_server_url
        server = (urlsplit(url).hostname or url) if url else ""
        return EmbedderFacts(card.name, card.dimension, card.max_tokens, card.licence, server, caps.EMBED_THREADS)

    async def check_embedder(self) -> EmbedderCheck:
        """Try the embedder in use. Raises EmbedderError."""
        embedder = self._embedder
        if embedder is None:
            raise EmbedderError("There is no embedding model to test.", hint="See the reason above.")
        folder = None if self._settings.embedding_server_url else assets_dir()
        return await asyncio.to_thread(lambda: check(embedder, load_reference(folder) if folder is not None else None))

    async def try_embedder(self, question: str, near: str, far: str) -> EmbedderTrial:
        """Let the embedder prove that it works, on a sentence near a question and one far from it. Raises EmbedderError."""
        embedder = self._embedder
        if embedder is None:
            raise EmbedderError(self._embedder_error)
        return await asyncio.to_thread(try_embedder, embedder, question, near, far)

    async def try_key(self, name: SecretName) -> str:
        """Use a provider's key once; the name of what answered. Raises SearchError and its kin, EmbedderError."""
        if name is SecretName.EMBEDDING_SERVER_API_KEY:
            return await asyncio.to_thread(self._try_embeddings)
        provider = next(provider for provider, key in KEYS.items() if key is name)
        settings = replace(self._settings, search_provider=provider)
        search = WebSearch(settings, self._secrets, NetworkSlots(1))
        try:
            await search.search((KEY_TRIAL,), WebQuery("", 1), caps.UPDATE_SECONDS)
        finally:
            await search.aclose()
        return provider

    async def check_update(self, feed: str) -> UpdateCheck:
        """Whether the feed names a newer version. Raises FetchError, UpdateCheckError."""
        return await check_for_update(self._fetcher, feed, __version__)

    def _try_embeddings(self) -> str:
        if not self._settings.embedding_server_url:
            raise EmbedderError("No server for embeddings is set.", hint="Set its address under Embedder first.")
        embedder = configured_embedder(self._settings, self._secrets, NetworkSlots(1))
        try:
            return embedder.card.name
        finally:
            embedder.close()

    def _storage(self, watch: Watch) -> Storage:
        data_dir = self._settings.data_dir
        corpus = corpus_file(data_dir)
        return Storage(
            use=self._corpus.storage(watch),
            totals=self._corpus.totals(),
            write_log=_size(corpus.with_name(f"{corpus.name}-wal")),
            logs=sum(_size(path) for path in log_dir(data_dir).glob("*")),
            copies=sum(map(_size, kept_copies(corpus))),
            free=shutil.disk_usage(data_dir).free,
            folder=str(data_dir),
        )


def _size(path: Path) -> int:
    """Bytes of a file, 0 when it is not there (any more)."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


async def _on_worker(work: Callable[[Watch], T], watch: Watch | None) -> T:
    """Run blocking work; when its caller is cancelled it is told to end."""
    watch = watch or Watch()
    try:
        return await asyncio.to_thread(work, watch)
    except asyncio.CancelledError:
        watch.cancel()
        raise
