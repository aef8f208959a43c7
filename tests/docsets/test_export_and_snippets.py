"""The index as a JSON file, and snippets within their length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.docsets.pages import DocsError
from app.docsets.search import shortened, snippet
from app.docsets.service import Docs
from app.errors import FileAccessError
from tests.docsets.folders import PAGES


def test_the_export_contains_each_page_with_its_sections(docs: Docs, folder: Path, tmp_path: Path) -> None:
    target = docs.export("PUMP", tmp_path / "out" / "search-index.json")
    content = json.loads(target.read_text(encoding="utf-8"))
    assert (content["version"], content["docs_root"], content["docs_count"]) == ("1.0", str(folder), 4)
    assert content["built_at"].endswith("Z")
    entry = content["index"]["guide/install.md"]
    assert entry["content"] == PAGES["guide/install.md"]
    assert (entry["path"], entry["title"], entry["word_count"]) == ("guide/install.md", "Installing the pump", 20)
    assert entry["size"] == (folder / "guide/install.md").stat().st_size
    assert entry["mtime"] == pytest.approx((folder / "guide/install.md").stat().st_mtime)
    assert entry["sections"][0] == {
        "heading": "Tools you need",
        "level": 2,
        "content": "## Tools you need\n\nA wrench.\n",
        "line_start": 5,
        "line_end": 8,
    }
    docs.export("guide", target)
    assert json.loads(target.read_text(encoding="utf-8"))["docs_count"] == 1


def test_an_export_only_replaces_an_index(docs: Docs, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(FileAccessError, match="is not an index"):
        docs.export("pump", tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "Dear reader"
    with pytest.raises(FileAccessError, match="cannot be written"):
        docs.export("pump", tmp_path / "letter.txt" / "index.json")
    with pytest.raises(DocsError, match="no folder named pumps"):
        docs.export("pumps", tmp_path / "x.json")


@given(st.text(st.sampled_from("ab cd#*[]()\n`é"), max_size=400), st.text("abcd ", max_size=12), st.integers(20, 90))
def test_a_snippet_is_one_line_within_the_requested_length(text: str, query: str, length: int) -> None:
    shown = snippet(text, query, length)
    assert len(shown) <= length and "\n" not in shown
    assert len(shortened(shown, 15)) <= 15


def test_a_snippet_is_where_most_words_of_the_question_are() -> None:
    text = "Valve one. " * 30 + "Open the valve with a wrench. " + "Valve two. " * 30
    assert "Open the valve with a wrench." in snippet(text, "wrench for the valve", 80)


def test_a_snippet_can_be_in_and_after_code() -> None:
    text = "# Pump\n\nIntro.\n\n```sh\npump --prime\n```\n\nThen open the valve.\n\n~~~\nlast\n~~~\n"
    assert snippet(text, "valve", 200) == "Intro. pump --prime Then open the valve. last"
