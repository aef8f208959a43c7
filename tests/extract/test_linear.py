"""Third-party code takes at most linear time for untrusted text: each reader at one size and at twice that size."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import httpx
import pytest
from protego import Protego

from app.errors import WebRAGError
from app.extract import extract
from app.extract.characters import detect
from app.extract.discovery import bookmark_urls, llms_txt_urls, sitemap_urls
from app.extract.feed import feed_urls
from app.extract.guided_selection import aligned, declared_texts, reference_text
from app.extract.pdf.document import in_reading_order
from app.extract.pdf.lines import Line
from app.extract.safe_xml import read_xml
from app.extract.tree import parse
from app.text.changes import compare
from app.web.body import content_type
from tests.extract.office.files import paragraph, presentation, word
from tests.extract.pdf_maker import Rule, Text, column, make_pdf
from tests.support.growth import cost

GROWTH = 2.6
"""The maximum factor for twice the text; times below a twentieth of a second are not compared."""
BUDGET_SECONDS = 2.0
"""The limit for the larger of the quick sizes, on a slow and busy machine."""
URL = "https://docs.example/page"


def read(kind: str, frame: str = "{}") -> Callable[[str], None]:
    """Return a function that reads a body of this kind with the text in a frame."""

    def run(text: str) -> None:
        with contextlib.suppress(WebRAGError):
            extract(frame.replace("{}", text).encode(), url=URL, content_type=kind, charset=None)

    return run


def robots(text: str) -> None:
    rules = Protego.parse(f"User-agent: *\n{text}")
    rules.can_fetch(f"https://docs.example/{'a' * 2_000}", "x")
    list(rules.sitemaps)


def guide(text: str) -> None:
    reference_text(parse(f"<html><body>{text}</body></html>"), with_comments=True, thorough=True)


def pdf(text: str) -> None:
    """Read one page with the lines of the text; `-` is a drawn line."""
    drawn: list[Text | Rule] = [
        Rule(72, line.y, 500, line.y) if line.text == "-" else line for line in column(text, step=0.3)
    ]
    with contextlib.suppress(WebRAGError):
        extract(make_pdf([drawn]), url=URL, content_type="application/pdf", charset=None)


@dataclass(frozen=True)
class Reader:
    """Third-party code behind one of our functions, the repeated input, and a quick size."""

    run: Callable[[str], object]
    units: tuple[str, ...]
    size: int = 3_000


TAGS = ("<b>", "</b>", "<i><p>", "<table><tr><td>a", "<ul><li>", "<font><p>", "<!--", "<a b='", "&#", "<svg>")
MARKS = ("*a ", "a*", "_a", "[a](", "![", "[a]: b\n", "`a", "> > ", "> > > a\n", "|a|b|\n", "- a\n", "- - a\n", "# a\n")
READERS = {
    "lxml, a page": Reader(read("text/html"), TAGS),
    "buttons in a cell": Reader(read("text/html", "<main><table><tr><td>{}</table></main>"), ("<button>x</button>",)),
    "text fields and notes": Reader(
        read("text/html", "<main>" + "<textarea readonly>a\nb</textarea>" * 100 + "{}</main>"),
        ("<textarea readonly>a\nb</textarea>", "<aside><p>x</p></aside><p>b</p>"),
        40_000,
    ),
    "lines of code": Reader(
        read("text/html", "<main><pre><code>{}</code></pre></main>"),
        ("<span class=line>a</span>\n", "<span class=line>a</span>"),
        100_000,
    ),
    "elements inside each other": Reader(
        read("text/html", "<main><p>a</p>{}</main>"),
        ("<div class=sidebar><code>a</code>", "<div style='white-space:pre'>a\nb"),
        16_000,
    ),
    "statements outside of rules": Reader(
        read("text/html", "<style>{}p{display:none}</style><main><p>a</p></main>"),
        ("a;", "/**/a;", "a; /**/ /**/ "),
        20_000,
    ),
    "headings behind other elements": Reader(
        read("text/html", "<main><section>" + "<b>a</b>" * 20_000 + "{}</section></main>"),
        ("<h2>a</h2>", "<div><h2>a</h2></div>"),
        20_000,
    ),
    "elements that are left out": Reader(
        read("text/html", "<main><p>a</p>{}</main>"),
        ("<input>b ", "<nav></nav>b ", "<a class=anchor href=#x>#</a>b ", "<div role=tabpanel hidden>a</div>"),
        40_000,
    ),
    "elements looked at from beside": Reader(
        read("text/html", "<main><p>a</p>{}</main>"),
        ("<code>a<br>b</code> ", "<div class=contents>a</div>"),
        60_000,
    ),
    "runs of a paragraph": Reader(
        lambda text: extract(word(f"<w:p>{text}<w:r><w:t>b</w:t></w:r></w:p>"), url=URL, content_type="", charset=None),
        ('<w:r><w:rPr><w:color w:val="ffffff"/></w:rPr><w:t>a</w:t></w:r>', "<w:r><w:t>a</w:t></w:r>"),
        150_000,
    ),
    "rows of a table without rows": Reader(
        read("text/html", "<main><table>{}</table></main>"), ("<form><tr><td>x</form>", "<form><td>x</form>"), 60_000
    ),
    "lxml, a paragraph": Reader(read("text/html", "<p>{}</p><p>a</p>"), (*TAGS, "<td>", "<DT><A HREF='a'>b</A>")),
    "lxml, XML": Reader(
        lambda text: read_xml(f"<a>{text}".encode()), ("<a>", "<a b='c'/>", "&a;", "<![CDATA[", "<?a ")
    ),
    "trafilatura": Reader(guide, ("<b>", "<p>a", "a. ", "<table><tr><td>a", "<article>a", "<DT><A HREF='a'>b</A>")),
    "resiliparse, an encoding": Reader(lambda text: detect(text.encode()), ("a", "é", "数", "&#")),
    "markdown-it": Reader(read("text/markdown"), MARKS, 1_000),
    "markdown-it, llms.txt": Reader(lambda text: llms_txt_urls(text.encode(), url=URL), MARKS, 1_000),
    "site maps": Reader(
        lambda text: sitemap_urls(f"<urlset>{text}".encode(), url=URL),
        ("<url><loc>https://a.example</loc></url>", "<url>"),
    ),
    "feeds": Reader(
        lambda text: feed_urls(f"<rss><channel>{text}".encode(), url=URL),
        ("<item><link>https://a.example</link></item>", "<item>", "&lt;p>"),
    ),
    "entries of a feed": Reader(
        read("text/xml", "<rss version='2.0'><channel>{}"), ("<item><description>&lt;p>a</description></item>",)
    ),
    "bookmarks": Reader(lambda text: bookmark_urls(text.encode()), ("<DT><A HREF='https://a.example'>b</A>",)),
    "protego": Reader(robots, ("Disallow: /a\n", "Allow: /*a*$\n", "User-agent: a\n\n", "Disallow: /", "*a", "*")),
    "json-ld": Reader(
        lambda text: declared_texts(f'<script type="application/ld+json">{text}</script>'), ('{"a":', "[", '"\\', "[1,")
    ),
    "email, a type": Reader(
        read("multipart/related", "Content-Type: text/html{}\n\n<p>a</p>"),
        ("; ", "; a=b", "; a*1=b"),
        40_000,
    ),
    "email, a boundary": Reader(
        read("multipart/related", "Content-Type: multipart/related{}\n\n<p>a</p>"), ("; ", "; a=b"), 40_000
    ),
    "email, a subject": Reader(
        read("multipart/related", "Content-Type: text/html\nSubject: {}\n\n<p>a</p>"),
        ("=?utf-8?q?a?= ", "a ", "=?"),
        40_000,
    ),
    "email, parts": Reader(
        read("multipart/related", "Content-Type: multipart/related; boundary=b\n\n{}"),
        ("--b\n\n", "--b\nContent-Type: text/html\n\n<p>a\n", "a: b\n"),
    ),
    "email, a header": Reader(
        lambda text: content_type(httpx.Headers({"content-type": f"text/html{text}"})), ("; ", ";a=b"), 40_000
    ),
    "pypdfium2": Reader(pdf, ("a", "a ", "a\n", "-\n", "a b\n"), 1_500),
    "difflib": Reader(lambda text: compare(text, text[::-1]), ("a\n", "a b\n\n", "a. ")),
}
CASES = [pytest.param(name, unit, id=f"{name}: {unit!r}") for name, reader in READERS.items() for unit in reader.units]


@pytest.mark.parametrize("times", [1, pytest.param(8, marks=pytest.mark.real)])
@pytest.mark.parametrize(("name", "unit"), CASES)
def test_third_party_code_takes_linear_time(name: str, unit: str, times: int) -> None:
    reader = READERS[name]
    reader.run(unit)
    found = cost(lambda size: unit * (size // len(unit)), reader.run, reader.size * times)
    assert found.growth <= GROWTH
    assert found.seconds <= BUDGET_SECONDS * times


@pytest.mark.parametrize("left", [72.0, 300.0])
def test_rows_below_a_table_without_grid_lines_take_linear_time(left: float) -> None:
    def lines(size: int) -> list[Line]:
        head = [Line(text, x, x + 60, 800, 800, 10, is_mono=False) for text, x in (("Option", 72.0), ("Use", 300.0))]
        bases = (799 - 700 * number / size for number in range(size))
        return head + [Line("words", left, left + 60, base, base, 10, is_mono=False) for base in bases]

    assert cost(lines, in_reading_order, 8_000).growth <= GROWTH


@pytest.mark.parametrize(("run", "word"), [(["zz"], "w{}"), (["w0", "zz"], "w{}"), (["a", "zz"], "a")])
@pytest.mark.parametrize("anchored", [False, True])
def test_missing_blocks_are_searched_in_linear_time(run: list[str], word: str, anchored: bool) -> None:
    def align(size: int) -> None:
        text = [word.format(number) for number in range(size)]
        ends = [text[:5], text[-5:]] if anchored else [[], []]
        aligned([ends[0], *[run] * (size // 4), ends[1]], text)

    found = cost(lambda size: size, align, 8_000)
    assert found.growth <= GROWTH
    assert found.seconds <= BUDGET_SECONDS


@pytest.mark.parametrize(
    ("kind", "frame"),
    [
        ("text/html", "<p {}>Words</p>"),
        ("text/markdown", "<p {}>Words</p>"),
        ("application/x-fictionbook+xml", "<FictionBook><body><p {}>Words</p></body></FictionBook>"),
    ],
)
def test_an_element_with_very_many_attributes_is_read(kind: str, frame: str) -> None:
    body = frame.format(" ".join(f"a{number}='1'" for number in range(30_000))).encode()
    begun = process_time()
    assert "Words" in extract(body, url=URL, content_type=kind, charset=None).text
    assert process_time() - begun < 1.0


_WORD_ROW = f"<w:tr>{2 * ('<w:tc>' + paragraph('a') + '</w:tc>')}</w:tr>"
_SLIDE_ROW = f"<a:tr>{2 * '<a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc>'}</a:tr>"
_SLIDE_TABLE = (
    "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
)
LONG: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "a.docx": ("", lambda rows: word(f"<w:tbl>{_WORD_ROW * rows}</w:tbl>")),
    "a.pptx": ("", lambda rows: presentation(_SLIDE_TABLE.format(_SLIDE_ROW * rows))),
    "a.adoc": ("text/asciidoc", lambda rows: b"= a\n" * 2 * rows),
}


@pytest.mark.real
@pytest.mark.parametrize("name", LONG)
def test_the_time_of_many_neighbors_grows_linearly(name: str) -> None:
    kind, make = LONG[name]
    found = cost(make, lambda body: extract(body, url=f"file:///{name}", content_type=kind, charset=None), 10_000)
    assert found.growth < GROWTH
