"""The reader for each body, plain text, and pages as full Markdown."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract, page_markdown
from app.extract.page import Link
from tests.extract.pages import check_offsets, html_page

URL = "https://docs.example/harbour"
MARKUP = b"<!-- saved --><!doctype html><html><head><title>Harbour</title></head><body><h1>Tide</h1><p>It rises.</p></body></html>"
HEADERS = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"


def read(body: bytes, content_type: str) -> Page:
    return extract(body, url=URL, content_type=content_type, charset=None)


@pytest.mark.parametrize(
    "content_type", ["multipart/related", "message/rfc822", "text/x-rst", "text/x-rst; charset=utf-8"]
)
def test_html_under_the_type_of_its_source_or_of_an_archive_is_read_as_html(content_type: str) -> None:
    page = read(MARKUP, content_type)
    assert page.title == "Harbour"
    assert page.text == "# Tide\n\nIt rises."


def test_source_text_under_its_own_type_stays_as_it_is() -> None:
    assert "<html>" in read(b"Tags\n====\n\nWrite ``<html>`` first.", "text/x-rst").text


def test_a_style_sheet_is_always_rejected() -> None:
    with pytest.raises(UnsupportedContentError):
        read(MARKUP, "text/css")


@pytest.mark.parametrize(
    "parts",
    [
        b"",
        b"--b\r\nContent-Type: image/png\r\n\r\nxx\r\n--b--\r\n",
        b"--b\r\nContent-Type: text/html\r\n\r\n\r\n--b--\r\n",
    ],
)
def test_an_archive_without_a_page_is_reported(parts: bytes) -> None:
    with pytest.raises(EmptyPageError, match="does not contain a web page") as caught:
        read(HEADERS + parts, "multipart/related")
    assert "Save the page again" in caught.value.hint


def test_an_archive_with_parameters_that_python_cannot_sort_is_read() -> None:
    body = b"Content-Type: text/html; charset=latin-1; a*1=b; a*=c\nSubject: 2*3=6\n\n<p>The caf\xe9 opens at nine.</p>"
    page = extract(body, url="https://docs.example/a.mht", content_type="multipart/related", charset=None)
    assert (page.title, page.text.strip()) == ("2*3=6", "The caf\u00e9 opens at nine.")


def test_many_comments_before_text_take_no_time() -> None:
    assert read(b"<!-- a -->" * 400 + b"hello", "text/plain").text.endswith("hello")


def plain(body: bytes, *, url: str = "https://h.example/notes.txt") -> Page:
    return extract(body, url=url, content_type="text/plain", charset=None)


def test_plain_text_keeps_its_lines() -> None:
    page = plain(
        "Title\r\n\r\n  indented  \r\n\r\n\r\n\r\n\r\nsee https://a.example/x, (http://b.example/y).\u200b\n".encode()
    )
    assert page.text == "Title\n\n  indented\n\n\nsee https://a.example/x, (http://b.example/y)."
    assert [link.url for link in page.links] == ["https://a.example/x", "http://b.example/y"]
    assert page.title == "notes.txt"
    check_offsets(page)
    assert plain(b"First\nline", url="https://h.example/").title == "First"


def test_page_breaks_and_rare_line_ends_separate_words() -> None:
    page = extract("a\fb\vc\x85d\u2028e\rf".encode(), url="file:///a.txt", content_type="text/plain", charset=None)
    assert page.text == "a\nb\nc\nd\ne\nf"


def test_blank_plain_text_is_empty() -> None:
    with pytest.raises(EmptyPageError):
        plain(b"\n \n\x00\n")


def test_export_restores_links_outside_of_code() -> None:
    page = html_page(
        "<main><h2>About <a href='/a'>__init__</a></h2><p>See <a href='/b'>b [1]</a> and <a href='/c(d)'>c</a>.</p>"
        "<pre>x = <a href='/e'>e</a></pre><p><code>f(<a href='/g'>g</a>)</code></p>"
        "<table><tr><th>A<th>B<tr><td><a href='/t'>t</a><td>u</table></main>"
    )
    assert page_markdown(page) == (
        "## About \\_\\_init\\_\\_\n\nSee [b \\[1\\]](https://docs.example/b) and [c](<https://docs.example/c(d)>).\n\n"
        "```\nx = e\n```\n\n`f(g)`\n\n| A   | B   |\n|-----|-----|\n| [t](https://docs.example/t)   | u   |"
    )


def test_export_of_nested_links_uses_the_outer_one() -> None:
    page = Page("u", "t", "abc", links=(Link("http://x/", "abc", 0, 3), Link("http://y/", "b", 1, 2)))
    assert page_markdown(page) == "[abc](http://x/)"


TABLE = "<table border=1><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td></tr></table>"
SHEET_XML = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Worksheet ss:Name="Staff"><Table><Row ss:Index="2"><Cell><Data ss:Type="String">Name</Data></Cell><Cell ss:Index="3"><Data
ss:Type="String">Since</Data></Cell></Row><Row><Cell><Data ss:Type="String">Ann</Data></Cell><Cell ss:Index="3"><Data
ss:Type="DateTime">2004-05-06T00:00:00.000</Data></Cell></Row></Table></Worksheet></Workbook>"""
MHTML = "MIME-Version: 1.0\nSubject: Export\nContent-Type: text/html\n\n<html><body><p>Ann is 7.</p></body></html>"
ROWS = "### Rows 1–2\n\n| Name | Age |\n| --- | --- |\n| Ann | 7 |"


