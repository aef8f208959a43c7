"""The blocks of clean Markdown: whole lines, nothing lost, and the same fences for every reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desktop.preview import blocks as preview
from app.text.markdown_blocks import CODE_SPAN, PROSE, Kind, fences, scan_blocks, sentence_spans

TEXTS = st.lists(
    st.sampled_from(
        [
            *(
                "# Heading",
                "## Second",
                "A line of text.",
                "Goes on: here",
                "- item",
                "  second line",
                "1. first",
                "> quoted",
                "",
            ),
            *("```", "```python", "x = 1", "~~~", "~~~~", "  ```", "- ```sh", "> ```", "$$", "$$x$$", "a + b", "y $$"),
            *("| a | b |", "|---|---|", "| 1 | 2 |", "---", "----", " | pipe", "\u00a0", "\t"),
        ]
    ),
    max_size=30,
).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_blocks_are_whole_lines_in_order_and_contain_all_text(text: str) -> None:
    blocks = list(scan_blocks(text, ()))
    for block in blocks:
        assert block.start == 0 or text[block.start - 1] == "\n"
        assert block.end == len(text) or text[block.end] == "\n"
        assert block.start < block.end
        assert block.kind in (Kind.HEADING, Kind.RULE, *PROSE) or block.start <= block.inner <= block.end
    assert all(before.end < after.start for before, after in pairwise(blocks))
    covered = {place for block in blocks for place in range(block.start, block.end)}
    assert not any(not sign.isspace() and place not in covered for place, sign in enumerate(text))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_a_fence_is_code_for_every_reader(text: str) -> None:
    found = list(fences(text))
    assert found == [block for block in scan_blocks(text, ()) if block.kind is Kind.FENCE]
    spans = {(span.start, span.end) for span in sentence_spans(text)}
    for fence in found:
        shown = text[fence.start : fence.end]
        start = fence.start + len(shown) - len(shown.lstrip())
        assert (start, start + len(shown.strip())) in spans
        for place in range(fence.start + 1, fence.end):
            assert preview.safe_start(text, place) <= fence.start


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("```python\nx = 1\n```", "x = 1"),
        ("~~~~\n```\n~~~~~", "```"),
        ("```\nx = 1\n\ny = 2", "x = 1\n\ny = 2"),
        ("- ```sh\n  ls\n  ```", "  ls"),
        ("> ```\n> a\n> ```", "> a"),
        ("```\n```", ""),
        ("```", ""),
    ],
)
def test_the_content_of_a_fence_is_between_its_lines(text: str, content: str) -> None:
    [fence] = fences(text)
    assert fence.content(text) == content


def test_tildes_and_backticks_do_not_close_one_another() -> None:
    text = "```\na\n~~~\nb\n```\n\nText.\n\n~~~\nc\n```\n~~~"
    assert [fence.content(text) for fence in fences(text)] == ["a\n~~~\nb", "c\n```"]


def test_a_section_begins_a_heading_and_other_lines_with_a_number_sign_are_text() -> None:
    text = "# One\nText.\n# no section"
    assert [block.kind for block in scan_blocks(text, [0])] == [Kind.HEADING, Kind.PARAGRAPH]
    assert [block.kind for block in scan_blocks(text, [0, 12])] == [Kind.HEADING, Kind.PARAGRAPH, Kind.HEADING]


@given(st.text(st.sampled_from("`` ab\n"), max_size=24))
def test_code_spans_are_those_of_the_standard_within_one_line(text: str) -> None:
    """A run of backticks opens code if a later run in the line has the same length."""
    assert [found.span() for found in re.finditer(CODE_SPAN, text)] == list(spans_by_runs(text))


def spans_by_runs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        runs = [found.span() for found in re.finditer("`+", line)]
        while runs:
            (begin, inner), *runs = runs
            same = [end for first, end in runs if end - first == inner - begin <= 8]
            if same:
                yield start + begin, start + same[0]
                runs = [run for run in runs if run[0] >= same[0]]
        start += len(line)


def test_rules_in_lines_that_follow_each_other_are_one_block() -> None:
    text = "One.\n\n---\n----\n---\nTwo.\n\n---\n"
    found = [(block.kind, text[block.start : block.end]) for block in scan_blocks(text, ())]
    assert found[1] == (Kind.RULE, "---\n----\n---")
    assert found[3] == (Kind.RULE, "---")
