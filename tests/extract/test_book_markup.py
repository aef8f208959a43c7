"""DocBook and FictionBook: structure, notes, pictures, entities, and documents that are nested without end."""

from __future__ import annotations

import pytest

from app.errors import UnsupportedContentError
from app.extract import Page, extract
from app.extract.office.package import MAX_TAGS
from tests.extract.pages import check_offsets
from tests.support.growth import cost

DOCBOOK = """<?xml version="1.0"?><!DOCTYPE book [<!ENTITY p "Pump"> <!ENTITY file SYSTEM "file:///etc/passwd">]>
<book xmlns="http://docbook.org/ns/docbook" xml:lang="en" xmlns:l="http://www.w3.org/1999/xlink"><info><title>Pump guide</title>
<author>Hidden</author></info><chapter xml:id="care"><title>Care <emphasis>now</emphasis></title>
<para>Open the <command>valve</command><footnote><para>Slowly.</para></footnote><indexterm><primary>hidden</primary></indexterm> and
see <link l:href="https://a.example/">the site</link> or <xref linkend="deep"/>.</para>
<itemizedlist><listitem><para>one</para></listitem><listitem><para>two</para><para>more</para></listitem></itemizedlist>
<variablelist><varlistentry><term>-n</term><listitem><para>Number.</para></listitem></varlistentry></variablelist>
<programlisting language="python">def f(x):
    return x &lt; 2</programlisting><note><para>Hot.</para></note>
<table><title>Prices</title><tgroup cols="2"><colspec/><thead><row><entry>A</entry><entry>B</entry></row></thead>
<tbody><row><entry morerows="1">1</entry><entry>2</entry></row><row><entry>3</entry></row></tbody></tgroup></table>
<section xml:id="deep"><title>Deep</title><para>Text of &p;, &file; and &amp; more.</para><figure><title>Picture</title>
<mediaobject><imageobject>
<imagedata fileref="a.png"/></imageobject><textobject><phrase>A pump</phrase></textobject></mediaobject></figure></section>
</chapter></book>"""

FICTION = """<?xml version="1.0" encoding="windows-1251"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"
xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><author>Hidden</author><book-title>Книга воды</book-title><lang>ru</lang>
</title-info></description><body><title><p>Книга воды</p></title><section><title><p>Глава 1</p><p>Начало</p></title>
<p>Вода была <emphasis>холодной</emphasis>.<a l:href="#n1" type="note">1</a></p><poem><stanza><v>Строка одна</v><v>Строка две</v>
</stanza></poem>
</section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>Сноска.</p></section></body><binary id="c">AAAA</binary>
</FictionBook>"""


def read(body: bytes, *, url: str = "https://a.example/pump.dbk", content_type: str = "") -> Page:
    page = extract(body, url=url, content_type=content_type, charset=None)
    check_offsets(page)
    return page


@pytest.mark.parametrize(
    ("url", "content_type"), [("https://a.example/a.dbk", ""), ("https://a.example/a", "application/xml")]
)
def test_docbook_is_read_by_name_and_by_content(url: str, content_type: str) -> None:
    page = read(DOCBOOK.encode(), url=url, content_type=content_type)
    assert page.text == (
        "# Pump guide\n\n## Care now\n\nOpen the `valve`[1] and see the site or deep.\n\n- one\n\n- two\n\n  more\n\n**-n**: Number.\n\n"
        "```python\ndef f(x):\n    return x < 2\n```\n\nℹ️ NOTE: Hot.\n\n**Prices**\n"
        "\n| A   | B   |\n|-----|-----|\n| 1   | 2   |\n| 1   | 3   |\n\n"
        "### Deep\n\nText of &p;, &file; and & more.\n\n**Picture**\n\nA pump\n\n---\n\n1. Slowly."
    )
    assert (page.title, page.language) == ("Pump guide", "en")
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("Pump guide", None),
        ("Care now", "care"),
        ("Deep", "deep"),
    ]


def test_fictionbook_is_read_in_its_encoding() -> None:
    page = read(FICTION.encode("cp1251"), url="https://a.example/a.fb2")
    assert page.text == (
        "# Книга воды\n\n## Глава 1 Начало\n\nВода была *холодной*.1\n\n> Строка одна\n>\n> Строка две\n\n## 1\n\nСноска."
    )
    assert (page.title, page.language) == ("Книга воды", "ru")


def test_a_span_that_is_not_a_number_is_ignored() -> None:
    rows = "<row><entry morerows='²'>a</entry><entry>b</entry></row><row><entry>c</entry><entry>d</entry></row>"
    assert "| c   | d   |" in read(f"<book><informaltable>{rows}</informaltable></book>".encode()).text


def test_too_many_elements_are_refused() -> None:
    with pytest.raises(UnsupportedContentError, match="too large"):
        read(b"<book>" + b"<p/>" * MAX_TAGS)


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    ["<section>", "<para>a", "<para/>a", "<remark/>a", "<xref linkend='a'/>b", "<footnote>", "<footnote>a</footnote>",
     "<title>a", "<title>a</title>",
     "<row>", "<entry>a</entry>", "<info><title>", "<imagedata/>", "&a;", "<programlisting>", "<a>", "a<emphasis/>"],
)  # fmt: skip
def test_hostile_documents_are_read_in_linear_time(unit: str) -> None:
    def parse(text: str) -> None:
        try:
            extract(b"<book><title>a</title>" + text.encode(), url="file:///a.dbk", content_type="", charset=None)
        except UnsupportedContentError:
            return

    assert cost(lambda size: unit * (size // len(unit)), parse, 15_000).growth < 3


@pytest.mark.real
@pytest.mark.parametrize("parts", ["<para>{}", "<mediaobject><textobject>{}</textobject>"])
def test_long_text_is_read_once_for_all_elements_next_to_it(parts: str) -> None:
    unit = "<imagedata/>" if "media" in parts else "<x/>"

    def document(size: int) -> bytes:
        return f"<book><title>a</title>{parts.format('w ' * size)}{unit * (size // 8)}".encode()

    found = cost(document, lambda body: extract(body, url="file:///a.dbk", content_type="", charset=None), 64_000)
    assert found.growth < 3
