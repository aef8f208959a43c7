"""Emphasis, code spans, links, superscript and subscript."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a <b>bold</b>, <i>it</i>", "a **bold**, *it*"),
        ("a<b> spaced </b>b", "a **spaced** b"),
        ("The slash <em>/</em> or <b>--</b> and <em>a/b</em>", "The slash / or -- and *a/b*"),
        ("<b></b>x<em> </em>y", "x y"),
        ("<b><b>twice</b></b>", "**twice**"),
        ("<strong><code>x</code></strong>", "`x`"),
        ("<b><div>a</div><div>b</div></b>", "**a**\n\n**b**"),
        ("<del>gone</del>", "~~gone~~"),
        ("<code>a`b</code>", "``a`b``"),
        ("<code>`a`</code>", "`` `a` ``"),
        ("<tt>x</tt> <kbd>y</kbd>", "`x` `y`"),
        ("<code>f(<span>x</span>,\n y)</code>", "`f(x, y)`"),
        ("2<sup>31</sup>, x<sub>i</sub>, H<sub>2</sub>O, 1<sup>st</sup>", "2^31, x_i, H2O, 1st"),
        ("e<sup>-x/2</sup> and word<sup><a href='#n'>[1]</a></sup>", "e^(-x/2) and word[1]"),
        ("said<sup id=r><a href='#n'>1</a></sup> and<sup><a href='/x'>2</a></sup>", "said[1] and[2]"),
        ("a note <a href='#r' class=footnote-backref>↩︎</a>", "a note"),
        ("a note <span class=mw-cite-backlink><b><a href='#r'>^</a></b></span>", "a note"),
        ("an example <a href='#e'>¶</a>", "an example"),
        ("<q>said</q>", "“said”"),
        ("5 * 3 and snake_case_name and *args", "5 * 3 and snake_case_name and *args"),
        ("&lt;div&gt; &amp; &copy;", "<div> & ©"),
        ("no\u00a0break\u2003space", "no break space"),
    ],
)
def test_inline(body: str, expected: str) -> None:
    assert text_of(f"<main><div>{body}</div></main>") == expected


def test_links_are_absolute_and_know_their_place() -> None:
    page = html_page(
        '<main><p>See <a href="other.html#part">the <b>other</b> part</a>, <a href="#here">here</a>, '
        '<a href="//cdn.example/x y">cdn</a>, <a href="mailto:a@b.c">mail</a>, <a href="javascript:void(0)">js</a>, '
        '<a href="http://[bad">bad</a>, <a href="/img"><img src="i.png"></a><code><a href="f.html">f</a>()</code></p></main>'
    )
    assert [(link.text, link.url) for link in page.links] == [
        ("the **other** part", "https://docs.example/guide/other.html#part"),
        ("here", "https://docs.example/guide/page.html#here"),
        ("cdn", "https://cdn.example/x%20y"),
        ("f", "https://docs.example/guide/f.html"),
    ]
    assert page.text == "See the **other** part, here, cdn, mail, js, bad, `f()`"
    check_offsets(page)


def test_base_href_is_honoured() -> None:
    page = html_page('<main><a href="x">x</a> <a href="#y">y</a></main>', head='<base href="/base/">')
    assert [link.url for link in page.links] == ["https://docs.example/base/x", "https://docs.example/base/#y"]


def test_a_link_around_blocks_keeps_its_first_line() -> None:
    page = html_page('<main><a href="/card"><h3>Title</h3><p>Description</p></a></main>')
    assert [link.text for link in page.links] == ["Title"]
    check_offsets(page)


def test_links_are_capped_and_the_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.MAX_LINKS_PER_PAGE", 3)
    page = html_page("<main>" + "".join(f'<p><a href="/{i}">link {i}</a> text</p>' for i in range(5)) + "</main>")
    assert len(page.links) == 3
    assert "3 of 5 links" in page.note


def test_long_link_texts_are_cut_with_their_offsets() -> None:
    page = html_page(f'<main><a href="/x">{"word " * 200}</a></main>')
    assert len(page.links[0].text) <= 200
    check_offsets(page)


def test_a_heading_has_no_link_to_itself() -> None:
    page = html_page(
        "<main><h2 id=a><a href='#a'>One</a> of <a href='/b'>two</a> <a href='#a'>◆</a></h2><p>x</p></main>"
    )
    assert page.sections[0].heading == "One of two"
    assert [link.text for link in page.links] == ["two"]
    check_offsets(page)
