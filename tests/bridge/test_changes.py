"""The life line as it carries more than signs of life."""

from __future__ import annotations

import queue
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.bridge.instances import Instances
from app.bridge.messages import LIST_CHANGES
from app.bridge.wire import read_words
from app.instance import RuntimeInfo
from tests.bridge.fake_instance import FakeInstance

WORDS = st.binary(min_size=1, max_size=caps.BRIDGE_WORD_BYTES).map(lambda word: word.replace(b"\n", b"."))


@given(words=st.lists(WORDS), cuts=st.lists(st.integers(0, 400)), more=st.integers(0, 3))
def test_words_are_read_however_they_are_cut(words: list[bytes], cuts: list[int], more: int) -> None:
    line = b"".join(b"\n" * more + word + b"\n" for word in words)
    places = [0, *sorted(min(cut, len(line)) for cut in cuts), len(line)]
    pieces = [line[start:end] for start, end in pairwise(places)]
    assert list(read_words(iter(pieces))) == words


def test_an_endless_word_is_passed_over() -> None:
    pieces = [b"x" * 10_000] * 3 + [b"\ntools\n"]
    assert list(read_words(iter(pieces))) == [b"tools"]


class Other(FakeInstance):
    """An instance in another process."""

    @property
    def info(self) -> RuntimeInfo:
        return replace(super().info, pid=1)


def test_another_instance_may_have_other_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "BRIDGE_REATTACH_SECONDS", 0.05)
    words: queue.Queue[bytes] = queue.Queue()
    with FakeInstance(tmp_path) as first:
        Instances(tmp_path, words.put).attach("x")
        first.stop()
        first.start()
    assert words.empty()
    with Other(tmp_path):
        assert {words.get(timeout=5) for _ in LIST_CHANGES} == set(LIST_CHANGES)
