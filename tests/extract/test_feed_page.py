"""Feeds as pages; errors for other XML files say what to do."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import extract
from tests.extract.pages import check_offsets

RSS = (
    b'<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>'
    b"<title>News &amp;amp; more</title><description>All of it</description><language>en</language>"
    b"<item><title>One</title><link>https://h.example/blog/1</link><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate>"
    b"<content:encoded><![CDATA[<h1>Part</h1><p>Long&nbsp;<b>text</b> <a href='rel'>here</a><script>x()</script>"
    b"<p style='display:none'>unseen</p>]]></content:encoded></item>"
    b"<item><title>Two</title><description>&lt;div&gt;not closed</description></item>"
    b"<item><title>Three</title><description>third</description></item></channel></rss>"
)


@pytest.mark.parametrize("kind", ["application/rss+xml", "text/xml", "", "text/plain", "text/html"])
def test_each_entry_is_a_section(kind: str) -> None:
    page = extract(RSS, url="https://h.example/feed.xml", content_type=kind, charset=None)
    assert (page.title, page.language) == ("News & more", "en")
    assert page.text == (
        "All of it\n\n## One\n\n2003-06-10\n\n### Part\n\nLong **text** here\n\n## Two\n\nnot closed\n\n## Three\n\nthird"
    )
    assert [(link.text, link.url) for link in page.links] == [
        ("One", "https://h.example/blog/1"),
        ("here", "https://h.example/blog/rel"),
    ]
    check_offsets(page)


def test_atom() -> None:
    body = (
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Blog</title><entry><title type="html">A &lt;i&gt;b&lt;/i&gt;'
        b'</title><link href="p1"/><updated>2024-01-02T00:00:00Z</updated><summary>short</summary><content type="xhtml">'
        b'<div xmlns="http://www.w3.org/1999/xhtml"><p>Paragraph of it</p></div></content></entry></feed>'
    )
    page = extract(body, url="https://h.example/atom", content_type="application/atom+xml", charset=None)
    assert (page.language, page.text) == ("de", "## A b\n\n2024-01-02\n\nParagraph of it")


def test_the_description_of_a_video_is_read() -> None:
    body = (
        b'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><entry><title>Film</title><media:group>'
        b"<media:title>Other</media:title><media:description>How lamps burn.</media:description></media:group></entry></feed>"
    )
    page = extract(body, url="https://h.example/atom", content_type="application/atom+xml", charset=None)
    assert page.text == "## Film\n\nHow lamps burn."


def test_json_feed() -> None:
    body = (
        b'{"version": "https://jsonfeed.org/version/1.1", "title": "Lamps", "language": "en", "items": [7, {"title": "One", "url": "/1",'
        b' "date_published": "2024-01-02T03:04:05Z", "content_html": "<p>Text <b>of</b> it</p>"}, {"content_text": "a < b\\n\\nc"}]}'
    )
    page = extract(body, url="https://h.example/feed.json", content_type="application/feed+json", charset=None)
    assert (page.title, page.language) == ("Lamps", "en")
    assert page.text == "## One\n\n2024-01-02\n\nText **of** it\n\n## Untitled\n\na < b\n\nc"
    assert [link.url for link in page.links] == ["https://h.example/1"]


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        (b"<urlset><url><loc>https://h.example/</loc></url></urlset>", UnsupportedContentError, "Crawl the site"),
        (b"<?xml version='1.0'?><sitemapindex/>", UnsupportedContentError, "Crawl the site"),
        (b"<?xml version='1.0'?><project><name>x</name></project>", UnsupportedContentError, "WebRAG reads"),
        (b"<?xml version='1.0'?><rss></rss>", EmptyPageError, "page on the site"),
        (b'{"version": 1, "items": [{}]}', EmptyPageError, "page on the site"),
    ],
)
def test_other_xml_is_an_error_with_a_hint(body: bytes, error: type[UnsupportedContentError], said: str) -> None:
    with pytest.raises(error) as caught:
        extract(body, url="https://h.example/x.xml", content_type="application/xml", charset=None)
    assert said in caught.value.hint


@pytest.mark.parametrize(
    "reference",
    ["&#xD800;", "&#55296;", "&#1;", "&#xFFFE;", "&#x110000;", "\x07", "<![CDATA[&#xDFFF;<b>]]>", "&amp;#1;&lt;b>"],
)
def test_references_to_invalid_characters_are_skipped(reference: str) -> None:
    body = RSS.replace(b"News", f"{reference}News".encode()).replace(b"One", f"One {reference}".encode())
    page = extract(body, url="https://h.example/feed.xml", content_type="text/xml", charset=None)
    assert "News" in page.title
    assert "## One" in page.text
    page.title.encode()


def test_an_invalid_namespace_name_is_skipped() -> None:
    body = b'<rdf:RDF xmlns:rdf="&#xD800;"><item><title>One</title></item></rdf:RDF>'
    assert "One" in extract(body, url="https://h.example/feed.xml", content_type="text/xml", charset=None).text
