"""Requested pages and sections, and long texts in parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.docsets.pages import DocsError, key, part_of
from app.docsets.service import Docs
from tests.docsets.folders import PAGES, fits, write

LONG = """\
# Manual

Before all sections.

## 1. Getting started 🚀

First.

### Step one

Do it.

## Use `connect()` { #connecting }

Second.

## Options

One.

## Options

Two.
"""


@pytest.fixture
def manual(docs: Docs, folder: Path) -> Docs:
    write(folder, {"manual.md": LONG})
    return docs


def read(docs: Docs, *sections: str) -> str:
    return docs.page("manual.md", list(sections) or None, fits).text


def test_a_page_is_returned_as_it_is_in_the_file(docs: Docs) -> None:
    found = docs.page("faq.md", None, fits)
    assert found.text == PAGES["faq.md"].strip("\n")
    assert found.url.endswith("/pump/faq.md") and found.next_part is None


@pytest.mark.parametrize(
    "name",
    [
        "1. Getting started 🚀",
        "## 1. getting STARTED 🚀",
        "Getting started",
        "getting-started",
        "1.Getting started",
        "GETTING STARTED",
    ],
)
def test_a_section_is_found_however_its_heading_is_written(manual: Docs, name: str) -> None:
    assert read(manual, name) == "## 1. Getting started 🚀\n\nFirst.\n\n### Step one\n\nDo it."


@pytest.mark.parametrize(
    "name", ["Use connect()", "Use `connect()` { #connecting }", "#connecting", "connecting", "use connect"]
)
def test_a_section_is_found_by_its_anchor_and_without_its_marks(manual: Docs, name: str) -> None:
    assert read(manual, name) == "## Use `connect()` { #connecting }\n\nSecond."


def test_several_sections_are_returned_in_the_requested_order_without_duplicates(manual: Docs) -> None:
    assert (
        read(manual, "Step one", "Use connect()")
        == "### Step one\n\nDo it.\n\n## Use `connect()` { #connecting }\n\nSecond."
    )
    assert read(manual, "Step one", "Getting started", "Step one").count("Do it.") == 1


def test_a_name_selects_all_its_sections_and_the_title_the_introduction(manual: Docs) -> None:
    assert read(manual, "Options") == "## Options\n\nOne.\n\n## Options\n\nTwo."
    assert read(manual, "Manual") == "# Manual\n\nBefore all sections."


def test_an_unknown_section_names_those_there_are(manual: Docs) -> None:
    with pytest.raises(DocsError, match=r"manual\.md has no section 'Optional'") as raised:
        read(manual, "Options", "Optional")
    assert raised.value.choices == ("1. Getting started 🚀", "Step one", "Use connect()", "Options")
    assert raised.value.details == {"path": "manual.md"}


def test_a_page_that_does_not_fit_is_read_in_parts_and_names_what_follows(manual: Docs) -> None:
    small = lambda text: len(text) <= 90  # noqa: E731
    first = manual.page("manual.md", None, small)
    assert first.text.startswith("# Manual") and len(first.text) <= 90
    assert (first.next_part, first.following[-1]) == (2, "Options")
    texts, number = [first.text], 2
    while True:
        found = manual.page("manual.md", [f"part {number}"], small)
        texts.append(found.text)
        if found.next_part is None:
            break
        assert found.next_part == number + 1
        number += 1
    assert "".join("".join(texts).split()) == "".join(LONG.split())
    with pytest.raises(DocsError, match=f"no part {number + 1}"):
        manual.page("manual.md", [f"part {number + 1}"], small)


@given(st.text(st.sampled_from("ab \n#é"), max_size=300), st.integers(1, 40))
def test_parts_fit_and_hold_the_whole_text(text: str, size: int) -> None:
    end, number, parts = 0, 1, []
    while True:
        part = part_of(text, number, lambda piece: len(piece) <= size)
        assert end < part.end <= end + size or not text
        parts.append(text[end : part.end])
        assert parts[-1].strip("\n") == part.text
        end, number = part.end, number + 1
        if part.is_last:
            break
    assert "".join(parts) == text


def test_keys_of_headings() -> None:
    assert key("2.3. Über `uns` ✨!") == key("über-uns") == "über uns"
    assert key("3 ways to do it") == "ways to do it"
    assert key("2024") == "2024"
