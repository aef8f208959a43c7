"""Whole pages of common documentation generators, with the expected text next to each page."""

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
    "mkdocs_material": [(1, "scheduling"), (2, "a-plan"), (2, "states"), (3, "orchard.water")],
    "docusaurus2": [(1, None), (2, "options"), (3, "per-call")],
    "vitepress_guide": [(1, "plugins"), (2, "writing-one"), (3, "order")],
    "docsy": [(1, None), (2, "fitting"), (3, "sizes")],
    "mdbook": [(1, "loans"), (2, "taking-one")],
    "rustdoc": [
        (1, None),
        (2, "examples"),
        (2, "implementations"),
        (3, "impl-Queue%3CT%3E"),
        (4, "method.push"),
        (2, "structs"),
    ],
    "javadoc": [(1, None), (2, "method-summary"), (2, "method-detail"), (3, "add(int,java.lang.String)")],
    "just_the_docs": [(1, "bread"), (2, "dough")],
    "read_the_docs": [(1, "ropes"), (2, "strength"), (3, "rig.pull")],
    "doxygen": [(1, None), (2, "details"), (2, "func-members"), (2, None), (2, "ga12")],
    "starlight": [(1, "_top"), (2, "raise")],
    "gitbook": [(1, "bees"), (2, "smoke")],
}
LINKS = {
    "mkdocs_material": {"`fast`": "https://docs.example/fast/", "1": "https://docs.example/guide/page.html#fn:1"},
    "docusaurus2": {"socket": "https://docs.example/docs/api/server#socket"},
    "vitepress_guide": {"hook": "https://docs.example/reference/hook"},
    "docsy": {"pipes": "https://docs.example/docs/pipes/"},
    "mdbook": {
        "scope": "https://docs.example/guide/scope.html#end",
        "1": "https://docs.example/guide/page.html#footnote-1",
    },
    "javadoc": {
        "org.bank": "https://docs.example/guide/package-summary.html",
        "add": "https://docs.example/guide/page.html#add(int,java.lang.String)",
        "total": "https://docs.example/guide/page.html#total()",
        "`Entry`": "https://docs.example/guide/Entry.html",
    },
    "just_the_docs": {"heat": "https://docs.example/oven/#heat"},
    "read_the_docs": {"`pull()`": "https://docs.example/guide/page.html#rig.pull"},
    "doxygen": {"tank_level": "https://docs.example/guide/group__gauges.html#ga12"},
    "starlight": {"mast": "https://docs.example/mast/"},
    "gitbook": {"hive": "https://docs.example/guide/hive.html#frames"},
}


@pytest.mark.parametrize("name", SECTIONS)
def test_text_sections_and_offsets(name: str) -> None:
    page = fixture_page(f"{name}.html")
    assert page.text == (FIXTURES / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
    assert [(section.level, section.anchor) for section in page.sections] == SECTIONS[name]
    assert page.note == ""
    check_offsets(page)


@pytest.mark.parametrize("name", LINKS)
def test_links_lead_to_the_addresses_in_the_page(name: str) -> None:
    assert {link.text: link.url for link in fixture_page(f"{name}.html").links} == LINKS[name]


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
