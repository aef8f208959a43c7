"""Whole pages or passages: what of the evidence is shown."""

from __future__ import annotations

import time
from dataclasses import replace

from app import caps
from app.corpus import Corpus
from app.orchestration.choosing import ALL_KNOWN, Choice
from app.orchestration.question import Question, Run
from app.retrieval.analysis import analyse
from app.retrieval.evidence import Evidence
from app.retrieval.passages import Documents
from app.retrieval.records import RetrievedChunk, Stages
from tests.support.stored import store

QUERY = "When does the boiler valve open?"
READ = "https://docs.example/read"
ELSEWHERE = "https://docs.example/elsewhere"


async def silent(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
    pass


def run_over(corpus: Corpus, *urls: str, known_context: str | None = None) -> Run:
    run = Run(Question(urls, QUERY, known_context=known_context), analyse(QUERY), silent, time.perf_counter())
    for url in urls:
        summary = corpus.documents.summary(url)
        assert summary is not None
        run.documents[summary.id] = summary
    return run


def evidence_of(corpus: Corpus, *document_ids: int) -> Evidence:
    """All chunks of the documents, the first document's first."""
    chunks = [chunk for document_id in document_ids for chunk in corpus.chunks.of_document(document_id, limit=100)]
    ranked = tuple(RetrievedChunk(chunk, 0.5, 0.9 - n / 100) for n, chunk in enumerate(chunks))
    return Evidence(ranked, 0.99, 0.0, 0.0)


def choose(corpus: Corpus, run: Run, evidence: Evidence) -> tuple[str, list[str]]:
    mode, chosen = Choice(corpus, Stages(), None).from_pages(run, evidence, Documents(corpus))
    return mode, [item.chunk.text for item in chosen]


def test_small_pages_are_shown_whole(corpus: Corpus) -> None:
    page = store(corpus, READ, ["The valve opens at nine.", "The gauge shows the water."])
    mode, texts = choose(corpus, run_over(corpus, READ), evidence_of(corpus, page))
    assert mode == "full_context"
    assert texts == ["The valve opens at nine.\n\nThe gauge shows the water."]


def test_better_evidence_from_elsewhere_is_not_hidden_behind_small_pages(corpus: Corpus) -> None:
    page = store(corpus, READ, ["Nothing about it stands here."])
    other = store(corpus, ELSEWHERE, ["The valve opens at nine."])
    mode, texts = choose(corpus, run_over(corpus, READ), evidence_of(corpus, other, page))
    assert mode == "chunk"
    assert texts[0] == "The valve opens at nine."


def test_few_tokens_of_many_bytes_are_no_small_page(corpus: Corpus) -> None:
    page = store(corpus, READ, ["The valve opens at nine.", *("x" * 4_000 for _ in range(10))])
    run = run_over(corpus, READ)
    run.documents[page] = replace(run.documents[page], tokens=100)
    mode, texts = choose(corpus, run, evidence_of(corpus, page))
    assert mode == "chunk"
    assert sum(len(text) for text in texts) <= 5 * caps.EVIDENCE_TOKENS


def test_it_is_said_when_everything_found_was_known(corpus: Corpus) -> None:
    text = "The valve of the boiler opens at nine every morning."
    page = store(corpus, READ, [text])
    run = run_over(corpus, READ, known_context=f"I know this: {text}")
    assert choose(corpus, run, evidence_of(corpus, page)) == ("full_context", [])
    assert run.notes == [ALL_KNOWN]
