"""Pages as sites send them and people write them, through the real program: results for an assistant."""

from __future__ import annotations

import asyncio
import gzip
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mcp import Client

from tests.conftest import in_own_home, with_guide
from tests.extract.pdf_maker import Field, Text, column, make_pdf
from tests.integration.application import Application, bridge, running
from tests.support.site import HTML, Site

pytestmark = pytest.mark.real

CHECKS = 100
PROSE = "The bakery keeps a careful book of each loaf that leaves the oven, with its flour and its hour."
LANGUAGES = {
    "ru": "Пекарня ведёт журнал каждой буханки: мука, час и температура печи.",
    "ja": "このパン屋は毎日かまどの温度を記録しています。",
    "ko": "빵집은 오븐을 떠나는 모든 빵의 시간을 기록합니다.",
    "pl": "Zażółć gęślą jaźń: piekarnia zapisuje źródło mąki.",
    "de": "Größe, Höhe und Öl: das Café führt Buch über 5 € für süße Brötchen.",
}


@dataclass(frozen=True)
class Case:
    """A response body of a site. The answer must contain `reads`, but not `lacks`."""

    body: str | bytes
    reads: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    content_type: str | None = HTML
    headers: dict[str, str] = field(default_factory=dict)


def page(body: str, head: str = "", title: str = "Bakery") -> str:
    return f"<html><head>{head}<title>{title}</title></head><body><main><h1>{title}</h1><p>{PROSE}</p>{body}</main></body></html>"


def table(rows: str) -> str:
    return page(f"<table>{rows}</table>")


def charset(name: str, language: str, declared: str = "", *, header: str = "") -> Case:
    meta = f"<meta charset={declared}>" if declared else ""
    text = LANGUAGES[language]
    body = page(f"<p>{text}</p>" * 3, meta).encode(name)
    return Case(body, (text,), content_type=f"text/html{f'; charset={header}' if header else ''}")


MARKUP = page(f"<p>{LANGUAGES['de']}</p>" * 20, "<meta charset=utf-8>").encode()
PLAIN = page("<p>Rolls cost 640 cents.</p>").encode()
DEFLATED = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
ASKED = "<p>This website uses cookies. We and our partners store information on your device.</p>" * 8
DIALOG = f"<h2>Cookies</h2>{ASKED}<button>Accept all</button>"
FEED = "<channel><title>Bread</title><item><title>Rye</title><description>&lt;p&gt;Rye costs 721.&lt;/p&gt;</description></item></channel>"
ATOM = (
    "<title>Bread</title><entry><title>Oat</title><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>"
    "<p>Oat costs 723.</p></div></content></entry>"
)
BILLS = [
    [
        Text(f"Bill 2024-{1000 + n}", 40, 740, size=18),
        Text(f"Date: {n} March 2024", 40, 710),
        *column(f"One {kind} loaf. {PROSE}", top=680),
        Text(f"Pay within {10 + n} days to account {n}{n}{n}.", 40, 60),
    ]
    for n, kind in enumerate(("rye", "oat", "white", "brown"), 1)
]
LEFT = column(f"The left side begins here. {PROSE} {PROSE}", x=60)
RIGHT = column(f"The right side begins here. {PROSE} {PROSE}", x=330)
BY_ROW = [line for row in zip(LEFT, RIGHT, strict=False) for line in row]

