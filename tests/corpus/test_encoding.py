"""Values stored as text are restored unchanged."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from app.corpus.database import distinct, ids_of, join_path, split_path

HEADINGS = st.text(st.characters(codec="utf-8") | st.sampled_from(">\\ "), min_size=1)


@given(st.lists(HEADINGS).map(tuple))
@example(("A > B", "C"))
@example(("A >", "> B", "\\"))
@example(("\\>", " "))
def test_a_section_path_survives_storage_as_text(section_path: tuple[str, ...]) -> None:
    assert split_path(join_path(section_path)) == section_path


def test_a_plain_path_is_stored_readably() -> None:
    assert join_path(("Guide", "Install")) == "Guide > Install"


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
@example([-(2**63), 2**63 - 1, -(2**63)])
def test_distinct_returns_all_values_sorted(values: list[int]) -> None:
    assert distinct(ids_of(values)).tolist() == sorted(set(values))
