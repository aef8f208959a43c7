"""Workbooks: formatted values, sections of rows, hidden parts, sparse and very large sheets."""

from __future__ import annotations

import time

import pytest

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.office import workbook
from app.extract.office.workbook import BUILT_IN, shown
from tests.extract.office.files import read
from tests.extract.office.files import workbook_file as book
from tests.extract.pages import check_offsets


def row(number: int, *cells: str, more: str = "") -> str:
    written = "".join(
        cell if cell.startswith("<c") else f'<c r="{chr(65 + place)}{number}" t="str"><v>{cell}</v></c>'
        for place, cell in enumerate(cells)
    )
    return f'<row r="{number}"{more}>{written}</row>'


def data(*rows: str) -> str:
    return f"<sheetData>{''.join(rows)}</sheetData>"


def test_a_sheet_is_a_section_of_tables_with_their_rows() -> None:
    page = read(book(data(row(1, "Part", "Price"), *(row(n, f"p{n}", str(n)) for n in range(2, 61)))))
    assert [(section.level, section.heading, section.anchor) for section in page.sections] == [
        (2, "S1", "sheet=S1"),
        (3, "S1, rows 1–41", "sheet=S1&range=A1:B41"),
        (3, "S1, rows 42–60", "sheet=S1&range=A42:B60"),
    ]
    assert page.text.startswith("## S1\n\n### S1, rows 1–41\n\n| Part | Price |\n| --- | --- |\n| p2 | 2 |")
    assert "### S1, rows 42–60\n\n| Part | Price |\n| --- | --- |\n| p42 | 42 |" in page.text


def test_values_of_every_type() -> None:
    strings = "<si><t>shared</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>reading</t></rPh></si>"
    cells = (
        '<c r="A1" t="s"><v>0</v></c>',
        '<c r="B1" t="s"><v>1</v></c>',
        '<c r="C1" t="inlineStr"><is><t>inline</t></is></c>',
        '<c r="D1" t="b"><v>1</v></c>',
        '<c r="E1" t="e"><v>#DIV/0!</v></c>',
        '<c r="G1"><f>1+1</f><v>2</v></c>',
        '<c r="H1" t="s"><v>99</v></c>',
    )
    text = read(book(data(row(1, *cells)), strings=strings)).text
    assert "| shared | two runs | inline | TRUE | #DIV/0! |  | 2 |" in text


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        ("0.2", "0%", "20%"),
        ("0.1234", "0.0%", "12.3%"),
        ("1234.5", "#,##0.00", "1,234.50"),
        ("1234.5", '#,##0.00 "€"', "1,234.50 €"),
        ("9.5", "[$€-407]#,##0.00", "€9.50"),
        ("7", "0", "7"),
        ("3.0", "General", "3"),
        ("0.30000000000000004", "General", "0.3"),
        ("45000", "d.m.yyyy", "2023-03-15"),
        ("45000.75", "yyyy-mm-dd h:mm", "2023-03-15 18:00"),
        ("0.5", "h:mm", "12:00"),
        ("1e400", "0.00", "inf"),
        ("words", "0.00", "words"),
        ("1234", "# ?/?", "1234"),
        ("5", 'General "kg"', "5"),
        ("1234567", '#,##0,"K"', "1,235K"),
        ("1234567", '0.0,,"M"', "1.2M"),
        ("1234567", "#,##0.00", "1,234,567.00"),
        ("1.5", "[h]:mm", "36:00"),
        ("0.25", "[hh]:mm:ss", "6:00:00"),
        ("0.5", "[mm]:ss", "720:00"),
        ("0.5", "[s]", "43200"),
        ("-1", "[h]:mm", "-1"),
        ("45000", BUILT_IN[31], "2023-03-15"),
        ("1.5", BUILT_IN[46], "36:00:00"),
        ("2.5", "0", "3"),
        ("-2.5", "0", "-3"),
        ("1.005", "0.00", "1.01"),
        ("0.285", "0%", "29%"),
        ("-0.3", "0", "0"),
    ],
)
def test_numbers_are_shown_in_their_formats(number: str, code: str, text: str) -> None:
    assert shown(number, code) == text


def test_characters_that_strings_name_are_decoded() -> None:
    strings = "<si><t>one_x000D_\ntwo _x005F_x000D_ _xD83D_</t></si>"
    page = read(book(data(row(1, '<c t="s"><v>0</v></c>', '<c t="str"><v>a_x000D_b</v></c>')), strings=strings))
    assert "| one two _x000D_ _xD83D_ | a b |" in page.text


