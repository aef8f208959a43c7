"""Everyday questions, reworded in the terms of documentation."""

from __future__ import annotations

import time

import pytest

from app import caps
from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.kb.finder import Finder, in_words_of_documentation
from app.kb.records import Mode
from app.library.scope import Filter
from app.retrieval.records import ALL_STAGES
from tests.support.stored import embed_all, store


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


@pytest.mark.parametrize(
    ("question", "is_told"),
    [("Which version of the package do I choose?", True), ("请问要选择哪个版本？", False)],
)
def test_the_note_says_that_the_passages_are_in_another_language(
    corpus: Corpus, embedder: Embedder, question: str, is_told: bool
) -> None:
    store(corpus, "https://example.org/zh", ["请在软件包列表中选择要安装的 package 版本。"])
    embed_all(corpus, embedder)
    ranked = Finder(corpus, embedder, ALL_STAGES).find(question, Filter(), Mode.AUTO)
    assert ("another language" in ranked.note) is is_told
    assert ranked.chunks and not ranked.evidence.is_none
