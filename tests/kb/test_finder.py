"""Everyday questions, reworded in the terms of documentation."""

from __future__ import annotations

import time

import pytest

from app import caps
from app.kb.finder import in_words_of_documentation


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Is the cache used out of the box?", "Is the cache used by default?"),
        ("What happens when I pass --force several times?", "when the option --force is given multiple times?"),
        ("How do I keep it from growing?", "prevent it from growing?"),
        ("What becomes of the program I start when it takes too long?", "when it timeout expires?"),
        ("How many rows may I lock?", "what is the maximum number of rows lock?"),
    ],
)
def test_everyday_words_become_terms_of_documentation(asked: str, meant: str) -> None:
    assert meant in in_words_of_documentation(asked)


@pytest.mark.parametrize("asked", ["What is the default timeout?", "re.MULTILINE", "--records-only", "蜂の冬"])
def test_other_questions_are_unchanged(asked: str) -> None:
    assert in_words_of_documentation(asked) == asked


@pytest.mark.parametrize("piece", ["how many ", "keep ", "switch ", "if I ", "a", "dig "])
def test_every_question_is_processed_quickly(piece: str) -> None:
    started = time.process_time()
    in_words_of_documentation((piece * caps.MAX_QUERY_CHARS)[: caps.MAX_QUERY_CHARS])
    assert time.process_time() - started < 5
