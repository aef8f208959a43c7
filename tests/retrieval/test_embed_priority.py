"""Passages that are not embedded yet: the likely ones are embedded for the question, the others are estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.library.records import EmbeddingIn, passage_text
from app.library.scope import Filter
from app.retrieval.analysis import analyse
from app.retrieval.candidates import LIKELY_BY_WORDS, EmbedPriority, estimated, waiting_note
from app.retrieval.evidence import Evidence, EvidenceFinder, SearchArea
from app.retrieval.records import ALL_STAGES, SearchPlan, SubQuery
from app.retrieval.rerank import LateInteractionReranker, Ranking
from tests.support.stored import embed_all, store

QUESTION = "How do I cancel a running task?"
RIGHT = "To cancel a running task, call its cancel method; the task then gets an exception at the next opportunity."
BESIDE = ["A task runs a coroutine in an event loop.", "Timers fire once the loop has nothing else to do."]
ECHO = "How do I run? Do I cancel it? A task list: how, cancel, running, I do."
SHARES = st.floats(0.0, 1.0)


class Embedding:
    """Embeds passages immediately and records which."""

    def __init__(self, corpus: Corpus, embedder: Embedder) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self.asked: list[int] = []
        self.failure: EmbedderError | None = None

    def __call__(self, chunk_ids: Sequence[int], seconds: float, by_second: bool = False, /) -> int:
        assert seconds > 0
        self.asked += chunk_ids
        if self.failure is not None:
            raise self.failure
        waiting = self._corpus.vectors.waiting(len(chunk_ids), chunk_ids=chunk_ids)
        made = [(each.chunk_id, self._embedder.embed_passages([passage_text(each)])[0]) for each in waiting]
        self._corpus.vectors.store([EmbeddingIn(chunk_id, it.vector, it.token_bits) for chunk_id, it in made])
        return len(made)


@pytest.fixture
def half(corpus: Corpus, embedder: Embedder) -> Corpus:
    """Return a corpus with an embedded page that answers and one not embedded that only repeats the question's words."""
    store(corpus, "https://docs.example/tasks", [RIGHT, *BESIDE], title="Tasks")
    embed_all(corpus, embedder)
    store(corpus, "https://docs.example/list", [ECHO, "Lists are ordered."], title="Words")
    return corpus


def asked(embedder: Embedder, finder: EvidenceFinder, question: str = QUESTION, *, embeds: bool = True) -> Evidence:
    queries = [SubQuery(question, embedder.embed_query(question))]
    found = finder.collect(queries, SearchArea((Filter(),)), SearchPlan(embeds=embeds))
    return finder.rank(analyse(question), queries, found)


def test_pure_keyword_matches_do_not_rank_above_the_answer(half: Corpus, embedder: Embedder) -> None:
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES))
    assert evidence.ranked[0].chunk.text == RIGHT
    waiting = {item.chunk.text: item for item in evidence.ranked if item.is_waiting}
    assert ECHO in waiting and not set(waiting) & {RIGHT, *BESIDE}
    assert waiting[ECHO].similarity is None


def test_a_waiting_passage_is_estimated_from_similar_ones(corpus: Corpus, embedder: Embedder) -> None:
    """It ranks below the best embedded ones and above the worst."""
    store(corpus, "https://docs.example/tasks", [RIGHT, *BESIDE, "The office is closed on holidays."], title="Tasks")
    embed_all(corpus, embedder)
    store(corpus, "https://docs.example/more", ["A running task can be asked for its name."], title="Tasks")
    ranked = asked(embedder, EvidenceFinder(corpus, ALL_STAGES)).ranked
    place = next(number for number, item in enumerate(ranked) if item.is_waiting)
    assert 0 < place < len(ranked) - 1


def test_passages_needed_for_a_question_are_embedded_before_ranking(half: Corpus, embedder: Embedder) -> None:
    embedding = Embedding(half, embedder)
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES, embedding))
    assert embedding.asked and not any(item.is_waiting for item in evidence.ranked if item.chunk.text == ECHO)
    assert evidence.ranked[0].chunk.text == RIGHT
    assert half.vectors.waiting_among(embedding.asked) == set()


def test_at_most_the_likely_ones_are_embedded(corpus: Corpus, embedder: Embedder) -> None:
    store(corpus, "https://docs.example/many", [f"Task {n} is running; cancel it." for n in range(60)], title="Tasks")
    embedding = Embedding(corpus, embedder)
    evidence = asked(embedder, EvidenceFinder(corpus, ALL_STAGES, embedding))
    assert LIKELY_BY_WORDS <= len(embedding.asked) <= LIKELY_BY_WORDS + 4
    assert any(item.is_waiting for item in evidence.ranked)


def test_an_urgent_question_does_not_wait_for_vectors(half: Corpus, embedder: Embedder) -> None:
    embedding = Embedding(half, embedder)
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES, embedding), embeds=False)
    assert not embedding.asked and any(item.is_waiting for item in evidence.ranked)
    assert evidence.ranked[0].chunk.text == RIGHT


def test_without_waiting_passages_nothing_is_embedded(half: Corpus, embedder: Embedder) -> None:
    embed_all(half, embedder)
    embedding = Embedding(half, embedder)
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES, embedding))
    assert not embedding.asked and evidence.ranked and not any(item.is_waiting for item in evidence.ranked)
    assert waiting_note(half) == ""


def test_passages_that_cannot_be_embedded_are_ranked_by_words_and_marked(
    half: Corpus, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    embedding = Embedding(half, embedder)
    embedding.failure = EmbedderError("The embedding server does not answer.")
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES, embedding))
    assert next(item for item in evidence.ranked if item.chunk.text == ECHO).is_waiting
    assert "does not answer" in caplog.text
    assert waiting_note(half).startswith("2 of 5 passages are not embedded yet")


def test_named_passages_are_embedded_as_they_are(half: Corpus, embedder: Embedder) -> None:
    embedding = Embedding(half, embedder)
    ids = [passage.chunk_id for passage in half.vectors.waiting(9)]
    EmbedPriority(half, embedding).embed([1, *reversed(ids)])
    assert embedding.asked == [*reversed(ids)] and not half.vectors.has_waiting()


def test_a_passage_that_gets_its_vectors_while_it_is_ranked_is_still_marked(
    half: Corpus, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    rerank = LateInteractionReranker.rerank

    def then_embed(*arguments: Any) -> Ranking:
        found = rerank(*arguments)
        embed_all(half, embedder)
        return found

    monkeypatch.setattr(LateInteractionReranker, "rerank", then_embed)
    evidence = asked(embedder, EvidenceFinder(half, ALL_STAGES))
    assert not half.vectors.has_waiting()
    assert next(item for item in evidence.ranked if item.chunk.text == ECHO).is_waiting


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=12), st.lists(SHARES, min_size=1, max_size=5))
def test_an_estimate_is_within_the_known_values(known: list[tuple[float, float]], shares: list[float]) -> None:
    held, values = (np.array(column) for column in zip(*known, strict=True))
    found = estimated(held, values, np.array(shares))
    assert found.shape == (len(shares),)
    assert np.all(found >= values.min() - 1e-9) and np.all(found <= values.max() + 1e-9)


def test_similar_passages_decide_an_estimate() -> None:
    few, many = estimated(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0.2, 0.2, 0.6, 0.6]), np.array([0.1, 0.9]))
    assert few < 0.3 < 0.5 < many