CASES: dict[str, Case] = {
    "list in a cell": Case(
        table("<tr><th>Day<th>Hours</tr><tr><td>Monday<td><ul><li>8 to 12<li>14 to 18</ul></tr>"),
        ("| Monday | • 8 to 12 • 14 to 18 |",),
    ),
    "two header rows": Case(
        table("<tr><th>Loaf<th colspan=2>Price</tr><tr><th><th>EU<th>US</tr><tr><td>Rye<td>3<td>4</tr>"),
        ("| Loaf | Price / EU | Price / US |",),
    ),
    "span over a short row": Case(
        table(
            "<tr><th>A<th>B<th>C</tr><tr><td>Small<td>1<td rowspan=2>EU</tr><tr><td>Middle</tr><tr><td>Big<td>50</tr>"
        ),
        ("| Middle |     | EU  |", "| Big    | 50  |     |"),
    ),
    "span past its group": Case(
        table(
            "<tbody><tr><th>T<th>M</tr><tr><td rowspan=9>Red<td>Ann</tr></tbody><tbody><tr><td>Blue<td>Cid</tr></tbody>"
        ),
        ("| Blue | Cid |",),
    ),
    "signs in cells": Case(
        table(
            "<tr><th>Oven<th>Gas<th>Wood</tr><tr><td>Alpha<td><img src=y.svg alt=Yes><td><span title=No class=icon></span></tr>"
        ),
        ("| Alpha | Yes | No   |",),
    ),
    "code in a gutter table": Case(
        page(
            "<figure class=highlight><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span><br>"
            "</pre></td><td class=code><pre><span class=line>knead()</span><br><span class=line>bake()</span><br></pre></td></tr>"
            "</table></figure>"
        ),
        ("> knead()\n> bake()",),
    ),
    "numbered code": Case(
        page(
            "<pre class=chroma><code><span class=line><span class=ln>1</span><span class=cl>knead()\n</span></span>"
            "<span class=line><span class=ln>2</span><span class=cl>bake()\n</span></span></code></pre>"
        ),
        ("> knead()\n> bake()",),
    ),
    "unseen letters": Case(
        page(
            "<p>Brot&shy;zeit at the wo&#8203;rk, <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>, bad &#xD800; sign.</p>"
        ),
        ("Brotzeit at the work, 漢字(かんじ), bad \ufffd sign.",),
    ),
    "formulas": Case(
        page(
            "<p>Heat <span class=katex><span class=katex-mathml><math><semantics><mi>e</mi>"
            "<annotation encoding='application/x-tex'>e^x</annotation></semantics></math></span>"
            "<span class=katex-html aria-hidden=true>ex</span></span> and H<sub>2</sub>O.</p>"
        ),
        ("Heat $e^x$ and H2O.",),
    ),
    "lists": Case(
        page(
            "<ol start=5><li>five<ul><li>deep</ul><li value=9>nine</ol><ul><li><input type=checkbox checked> done</ul>"
        ),
        ("5. five\n>    - deep\n> 9. nine", "- [x] done"),
    ),
    "koi8-r in a meta": charset("koi8-r", "ru", "koi8-r"),
    "cp1251 in a header": charset("cp1251", "ru", header="windows-1251"),
    "undeclared ISO-2022-JP": charset("iso2022_jp", "ja"),
    "Shift JIS said to be UTF-8": charset("shift_jis", "ja", "utf-8"),
    "undeclared EUC-KR": charset("euc-kr", "ko"),
    "UTF-16 with a mark": charset("utf-16", "ru"),
    "Latin 2 in a meta": charset("iso8859-2", "pl", "iso-8859-2"),
    "bad bytes": Case(
        MARKUP.replace(b"keeps", b"ke\xe9ps\xff", 1), (LANGUAGES["de"], "ke\ufffdps\ufffd"), content_type="text/html"
    ),
    "a header of Latin 1": Case(MARKUP, (LANGUAGES["de"],), ("Ã",), content_type="text/html; charset=ISO-8859-1"),
    "packed twice": Case(
        gzip.compress(gzip.compress(PLAIN)), ("640 cents",), headers={"Content-Encoding": "gzip, gzip"}
    ),
    "a charset as coding": Case(PLAIN, ("640 cents",), headers={"Content-Encoding": "utf-8"}),
    "no coding by name": Case(PLAIN, ("640 cents",), headers={"Content-Encoding": "none"}),
    "raw deflate": Case(
        DEFLATED.compress(PLAIN) + DEFLATED.flush(), ("640 cents",), headers={"Content-Encoding": "deflate"}
    ),
    "bytes behind the end": Case(
        gzip.compress(PLAIN) + b"\0\0junk", ("640 cents",), headers={"Content-Encoding": "x-gzip"}
    ),
    "a stub": Case(
        "<html><head><meta http-equiv=Refresh content='0; /target'><title>Moved</title></head><body>Moved.</body></html>",
        ("costs 641", "/target"),
    ),
    "a stub without text": Case(
        "<html><head><meta http-equiv=refresh content=\"0;URL='/target'\"></head><body></body></html>", ("costs 641",)
    ),
    "a refresh for readers without scripts": Case(
        page("<p>Stay at 642.</p>", "<noscript><meta http-equiv=refresh content='0; url=/target'></noscript>"),
        ("Stay at 642",),
        ("costs 641",),
    ),
    "a consent dialog first": Case(
        f"<html><body><div id=CybotCookiebotDialog>{DIALOG}</div>"
        "<main><h1>Bread</h1><p>The oven reaches 253 degrees.</p></main></body></html>",
        ("253 degrees",),
        ("cookies",),
    ),
    "a custom dialog": Case(
        f"<html><body><cmp-banner>{DIALOG}</cmp-banner>"
        f"<div><h1>Bread</h1><p>{PROSE}</p><p>The oven reaches 254 degrees.</p></div></body></html>",
        ("254 degrees",),
        ("cookies",),
    ),
    "Markdown": Case(
        "---\ntitle: Rolls\n---\n\n:::note\nRolls cost 701.\n:::\n\n````md\n```js\n# no heading\n```\n````\n\nRolls\n=====\n\nText.\n",
        ("Rolls cost 701.", "> # no heading"),
        ("title: Rolls",),
        "text/markdown",
    ),
    "a feed": Case(f"<rss version='2.0'>{FEED}</rss>", ("Rye costs 721.",), content_type="application/rss+xml"),
    "an Atom feed": Case(
        f"<feed xmlns='http://www.w3.org/2005/Atom'>{ATOM}</feed>",
        ("Oat costs 723.",),
        content_type="application/atom+xml",
    ),
    "PDF: data at the edges": Case(
        make_pdf(BILLS),
        tuple(
            f"{said}"
            for n in range(1, 5)
            for said in (f"Bill 2024-{1000 + n}", f"Date: {n} March 2024", f"account {n}{n}{n}.")
        ),
        content_type="application/pdf",
    ),
    "PDF: columns row by row": Case(
        make_pdf([BY_ROW]), (f"The left side begins here. {PROSE}",), content_type="application/pdf"
    ),
    "PDF: a form": Case(
        make_pdf(
            [[Text("Baker:", 60, 700), Text("Approved", 90, 650)]],
            fields=[(0, Field(200, 695, 400, 715, "Aurora 806")), (0, Field(70, 648, 82, 660, is_checked=True))],
        ),
        ("Baker: Aurora 806", "[x] Approved"),
        content_type="application/pdf",
    ),
}


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory, guide_file: Path) -> Iterator[Application]:
    folder = tmp_path_factory.mktemp("cases")
    with in_own_home(folder), running(with_guide(folder / "data", guide_file)) as program:
        yield program


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as web:
        web.page("/target", page("<p>The target costs 641.</p>", title="Target"))
        for number, case in enumerate(CASES.values()):
            web.page(f"/{number}/", case.body, content_type=case.content_type, headers=case.headers)
        yield web