def test_styles_choose_the_format_and_the_epoch() -> None:
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="0.0&quot; bar&quot;"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="14"/></cellXfs>'
    )
    cells = ('<c r="A1" s="1"><v>2.25</v></c>', '<c r="B1" s="2"><v>1</v></c>')
    made = book(data(row(1, *cells)), styles=styles, properties='<workbookPr date1904="1"/>')
    assert "| 2.3 bar | 1904-01-02 |" in read(made).text


def test_hidden_sheets_rows_and_columns_are_skipped_with_a_note() -> None:
    names = '<sheet name="Open" r:id="r1"/><sheet name="Secret" state="veryHidden" r:id="r2"/>'
    columns = '<cols><col min="2" max="2" hidden="1"/><col min="5" max="16384" hidden="1"/></cols>'
    page = read(
        book(
            columns + data(row(1, "a", "b", "c"), row(2, "x", "y", "z", more=' hidden="1"')),
            data(row(1, "s")),
            names=names,
        )
    )
    assert "| a |  | c |" in page.text
    assert not {"b", "x", "y", "z", "Secret"} & set(page.text.replace("|", " ").split())
    assert page.note == "Skipped hidden sheets: 1. Skipped hidden rows: 1. Skipped hidden columns: 1."


def test_two_distant_cells_use_little_memory() -> None:
    start = time.process_time()
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A1048576"><v>2</v></c></row>'
    assert "| here |" in read(book(data(row(1, "here"), far))).text
    assert time.process_time() - start < 2


def test_a_sheet_with_too_many_elements_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MAX_SHEET_TAGS", 100)
    with pytest.raises(UnsupportedContentError, match="too large to read"):
        read(book(data(*(row(n, "x") for n in range(100)))))


def test_a_cut_sheet_is_read_up_to_the_damage() -> None:
    page = read(book("<sheetData>" + row(1, "a") + row(2, "b") + "<row><c"))
    assert "| b |" in page.text
    assert "damaged" in page.note


def test_a_workbook_without_values_is_empty() -> None:
    with pytest.raises(EmptyPageError):
        read(book(data()))


def test_repeated_long_texts_end_at_the_limit() -> None:
    row = '<row r="{0}"><c r="A{0}" t="s"><v>0</v></c></row>'
    rows = "".join(map(row.format, range(1, 20)))
    page = read(book(f"<sheetData>{rows}</sheetData>", strings=f"<si><t>{'x' * 1_000_000}</t></si>"))
    assert page.note == "Only the first 7 cells were read."
    assert len(page.text) <= caps.MAX_PAGE_CHARS


def test_text_boxes_follow_the_rows_of_their_sheet() -> None:
    first, second = ("<a:r><a:t>Check the</a:t></a:r><a:r><a:t> sums</a:t></a:r>", "<a:r><a:t>monthly.</a:t></a:r>")
    box = f"<sp><txBody><a:p>{first}</a:p><a:p>{second}</a:p></txBody></sp>"
    page = read(book(data(row(1, "A", "B")), drawing=box + "<sp/>"))
    check_offsets(page)
    assert page.text == "## S1\n\n### S1, row 1\n\n| A | B |\n| --- | --- |\n\nCheck the sums monthly."
    assert read(book(data(), drawing=box)).text == "## S1\n\nCheck the sums monthly."


def test_lines_of_text_boxes_are_apart_and_alternatives_are_read_once() -> None:
    lines = "<a:r><a:t>Check</a:t></a:r><a:br/><a:r><a:t>monthly.</a:t></a:r>"
    choice = f"<m:Choice><sp><txBody><a:p>{lines}</a:p></txBody></sp></m:Choice>"
    other = (
        "<m:Fallback><sp><txBody><a:p><a:r><a:t>Slicers cannot be shown.</a:t></a:r></a:p></txBody></sp></m:Fallback>"
    )
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = f'<m:AlternateContent xmlns:m="{markup}">{choice}{other}</m:AlternateContent>'
    assert read(book(data(), drawing=both)).text == "## S1\n\nCheck monthly."


def test_long_text_boxes_end_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_PAGE_CHARS", 100)
    box = "<sp><a:p><a:r><a:t>many words here</a:t></a:r></a:p></sp>"
    page = read(book(data(row(1, "A")), drawing=box * 50))
    assert len(page.text) <= 100
    assert "Only the first" in page.note
