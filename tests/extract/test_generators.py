"""Whole pages as the usual documentation generators make them: the expected text lies beside each page."""

from __future__ import annotations

import pytest

from app.extract import page_markdown
from tests.extract.pages import FIXTURES, check_offsets, fixture_page

SECTIONS = {
    "sphinx": [(1, "module-tide.tables"), (2, "computing"), (3, "tide.height")],
    "mkdocs": [(1, "configuration"), (2, "listening")],
    "docusaurus": [(1, None), (2, "from-the-registry")],
    "vitepress": [(1, "routing"), (2, "dynamic-routes")],
    "docbook": [(2, "LOCKS"), (3, "LOCKS-ROWS"), (4, "GUC-LOCK-WAIT")],
    "asciidoc": [(1, None), (2, None), (2, "_synopsis"), (2, "_options")],
    "github": [(1, "ink"), (2, "usage")],
}


@pytest.mark.parametrize("name", SECTIONS)
def test_text_sections_and_offsets(name: str) -> None:
    page = fixture_page(f"{name}.html")
    assert page.text == (FIXTURES / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
    assert [(section.level, section.anchor) for section in page.sections] == SECTIONS[name]
    assert page.note == ""
    check_offsets(page)


def test_metadata_of_the_generators() -> None:
    assert fixture_page("vitepress.html").language == "en-US"
    assert fixture_page("docbook.html").title == "4.2. Locks"
    assert fixture_page("sphinx.html").title == "tide.tables — Tide tables — Tide 2.1 documentation"
    own = fixture_page("mkdocs.html", url="https://harbour.example/config/index.html")
    assert own.canonical_url == "https://harbour.example/config/"
    assert fixture_page("mkdocs.html").canonical_url is None


def test_link_targets_come_back_in_the_full_markdown() -> None:
    text = page_markdown(fixture_page("sphinx.html"))
    assert "[`tide.moon`](https://docs.example/guide/moon.html#module-tide.moon)" in text
    assert "[Tides explained](https://example.org/tides)" in text
    assert "# tide.tables — Tide tables\n" in text
