"""For any markup, offsets are correct, invisible text is excluded, and the time is limited."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml.html import fragment_fromstring

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract, page_markdown
from app.extract.characters import word_set
from app.extract.writer.document import HANDLERS, write
from app.extract.writer.sink import Answer, Sink, walk
from tests.extract.pages import check_offsets

URL = "https://docs.example/guide/page.html"
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\u202e]")

WORDS = st.text(alphabet="ab c\n\t|*_`#>-1.$[]()<&é\u200b\u00a0", min_size=0, max_size=12).map(
    lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
)
WRAPPERS = sorted(
    word_set(
        """
        p div section b i code a|href=/x blockquote ul li ol|start=3 dl dt|id=t dd h1|id=a h2 h3 table tr td
        th|colspan=2 td|rowspan=3 pre span|class=math sup sub br hr img|src=/i.png figure figcaption details summary
        q del div|class=note p|class=title math mfrac msup mi
        """
    )
)


def element(name: str, content: str) -> str:
    tag, _, attributes = name.partition("|")
    return f"<{tag} {attributes}>{content}</{tag}>"


MARKUP = st.recursive(
    WORDS,
    lambda inner: st.builds(element, st.sampled_from(WRAPPERS), st.lists(inner, max_size=4).map("".join)),
    max_leaves=30,
)


def page_of(markup: str) -> Page | None:
    body = f"<html><head><title>T</title></head><body><main>{markup}</main></body></html>".encode()
    try:
        return extract(body, url=URL, content_type="text/html", charset="utf-8")
    except EmptyPageError:
        return None


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(MARKUP)
def test_offsets_hold_for_any_markup(markup: str) -> None:
    page = page_of(markup)
    if page is None:
        return
    check_offsets(page)
    assert not INVISIBLE.search(page.text)
    assert page.text == page.text.strip("\n")
    page_markdown(page)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<", ">", "/", "=", '"', "&", "div", "table", "a href", "\x00", "é", " ", "<!--", "-->", "]]>"]
        ),
        max_size=60,
    )
)
def test_broken_markup_never_fails(parts: list[str]) -> None:
    page_of("".join(parts) + "x")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "utf-16", "iso-8859-1", "nonsense"]))
def test_any_bytes_in_a_page(body: bytes, charset: str | None) -> None:
    try:
        page = extract(b"<html><body><p>x " + body, url=URL, content_type="text/html", charset=charset)
    except EmptyPageError:
        return
    assert "\x00" not in page.text
    check_offsets(page)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_markdown(source: str) -> None:
    try:
        page = extract(
            b"start " + source.encode("utf-8", "replace"), url=URL, content_type="text/markdown", charset="utf-8"
        )
    except (EmptyPageError, UnsupportedContentError):
        return
    check_offsets(page)


def test_a_failing_handler_loses_only_the_structure(caplog: pytest.LogCaptureFixture) -> None:
    def fail(element: object, out: Sink) -> Answer:
        raise ValueError("broken")

    tree = fragment_fromstring("<div><p>before</p><table><tr><td>cell text</table><p>after</p></div>")
    out = Sink(resolve=lambda href: None)
    walk(tree, out, {**HANDLERS, "table": fail})
    assert out.getvalue() == "before\n\ncell text\n\nafter"
    assert "could not be converted" in caplog.text


def test_the_writer_takes_several_roots() -> None:
    roots = [fragment_fromstring("<div><h1>A</h1></div>"), fragment_fromstring("<div><p>b</p></div>")]
    assert write(roots, lambda href: None).getvalue() == "# A\n\nb"


def test_a_page_of_two_megabytes_is_read_in_limited_time() -> None:
    rows = "".join(f"<tr><td>{n}<td><a href='/{n}'>row {n}</a><td>text</tr>" for n in range(12_000))
    items = "".join(f"<li>item <b>{n}</b> of a long list with some words</li>" for n in range(12_000))
    lines = "\n".join(f"line {n} = call({n})" for n in range(20_000))
    body = f"<main><table>{rows}</table><ul>{items}</ul><pre>{lines}</pre></main>".encode()
    assert len(body) > 1_500_000
    started = time.process_time()
    page = extract(body, url=URL, content_type="text/html", charset="utf-8")
    assert time.process_time() - started < 15
    assert "| row 11999 " in page.text
    assert "line 19999 = call(19999)" in page.text
    assert len(page.links) == caps.MAX_LINKS_PER_PAGE
    check_offsets(page)


def test_the_text_is_capped_and_the_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.MAX_PAGE_CHARS", 100)
    page = page_of("".join(f'<h2>Part {n}</h2><p><a href="/{n}">link {n}</a></p>' for n in range(20)))
    assert page is not None
    assert len(page.text) <= 100
    assert "100 characters" in page.note
    check_offsets(page)
