"""Handmade results in the form of the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.corpus.records import CorpusStatus
from app.ingest.outcome import IngestedPage
from app.library.records import Chunk, CorpusTotals, DocumentState, DocumentSummary, ImageRecord
from app.orchestration.result import (
    CorpusStats,
    Decision,
    ExpansionStep,
    OrchestrationResult,
    SourceFailure,
    SourceImage,
    Timing,
)
from app.retrieval.records import CitationSpan, Intent, QueryAnalysis, RetrievedChunk
from app.server.render.text import Budget
from app.text.terms import estimate_tokens

NOW = 1_771_777_800.0
"""2026-02-22 16:30 UTC."""
FETCHED = NOW - 2 * 3_600
ROOMY = Budget(tokens=20_000, characters=48_000, bytes=65_536)
count = estimate_tokens

SITE = "https://docs.example.org/beekeeping/"
HIVES = SITE + "hives.html"
WINTER = SITE + "winter.html"
MITES = SITE + "health/mites.html"
OTHER = "https://bees.example.net/faq"
QUERY = "How do I get a colony through the winter?"


def chunk(
    number: int,
    text: str,
    *,
    url: str = HIVES,
    title: str = "Choosing a hive",
    section: tuple[str, ...] = ("Choosing a hive", "Insulation"),
    crawled: float = FETCHED,
) -> Chunk:
    return Chunk(
        id=number,
        document_id=sum(url.encode()),
        key=f"key{number}",
        ord=number,
        url=url,
        title=title,
        section_path=section,
        anchor=None,
        text=text,
        start=1_000 * number,
        end=1_000 * number + len(text),
        prefix_length=0,
        suffix_length=0,
        tokens=count(text),
        last_crawled=crawled,
    )


def found(item: Chunk, score: float, **more: Any) -> RetrievedChunk:
    return RetrievedChunk(item, retrieval_score=score, reranked_score=score, **more)


def quote(item: Chunk, text: str) -> CitationSpan:
    start = item.text.index(text)
    section = item.section_path[-1] if item.section_path else ""
    return CitationSpan(item.id, item.document_id, text, start, start + len(text), item.url, item.title, section)


def result(*chunks: RetrievedChunk, **more: Any) -> OrchestrationResult:
    """Return an answer without expansion, unless `more` says otherwise."""
    plain = OrchestrationResult(
        query=QUERY,
        analysis=QueryAnalysis(QUERY, Intent.HOW_TO, (QUERY,)),
        mode="chunk",
        chunks=chunks,
        citations=(),
        corpus_stats=CorpusStats(
            total_documents=max(1, len({item.chunk.url for item in chunks})),
            documents_matched=tuple(dict.fromkeys(item.chunk.url for item in chunks)),
            total_parent_chunks=47,
        ),
        timing=Timing(
            total_ms=312.4,
            query_analysis_ms=12.0,
            retrieval_ms=35.2,
            reranking_ms=61.0,
            expansion_ms=0.0,
            locality_ms=1.2,
            merge_ms=3.3,
        ),
        final_decision=Decision("the named pages answer the question"),
        seed_url=HIVES,
        total_urls_ingested=1,
        expansion_budget=2,
        max_expansion_depth=3,
    )
    return replace(plain, **more)


def step(url: str, source: str, depth: int, **more: Any) -> ExpansionStep:
    values: dict[str, Any] = {
        "iteration": depth,
        "chunks_added": 12,
        "score_before": 0.63,
        "score_after": 0.71,
        "duration_ms": 1_200.0,
    }
    return ExpansionStep(url=url, source_url=source, depth=depth, **(values | more))


INSULATION = chunk(
    1,
    "Wooden walls of 25 mm lose heat quickly. A second skin of cork or wood fibre halves the loss, and the "
    "cluster eats about a third less honey over the winter.",
)
ENTRANCE = chunk(
    2,
    "Reduce the entrance to a slit of 8 mm from October on. Mice cannot pass it and the bees still can.",
    section=("Choosing a hive", "Entrance"),
)
STORES = chunk(
    3,
    "A colony in a cold valley needs 18 kg of stores by the end of September.\n\n"
    "| Place | Stores |\n|---|---|\n| Coast | 12 kg |\n| Valley | 18 kg |\n| Mountains | 22 kg |",
    url=WINTER,
    title="Wintering",
    section=("Wintering", "Stores"),
    crawled=NOW - 9 * 86_400,
)
FEEDING = chunk(
    4,
    "Feed sugar syrup early:\n\n```python\nsyrup = mix(sugar=3, water=2)\n```",
    url=WINTER,
    title="Wintering",
    section=("Wintering", "Feeding"),
    crawled=NOW - 9 * 86_400,
)
MITE_COUNT = chunk(
    5,
    "Count fallen mites for three days in July; above ten a day, treat at once.",
    url=MITES,
    title="",
    section=(),
    crawled=0.0,
)


def one_chunk() -> OrchestrationResult:
    citation = quote(INSULATION, "Wooden walls of 25 mm lose heat quickly.")
    return result(found(INSULATION, 0.853, confidence=0.917), citations=(citation,))


def five_chunks() -> OrchestrationResult:
    """Return three pages, two sub-queries, adjacent context, images, a failed page and notes."""
    first, second = "How do I insulate a hive?", "How much food does a colony need?"
    return result(
        found(INSULATION, 0.85, sub_query=first, confidence=0.92),
        found(ENTRANCE, 0.41, sub_query=first, is_locality_expanded=True),
        found(STORES, 0.91, sub_query=second),
        found(FEEDING, 0.55, sub_query=QUERY),
        found(MITE_COUNT, 0.32),
        analysis=QueryAnalysis(QUERY, Intent.HOW_TO, (QUERY, first, second)),
        citations=(
            quote(STORES, "A colony in a cold valley needs 18 kg of stores by the end of September."),
            quote(INSULATION, "A second skin of cork or wood fibre halves the loss"),
            quote(MITE_COUNT, "above ten a day, treat at once"),
        ),
        images=(
            SourceImage(WINTER, ImageRecord(SITE + "img/cluster.png", "Winter cluster", "Cut through a hive", 5)),
            SourceImage(HIVES, ImageRecord(SITE + "img/slit.png", "Entrance [8 mm]", "", 9)),
        ),
        failures=(SourceFailure(OTHER, "TIMEOUT", "The site did not respond within 20 s."),),
        notes=("The page https://docs.example.org/beekeeping/winter.html changed since it was last cited.",),
        total_urls_ingested=3,
    )


def many_chunks(amount: int = 20) -> OrchestrationResult:
    chunks = [
        chunk(
            number,
            f"Paragraph {number}. " + "The cluster moves upwards along the combs while it eats. " * 8,
            url=f"{SITE}page{number % 4}.html",
            title=f"Page {number % 4}",
            section=(f"Section {number}",),
        )
        for number in range(amount)
    ]
    chunks.sort(key=lambda item: (item.url, item.ord))
    scored = [found(item, round(0.95 - 0.03 * item.id, 2)) for item in chunks]
    return result(*scored, citations=tuple(quote(item, f"Paragraph {item.id}.") for item in chunks))


def status(*documents: DocumentSummary, **more: Any) -> CorpusStatus:
    totals = CorpusTotals(12, 847, 198_432, 847, 9_000_000)
    return replace(CorpusStatus(totals, documents), **more)


def document(number: int, url: str, title: str, chunks: int = 47, tokens: int = 12_340) -> DocumentSummary:
    return DocumentSummary(
        number, url, title, "html", "en", DocumentState.READY, chunks, chunks, tokens, FETCHED, FETCHED, ""
    )


READ = IngestedPage(HIVES, "Choosing a hive", "stored", 1, 47, 12_340)
UNCHANGED = IngestedPage(WINTER, "Wintering", "unchanged", 2, 1, 210, "The page is behind a consent dialog.")
UNREAD = IngestedPage(
    OTHER,
    "",
    "failed",
    0,
    0,
    0,
    "Check the address.",
    "BACKEND_UNAVAILABLE",
    "The site answered with 404.",
    "FetchError",
)
