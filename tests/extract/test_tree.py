"""Markup in which libxml2 would lose text is read as browsers show it."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError
from app.extract import Page, extract


def page_of(markup: str) -> Page:
    return extract(markup.encode(), url="https://h.example/dir/page.html", content_type="text/html", charset="utf-8")


@pytest.mark.parametrize(
    ("markup", "title", "text"),
    [
        ("<html><title>T</title><main><h1>Head</h1><p>one<p>two", "T", "# Head\n\none\n\ntwo"),
        ("<!doctype html><title>T</title><header>top</header><article><h1>A</h1>text</article>", "T", "# A\n\ntext"),
        ("<title>T</title><section>words</section>behind", "T", "words\n\nbehind"),
        ("<title>T</title>Only text", "T", "Only text"),
        ("before <html><head><title>T</title></head><body><p>inside</p></body></html>", "T", "before\n\ninside"),
        (
            "<html><head><title>T</title><figure>early</figure></head><body>late <p>end</p></body></html>",
            "T",
            "early\n\nlate\n\nend",
        ),
        (
            "<html><head><title>T</title></head><body><p>a</p></body></html><p>behind the end</p>",
            "T",
            "a\n\nbehind the end",
        ),
        ("<html><title>T</title><body><p>a</p></body><body><p>b</p></body></html>", "T", "a\n\nb"),
        ("<html><head><title>Never closed<body><p>text</p></body></html>", "Never closed", "text"),
        ("<html><title>T</title><body><p>a<script>var x = '</body>';</script><p>b</body></html>", "T", "a\n\nb"),
        ("<html><title>N\x00 T</title><body><p>be\x00fore</p></body></html>", "N T", "before"),
    ],
)
def test_shapes(markup: str, title: str, text: str) -> None:
    page = page_of(markup)
    assert (page.title, page.text) == (title, text)


def test_a_frameset_names_its_frames() -> None:
    frames = '<html><head><title>F</title></head><frameset><frame src="nav.html"><frame src="/main.html">{}</frameset></html>'
    with pytest.raises(
        EmptyPageError, match=r"frames: https://h\.example/dir/nav\.html, https://h\.example/main\.html\."
    ):
        page_of(frames.format("<noframes><body>Your browser has no frames.</body></noframes>"))
    fallback = "<noframes><body><h1>Everything</h1>" + "<p>The words for those without frames.</p>" * 20 + "</noframes>"
    assert page_of(frames.format(fallback)).text.startswith("# Everything\n\nThe words")


def test_a_page_that_only_redirects_names_its_target() -> None:
    with pytest.raises(EmptyPageError, match=r"redirects to https://h\.example/new/\.") as caught:
        page_of("<html><head><meta http-equiv='Refresh' content='0; url=/new/'></head><body></body></html>")
    assert "address" in caught.value.hint


def test_a_base_address_counts() -> None:
    page = page_of(
        "<html><head><base href='https://o.example/d/'></head><body><p>a <a href='x'>link</a></p></body></html>"
    )
    assert [link.url for link in page.links] == ["https://o.example/d/x"]


def test_very_deep_mixed_markup_keeps_title_headings_and_order() -> None:
    deep = "<div><span><ul><li>" * 1500
    page = page_of(f"<html><title>Deep</title><body><h1>Head</h1>{deep}bottom{'</div>' * 1500}<p>end</p></body></html>")
    assert page.title == "Deep"
    assert page.text == "# Head\n\nbottom\n\nend"


def test_one_endless_line_is_read() -> None:
    assert len(page_of(f"<title>L</title><pre>{'x' * 500_000}</pre>").text) > 500_000


def test_unclosed_comments_take_linear_time() -> None:
    page_of("<html><body><p>text</p></body>" + "<!-- a --><!-- b -->" * 5_000 + "<p>more</p>")
