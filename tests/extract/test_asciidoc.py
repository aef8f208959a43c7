"""AsciiDoc: its structure, its inline formats, and sources that include files or never end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.extract import Page, extract
from tests.extract.pages import check_offsets
from tests.support.growth import cost


def read(text: str, *, url: str = "https://docs.example/pump.adoc") -> Page:
    page = extract(text.encode(), url=url, content_type="text/plain", charset=None)
    check_offsets(page)
    return page


def test_headings_lists_code_tables_and_notices_are_kept() -> None:
    page = read(
        "= Pump guide\nAnn Lee <ann@a.example>\nv1.2, 2024-01-02\n:product: Pump 3\n:toc:\n\n[[care]]\n== Care of {product}\n\n"
        "// a secret\n////\nhidden words\n////\n. one\n. two\n+\nsecond paragraph\n* inner\n** deep\n. three\n\n//-\n* [x] done\n\n//-\n"
        "Valve:: Opens slowly.\nFilter::\n  Keeps sand out.\n\n"
        ".A title\n[source,python]\n----\ndef f(x):\n    return x * 2  # <1>\n----\n\n"
        '[cols="1,2",options="header"]\n|===\n|A |B\n\n|1 |a \\| b\n2+|wide\n|===\n\nWARNING: Hot *water*.\n\n'
        "[NOTE]\n====\nInside.\n\nMore.\n====\n\n____\nQuoted text.\n____\n\n[latexmath]\n++++\nE=mc^2\n++++\n"
    )
    assert page.text == (
        "# Pump guide\n\n## Care of Pump 3\n\n1. one\n2. two\n\n   second paragraph\n   - inner\n     - deep\n3. three\n\n- ☑ done\n\n"
        "**Valve**: Opens slowly.\n\n**Filter**: Keeps sand out.\n\n**A title**\n\n"
        "```python\ndef f(x):\n    return x * 2  # <1>\n```\n\n| A    | B      |\n|------|--------|\n| 1    | a \\| b |\n"
        "| wide | wide   |\n\n"
        "⚠️ WARNING: Hot **water**.\n\nℹ️ NOTE: Inside.\n\nMore.\n\n> Quoted text.\n\n$$E=mc^2$$"
    )
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("Pump guide", "pump_guide"),
        ("Care of Pump 3", "care"),
    ]
    assert page.title == "Pump guide"


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("[cols=2]\n|===\n|a \\| b\n|c\n|d\n|e\n|===", ["a \\| b | c", "d | e"]),
        ("|===\n|a \\| b |c\n\n|d \\|\ne |f\n|===", ["a \\| b | c", "d \\| e | f"]),
        ('[cols="2*"]\n|===\n2+|a\n|b |c\n|===', ["a | a", "b | c"]),
        ("[cols=2]\n|===\n.2+|a |b\n|c\n2*|d\n|===", ["a | b", "a | c", "d | d"]),
        ("[separator=¦]\n|===\n¦a | b ¦c\n|===", ["a \\| b | c"]),
        (',===\n"a, b",c\n,===', ["a, b | c"]),
    ],
)
def test_cells_keep_their_separators_and_spans(source: str, rows: list[str]) -> None:
    lines = read(source).text.split("\n")
    shown = [" | ".join(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]) for line in lines]
    assert [line for line in shown if re.search(r"\w", line)] == rows


def test_text_before_the_first_cell_is_kept() -> None:
    assert read("|===\n// comment\nkept\n|a\n|===\n").text == "- kept\n- a"
    assert "kept words" in read("|===\nkept words").text


def test_inline_formats_are_read() -> None:
    page = read(
        "A *bold* _word_, `code x<1`, 2 * 3 * 4, snake_case_name, \\*plain*, +a*b*+, https://a.example/x?b=1[a link], see\n"
        "https://b.example/y. and <<care,the care>>.footnote:[The _note_.] latexmath:[$x^2$] kbd:[Ctrl+C] ((term)) {unknown}"
        " [.red]#x# un**bound**ed.\n"
    )
    assert page.text == (
        "A **bold** *word*, `code x<1`, 2 * 3 * 4, snake_case_name, *plain*, a*b*, a link, see https://b.example/y. and the care.[1] "
        "$x^2$ `Ctrl+C` term {unknown} x un**bound**ed.\n\n---\n\n1. The *note*."
    )
    assert [link.url for link in page.links][:2] == ["https://a.example/x?b=1", "https://b.example/y"]


def test_nothing_is_included(tmp_path: Path) -> None:
    file = tmp_path / "secret.adoc"
    file.write_text("secret words\n")
    page = read(f"Start.\n\ninclude::{file}[]\n\nifdef::x[]\nEnd.\nendif::[]\n\n++++\n<script>x</script>\n++++\n")
    assert page.text == "Start.\n\nEnd."
    assert page.note == "Files that this one includes are not read: 1."


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    ["*a ", "_a", "`a", "link:", "link:a[", "https://a", "footnote:[a", "<<a", "[[", "((", "+a ", "a:: ", "a::b::\n", "----\n", "[a,\n",
     "* a\n", "* a\n** b\n", "====\n", "_____\n======\n", "|===\n|a\n", "|===\n|a|\n|===\n",
     ":a: b\n{a}", ".a\n", "+\n", "* a\n+\n", "== a\n",
     "a:b;", "image::", "^a", "[.a", "include::a", "//// \n", "```a\n"],
)  # fmt: skip
def test_hostile_sources_are_read_in_linear_time(unit: str) -> None:
    assert cost(lambda size: unit * (size // len(unit)), read, 15_000).growth < 3


@pytest.mark.real
def test_open_comments_of_every_length_are_read_in_linear_time() -> None:
    def source(size: int) -> str:
        return "\n".join("/" * length for length in range(4, int(size**0.5))) + "\nsome words are here\n\n" * (
            size // 20
        )

    assert cost(source, read, 200_000).growth < 2.6


def test_values_beyond_every_limit_do_not_stop_reading() -> None:
    assert read(f"[cols={'9' * 5_000}]\n|===\n|a |b\n|===\n").text.endswith("| a   | b   |")
    long = "a" * 90_000
    assert read(f',===\n"{long}\n{long}",b\n,===\n').text.count("a") == 180_000


def test_references_to_attributes_do_not_multiply_the_text() -> None:
    page = read(f":a: {'x' * 1_000}\n\n" + "{a}" * 5_000)
    assert len(page.text) < 600_000


def test_curved_quotes_are_told_from_quotes_around_code() -> None:
    assert read('Say "`yes`", `"a"` and `"b"`.\n').text == 'Say “yes”, `"a"` and `"b"`.'


def test_text_after_an_open_comment_and_in_raw_html_is_kept() -> None:
    source = "////\nhidden\n////\n\n++++\n<p>raw <b>text</b></p><script>x</script>\n++++\n\n////\nthe end\n"
    page = extract(source.encode(), url="file:///a.adoc", content_type="", charset=None)
    assert page.text == "raw **text**\n\nthe end"
