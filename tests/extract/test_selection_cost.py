"""Cleaning and selecting deliberately slow pages takes time proportional to their size."""

from __future__ import annotations

import time

import pytest

from app.extract.guided_selection import declared_texts
from tests.extract.pages import html_page

MAX_SECONDS = 15.0
ARTICLE = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-06">'
TEXT = "<p>The text of the page stands here.</p>"


@pytest.mark.parametrize(
    "body",
    [
        "<style>" + "/* " * 50_000 + "</style>",
        "<style>" + ".x{" * 50_000 + "</style>",
        "<style>" + ".x{display:none}" * 6_000 + "</style>" + '<p class="x">a</p>' * 3_000,
        '<div style="' + "transform:translate(" * 20_000 + '">a</div>',
        "<main>" + f'<div style="display:none"><p>{"word " * 200}</p></div>' * 600 + "</main>",
        '<div style="color:#fff">' * 300 + '<p style="color:#fff">a</p>' * 3_000,
        "<div aria-expanded=false></div><div hidden>a</div>" * 4_000,
        "<section><h3>Related posts</h3><a href=/x>a</a></section>" * 3_000,
        "<div class=menu>" * 300 + "word " * 20_000,
        "<table>" * 150 + "<tr><td>a<td>b" * 2_000,
    ],
    ids=["comments", "braces", "classes", "functions", "curtains", "colours", "openers", "headings", "menus", "tables"],
)
def test_hostile_markup(body: str) -> None:
    started = time.process_time()
    html_page(TEXT + body)
    assert time.process_time() - started < MAX_SECONDS


@pytest.mark.parametrize(
    "body",
    [
        "<p>sign up newsletter <a href=/x>sign up</a> " * 800,
        ("<p>" + "newsletter " * 20 + "<a href=/x>a</a>") * 800,
        ("<p>" + "contributed " * 18 + "<a href=/x>a</a>") * 800,
        "<div class=author-bio>" * 200 + "word " * 5_000,
        "<div class=tags>" * 100 + "<a href=/x>t</a>" * 400,
        "<p>一二三四五六七八九十。</p>" * 800,
    ],
    ids=["requests", "newsletters", "credits", "authors", "tags", "chinese"],
)
def test_hostile_articles(body: str) -> None:
    started = time.process_time()
    html_page(TEXT * 6 + body, head=ARTICLE)
    assert time.process_time() - started < MAX_SECONDS


@pytest.mark.parametrize("script", ["<script ", "<script type=application/ld+json>", "<script application/ld+json"])
def test_hostile_scripts(script: str) -> None:
    started = time.process_time()
    declared_texts(script * 20_000 + "</script>")
    assert time.process_time() - started < MAX_SECONDS


def test_the_original_address_is_searched_once() -> None:
    started = time.process_time()
    for _ in range(20):
        page = html_page(
            "<p>Some words and <a href='b.html'>a link</a>.</p>", head="url:http://" * 200, url="file:///page.html"
        )
        assert [link.url for link in page.links] == ["file:///b.html"]
    assert time.process_time() - started < MAX_SECONDS
