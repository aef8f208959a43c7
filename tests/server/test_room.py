"""Room decides as if it counted every part, and seldom counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.embed.embedder import Embedder
from app.server.render.budget import Budget, Room

PARTS = st.lists(st.tuples(st.sampled_from(["take", "spend", "refund"]), st.text(max_size=40)), max_size=12)


def words(text: str) -> int:
    return len(text.split())


@given(parts=PARTS, tokens=st.integers(0, 60))
def test_a_room_decides_as_if_it_counted_every_part(parts: list[tuple[str, str]], tokens: int) -> None:
    room, left, spent = Room(Budget(tokens, 10_000, 10_000), words), tokens, list[str]()
    for action, text in parts:
        if action == "take":
            assert room.take(text) is (words(text) <= left)
            if words(text) <= left:
                left -= words(text)
                spent.append(text)
        elif action == "spend":
            room.spend(text)
            left -= words(text)
            spent.append(text)
        elif spent:
            given_back = spent.pop()
            room.refund(given_back)
            left += words(given_back)


def test_parts_far_below_the_budget_are_not_counted() -> None:
    counted: list[str] = []
    room = Room(Budget(1_000, 10_000, 10_000), lambda text: counted.append(text) or words(text))
    assert all(room.take("a few words") for _ in range(10)) and counted == []


@given(text=st.text(max_size=200))
def test_no_text_has_more_tokens_than_bytes(embedder: Embedder, text: str) -> None:
    assert embedder.count_tokens(text) <= len(text.encode("utf-8", "replace"))
