"""Headings, paragraphs, lists, quotations, rules."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>One\n  two</p><p>Three</p>", "One two\n\nThree"),
        ("<div>loose<p>para</p>tail</div>", "loose\n\npara\n\ntail"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol start=7><li>a<li>b</ol>", "7. a\n8. b"),
        ("<ol reversed><li>a<li>b<li value=9>c<li>d</ol>", "4. a\n3. b\n9. c\n8. d"),
        ("<ol reversed start=5><li>a<li>b</ol>", "5. a\n4. b"),
        (
            "<div role=heading aria-level=3>Oil</div><p>a</p><p role=heading>Gas</p><p>b</p>",
            "### Oil\n\na\n\n## Gas\n\nb",
        ),
        ("<ol><li value=3>a<li>b</ol>", "3. a\n4. b"),
        ("<ol><li><p>a</p><p>b</p></li><li>c</li></ol>", "1. a\n\n   b\n\n2. c"),
        ("<p>x</p><ul><li>a</ul><p>y</p>", "x\n\n- a\n\ny"),
        ("<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"),
        ("<p>x</p><blockquote>a<ul><li>b</ul></blockquote>", "x\n\n> a\n>\n> - b"),
        ("<blockquote><ul><li>only indented</ul></blockquote>", "- only indented"),
        ("<details><summary>More</summary><p>inside</p></details>", "**More**\n\ninside"),
        ("<details><summary><h3>Method</h3></summary><p>inside</p></details>", "### Method\n\ninside"),
        ("<ul><li><h3>Card</h3><p>text</p></li></ul>", "### Card\n\ntext"),
        ("<p># not a heading</p>", "\\# not a heading"),
        ("<p>#hashtag stays</p>", "#hashtag stays"),
        ("<p>``` not a fence</p>", "\\``` not a fence"),
        (
            "<ul class='contains-task-list'><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
            "- [x] a\n- [ ] b",
        ),
    ],
)
def test_blocks(body: str, expected: str) -> None:
    assert text_of(f"<main>{body}</main>") == expected


def test_headings_become_sections_with_anchors() -> None:
    page = html_page(
        '<main><h1 id="top">Top <code>x_y</code></h1><p>intro</p>'
        '<section id="part"><h2>Part<a class="headerlink" href="#part">¶</a></h2><p>text</p></section>'
        '<a name="old"></a><h2>Old</h2><p>text</p><h3>Sub <a href="#sub" class="anchor">#</a></h3><p>end</p></main>'
    )
    assert page.text.splitlines()[0] == "# Top x_y"
    found = [(section.level, section.heading, section.anchor) for section in page.sections]
    assert found == [(1, "Top x_y", "top"), (2, "Part", "part"), (2, "Old", "old"), (3, "Sub", "sub")]
    assert "¶" not in page.text
    check_offsets(page)
    assert [page.text[s.start : s.end].strip() for s in page.sections][2] == "## Old\n\ntext"


def test_a_heading_inside_emphasis_or_a_quotation_breaks_no_line() -> None:
    page = html_page("<main><b><h2>Bold</h2></b><blockquote><h3>Said</h3><p>words</p></blockquote></main>")
    assert page.text == "## Bold\n\n> **Said**\n>\n> words"
    assert [section.heading for section in page.sections] == ["Bold"]


def test_figures_keep_their_caption_and_lend_it_to_the_image() -> None:
    page = html_page(
        '<main><p>Before</p><figure><img src="/a.png" alt="A cat"><figcaption>Fig. 1: cat</figcaption></figure>'
        '<p><img src="data:image/png;base64,AAAA" alt="none"><img src="x.gif" width="1" height="1">after</p></main>'
    )
    assert page.text == "Before\n\nFig. 1: cat\n\nafter"
    (image,) = page.images
    assert (image.url, image.alt, image.caption) == ("https://docs.example/a.png", "A cat", "Fig. 1: cat")
    assert image.position == len("Before")


def test_lazy_images_are_found() -> None:
    page = html_page('<main><p>x<img src="data:image/gif;base64,R0" data-src="/real.jpg" alt="r"></p></main>')
    assert [image.url for image in page.images] == ["https://docs.example/real.jpg"]


def test_only_the_first_heading_of_a_section_takes_its_id() -> None:
    page = html_page("<main><div id=part><h2>One</h2><p>a</p><h3>Two</h3><p>b</p></div></main>")
    assert [section.anchor for section in page.sections] == ["part", None]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<ol type=a><li>x<li>y</ol>", "- a. x\n- b. y"),
        ("<ol type=I start=4><li>x<li>y</ol>", "- IV. x\n- V. y"),
        ("<ol class='loweralpha simple'><li><p>x</p><li><p>y</p></ol>", "- a. x\n- b. y"),
        ("<ol style='list-style-type: upper-roman'><li>x<li value=9>y</ol>", "- I. x\n- IX. y"),
        ("<ol type=1><li>x</ol><ol type=A start=30><li>y</ol>", "1. x\n\n- 30. y"),
        ("<ul type=circle><li>x</ul>", "- x"),
        ("<ul><li>a<ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ul><li>a</li><ul><li>b</li><ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
        ("<ul><ul><li>a</ul><li>b</ul>", "- a\n\n- b"),
    ],
)
def test_lists_keep_their_letters_and_levels(markup: str, text: str) -> None:
    assert text_of(f"<main>{markup}</main>") == text


def test_the_link_to_the_top_is_no_part_of_a_heading() -> None:
    heading = '<h2><a id="NAME" href="#NAME"></a>NAME &nbsp; <a href="#top_of_page"><span class="top-link">top</span></a></h2>'
    assert text_of(f"<main>{heading}<p>lamp</p></main>") == "## NAME\n\nlamp"


def test_a_quotation_keeps_its_source() -> None:
    quotation = "<blockquote><p>Said.</p><footer>— <cite>Ann</cite></footer></blockquote>"
    assert text_of(f"<main>{'<p>Many words of the page.</p>' * 9}{quotation}</main>").endswith("> Said.\n>\n> — Ann")
