from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.text.terms import MAX_SYNONYMS, ORIGINAL_WEIGHT, expanded_terms, query_terms, synonyms


@pytest.mark.parametrize(("word", "other"), [("removed", "delete"), ("folders", "directory"), ("enumerating", "list")])
def test_forms_of_a_word_have_its_synonyms(word: str, other: str) -> None:
    assert other in synonyms(word)


def test_the_words_asked_weigh_more_than_their_synonyms() -> None:
    terms = expanded_terms("erase a folder")
    assert terms.count("erase") == terms.count("folder") == ORIGINAL_WEIGHT
    assert terms.count("delete") == terms.count("directory") == 1


def test_names_of_code_and_unknown_words_get_no_synonyms() -> None:
    assert expanded_terms("`delete` ON DELETE zebra") == query_terms("`delete` ON DELETE zebra")


@given(st.text(max_size=300))
def test_expansion_is_limited_and_contains_every_term(text: str) -> None:
    terms = expanded_terms(text)
    assert set(query_terms(text)) <= set(terms)
    assert len(terms) <= ORIGINAL_WEIGHT * caps.MAX_QUERY_TERMS + MAX_SYNONYMS
