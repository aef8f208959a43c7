"""Maintenance of stored data: sizes, checks, copies, compacting; tests of the embedder and of keys; updates."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from packaging.version import InvalidVersion, Version

from app import __version__, caps
from app.corpus.pictures import picture_files
from app.corpus.records import Compacted, Problem, StorageUse
from app.corpus.restore import Prepared, automatic_backups, kept_copies, prepare
from app.corpus.watch import Watch
from app.embed import configured_embedder, model_folder
from app.embed.embedder import Embedder, EmbedderCheck, check, load_reference
from app.embed.threads import embed_threads
from app.errors import EmbedderError, FetchError, InvalidArgumentError, UpdateCheckError
from app.library.records import CorpusTotals
from app.paths import assets_dir, corpus_file, log_dir
from app.secrets import SecretName, SecretStore
from app.serialise import read_json
from app.settings import Settings
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.web.body import PAGE_TYPES
from app.web.fetch import Fetcher
from app.web.search.records import WebQuery
from app.web.search.service import KEYS, WebSearch

if TYPE_CHECKING:
    from app.engine.components import Components

UPDATE_SECONDS: Final = 15.0
MAX_UPDATE_FEED_BYTES: Final = 512 * caps.KIB
MAX_RELEASES: Final = 100

T = TypeVar("T")

KEY_TRIAL = "weather"  # The query that tests a provider's key.

FEED_TYPES: Final = PAGE_TYPES | {"application/json", "application/feed+json", "text/json"}
VERSION_KEYS: Final = ("version", "tag_name", "name")
PAGE_KEYS: Final = ("url", "html_url", "page")
_HINT: Final = "Try again later, or look at the project's page."


@dataclass(frozen=True, slots=True)
class BackupFile:
    """An automatic backup; `written_at` is in seconds since the epoch."""

    path: str
    bytes: int
    written_at: float


@dataclass(frozen=True, slots=True)
class Storage:
    """Sizes on disk in bytes. `copies` are earlier corpora next to the corpus, `write_log` is SQLite's.

    `backups` are the automatic ones, newest first.
    """

    use: StorageUse
    totals: CorpusTotals
    write_log: int
    logs: int
    copies: int
    free: int
    folder: str
    backups: tuple[BackupFile, ...] = ()
    pictures: int = 0


@dataclass(frozen=True, slots=True)
class EmbedderFacts:
    """The embedder for the window; `server` is the host of a hosted one, or ""."""

    name: str
    dimension: int
    max_tokens: int
    licence: str
    server: str
    threads: int


@dataclass(frozen=True, slots=True)
class EmbedderTrial:
    """`milliseconds` is the time for all three sentences; `near` and `far` are the cosines to the question."""

    name: str
    dimension: int
    milliseconds: float
    near: float
    far: float


@dataclass(frozen=True, slots=True)
class Release:
    """A version and the page that describes it, or ""."""

    version: str
    page: str


@dataclass(frozen=True, slots=True)
class UpdateCheck:
    """The newest release of the feed, and whether it is newer than `current`."""

    current: str
    newest: Release
    is_newer: bool


class Maintenance:
    """Maintenance of one engine. Blocking work runs on worker threads and ends if its caller is canceled."""

    def __init__(self, settings: Settings, secrets: SecretStore, opened: Components) -> None:
        self._settings = settings
        self._secrets = secrets
        self._opened = opened
        self._corpus = opened.corpus
        self._embedder = opened.second or opened.embedder

    async def storage(self, watch: Watch | None = None) -> Storage:
        """Return the sizes of all stored data; reads the whole corpus file."""
        return await _on_worker(self._storage, watch)

    async def verify(self, watch: Watch | None = None) -> list[Problem]:
        """Return all problems of the corpus file; empty if there are none."""
        return await _on_worker(self._corpus.verify, watch)

    async def backup(self, target: Path, watch: Watch | None = None) -> None:
        """Copy the corpus while it is in use; `target` appears complete or not at all."""
        await _on_worker(lambda watch: self._corpus.backup(target, watch), watch)

    async def prepare_restore(self, backup: Path, watch: Watch | None = None) -> Prepared:
        """Create a checked copy of a backup next to the corpus, which stays in use."""
        corpus = corpus_file(self._settings.data_dir)
        return await _on_worker(lambda watch: prepare(backup, corpus, watch), watch)

    async def compact(self, watch: Watch | None = None) -> Compacted:
        """Return unused space of the corpus file to the disk; writers wait in the meantime."""
        return await _on_worker(self._corpus.compact, watch)

    def embedder(self) -> EmbedderFacts | None:
        """Return facts about the embedder, or None without one."""
        if self._embedder is None:
            return None
        card, url = self._embedder.card, self._settings.embedding_server_url
        server = (urlsplit(url).hostname or url) if url else ""
        return EmbedderFacts(
            card.name,
            card.dimension,
            card.max_tokens,
            card.licence,
            server,
            embed_threads(self._settings.embed_threads).urgent,
        )

    async def check_embedder(self) -> EmbedderCheck:
        """Test the current embedder. Raises EmbedderError."""
        embedder = self._embedder
        if embedder is None:
            raise EmbedderError(sentence("There is no embedding model to test."), hint="See the reason above.")
        folder = model_folder(self._settings) if self._settings.embedding_model_folder else assets_dir()
        reference = None if self._settings.embedding_server_url else load_reference(folder)
        threads = embed_threads(self._settings.embed_threads).urgent
        return await asyncio.to_thread(check, embedder, reference, threads)

    async def try_embedder(self, question: str, near: str, far: str) -> EmbedderTrial:
        """Test the embedder on a sentence near a question and one far from it. Raises EmbedderError."""
        embedder = self._embedder
        if embedder is None:
            raise EmbedderError(self._opened.embedder_error)
        return await asyncio.to_thread(try_embedder, embedder, question, near, far)

    async def try_key(self, name: SecretName) -> str:
        """Use a provider's key once; return the name of the service that answered. Raises SearchError and similar errors, EmbedderError."""
        if name is SecretName.EMBEDDING_SERVER_API_KEY:
            return await asyncio.to_thread(self._try_embeddings)
        provider = next(provider for provider, key in KEYS.items() if key is name)
        settings = replace(self._settings, search_provider=provider)
        async with aclosing(WebSearch(settings, self._secrets, NetworkSlots(1))) as search:
            await search.search((KEY_TRIAL,), WebQuery("", 1), UPDATE_SECONDS)
        return provider

    async def check_update(self, feed: str) -> UpdateCheck:
        """Check whether the feed lists a newer version. Raises FetchError, UpdateCheckError."""
        return await check_for_update(self._opened.fetcher, feed, __version__)

    def _try_embeddings(self) -> str:
        if not self._settings.embedding_server_url:
            raise EmbedderError(
                sentence("No embedding server is set."), hint="Set its address in Settings > Search model."
            )
        with closing(configured_embedder(self._settings, self._secrets, NetworkSlots(1))) as embedder:
            return embedder.card.name

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
            backups=backup_files(corpus),
            pictures=sum(map(_size, picture_files(data_dir))),
        )


