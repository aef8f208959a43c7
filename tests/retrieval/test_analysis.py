from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidArgumentError
from app.retrieval.analysis import analyse
from app.retrieval.records import Intent


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("What is the difference between WAL and rollback journals?", Intent.COMPARISON),
        ("How do I rotate a signing key?", Intent.HOW_TO),
        ("Explain isolation levels", Intent.EXPLORATORY),
        ("Maximum size of a row", Intent.FACTUAL),
    ],
)
def test_intent_is_inferred(query: str, intent: Intent) -> None:
    assert analyse(query).intent is intent


def test_a_named_intent_wins() -> None:
    assert analyse("How do I rotate a key?", intent="factual").intent is Intent.FACTUAL


def test_two_questions_become_sub_queries_after_the_whole() -> None:
    query = "How large is the default cache and when is it written to disk?"
    assert analyse(query).sub_queries == (query, "How large is the default cache", "when is it written to disk?")


def test_compared_things_are_searched_apart() -> None:
    parts = analyse("Compare histogram gradient boosting with random forests").sub_queries
    assert parts[1:] == ("histogram gradient boosting", "random forests")


def test_constraints_sharpen_the_whole_question() -> None:
    assert analyse("configure the cache", constraints=["with code examples"]).sub_queries == (
        "configure the cache",
        "configure the cache with code examples",
    )


@pytest.mark.parametrize("query", ["", "   ", "?!", "---"])
def test_nothing_to_search_is_said(query: str) -> None:
    with pytest.raises(InvalidArgumentError, match="no word"):
        analyse(query)


@given(st.text(min_size=1, max_size=300))
def test_sub_queries_are_bounded_distinct_and_start_with_the_whole(query: str) -> None:
    try:
        analysis = analyse(query)
    except InvalidArgumentError:
        return
    assert analysis.sub_queries[0] == analysis.query == " ".join(query.split())
    assert len(set(analysis.sub_queries)) == len(analysis.sub_queries) <= 4
