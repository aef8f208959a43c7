"""Which chunks of a page just read get their vectors at once."""

from __future__ import annotations

from app.corpus import Corpus
from app.corpus.records import EmbeddingIn
from app.embed.embedder import Embedder
from app.ingest.embedding import passage_text
from app.orchestration.likely import AROUND_NEAREST, CHUNKS_A_PAGE, chunks_around_nearest, likely_chunks
from app.retrieval.candidates import SubQuery
from tests.support.stored import store

QUESTION = "How is the boiler descaled?"


def page(corpus: Corpus, number: int, answer_at: int, chunks: int = 60) -> tuple[int, list[int]]:
    paragraphs = [
        f"Paragraph {place} tells of other things, such as lamp {place} of house {number}." for place in range(chunks)
    ]
    paragraphs[answer_at] = f"The boiler of house {number} is descaled with vinegar."
    document_id = store(corpus, f"https://example.org/{number}.html", paragraphs)
    return document_id, [chunk.id for chunk in corpus.document_chunks(document_id, limit=chunks)]


def embed(corpus: Corpus, embedder: Embedder, chunk_ids: list[int]) -> None:
    for passage in corpus.waiting(len(chunk_ids), chunk_ids=chunk_ids):
        made = embedder.embed_passage(passage_text(passage))
        corpus.store_embeddings([EmbeddingIn(passage.chunk_id, made.vector, made.token_bits)])


def test_words_and_the_top_of_each_page_are_chosen(corpus: Corpus) -> None:
    pages = [page(corpus, number, answer_at=50) for number in range(3)]
    chosen = likely_chunks(corpus, [SubQuery(QUESTION, None)], [document_id for document_id, _ in pages])
    assert len(chosen) == len(set(chosen)) == 3 * CHUNKS_A_PAGE
    for _, ids in pages:
        assert {ids[0], ids[1], ids[50]} <= set(chosen)


def test_what_stands_around_the_nearest_follows(corpus: Corpus, embedder: Embedder) -> None:
    document_id, ids = page(corpus, 1, answer_at=50)
    queries = [SubQuery(QUESTION, embedder.embed_query(QUESTION))]
    embed(corpus, embedder, likely_chunks(corpus, queries, [document_id]))
    around = chunks_around_nearest(corpus, queries, [document_id])
    beside = {ids[place] for place in range(50 - AROUND_NEAREST, 51 + AROUND_NEAREST)}
    assert beside - {ids[50]} <= set(around)
    assert not set(around) - set(corpus.waiting_ids([document_id]))


def test_nothing_is_chosen_twice(corpus: Corpus, embedder: Embedder) -> None:
    document_id, ids = page(corpus, 1, answer_at=3, chunks=5)
    queries = [SubQuery(QUESTION, embedder.embed_query(QUESTION))]
    embed(corpus, embedder, ids)
    assert likely_chunks(corpus, queries, [document_id]) == []
    assert chunks_around_nearest(corpus, queries, [document_id]) == []
