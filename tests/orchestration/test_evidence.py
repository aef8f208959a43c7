from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.corpus.records import Chunk
from app.orchestration.assembly import grouped
from app.orchestration.choosing import select, without_known
from app.retrieval.records import RetrievedChunk


def item(
    number: int, score: float, *, document: int = 1, tokens: int = 100, text: str = "", similarity: float = 0.5
) -> RetrievedChunk:
    url = f"https://example.org/{document}"
    body = text or f"text number {number} of document {document}"
    chunk = Chunk(number, document, str(number), number, url, "", (), None, body, 0, len(body), 0, 0, tokens, 0.0)
    return RetrievedChunk(chunk, score, score, similarity=similarity, matched=("meaning",))


ITEMS = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 3), st.integers(1, 300)), max_size=40).map(
    lambda rows: sorted(
        (item(n, s, document=d, tokens=t) for n, (s, d, t) in enumerate(rows)), key=lambda i: -i.reranked_score
    )
)


@given(ITEMS, st.integers(300, 3000))
def test_selection_keeps_the_budget_the_order_and_no_copy(ranked: list[RetrievedChunk], budget: int) -> None:
    chosen = select(ranked, token_budget=budget)
    assert sum(i.chunk.tokens for i in chosen) <= budget
    assert [i.reranked_score for i in chosen] == sorted((i.reranked_score for i in chosen), reverse=True)
    assert len({i.chunk.id for i in chosen}) == len(chosen)


def test_copies_and_the_clearly_irrelevant_are_left_out() -> None:
    ranked = [item(1, 0.9, text="Same words"), item(2, 0.8, text="same  WORDS"), item(3, 0.7), item(4, 0.1)]
    assert [i.chunk.id for i in select(ranked, token_budget=1000)] == [1, 3]


def test_one_chunk_larger_than_the_budget_is_better_than_none() -> None:
    assert len(select([item(1, 0.9, tokens=500)], token_budget=100)) == 1


def test_what_the_asker_knows_is_left_out() -> None:
    known = item(1, 0.9, text="The valve opens at nine every morning of the week")
    new = item(2, 0.8, text="The seal is replaced by the night crew on Fridays")
    assert without_known([known, new], known.chunk.text) == [new]
    assert without_known([known, new], None) == [known, new]


def test_sources_are_grouped_the_best_first_and_in_reading_order() -> None:
    ranked = [item(5, 0.9, document=2), item(3, 0.7, document=1), item(1, 0.6, document=2)]
    assert [i.chunk.id for i in grouped(ranked)] == [1, 5, 3]
