"""The start and end of Markdown blocks, found from inside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.markdown_blocks import next_block_end, prose_end, prose_start, wrapped_end, wrapped_start

PAGE = """\
# Boiler

The first paragraph
goes over two lines.

- one item that
  goes on
- another

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

```sh
light fire

shovel coal
```
After code.

$$
x = y
$$
"""


def at(words: str) -> int:
    return PAGE.index(words)


@pytest.mark.parametrize(
    ("inside", "start", "end"),
    [
        ("goes over", "The first", "\n\n- one"),
        ("goes on", "- one", "\n- another"),
        ("another", "- another", "\n\n| a"),
        ("After", "After", "\n\n$$"),
        ("3 | 4", "| a", "\n\n```"),
    ],
)
def test_prose_is_found_from_inside(inside: str, start: str, end: str) -> None:
    assert prose_start(PAGE, at(inside), 0) == at(start)
    assert prose_end(PAGE, at(inside), len(PAGE)) == at(end)


def test_fences_and_tables_are_found_by_what_is_repeated_of_them() -> None:
    assert wrapped_start(PAGE, at("shovel"), "```sh\n", 0) == at("```sh")
    assert wrapped_end(PAGE, at("\nshovel"), "\n```", len(PAGE)) == at("\nAfter")
    assert wrapped_start(PAGE, at("| 3"), "| a | b |\n|---|---|\n", 0) == at("| a")
    assert wrapped_end(PAGE, at("\nx ="), "\n$$", len(PAGE)) == len(PAGE) - 1


def test_borders_beyond_the_limit_are_not_found() -> None:
    assert prose_start(PAGE, at("goes over"), at("first paragraph")) is None
    assert prose_end(PAGE, at("The first"), at("goes over")) is None
    assert wrapped_start(PAGE, at("shovel"), "```sh\n", at("light")) is None
    assert wrapped_start(PAGE, at("| 3"), "| a | b |\n|---|---|\n", at("| 1")) is None
    assert wrapped_end(PAGE, at("\nshovel"), "\n```", at("shovel") + 3) is None


@pytest.mark.parametrize(
    ("behind", "end"),
    [
        ("# Boiler", "\n\n- one"),
        ("two lines.", "\n\n| a"),
        ("another\n", "\n\n```"),
        ("| 3 | 4 |", "\nAfter"),
        ("After code.", "\n"),
    ],
)
def test_the_next_block_is_taken_whole(behind: str, end: str) -> None:
    expected = len(PAGE) - 1 if end == "\n" else at(end)
    assert next_block_end(PAGE, at(behind) + len(behind), len(PAGE)) == expected


@given(text=st.text(alphabet="ab .:|`-#>*$~\n1", max_size=120), data=st.data())
def test_borders_surround_the_requested_place_within_the_limit(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    lowest = data.draw(st.integers(0, position))
    highest = data.draw(st.integers(position, len(text)))
    for start in (prose_start(text, position, lowest), wrapped_start(text, position, "```\n", lowest)):
        assert start is None or lowest <= start <= position
    ends = (
        prose_end(text, position, highest),
        wrapped_end(text, position, "\n```", highest),
        next_block_end(text, position, highest),
    )
    for end in ends:
        assert end is None or position <= end <= highest
