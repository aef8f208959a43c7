"""Files that attack readers: bombs, entities, cycles, sparse sheets, deep nesting, cut files and wrong names."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

MEGA: Final = 2**20
WORDS: Final = "Readable words"
"""A file that contains these words and is not refused must show them."""
_W: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R: Final = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_P: Final = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_A: Final = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_S: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATED: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ODF: Final = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table", "style")
)
_WORDS_W: Final = f"<w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p>"

Parts = Mapping[str, str | bytes]


def packed(parts: Parts) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def relations(**targets: tuple[str, str]) -> str:
    said = "".join(
        f'<Relationship Id="{key}" Type="{_RELATED}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{said}</Relationships>'


def word(body: str, more: Parts | None = None, *, before: str = "") -> bytes:
    return packed(
        {
            "_rels/.rels": relations(r=("officeDocument", "word/document.xml")),
            "word/document.xml": f"{before}<w:document {_W} {_R}><w:body>{body}</w:body></w:document>",
            **(more or {}),
        }
    )


def slides(shapes: str, *, number: int = 1, more: Parts | None = None) -> bytes:
    listed = '<p:sldId id="256" r:id="s"/>' * number
    return packed(
        {
            "_rels/.rels": relations(r=("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"<p:presentation {_P} {_R}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(s=("slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": f"<p:sld {_P} {_A} {_R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>",
            **(more or {}),
        }
    )


def sheet(rows: str, strings: str = "") -> bytes:
    return packed(
        {
            "_rels/.rels": relations(r=("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook {_S} {_R}><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                s=("worksheet", "worksheets/sheet1.xml"), t=("sharedStrings", "sharedStrings.xml")
            ),
            "xl/sharedStrings.xml": f"<sst {_S}>{strings}</sst>",
            "xl/worksheets/sheet1.xml": f"<worksheet {_S}><sheetData>{rows}</sheetData></worksheet>",
        }
    )


def opendocument(kind: str, content: str) -> bytes:
    inner = f"<office:body><office:{kind}>{content}</office:{kind}></office:body>"
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {_ODF}>{inner}</office:document-content>",
        }
    )


def book(spine: str, chapter: str | bytes, target: str = "c.xhtml") -> bytes:
    item = f'<item id="c" href="{target}" media-type="application/xhtml+xml"/>'
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
            "b.opf": f"<package><manifest>{item}</manifest><spine>{spine}</spine></package>",
            "c.xhtml": chapter,
        }
    )


def _cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _shape(text: str) -> str:
    return f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def _inside(number: int, start: str, end: str, inner: str) -> str:
    return start * number + inner + end * number


def _entities() -> str:
    lines = ['<!ENTITY a0 "laugh">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))]
    return f"<!DOCTYPE x [{''.join(lines)}]>"


def _style_cycle() -> bytes:
    styles = "".join(
        f'<w:style w:styleId="{one}"><w:name w:val="{one}"/><w:basedOn w:val="{other}"/></w:style>'
        for one, other in (("A", "B"), ("B", "A"))
    )
    return word(
        f'<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>{WORDS}</w:t></w:r></w:p>',
        {
            "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
            "word/_rels/document.xml.rels": relations(s=("styles", "styles.xml")),
        },
    )


def _note_cycle() -> bytes:
    note = '<w:footnote w:id="1"><w:p><w:r><w:footnoteReference w:id="1"/><w:t>again</w:t></w:r></w:p></w:footnote>'
    return word(
        f'<w:p><w:r><w:t>{WORDS}</w:t><w:footnoteReference w:id="1"/></w:r></w:p>',
        {
            "word/footnotes.xml": f"<w:footnotes {_W}>{note}</w:footnotes>",
            "word/_rels/document.xml.rels": relations(n=("footnotes", "footnotes.xml")),
        },
    )


def _notebook(output: object, source: object = WORDS) -> bytes:
    cell = {"cell_type": "code", "source": source, "outputs": [output]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}).encode()


def _mails() -> bytes:
    head = "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: s\n"
    parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(5_000))
    return f"{head}\n{WORDS}\n\n{head}{parts}Content-Type: text/plain\n\ninside\n".encode()


_TEXT_S: Final = "<text:list-item><text:list>"
HOSTILE: Final[Mapping[str, Callable[[], bytes]]] = {
    "bomb.docx": lambda: word(_WORDS_W + " " * (300 * MEGA)),
    "tags.docx": lambda: word("<w:p/>" * 3_000_000),
    "entities.docx": lambda: word("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", before=_entities()),
    "file_entity.docx": lambda: word("&e;", before='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    "deep_insertions.docx": lambda: word(_WORDS_W + _inside(60_000, "<w:ins>", "</w:ins>", "")),
    "deep_tables.docx": lambda: word(_WORDS_W + _inside(5_000, "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", "")),
    "wide_cells.docx": lambda: word(
        _WORDS_W + '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr></w:tc></w:tr></w:tbl>' * 200
    ),
    "cut_archive.docx": lambda: word(_WORDS_W * 1_000)[:900],
    "cut_text.docx": lambda: packed(
        {"word/document.xml": f"<w:document {_W}><w:body>{_WORDS_W}<w:p><w:r><w:t>cut he"}
    ),
    "style_cycle.docx": _style_cycle,
    "note_cycle.docx": _note_cycle,
    "a_docx_named.pptx": lambda: word(_WORDS_W),
    "picture_named.docx": lambda: b"\x89PNG\r\n\x1a\n" + bytes(2_000),
    "many_slides.pptx": lambda: slides(_shape(WORDS), number=100_000),
    "deep_groups.pptx": lambda: slides(_shape(WORDS) + _inside(20_000, "<p:grpSp>", "</p:grpSp>", _shape("deep"))),
    "far_point.pptx": lambda: slides(
        _shape(WORDS) + '<p:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="urn:c" r:id="c"/></a:graphicData>'
        "</a:graphic></p:graphicFrame>",
        more={
            "ppt/slides/_rels/slide1.xml.rels": relations(c=("chart", "../charts/c.xml")),
            "ppt/charts/c.xml": '<c:x xmlns:c="urn:c"><c:ser><c:val><c:pt idx="999999999"><c:v>1</c:v></c:pt></c:val></c:ser></c:x>',
        },
    ),
    "far_cell.xlsx": lambda: sheet(
        f'<row r="1">{_cell("A1", WORDS)}</row><row r="1048576">{_cell("XFD1048576", "far")}</row>'
    ),
    "sparse_rows.xlsx": lambda: sheet(
        f'<row r="1">{_cell("A1", WORDS)}</row>'
        + "".join(f'<row r="{row}"><c r="XFD{row}"/></row>' for row in range(2, 300_000))
    ),
    "lost_strings.xlsx": lambda: sheet(
        f'<row r="1">{_cell("A1", WORDS)}<c r="B1" t="s"><v>99999999</v></c><c r="C1" t="s"><v>-5</v></c></row>'
    ),
    "long_string.xlsx": lambda: sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>' * 20_000, f"<si><t>{WORDS} {'x' * MEGA}</t></si>"),
    "repeated.ods": lambda: opendocument(
        "spreadsheet",
        f"<table:table><table:table-row table:number-rows-repeated='1048576'><table:table-cell "
        f"table:number-columns-repeated='999999999'><text:p>{WORDS}</text:p></table:table-cell></table:table-row></table:table>",
    ),
    "deep_lists.odt": lambda: opendocument(
        "text",
        f"<text:p>{WORDS}</text:p><text:list>{_inside(20_000, _TEXT_S, '</text:list></text:list-item>', '')}</text:list>",
    ),
    "blanks.odt": lambda: opendocument("text", f'<text:p>{WORDS}<text:s text:c="999999999"/></text:p>' * 500),
    "same_chapter.epub": lambda: book('<itemref idref="c"/>' * 50_000, f"<html><body><p>{WORDS}</p></body></html>"),
    "outside.epub": lambda: book('<itemref idref="c"/>', "<p/>", "../../../../etc/passwd"),
    "bomb.epub": lambda: book('<itemref idref="c"/>', b"<p>" + b"a " * (100 * MEGA)),
    "deep.ipynb": lambda: b'{"cells": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "long_output.ipynb": lambda: _notebook({"output_type": "stream", "text": "line\n" * (4 * MEGA)}),
    "wide_table.ipynb": lambda: _notebook({"data": {"text/html": "<table><tr>" + "<td>1" * 400_000}}),
    "one_line.csv": lambda: f"{WORDS},".encode() + b"1," * (8 * MEGA),
    "open_quote.csv": lambda: f'{WORDS},b\n1,"'.encode() + b"a\n" * (8 * MEGA),
    "grid.rst": lambda: f"{WORDS}\n\n".encode() + b"+---+---+\n| a | b |\n" * 20_000 + b"+---+---+\n",
    "marks.rst": lambda: f"{WORDS}\n\n".encode() + b"*a `b |c " * 60_000,
    "include.rst": lambda: f"{WORDS}\n\n.. include:: /etc/passwd\n\n.. raw:: html\n   :file: /etc/passwd\n".encode(),
    "one_line.js": lambda: f"// {WORDS}\n".encode() + b"a(function(){" * (MEGA // 2),
    "deep.json": lambda: b"[" * MEGA,
    "mails.mbox": _mails,
    "cut.xls": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(700),
    "braces.rtf": lambda: f"{{\\rtf1 {WORDS} ".encode() + b"{" * MEGA,
}  # fmt: skip
"""The files by name."""


def make_hostile(folder: Path, number: int) -> Iterator[Path]:
    """Write the files one after the other, so that only one needs space at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in islice(HOSTILE.items(), number):
        file = folder / name
        file.write_bytes(make())
        yield file
        file.unlink()
