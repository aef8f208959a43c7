from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from app.embed.reranker import CrossEncoder
from app.library.records import Chunk
from app.retrieval import second_look
from app.retrieval.evidence import Evidence
from app.retrieval.records import RetrievedChunk
from app.retrieval.second_look import BEST, SecondLook
from tests.support.models import make_reranker

RELEVANCE = (0.9, 0.8, 0.6, 0.3)


def evidence(*texts: str) -> Evidence:
    chunks = [
        Chunk(number, 1, "k", 0, "https://docs.example/a", "", (), None, text, 0, len(text), 0, 0, 30, 0.0)
        for number, text in enumerate(texts, 1)
    ]
    relevance = [*RELEVANCE, *(0.2 - number / 1000 for number in range(len(texts)))]
    return Evidence(
        tuple(RetrievedChunk(chunk, 0.5, score) for chunk, score in zip(chunks, relevance, strict=False)), 0.7, 1, 1
    )


def ids(found: Evidence) -> list[int]:
    return [item.chunk.id for item in found.ranked]


@pytest.fixture
def reranker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CrossEncoder]:
    monkeypatch.setattr(second_look, "SECONDS", 60.0)  # so that a busy machine reads all passages
    made = CrossEncoder(make_reranker(tmp_path / "pairs"))
    yield made
    made.close()


def test_without_a_reranker_nothing_changes() -> None:
    found = evidence("xxx", "abc")
    assert SecondLook().again("abc", found)[0] is found
    assert SecondLook().note == ""
    assert SecondLook(problem="its folder is gone").note == "The chosen reranker is off (its folder is gone)."


def test_better_passages_move_up_and_relevance_stays_with_the_place(reranker: CrossEncoder) -> None:
    found = evidence("x", "abcabcabcabc", "y", "z")
    look = SecondLook(reranker)
    (once,), (again,) = look.again("abc", found), look.again("abc", found)
    assert once == again
    assert ids(once) == [2, 1, 3, 4]
    assert [item.reranked_score for item in once.ranked] == list(RELEVANCE)
    assert (once.likelihood, once.reread) == (found.likelihood, "pairs, 4 passages")


def test_passages_that_were_not_read_keep_their_place(reranker: CrossEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranker, "scores", lambda *_: [0.0, None, 1.0, 2.0])
    (found,) = SecondLook(reranker).again("abc", evidence("a", "b", "c", "d"))
    assert found.ranked[1].chunk.id == 2
    assert found.reread == "pairs, 3 passages"
    monkeypatch.setattr(reranker, "scores", lambda *_: [None] * 4)
    late = evidence("a", "b", "c", "d")
    assert SecondLook(reranker).again("abc", late)[0] is late


def test_only_the_best_passages_are_read_each_once(reranker: CrossEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def scores(question: str, passages: list[str], seconds: float) -> list[float]:
        asked.append(len(passages))
        return [float(len(passages) - place) for place in range(len(passages))]

    monkeypatch.setattr(reranker, "scores", scores)
    found = evidence(*"abcdefghijklmnopqrstuvwxyz")
    both = SecondLook(reranker).again("abc", found, replace(found, ranked=found.ranked[1:]))
    assert asked == [BEST + 1]
    assert ids(both[0]) == list(range(1, 27))


def test_a_broken_reranker_leaves_the_order_and_says_so(
    reranker: CrossEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = SimpleNamespace(run=lambda _encoding: np.array([np.nan]))
    monkeypatch.setattr(reranker._model, "use", lambda: broken)
    look, found = SecondLook(reranker), evidence("x", "abc")
    assert look.again("abc", found)[0] is found
    assert "not a number" in look.note


def test_other_languages_are_left_alone(tmp_path: Path) -> None:
    made = make_reranker(tmp_path / "pairs")
    card = made / "card.toml"
    card.write_text(f'languages = ["en"]\n{card.read_text(encoding="utf-8")}', encoding="utf-8")
    reranker = CrossEncoder(made)
    look, found = SecondLook(reranker), evidence("x", "abc")
    assert look.again("Wie öffne ich die Datei?", found)[0] is found
    foreign = replace(found, other_language="de")
    assert look.again("How do I open it?", foreign)[0] is foreign
    reranker.close()
