"""Separated values, and the sections of sheets."""

from __future__ import annotations

import contextlib
import csv
import time

import pytest

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract
from app.extract.sheet_text import MAX_COLUMNS, ROWS_PER_SECTION, column_number


def read(text: str | bytes, name: str = "prices.csv", content_type: str = "") -> Page:
    body = text if isinstance(text, bytes) else text.encode()
    page = extract(body, url=f"file:///files/{name}", content_type=content_type, charset=None)
    for section in page.sections:
        assert page.text[section.start :].startswith(f"{'#' * section.level} {section.heading}\n")
    return page


def test_a_table_names_its_rows_and_repeats_its_header() -> None:
    page = read("part,price\n" + "".join(f"p{n},{n}\n" for n in range(2, 92)))
    first, second, third = page.sections
    assert [section.heading for section in page.sections] == ["Rows 1–41", "Rows 42–81", "Rows 82–91"]
    assert [section.anchor for section in page.sections] == ["range=A1:B41", "range=A42:B81", "range=A82:B91"]
    lines = page.text[second.start : second.end].split("\n")
    assert lines[2:5] == ["| part | price |", "| --- | --- |", "| p42 | 42 |"]
    assert len(lines) - lines.count("") == ROWS_PER_SECTION + 3
    assert "| p91 | 91 |" in page.text[third.start : third.end]
    assert "| p2 | 2 |" in page.text[first.start : first.end]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("a;b\n1,5;2\n", "| 1,5 | 2 |"),
        ("a\tb\n1\t2\n", "| 1 | 2 |"),
        ('a,b\n"x, y","say ""hi"""\n', '| x, y | say "hi" |'),
        ('a,b\n"two\nlines",c|d\n', r"| two lines | c\|d |"),
        ('a,b\n5" pipe,2\n', '| 5" pipe | 2 |'),
        ("a,b,c\n1\n", "| 1 |  |  |"),
        ("name\nAnn\n", "| Ann |"),
        ("sep=;\nname,first;b\nx;2\n", "| name,first | b |"),
        ('"SEP=\t"\r\na\tb\r\n1,5\t2\r\n', "| a | b |"),
        ("sep=ab\nx\n", "| sep=ab |"),
    ],
)
def test_separators_and_quotation_marks(text: str, row: str) -> None:
    assert row in read(text).text


def test_a_blank_row_begins_another_table() -> None:
    page = read("a,b\n1,2\n\nc,d\n3,4\n")
    assert [section.heading for section in page.sections] == ["Rows 1–2", "Rows 4–5"]
    assert "| c | d |\n| --- | --- |\n| 3 | 4 |" in page.text


def test_other_encodings_and_types() -> None:
    assert "| Größe |" in read("Größe\n1\n".encode("utf-16")).text
    assert "| 1 | 2 |" in read("a\tb\n1\t2\n", "export", "text/tab-separated-values").text


def test_wide_and_long_files_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"c{MAX_COLUMNS}" not in read(",".join(f"c{n}" for n in range(1_000))).text
    monkeypatch.setattr("app.extract.sheet_text.MAX_CELLS", 10)
    page = read("a,b\n" * 20)
    assert page.note.startswith("Only the first 1")


@pytest.mark.parametrize("text", ["", "\n\n\n", ",,,\n,,,\n"])
def test_a_file_without_values_is_empty(text: str) -> None:
    with pytest.raises(EmptyPageError):
        read(text)


def test_binary_data_is_rejected() -> None:
    with pytest.raises(UnsupportedContentError):
        read(bytes(range(32)) * 40)


@pytest.mark.parametrize("text", ['"' * 100_001, "," * 400_000, '"a' * 100_001, "\n" * 400_000 + "x"])
def test_odd_files_take_no_longer_than_their_size(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(EmptyPageError):
        read(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("letters", "place"), [("A", 0), ("Z", 25), ("AA", 26), ("XFD", 16_383)])
def test_columns_have_letters(letters: str, place: int) -> None:
    assert column_number(letters) == place


def test_a_long_cell_is_cut_with_a_note() -> None:
    body = b"first," + b"word " * 1_300_000 + b",last\nnext,1\n"
    page = extract(body, url="file:///files/a.csv", content_type="", charset=None)
    assert page.text.startswith("### Row 1\n\n| first | word word") and len(page.text) == caps.MAX_PAGE_CHARS
    assert page.note == "Only the first 3 cells were read."


def test_a_small_file_leaves_the_cell_limit_of_the_process() -> None:
    before = csv.field_size_limit()
    read("a,b\n1,2\n")
    assert csv.field_size_limit() == before
