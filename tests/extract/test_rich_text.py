"""RTF: its structure, its encodings, hidden text, and damaged files."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract
from app.ingest.preparation import is_apart
from app.ingest.prepared import Body
from tests.extract.pages import check_offsets
from tests.support.growth import cost

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Times;}{\f1\fmodern Courier;}{\f2\fswiss\fcharset204 Arial Cyr;}}"
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Titre;}{\s2 heading 2;}{\*\cs3 Code;}}"
    r"{\info{\title Pump guide}{\author secret}}{\*\generator secret;}{\header secret}"
)


def read(text: str) -> Page:
    page = extract(
        (HEAD + text + "}").encode("latin-1"), url="https://docs.example/a.rtf", content_type="", charset=None
    )
    check_offsets(page)
    return page


def test_headings_lists_tables_links_code_and_notes_are_kept() -> None:
    page = read(
        r"\pard\s1\b Pump\b0\par \pard Plain {\b bold} and {\i italic} and {\f1 code x<1}, H{\sub 2}O, "
        r'{\field{\*\fldinst{HYPERLINK "https://a.example/?b=1&c=2"}}{\fldrslt{\ul a link}}}.{\super\chftn}'
        r"{\footnote\pard The {\i note}.\par}\par"
        "\n"
        r"\pard\s2 Care\par{\listtext 1.\tab}\ilvl0 one\par{\listtext 2.\tab}two\par{\pard{\listtext \bullet\tab}\ilvl1 inner\par}"
        r"{\listtext 3.\tab}three\par \pard\plain\f1 def f(x):\line     return x\par \par   y\par\pard\plain "
        r"\trowd\cellx1\cellx2\pard\intbl A\cell B\cell\row\trowd\pard\intbl 1\cell a | b\par more\cell\row\pard After.\par"
    )
    assert page.text == (
        "# Pump\n\nPlain **bold** and *italic* and `code x<1`, H2O, a link.[1]\n\n## Care\n\n1. one\n2. two\n   - inner\n3. three\n\n"
        "```\ndef f(x):\n    return x\n  y\n```\n\n| A   | B           |\n|-----|-------------|\n| 1   | a \\| b more |\n\n"
        "After.\n\n---\n\n1. The *note*."
    )
    assert page.title == "Pump guide"
    assert [link.url for link in page.links] == ["https://a.example/?b=1&c=2"]


def test_encodings_and_escapes_are_read() -> None:
    page = read(r"\pard caf\'e9 \u8364?5 {\uc2\u945 xxb} {\f2 \'cf\'f0\'e8} \{x\}\~\emdash\~100% \u-10179?\u-8704?\par")
    assert page.text == "café €5 αb При {x} — 100% 😀"


def test_hidden_deleted_and_skipped_text_is_left_out() -> None:
    page = read(
        r"\pard Seen{\v secret}\v secret\v0 .{\deleted secret}{\pict 0102ff}{\object secret}{\*\unknown secret}{\bin4 }}}}}\par"
    )
    assert page.text == "Seen."
    assert page.note == "Text deleted with tracked changes is not included."


def test_a_file_is_known_by_its_start_and_images_cost_little_time() -> None:
    body = (HEAD + r"\pard Seen.{\pict " + "0123456789abcdef\n" * 100_000 + "}}").encode()
    for url, kind in (("file:///letter.doc", "application/msword"), ("https://a.example/x", "text/plain")):
        assert extract(body, url=url, content_type=kind, charset=None).text == "Seen."
        assert is_apart(Body(body, url, kind))


def test_damaged_and_empty_files_are_refused() -> None:
    with pytest.raises(UnsupportedContentError, match="damaged"):
        extract(b"no rtf", url="file:///a.rtf", content_type="application/rtf", charset=None)
    with pytest.raises(EmptyPageError):
        read(r"\pard\par")
    assert read(r"}}}}\pard Cut {\b off").text == "Cut **off**"


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    ["{", "{a", "}", "{\\b a}", "\\b a\\b0 b", "\\par a", "\\cell ", "\\intbl a\\cell ", "\\intbl a\\cell\\row ", "{\\footnote a}",
     "\\u65?",

     "\\'e9", "{\\listtext 1.}a\\par ", "{\\listtext -}\\ilvl9 a\\par ", "\\field", "{\\fldinst a", "\\f1 a\\par ", "\\f1 a\\f0 b",
     "\\bin9",
     "{\\stylesheet{\\s1 a}", "\\*"],
)  # fmt: skip
def test_hostile_files_are_read_in_linear_time(unit: str) -> None:
    def parse(text: str) -> None:
        extract(
            ("{\\rtf1{\\fonttbl{\\f1\\fmodern}}a " + text).encode(), url="file:///a.rtf", content_type="", charset=None
        )

    assert cost(lambda size: unit * (size // len(unit)), parse, 15_000).growth < 3


@pytest.mark.parametrize("before", ["{\\b " * 600, "\\bin99999 ", "\\bin5 }}}}}", "{\\b " * 600 + "}" * 600])
def test_text_in_deep_groups_and_after_wrong_lengths_is_kept(before: str) -> None:
    page = extract(f"{{\\rtf1 a {before}the end}}".encode(), url="file:///a.rtf", content_type="", charset=None)
    assert page.text.strip("*").endswith("the end")


def test_one_long_run_of_escapes_takes_linear_time() -> None:
    def parse(body: bytes) -> None:
        extract(body, url="file:///a.rtf", content_type="", charset=None)

    assert cost(lambda size: b"{\\rtf1 a" + b"\\u1078?" * size, parse, 8_000).growth < 3


def test_a_star_in_the_middle_of_a_group_hides_nothing() -> None:
    page = read(r"\pard{\f0\i0\*\cs7\cf0 The quick fox}{\*\unknown secret}{" + "\n" + r"\*\unknown secret} jumps.\par")
    assert page.text == "The quick fox jumps."
