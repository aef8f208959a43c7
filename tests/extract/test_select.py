"""Which part of a page is taken."""

from __future__ import annotations

import pytest

from app.extract.alignment import aligned
from tests.extract.pages import html_page, text_of

NAV = '<nav><a href="/">Home</a> <a href="/b">Blog</a></nav>'
FOOTER = "<footer><p>© Nobody, all rights reserved</p></footer>"
SENTENCES = [
    f"Sentence number {number} tells something about the harbour and its {number} boats." for number in range(12)
]
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TEASERS = "".join(
    f'<div class="teaser"><h3>Read also</h3><p>Another story {n} you may like</p></div>' for n in range(4)
)


@pytest.mark.parametrize(
    "wrapper",
    [
        "<main>{}</main>",
        '<div role="main">{}</div>',
        "<article>{}</article>",
        '<div itemprop="articleBody">{}</div>',
        '<div id="content">{}</div>',
        '<div class="vp-doc">{}</div>',
    ],
)
def test_landmarks(wrapper: str) -> None:
    body = wrapper.format("<h1>Title</h1><p>The text of the page.</p>")
    assert (
        text_of(f"{NAV}<div>Banner</div>{body}<div>Advertisement</div>{FOOTER}") == "# Title\n\nThe text of the page."
    )


def test_a_landmark_with_little_of_the_text_is_not_believed() -> None:
    text = text_of(f"<main><p>Loading</p></main><div>{ARTICLE}</div>")
    assert SENTENCES[5] in text


def test_the_title_before_a_landmark_is_kept() -> None:
    assert text_of(f"{NAV}<div><h1>Title</h1></div><main>{ARTICLE}</main>").startswith("# Title\n\nSentence")


@pytest.mark.parametrize(
    "part",
    [
        "<nav>OUT</nav>",
        '<div role="navigation">OUT</div>',
        '<ul class="breadcrumb"><li>OUT</ul>',
        '<div class="prev-next-area"><a href="/n">OUT</a></div>',
        '<a class="edit-this-page" href="/e">OUT</a>',
        '<div class="toc"><ul><li><a href="#a">OUT</a></ul></div>',
        "<button>OUT</button>",
        '<div class="cookie-banner">OUT</div>',
    ],
)
def test_boilerplate_inside_the_main_part_is_left_out(part: str) -> None:
    assert "OUT" not in text_of(f"<main>{part}{ARTICLE}</main>")


def test_contents_that_lead_to_other_pages_stay() -> None:
    page = html_page(
        '<main><h1>Manual</h1><div class="toc"><a href="a.html">One</a> <a href="b.html">Two</a></div></main>'
    )
    assert "One Two" in page.text
    assert len(page.links) == 2


def test_an_article_is_freed_of_its_surroundings_with_structure_kept() -> None:
    head = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-01-01">'
    story = f'<div class="story"><h2>Harbour</h2>{ARTICLE}<ul><li>{SENTENCES[0]} Again and again.</ul></div>'
    body = f'<div class="page">{NAV}{story}{TEASERS}</div>'
    page = html_page(f"{body}{FOOTER}", head=head)
    assert all(sentence in page.text for sentence in SENTENCES)
    assert "Read also" not in page.text
    assert "all rights reserved" not in page.text


def test_a_page_without_marks_is_taken_but_for_its_sides() -> None:
    text = text_of(
        f'<div class="menu"><a href="/">Home</a></div><h2>Old page</h2>{ARTICLE}<aside>SIDE</aside><div id="sidebar">SIDE</div>{FOOTER}'
    )
    assert text.startswith("## Old page")
    assert "SIDE" not in text
    assert "all rights reserved" not in text


def test_a_frame_named_after_its_sidebar_is_not_a_side() -> None:
    assert SENTENCES[0] in text_of(f'<div class="with-sidebar">{ARTICLE}</div>')


def test_alignment_keeps_one_copy_in_the_order_of_the_text() -> None:
    text = "the quick brown fox jumps over the lazy dog and then sleeps well"
    runs = {
        "the quick brown fox jumps": True,
        "entirely different words stand here": False,
        "the quick brown fox jumps ": False,
        "over": True,
        "the lazy dog and then": True,
        "sleeps well": True,
        "fox": False,
    }
    assert aligned([run.split() for run in runs], text.split()) == list(runs.values())


def test_alignment_of_nothing() -> None:
    assert aligned([], ["a"]) == []
    assert aligned([["a", "b", "c"]], []) == [False]