@pytest.mark.parametrize(
    ("name", "content_type", "body", "expected"),
    [
        ("a.xls", "", TABLE, "| Name | Age |"),
        ("a.xls", "application/vnd.ms-excel", f"<html><body>{TABLE}</body></html>", "| Name | Age |"),
        ("a.xlsx", "", TABLE, "| Name | Age |"),
        ("a.xls", "", "Name\tAge\nAnn\t7\n", ROWS),
        ("a.csv", "application/vnd.ms-excel", "Name,Age\nAnn,7\n", ROWS),
        ("export?format=excel", "application/vnd.ms-excel", "Name;Age\nAnn;7\n", ROWS),
        ("a.xls", "", SHEET_XML, "## Staff\n\n### Staff, rows 2–3\n\n| Name |  | Since |\n| --- | --- | --- |\n| Ann |  | 2004-05-06 |"),
        ("a.doc", "application/msword", "<html><body><p>Ann is 7.</p></body></html>", "Ann is 7."),
        ("a.doc", "", MHTML, "Ann is 7."),
        ("a.doc", "application/msword", f"Date: Mon, 1 Jan 2024 10:00:00 +0000\n{MHTML}", "Ann is 7."),
    ],
)  # fmt: skip
def test_web_pages_and_rows_of_text_have_names_of_office_files(
    name: str, content_type: str, body: str, expected: str
) -> None:
    page = extract(body.encode(), url=f"https://h.example/{name}", content_type=content_type, charset=None)
    assert page.text.startswith(expected)


@pytest.mark.parametrize(
    "body",
    [
        f"<p>Staff</p>{TABLE}".encode(),
        TABLE.encode("utf-16"),
        f"<html><head><style>{'p {} ' * 2_000}</style></head><body>{TABLE}</body></html>".encode("utf-16"),
        SHEET_XML.replace("?>", ' encoding="UTF-16"?>', 1).encode("utf-16"),
        TABLE.encode("utf-8-sig"),
    ],
)
def test_markup_named_like_an_office_file_may_be_in_utf_16(body: bytes) -> None:
    page = extract(body, url="https://h.example/a.xls", content_type="", charset=None)
    assert "| Name |" in page.text and "<" not in page.text


def test_other_xml_named_like_a_document_is_not_shown_as_text() -> None:
    body = b'<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>'
    with pytest.raises(UnsupportedContentError, match="damaged"):
        extract(body, url="https://h.example/a.doc", content_type="", charset=None)


def test_a_part_of_a_web_page_named_like_a_document_is_read() -> None:
    page = extract(b"<div>Ann is <b>7</b>.</div>", url="https://h.example/a.doc", content_type="", charset=None)
    assert page.text == "Ann is **7**."


def test_a_damaged_workbook_is_not_read_as_text() -> None:
    with pytest.raises(UnsupportedContentError, match="damaged"):
        extract(bytes(range(256)) * 20, url="https://h.example/a.xls", content_type="", charset=None)