Ask = Callable[..., Awaitable[str]]


@asynccontextmanager
async def assistant(application: Application) -> AsyncIterator[Ask]:
    """Yield a function that calls a tool as an assistant does and returns its text."""
    async with Client(bridge(application.data_dir)) as client:

        async def ask(tool: str, **arguments: object) -> str:
            result = await client.call_tool(tool, arguments)
            return "\n".join(getattr(block, "text", "") for block in result.content)

        yield ask


async def test_each_page_reads_as_people_see_it(application: Application, site: Site) -> None:
    async with assistant(application) as ask:
        wrong = {}
        for number, (name, case) in enumerate(CASES.items()):
            text = await ask("answer", url=site.url(f"/{number}/"), query="bread", expansion_budget=0)
            missing = [each for each in case.reads if each not in text]
            extra = [each for each in case.lacks if each in text.partition("[EVIDENCE]")[2]]
            if missing or extra:
                wrong[name] = (missing, extra, text)
        assert not wrong


async def test_redirects_lead_to_the_page_or_say_why_not(application: Application, site: Site) -> None:
    async with assistant(application) as ask:

        def asks_for_cookie(exchange):  # type: ignore[no-untyped-def]
            is_known = "seen=1" in exchange.request.headers.get("cookie", "")
            headers = {} if is_known else {"Location": "/cookie", "Set-Cookie": "seen=1; Path=/"}
            exchange.send(page("<p>Behind it: 642.</p>").encode(), 200 if is_known else 302, HTML, headers)

        site.on("/cookie", asks_for_cookie)
        site.redirect("/space", "/a b?x=1 2")
        site.page("/a%20b", page("<p>Space path: 645.</p>", title="Space"))
        site.redirect("/circle", "/circle")
        site.redirect("/script", "javascript:alert(1)")
        site.redirect("/moved", "//" + site.url("/target").partition("//")[2], 308)
        for path, said in (
            ("/cookie", "Behind it: 642."),
            ("/space", "Space path: 645."),
            ("/moved", "The target costs 641."),
            ("/circle", "redirects in a loop"),
            ("/script", "redirects to an invalid address"),
        ):
            assert said in await ask("answer", url=site.url(path), query="price", expansion_budget=0)


