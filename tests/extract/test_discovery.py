"""Sitemaps, feeds, llms.txt and bookmarks: readable parts count, and damaged files do not raise an error."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import caps
from app.extract.discovery import bookmark_urls, llms_txt_urls, sitemap_urls
from app.extract.feed import feed_urls

URL = "https://h.example/docs/sitemap.xml"
SITEMAP = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    b' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
    b"<url><loc> https://h.example/a?x=1&amp;y=2 </loc><lastmod>2024-05-06T10:00:00+02:00</lastmod>"
    b"<image:image><image:loc>https://h.example/a.png</image:loc></image:image></url>"
    b"<url><loc>../b</loc><lastmod>last week</lastmod></url>"
    b"<url><loc>https://other.example/c</loc></url><url><loc>https://h.example/a?x=1&amp;y=2</loc></url></urlset>"
)
PAGES = ("https://h.example/a?x=1&y=2", "https://h.example/b", "https://other.example/c")


def addresses(body: bytes) -> list[str]:
    return [*sitemap_urls(body, url=URL).pages]


@pytest.mark.parametrize(
    "body",
    [
        SITEMAP,
        gzip.compress(SITEMAP),
        b"\xef\xbb\xbf\n" + SITEMAP,
        SITEMAP.replace(b"UTF-8", b"utf-16").decode().encode("utf-16"),
        SITEMAP.replace(b' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', b""),
        SITEMAP.replace(b"<url>", b"<sm:url>").replace(b"</url>", b"</sm:url>"),
        b"<br />Warning: something\n" + SITEMAP,
        b"Warning: something\n" + SITEMAP,
        gzip.compress(gzip.compress(SITEMAP)),
        gzip.compress(SITEMAP[:300]) + gzip.compress(SITEMAP[300:]) + b"\0\0",
    ],
)
def test_sitemaps(body: bytes) -> None:
    found = sitemap_urls(body, url=URL)
    assert (found.pages, found.sitemaps) == (PAGES, ())


def test_an_index_names_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>one.xml.gz</loc></sitemap><sitemap><loc><![CDATA[https://h.example/2]]></loc></sitemap>"
    found = sitemap_urls(body, url=URL)
    assert (found.pages, found.sitemaps) == ((), ("https://h.example/docs/one.xml.gz", "https://h.example/2"))


def test_a_plain_list_is_a_sitemap_but_prose_is_not() -> None:
    assert addresses(b"https://h.example/1\r\nhttps://h.example/2\n") == ["https://h.example/1", "https://h.example/2"]
    assert addresses(b"https://h.example/1\t2024-05-06\nhttps://h.example/2\t") == [
        "https://h.example/1",
        "https://h.example/2",
    ]
    assert addresses(b"See https://h.example/1 for\nmore of this\nand that") == []


def test_a_damaged_sitemap_is_read_up_to_the_damage() -> None:
    assert addresses(SITEMAP[: SITEMAP.index(b"other.example/c") + 8]) == [*PAGES[:2]]
    assert addresses(gzip.compress(SITEMAP)[:-30])[0] == PAGES[0]
    broken = b"<urlset><url><loc>https://h.example/?a=1&b=2&nbsp;</loc></url><url><loc>https://h.example/?c&amp;d</loc></url>"
    assert addresses(broken) == ["https://h.example/?a=1&b=2&nbsp;", "https://h.example/?c&d"]


@pytest.mark.parametrize(
    "body", [b"", b"<html><body><p>Not found</body></html>", b"\x89PNG\r\n\x00\x01", b"<", b"\x1f\x8bjunk"]
)
def test_other_files_are_not_bookmarks(body: bytes) -> None:
    assert addresses(body) == []
    assert feed_urls(body, url=URL) == llms_txt_urls(body, url=URL) == bookmark_urls(body) == ()


def test_entities_are_not_expanded() -> None:
    names = [f"e{number}" for number in range(12)]
    bomb = '<!DOCTYPE u [<!ENTITY e0 "lol">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names)
    )
    bomb += "]><urlset><url><loc>https://h.example/&e11;</loc></url><url><loc>https://h.example/ok</loc></url></urlset>"
    started = time.process_time()
    assert addresses(bomb.encode())[-1] == "https://h.example/ok"
    assert all(len(url) < 100 for url in addresses(bomb.encode()))
    assert time.process_time() - started < 5
    outside = b'<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>https://h.example/&x;</loc></url></urlset>'
    assert addresses(outside) == ["https://h.example/&x"]


def test_caps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.extract.discovery.MAX_SITEMAP_URLS", 10)
    monkeypatch.setattr("app.extract.discovery.MAX_SITEMAP_BYTES", 100_000)
    body = b"<urlset>" + b"".join(b"<url><loc>https://h.example/%d</loc></url>" % number for number in range(50))
    assert len(addresses(body)) == 10
    assert len(addresses(gzip.compress(b" " * 50_000_000 + body))) == 0


def test_feeds() -> None:
    rss = (
        b'<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://h.example/</link>'
        b'<atom:link rel="self" href="https://h.example/feed"/><item><title>A &nbsp; B</title><link>/1</link></item>'
        b"<item><guid>https://h.example/2</guid></item>"
        b'<item><guid isPermaLink="false">https://h.example/3</guid></item></channel></rss>'
    )
    assert feed_urls(rss, url=URL) == ("https://h.example/1", "https://h.example/2")
    atom = (
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/x/"><link href="home"/>'
        b'<entry><link rel="edit" href="e"/><link rel="alternate" href="p1"/></entry><entry><link href="p2"/></entry></feed>'
    )
    assert feed_urls(atom, url=URL) == ("https://b.example/x/p1", "https://b.example/x/p2")
    rdf = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        b'<channel rdf:about="https://h.example/"/><item rdf:about="https://h.example/r"><title>t</title></item></rdf:RDF>'
    )
    assert feed_urls(rdf, url=URL) == ("https://h.example/r",)
    assert addresses(rss) == ["https://h.example/1", "https://h.example/2"]


def test_llms_txt() -> None:
    body = (
        b"# Title\n\n> See https://h.example/q(1).\n\n- [A](a.md#part): note\n- [B](<https://o.example/b c>)\n"
        b"- https://bare.example/x, and ![no](i.png)\n- [A again](a.md)\n- [C][1]\n\n[1]: /ref\n"
    )
    assert llms_txt_urls(body, url="https://h.example/docs/llms.txt") == (
        "https://h.example/q",
        "https://h.example/docs/a.md",
        "https://o.example/b%20c",
        "https://bare.example/x",
        "https://h.example/ref",
    )


def test_bookmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    body = (
        b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE><DL><p><DT><H3>Folder</H3><DL><p>"
        b'<DT><A HREF="https://h.example/?a=1&amp;b=2" ADD_DATE="1">One</A><DT><A HREF="javascript:alert(1)">No</A>'
        b'<DT><A HREF="place:sort=8">No</A><DT><A HREF="relative/page">No</A><DT><A HREF="http://h.example/2">Two</A></DL></DL>'
    )
    assert bookmark_urls(body) == ("https://h.example/?a=1&b=2", "http://h.example/2")
    monkeypatch.setattr(caps, "MAX_IMPORTED_URLS", 1)
    assert len(bookmark_urls(body)) == 1


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(SITEMAP)), st.binary(max_size=60))
def test_no_damage_raises(place: int, junk: bytes) -> None:
    body = SITEMAP[:place] + junk + SITEMAP[place + len(junk) :]
    for found in (addresses(body), feed_urls(body, url=URL), llms_txt_urls(body, url=URL), bookmark_urls(body)):
        assert all(url.startswith(("http://", "https://")) and len(url) <= caps.MAX_URL_CHARS for url in found)


def test_tables_of_the_link_encoder_are_full_before_threads_share_them() -> None:
    """In a new process: the tables are filled on first use, and a second thread could read them half-filled."""
    program = (
        "from app.extract import markdown_parser\n"
        "from mdurl import _decode, _encode\n"
        "tables = [*_encode.encode_cache.values(), *_decode.decode_cache.values()]\n"
        "assert len(tables) == 2 and all(len(table) == 128 for table in tables), tables"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