def backup_files(corpus: Path) -> tuple[BackupFile, ...]:
    """Return the automatic backups of a corpus, newest first. Blocking."""
    found = []
    for path in automatic_backups(corpus):
        try:
            facts = path.stat()
            found.append(BackupFile(str(path), facts.st_size, facts.st_mtime))
        except OSError:
            found.append(BackupFile(str(path), 0, 0.0))
    return tuple(found)


def _size(path: Path) -> int:
    """Return the size of a file in bytes, 0 if it does not exist."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


async def _on_worker(work: Callable[[Watch], T], watch: Watch | None) -> T:
    """Run blocking work; if its caller is canceled, tell it to end."""
    watch = watch or Watch()
    try:
        return await asyncio.to_thread(work, watch)
    except asyncio.CancelledError:
        watch.cancel()
        raise


def try_embedder(embedder: Embedder, question: str, near: str, far: str) -> EmbedderTrial:
    """Embed three sentences. Blocking. Raises EmbedderError, also if the vectors cannot distinguish them."""
    begun = time.perf_counter()
    # Embedded as passages: vectors of queries are cached, so the second test would not run the model.
    asked, *others = [made.vector for made in embedder.embed_passages([question, near, far])]
    took = (time.perf_counter() - begun) * 1000
    likenesses = [float(asked @ other) for other in others]
    if likenesses[0] <= likenesses[1]:
        raise EmbedderError(sentence("The model runs, but does not distinguish related from unrelated sentences."))
    return EmbedderTrial(embedder.card.name, embedder.card.dimension, took, *likenesses)


async def check_for_update(fetcher: Fetcher, feed: str, current: str) -> UpdateCheck:
    """Read the feed: a JSON object or list of releases, or an Atom feed.

    Raises FetchError and similar errors if it cannot be read, UpdateCheckError if it does not list a version.
    """
    if not feed.strip():
        raise InvalidArgumentError(
            sentence("This build does not have an address for update checks."),
            hint="Look for updates on the project's page.",
        )
    if not feed.strip().lower().startswith("https://"):
        raise InvalidArgumentError(
            sentence("The address for update checks must start with https://."), hint="Change it in Settings > About."
        )
    result = await fetcher.fetch(feed.strip(), types=FEED_TYPES, seconds=UPDATE_SECONDS, https_only=True)
    if result.status != 200:
        raise FetchError(sentence("The update feed returned status {}.", result.status), url=feed, hint=_HINT)
    if len(result.body) > MAX_UPDATE_FEED_BYTES:
        raise UpdateCheckError(sentence("The update feed is too large."), hint=_HINT)
    newest = newest_release(result.body, result.url)
    return UpdateCheck(current, newest, Version(newest.version) > Version(current))


def newest_release(body: bytes, url: str) -> Release:
    """Return the highest version of a feed that is not a preview. Raises UpdateCheckError."""
    try:
        parsed: Any = read_json(body)
        entries = parsed if isinstance(parsed, list) else [parsed]
        kept = [entry for entry in entries[:MAX_RELEASES] if isinstance(entry, dict) and not entry.get("prerelease")]
        found = [(_first(entry, VERSION_KEYS), _first(entry, PAGE_KEYS)) for entry in kept]
    except (ValueError, RecursionError):
        found = _of_atom(body)
    known = [(version, page) for name, page in found if (version := _version(name)) is not None]
    finished = [entry for entry in known if not entry[0].is_prerelease]
    if not finished:
        raise UpdateCheckError(sentence("The update feed does not list a version."), hint=_HINT)
    version, page = max(finished, key=lambda entry: entry[0])
    return Release(str(version), page if _is_page(page) else "")


def _first(entry: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((entry[key] for key in keys if isinstance(entry.get(key), str)), "")


def _of_atom(body: bytes) -> list[tuple[str, str]]:
    from app.extract.safe_xml import read_xml

    root, _ = read_xml(body)
    if root is None:
        return []
    entries = [(each.findtext("{*}title", ""), each.find("{*}link")) for each in root.iterfind("{*}entry")]
    return [(title, link.get("href", "") if link is not None else "") for title, link in entries[:MAX_RELEASES]]


def _version(name: str) -> Version | None:
    """Return the version in a name like "v1.2.0" or "WebRAG Desktop 1.2.0"."""
    for word in reversed(name[: caps.MAX_TITLE_CHARS].split()):
        try:
            return Version(word)
        except InvalidVersion:
            continue
    return None


def _is_page(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname)
