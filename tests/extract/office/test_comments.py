"""Comments: left out by default, quotations with their authors if they are wanted."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pytest

from app.extract.page import READS_COMMENTS
from tests.extract.office.files import (
    DRAWING,
    RELATED,
    SHEETS,
    SLIDES,
    WORD,
    opendocument,
    packed,
    presentation,
    read,
    relations,
    shape,
    word,
    workbook_file,
)


@pytest.fixture
def _are_read() -> Iterator[None]:
    token = READS_COMMENTS.set(True)
    yield
    READS_COMMENTS.reset(token)


def commented_word() -> bytes:
    comment = f'<w:comments xmlns:w="{WORD}"><w:comment w:id="7" w:author="Ann"><w:p><w:r><w:t>Too much?</w:t></w:r></w:p></w:comment>'
    mark = '<w:r><w:commentReference w:id="7"/></w:r>'
    body = f"<w:p><w:r><w:t>Pay 100.</w:t></w:r>{mark}</w:p><w:p><w:r><w:t>Then stop.</w:t></w:r></w:p>"
    return word(body, {"word/comments.xml": f"{comment}</w:comments>"}, c="comments comments.xml")


def commented_slides(comments: str, authors: str, kind: str) -> bytes:
    space = f'xmlns:p="{SLIDES}" xmlns:a="{DRAWING}"'
    return presentation(
        shape("title", "Costs"),
        parts={
            "ppt/_rels/presentation.xml.rels": relations(r1="slide slides/slide1.xml", a=f"{kind} authors.xml"),
            "ppt/authors.xml": f"<p:authors {space}>{authors}</p:authors>",
            "ppt/slides/_rels/slide1.xml.rels": relations(c="comments ../comments/c.xml"),
            "ppt/comments/c.xml": f"<p:cmLst {space}>{comments}</p:cmLst>",
        },
    )


def commented_book(part: str, kind: str, rows: str) -> bytes:
    """Return a workbook whose first sheet has a part with comments."""
    plain = workbook_file(f'<cols><col min="3" max="3" hidden="1"/></cols><sheetData>{rows}</sheetData>')
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    people = f'<personList xmlns="{SHEETS}"><person displayName="Bo" id="p1"/></personList>'
    links = parts["xl/_rels/workbook.xml.rels"].replace(
        b"</Rel", f'<Relationship Id="p" Type="{RELATED}/person" Target="p.xml"/></Rel'.encode()
    )
    return packed(
        parts
        | {"xl/worksheets/_rels/sheet1.xml.rels": relations(c=f"{kind} ../c.xml"), "xl/c.xml": part}
        | {"xl/p.xml": people, "xl/_rels/workbook.xml.rels": links}
    )


@pytest.mark.usefixtures("_are_read")
def test_comments_of_a_text_follow_their_paragraph() -> None:
    expected = "Pay 100.\n\n> **Comment by Ann**\n>\n> Too much?\n\nThen stop."
    assert read(commented_word()).text == expected
    note = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Too much?</text:p></office:annotation>"
    texts = f"<text:p>Pay 100.{note}</text:p><text:p>Then stop.</text:p>"
    assert read(opendocument(texts)).text == expected
    assert "Too much?" in read(packed({"a/contract.docx": commented_word()})).text


@pytest.mark.usefixtures("_are_read")
@pytest.mark.parametrize(
    ("comments", "authors", "kind"),
    [
        ('<p:cm authorId="1"><p:text>Round it.</p:text></p:cm>', '<p:cmAuthor id="1" name="Ann"/>', "commentAuthors"),
        (
            '<p:cm authorId="{A}"><p:txBody><a:p><a:r><a:t>Round it.</a:t></a:r></a:p></p:txBody></p:cm>',
            '<p:author id="{A}" name="Ann"/>',
            "authors",
        ),
    ],
)
def test_comments_of_a_slide_follow_its_content(comments: str, authors: str, kind: str) -> None:
    page = read(commented_slides(comments, authors, kind))
    assert page.text == "## Slide 1: Costs\n\n> **Comment by Ann**\n>\n> Round it."


ROWS = (
    '<row r="1"><c r="A1"><v>5</v></c><c r="B1"><v>6</v></c></row><row r="2" hidden="1"><c r="A2"><v>8</v></c></row>'
    '<row r="4"><c r="A4"><v>7</v></c></row>'
)


@pytest.mark.usefixtures("_are_read")
def test_comments_on_cells_follow_their_values_but_those_of_hidden_cells_do_not() -> None:
    comments = "".join(
        f'<comment ref="{place}" authorId="0"><text><r><t>Ann:</t></r><r><t>\nis {place}</t></r></text></comment>'
        for place in ("B1", "C1", "A2", "B3", "A4", "A6")
    )
    part = f'<comments xmlns="{SHEETS}"><authors><author>Ann</author></authors><commentList>{comments}</commentList></comments>'
    text = read(commented_book(part, "comments", ROWS)).text
    shown = ["5 | 6 [Comment by Ann: is B1]", "|  | [Comment by Ann: is B3]", "7 [Comment by Ann: is A4]", "is A6"]
    assert [each for each in shown if each not in text] == []
    assert "is C1" not in text and "is A2" not in text
    talk = f'<ThreadedComments xmlns="{SHEETS}"><threadedComment ref="A1" personId="p1"><text>Sure?</text></threadedComment>'
    assert (
        "| 5 [Comment by Bo: Sure?] |"
        in read(commented_book(f"{talk}</ThreadedComments>", "threadedComment", ROWS)).text
    )
    cell = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Sure?</text:p></office:annotation><text:p>5</text:p>"
    rows = f"<table:table-row><table:table-cell>{cell}</table:table-cell></table:table-row>"
    sheet = opendocument(f'<table:table table:name="S">{rows}</table:table>', "spreadsheet")
    assert "| 5 [Comment by Ann: Sure?] |" in read(sheet).text


def test_comments_are_left_out_by_default() -> None:
    assert read(commented_word()).text == "Pay 100.\n\nThen stop."
    slides = commented_slides('<p:cm authorId="1"><p:text>Round it.</p:text></p:cm>', "", "authors")
    assert "Round" not in read(slides).text


def test_deleted_rows_of_a_table_are_left_out() -> None:
    def row(text: str, more: str = "") -> str:
        return f"<w:tr><w:trPr>{more}</w:trPr><w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc></w:tr>"

    page = read(word(f"<w:tbl>{row('kept')}{row('gone', '<w:del/>')}{row('new', '<w:ins/>')}</w:tbl>"))
    assert "gone" not in page.text and "new" in page.text
    assert page.note == "Text deleted with tracked changes is not included."
