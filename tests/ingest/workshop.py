"""Real parts around the background jobs: a corpus on disk, a fetcher that may read loopback, the pipeline, the bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.corpus import Corpus
from app.corpus.unread_files import NOTES_FILE, UnreadFiles
from app.events import Event, EventBus, JobChanged
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.files import file_url
from app.ingest.jobs import Jobs
from app.ingest.pipeline import IngestPipeline
from app.library.job_records import Job, JobItem, JobState
from app.library.records import EmbeddingIn
from app.text.terms import estimate_tokens
from app.text.tokens import ChunkingLimits
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from tests.support.site import Site

DIMENSION = 8
SENTENCE = "The pump is checked every spring before the water is let into the upper basin of the garden."


@dataclass
class Workshop:
    """The parts of one run of the program; `events` contains published events."""

    corpus: Corpus
    jobs: Jobs
    bus: EventBus
    pipeline: IngestPipeline
    fetcher: Fetcher
    events: list[Event] = field(default_factory=list)

    async def crawl(
        self, url: str, scope: CrawlScope = CrawlScope.SUBPAGES, *, pages: int = 100, depth: int = 5
    ) -> Job:
        """Run a crawl to the end."""
        job = await self.jobs.crawl(url, CrawlOptions(scope, pages, depth))
        return await self.done(job)

    async def done(self, job: Job) -> Job:
        """Return the job after it has ended."""
        ended = await self.jobs.wait(job.id, 100)
        assert ended.state.is_final, ended
        return ended

    async def items(self, job: Job) -> dict[str, JobItem]:
        return {item.url: item for item in await self.jobs.items(job.id, limit=1000)}

    def urls(self) -> set[str]:
        """Return the addresses of all stored documents."""
        return {summary.url for summary in self.corpus.documents.summaries(limit=5000)}

    def changes(self, job: Job) -> list[JobChanged]:
        return [event for event in self.events if isinstance(event, JobChanged) and event.job_id == job.id]

    def embed_everything(self) -> None:
        """Give every chunk a vector, as the embedding queue would."""
        import numpy as np

        vector = np.zeros(DIMENSION, np.float32)
        vector[0] = 1
        signs = np.zeros((1, DIMENSION // 8), np.uint8)
        waiting = self.corpus.vectors.waiting(100_000)
        self.corpus.vectors.store([EmbeddingIn(passage.chunk_id, vector, signs) for passage in waiting])


def open_corpus(folder: Path) -> Corpus:
    return Corpus.open(folder / "corpus.db", dimension=DIMENSION, model="test")


@asynccontextmanager
async def workshop(folder: Path, *, start: bool = True, concurrency: int = 2) -> AsyncIterator[Workshop]:
    """Yield the parts for the corpus in a folder, started and stopped as in the program."""
    corpus, bus = open_corpus(folder), EventBus()
    fetcher = Fetcher(FetchOptions(timeout_seconds=5, concurrency=4), AddressPolicy(("127.0.0.0/8",)))
    pipeline = IngestPipeline(corpus, fetcher, ChunkingLimits(200, count_tokens), bus, stale_after_seconds=86_400)
    unread = UnreadFiles(folder / NOTES_FILE)
    jobs = Jobs(corpus, corpus, pipeline, fetcher, bus, concurrency=concurrency, unread=unread)
    made = Workshop(corpus, jobs, bus, pipeline, fetcher)
    bus.subscribe(made.events.append)
    try:
        if start:
            await made.jobs.start()
        yield made
    finally:
        await made.jobs.stop()
        await pipeline.stop()
        await fetcher.aclose()
        corpus.close()


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for the effect of another thread."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "it did not happen in time"
        await asyncio.sleep(0.02)


def count_tokens(texts: Sequence[str]) -> list[int]:
    return [estimate_tokens(text) for text in texts]


def page(title: str, *links: str, head: str = "") -> str:
    """Return a page with its own text and links."""
    anchors = "".join(f'<li><a href="{link}">Chapter {number}</a></li>' for number, link in enumerate(links))
    text = f"<p>{title} says this about pumps: {SENTENCE}</p>" * 3
    return (
        f"<html><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1>{text}<ul>{anchors}</ul></main></body></html>"
    )


def handbook(site: Site, folder: str, chapters: int, *, delay: float = 0.0) -> str:
    """Serve pages that link to each other in a chain and to the start, and return the address of the start page."""
    names = [f"{folder}chapter-{number}.html" for number in range(chapters)]
    site.page(f"{folder}index.html", page("Handbook", *names[: chapters // 2]), etag=True, delay=delay)
    for number, name in enumerate(names):
        following = names[(number + chapters // 2) % chapters]
        site.page(name, page(f"Chapter {number}", following, f"{folder}index.html"), etag=True, delay=delay)
    return site.url(f"{folder}index.html")


def note(path: Path, text: str = SENTENCE) -> Path:
    """Write a Markdown file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {path.stem}\n\n{text}\n")
    return path


def moved(folder: Path, name: str) -> Path:
    """Rename a folder."""
    return folder.rename(folder.with_name(name))


def stored_text(shop: Workshop, path: Path) -> str:
    """Return the stored text of a file; empty if it is not stored."""
    document = shop.corpus.documents.get(file_url(path))
    return document.text if document is not None else ""


async def added(shop: Workshop, folder: Path) -> None:
    """Add a folder and read it."""
    job = await shop.done(await shop.jobs.add_folder(folder))
    assert job.state is JobState.DONE, job
