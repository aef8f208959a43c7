"""What becomes of each page of a question while it runs, told to whoever watches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from app import caps
from app.corpus.records import DocumentSummary
from app.events import CURRENT_CALL, EventBus, EvidenceTold, PageTold, RoundTold, SearchEnded
from app.retrieval.records import LinkProposal, RetrievedChunk

WAITING: Final = "waiting"
READING: Final = "reading"
READ: Final = "read"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
USED: Final = "used"


@dataclass(slots=True)
class Trail:
    """The pages of one call. Says nothing without a bus or outside of a call."""

    bus: EventBus | None = None
    call_id: int = field(default_factory=CURRENT_CALL.get)
    _pages: dict[str, PageTold] = field(default_factory=dict)
    _asked: dict[str, str] = field(default_factory=dict)

    def name(self, urls: Sequence[str]) -> None:
        """These pages are read first."""
        for url in urls:
            self._tell(PageTold(self.call_id, url, READING))

    def begin_round(
        self, number: int, budget: int, followed: Sequence[LinkProposal], passed_over: Sequence[LinkProposal]
    ) -> None:
        """These links are followed now, and those are not."""
        if self.bus is None or not self.call_id:
            return
        links = tuple((link.url, link.score) for link in passed_over)
        self.bus.publish(RoundTold(self.call_id, number, budget, links))
        for link in followed:
            source = self._asked.get(link.source_url, link.source_url)
            self._tell(PageTold(self.call_id, link.url, WAITING, source, number, promise=link.score))

    def reading(self, url: str) -> None:
        """The page is asked for."""
        self._change(url, state=READING)

    def read(self, url: str, document: DocumentSummary, duration_ms: float = 0.0) -> None:
        """The page is stored; its own address may be another than the one asked for."""
        known = {"title": document.title, "document_id": document.id, "tokens": document.tokens}
        self._change(url, state=READ, passages=document.chunks, duration_ms=duration_ms, **known)
        self._asked[document.url] = url

    def failed(self, url: str, reason: str, duration_ms: float = 0.0, *, skipped: bool = False) -> None:
        """The page was not read, or adds nothing."""
        self._change(url, state=SKIPPED if skipped else FAILED, reason=reason, duration_ms=duration_ms)

    def rate(self, ranked: Iterable[RetrievedChunk]) -> None:
        """How relevant the best passage of each page is by now."""
        best: dict[str, float] = {}
        for item in ranked:
            url = self._asked.get(item.chunk.url, item.chunk.url)
            best[url] = max(best.get(url, 0.0), item.reranked_score)
        for url, relevance in best.items():
            self._change(url, relevance=relevance)

    def end(self, chunks: Sequence[RetrievedChunk], reason: str) -> None:
        """The result rests on these passages; no more links are followed."""
        if self.bus is None or not self.call_id:
            return
        used: dict[str, list[RetrievedChunk]] = {}
        for item in chunks:
            used.setdefault(item.chunk.url, []).append(item)
        for url, items in list(used.items())[: caps.MAX_TRAIL_PAGES]:
            self._change(self._asked.get(url, url), state=USED)
            ranked = sorted(items, key=lambda item: item.reranked_score, reverse=True)
            ranges = dict.fromkeys((item.chunk.start, item.chunk.end) for item in ranked)
            first, best = items[0].chunk, tuple(ranges)[: caps.MAX_TRAIL_PASSAGES]
            self.bus.publish(EvidenceTold(self.call_id, url, first.document_id, first.title, best))
        self.bus.publish(SearchEnded(self.call_id, reason))

    def _change(self, url: str, **news: object) -> None:
        known = self._pages.get(url)
        if known is not None:
            self._tell(replace(known, **news))  # type: ignore[arg-type]

    def _tell(self, page: PageTold) -> None:
        if self.bus is None or not self.call_id or self._pages.get(page.url) == page:
            return
        if page.url in self._pages or len(self._pages) < caps.MAX_TRAIL_PAGES:
            self._pages[page.url] = page
            self.bus.publish(page)
