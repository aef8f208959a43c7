"""Damaged files say that text is missing; files with harmless mistakes do not."""

from __future__ import annotations

import pytest

from app.extract import extract
from app.extract.feed import MAX_FEED_ENTRIES
from tests.support.growth import LINEAR, cost

BOOK = '<book xmlns="http://docbook.org/ns/docbook"><title>T</title><chapter><para>First.</para>{}<para>Last words.</para></chapter></book>'
FEED = "<rss><channel><title>T</title><item><title>a</title><description>First.</description></item>{}"
FEED += "<item><title>Last words.</title></item></channel></rss>"
RICH = r"{{\rtf1\ansi First.\par {}\par Last words.\par}}"
FILES = {"a.dbk": BOOK, "a.rss": FEED, "a.rtf": RICH}
DAMAGE = {
    "a.dbk": [
        "<para>" * 300,
        "<!--",
        "<![CDATA[",
        "</chapter></book><chapter>",
        "</chapter></book><para>Last words.</para>",
    ],
    "a.rss": ["<item>" * 300, "<!--", "<![CDATA["],
    "a.rtf": [r"{\fonttbl", r"{\footnote ", r"{\*\a"],
}
HARMLESS = {
    "a.dbk": ["", "<x:y/>", "<para a>x</para>", "1 < 2", "&nbsp;", "<para><emphasis>x</para>"],
    "a.rss": [
        "",
        "<!-- <b>A long text in a comment</b> -->1 < 2",
        "<x:y/>",
        "<item><title>a & b</title></item>",
        "<item><title>1 < 2</title></item>",
    ],
    "a.rtf": ["", "}"],
}


def note_of(name: str, body: str) -> str:
    kind = "application/rss+xml" if name.endswith("rss") else ""
    return extract(body.encode(), url=f"file:///docs/{name}", content_type=kind, charset=None).note


@pytest.mark.parametrize(("name", "middle"), [(name, middle) for name in FILES for middle in DAMAGE[name]])
def test_text_that_damage_hides_is_reported(name: str, middle: str) -> None:
    assert "damaged" in note_of(name, FILES[name].format(middle))


@pytest.mark.parametrize(("name", "middle"), [(name, middle) for name in FILES for middle in HARMLESS[name]])
def test_harmless_mistakes_are_not_reported(name: str, middle: str) -> None:
    assert not note_of(name, FILES[name].format(middle))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("eighth", [5, 6, 7])
def test_a_file_cut_anywhere_says_so(name: str, eighth: int) -> None:
    whole = FILES[name].format("")
    assert "damaged" in note_of(name, whole[: len(whole) * eighth // 8])


def test_a_feed_says_how_many_entries_were_read() -> None:
    entry = "<item><title>a</title></item>"
    assert not note_of("a.rss", FEED.format(entry * (MAX_FEED_ENTRIES - 2)))
    assert "first 500 entries" in note_of("a.rss", FEED.format(entry * MAX_FEED_ENTRIES))
    items = ", ".join(['{"title": "a"}'] * (MAX_FEED_ENTRIES + 1))
    feed = f'{{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{items}]}}'
    assert (
        "first 500 entries"
        in extract(feed.encode(), url="https://a.example/f", content_type="application/feed+json", charset=None).note
    )


@pytest.mark.parametrize(
    "unit",
    [
        "<div role=tablist>",
        "<div class=tabs-container>",
        "<pre><code>",
        "<pre>",
        "<div class='admonition note'><p class=admonition-title>a</p>",
    ],
)
def test_nested_blocks_are_read_in_linear_time(unit: str) -> None:
    def read(body: bytes) -> None:
        assert "word" in extract(body, url="https://a.example/b", content_type="text/html", charset=None).text

    found = cost(lambda size: f"<main><p>word</p>{unit * size}".encode(), read, 600)
    assert found.growth < LINEAR
    assert found.seconds < 1.0


@pytest.mark.parametrize("opening", ["<button>Menu", "<svg><path d=a>", "<svg><text>a", "<map><area href=a>"])
def test_text_after_an_element_without_end_is_kept(opening: str) -> None:
    text = "<p>The valve opens once the pump has run for ten minutes.</p>" * 10
    body = f"<main><h1>Pump</h1>{text}<div>{opening}</div>{text}<h2>Care</h2><p>Last words.</p></main>"
    page = extract(body.encode(), url="https://a.example/b", content_type="text/html", charset=None)
    assert page.text.endswith("Last words.")


def test_a_diagram_is_not_text() -> None:
    label = "<foreignobject><p>Label of a node in a diagram</p></foreignobject>"
    body = f"<main><h1>Pump</h1><p>Some words.</p><svg>{label * 30}</svg><button>{'<b>many words</b>' * 60}</button></main>"
    page = extract(body.encode(), url="https://a.example/b", content_type="text/html", charset=None)
    assert page.text == "# Pump\n\nSome words."


def test_all_texts_of_a_draft_without_date_are_kept() -> None:
    parts = "".join(
        f"--B\nContent-Type: text/{kind}\n\n{text}\n" for kind, text in (("plain", "First."), ("html", "<p>b"))
    )
    body = f"From: a@b.example\nContent-Type: multipart/mixed; boundary=B\n\n{parts}--B\n\nLast words.\n--B--\n"
    page = extract(body.encode(), url="file:///a.eml", content_type="message/rfc822", charset=None)
    assert "First." in page.text and "Last words." in page.text
