from __future__ import annotations

import pytest

from app.corpus.records import Chunk
from app.retrieval.evidence import confidence, likelihood
from app.retrieval.records import RetrievedChunk
from app.retrieval.rerank import Ranking

TEXT = "The autovacuum daemon of Postgres 15 removes dead rows; max_size is read at the start. Der Wert gilt für alle Tabellen."


def found(text: str = TEXT, *, weakest: float | None = 0.3) -> Ranking:
    chunk = Chunk(
        id=1,
        document_id=1,
        key="k",
        ord=0,
        url="https://docs.example/a",
        title="Handbook",
        section_path=("Upkeep",),
        anchor=None,
        text=text,
        start=0,
        end=len(text),
        prefix_length=0,
        suffix_length=0,
        tokens=30,
        last_crawled=0.0,
    )
    return Ranking((RetrievedChunk(chunk, 0.5, 0.5),), weakest)


def likely(question: str, ranking: Ranking) -> float:
    estimated = likelihood(question, ranking)
    assert estimated is not None
    return estimated


def test_without_vectors_nothing_is_estimated() -> None:
    assert likelihood("When are dead rows removed?", found(weakest=None)) is None


def test_the_closer_the_weakest_part_is_met_the_likelier_is_an_answer() -> None:
    question = "When are dead rows removed?"
    assert (
        likely(question, found(weakest=0.2))
        < likely(question, found(weakest=0.3))
        < likely(question, found(weakest=0.5))
    )


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ("Does Postgres remove dead rows?", "Does Oracle remove dead rows?"),
        ("Is max_size read at the start?", "Is min_cost read at the start?"),
        ("Which rows are removed in the Handbook?", "Which rows are removed in the Almanac?"),
    ],
)
def test_a_name_that_stands_nowhere_speaks_against_an_answer(held: str, missing: str) -> None:
    assert likely(missing, found()) < likely(held, found()) - 0.2


def test_the_first_word_of_a_sentence_and_german_nouns_are_no_names() -> None:
    assert likely("Xylophones remove dead rows?", found()) == likely("xylophones remove dead rows?", found())
    assert likely("Wie wird der Kessel geheizt?", found()) == likely("Wie wird der kessel geheizt?", found())


def test_confidence_rises_with_relevance_and_falls_with_the_place() -> None:
    assert 0 < confidence(0.2, 1) < confidence(0.9, 1) < 1
    assert confidence(0.9, 5) < confidence(0.9, 2) < confidence(0.9, 1)