async def test_a_canonical_address_of_another_text_is_not_believed(application: Application, site: Site) -> None:
    async with assistant(application) as ask:
        for n, flour in enumerate(("rye", "oat", "wheat")):
            head = f"<link rel=canonical href='{site.url('/')}'>"
            site.page(f"/chapter/{n}", page(f"<p>Chapter on {flour}: {650 + n} grams.</p>", head, f"Chapter {n}"))
            assert f"/chapter/{n}\n" in await ask("ingest", url=site.url(f"/chapter/{n}"))
        found = await ask("search", query="How many grams has the chapter on oat?")
        assert "Chapter on oat: 651 grams." in found


async def test_words_are_found_in_every_script_and_however_they_are_written(
    application: Application, site: Site
) -> None:
    async with assistant(application) as ask:
        texts = {
            "zh": "数据库检索系统可以存储一百万条记录。每个用户最多可以打开十个连接。",
            "ja": "今日は成語しりとりをした。接続は最大十個まで開けます。型番はＡＢＣ１２３です。",
            "ko": "오늘 끝말잇기 게임을 했다. 버너의 최고 온도는 640도입니다.",
            "th": "ตะเกียงนี้ใช้น้ำมันก๊าด อุณหภูมิสูงสุดของหัวเผาคือ 640 องศา",
            "km": "មូលដ្ឋានទិន្នន័យនេះអាចរក្សាទុកកំណត់ត្រាមួយលាន",
            "lig": "The conﬁguration of the oﬃce is stored in a ﬁle with diﬀerent eﬃciency.",
            "code": "Use --error-on-warnings with C++, POL-358, 38.101, foo_bar_baz, std::vector&lt;int&gt; and O'Brien.",
            "shy": "Donau&shy;dampf&shy;schiff has 12 rooms.",
        }
        for name, text in texts.items():
            site.page(f"/words/{name}", page(f"<p>{text}</p>", "<meta charset=utf-8>", f"Words {name}"))
            assert "stored" in await ask("ingest", url=site.url(f"/words/{name}"))
        for question, name in (
            ("数据库", "zh"), ("连接", "zh"), ("接続", "ja"), ("しりとり", "ja"), ("끝말잇기", "ko"), ("온도", "ko"), ("ABC123", "ja"),
            ("อุณหภูมิสูงสุด", "th"), ("ទិន្នន័យ", "km"), ("configuration of the office", "lig"), ("efficiency", "lig"),
            ("--error-on-warnings", "code"), ("POL-358", "code"), ("std::vector<int>", "code"), ("O'Brien", "code"),
            ("Donaudampfschiff", "shy"),
        ):  # fmt: skip
            found = await ask("search", query=question)
            listed = await ask("kb_search", query=question)
            assert re.search(rf"\[1\] .*/words/{name}\n", found), (question, found)
            assert re.search(rf"^1\. .*/words/{name}\b", listed, re.MULTILINE), (question, listed)
            assert "None of these passages mentions" not in found, question
        for question in ("AND OR NOT NEAR(", '"unbalanced', "col:val", "^x", "a AND"):
            assert "ERROR" not in await ask("kb_search", query=question)


async def test_a_crawl_follows_the_stub_that_it_begins_at(application: Application, site: Site) -> None:
    async with assistant(application) as ask:
        site.page("/book/", "<html><head><meta http-equiv=refresh content='0; url=/book/start/'></head></html>")
        site.page("/book/start/", page("<p>Start at 654. <a href='/book/start/more'>More</a></p>"))
        site.page("/book/start/more", page("<p>More at 655.</p>"))
        told = await ask("ingest", url=site.url("/book/"), crawl={"scope": "subpages"})
        job = re.search(r"Job (\d+)", told)
        for _ in range(CHECKS):
            if job is None or "— done" in told:
                break
            await asyncio.sleep(0.1)
            told = await ask("status", job_id=int(job[1]))
        found = await ask("search", query="What is at 655?")
        assert "More at 655." in found, told
