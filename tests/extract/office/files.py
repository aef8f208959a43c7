"""Small Office files and e-books, built part by part."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from typing import Final

from app.extract import Page, extract

URL: Final = "file:///files/made"
WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
SHEETS: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATED: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of these parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def relations(**targets: str) -> str:
    """Return the relations of a part: ids with `kind target`, or `kind external target`."""
    written = []
    for key, said in targets.items():
        kind, *rest = said.split(" ")
        mode = ' TargetMode="External"' if len(rest) > 1 else ""
        written.append(f'<Relationship Id="{key}" Type="{RELATED}/{kind}" Target="{rest[-1]}"{mode}/>')
    return f'<Relationships xmlns="{PACKAGE}">{"".join(written)}</Relationships>'


def word(body: str, parts: Mapping[str, str | bytes] = {}, **related: str) -> bytes:
    """Return a Word document with this body and other parts."""
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    markup = f'<w:document xmlns:w="{WORD}" xmlns:r="{RELATED}" xmlns:m="{math}"><w:body>{body}</w:body></w:document>'
    return packed(
        {
            "_rels/.rels": relations(r1="officeDocument word/document.xml"),
            "word/document.xml": markup,
            "word/_rels/document.xml.rels": relations(**related),
            **parts,
        }
    )


def paragraph(text: str, properties: str = "", run: str = "") -> str:
    """Return a paragraph with one run."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def styles(*entries: str) -> str:
    return f'<w:styles xmlns:w="{WORD}">{"".join(entries)}</w:styles>'


def style(key: str, name: str, more: str = "") -> str:
    return f'<w:style w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'


def presentation(*slides: str, parts: Mapping[str, str | bytes] = {}, shown: str = "1") -> bytes:
    """Return a presentation of slides with these shapes; `parts` may add relations of slides and notes."""
    ids = "".join(f'<p:sldId id="{255 + place}" r:id="r{place}"/>' for place, _ in enumerate(slides, 1))
    space = f'xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{RELATED}"'
    made: dict[str, str | bytes] = {
        "_rels/.rels": relations(r1="officeDocument ppt/presentation.xml"),
        "ppt/presentation.xml": f"<p:presentation {space}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            **{f"r{place}": f"slide slides/slide{place}.xml" for place, _ in enumerate(slides, 1)}
        ),
    }
    for place, shapes in enumerate(slides, 1):
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        made[f"ppt/slides/slide{place}.xml"] = f'<p:sld {space} show="{shown}">{tree}</p:sld>'
    return packed({**made, **parts})


def shape(kind: str, *paragraphs: str) -> str:
    """Return a shape with paragraphs and a placeholder of a kind or, without a kind, a text box."""
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    texts = "".join(
        each if each.startswith("<a:p>") else f"<a:p><a:r><a:t>{each}</a:t></a:r></a:p>" for each in paragraphs
    )
    return f"<p:sp><p:nvSpPr>{holder}</p:nvSpPr><p:txBody>{texts}</p:txBody></p:sp>"


def workbook_file(
    *sheets: str, names: str = "", strings: str = "", styles: str = "", properties: str = "", drawing: str = ""
) -> bytes:
    """Return a workbook of sheets with these rows; `names` may contain other sheet entries, `drawing` belongs to the first sheet."""
    entries = names or "".join(f'<sheet name="S{n}" r:id="r{n}"/>' for n, _ in enumerate(sheets, 1))
    space = f'xmlns="{SHEETS}" xmlns:r="{RELATED}"'
    kinds = {f"r{n}": f"worksheet worksheets/sheet{n}.xml" for n, _ in enumerate(sheets, 1)}
    return packed(
        {
            "_rels/.rels": relations(r1="officeDocument xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {space}>{properties}<sheets>{entries}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(
                **kinds, s="sharedStrings sharedStrings.xml", y="styles styles.xml"
            ),
            "xl/sharedStrings.xml": f'<sst xmlns="{SHEETS}">{strings}</sst>',
            "xl/styles.xml": f'<styleSheet xmlns="{SHEETS}">{styles}</styleSheet>',
            **{
                f"xl/worksheets/sheet{n}.xml": f"<worksheet {space}>{rows}</worksheet>"
                for n, rows in enumerate(sheets, 1)
            },
            "xl/worksheets/_rels/sheet1.xml.rels": relations(d="drawing ../drawings/d.xml"),
            "xl/drawings/d.xml": f'<d xmlns:a="{DRAWING}">{drawing}</d>',
        }
    )


def book(chapters: Mapping[str, str], parts: Mapping[str, str | bytes] = {}) -> bytes:
    """Return an e-book with these chapters, by file name."""
    items = "".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n, _ in enumerate(chapters))
    said = "<metadata><title>The Book</title><language>en</language><date>2020-05-06</date></metadata>"
    made: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": f"<package>{said}<manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    made.update({f"OPS/{name}": f"<html><body>{markup}</body></html>" for name, markup in chapters.items()})
    return packed({**made, **parts})


def read(body: bytes, url: str = URL) -> Page:
    """Return the page of a body without a declared type."""
    return extract(body, url=url, content_type="application/octet-stream", charset=None)


def opendocument(
    content: str, kind: str = "text", *, automatic: str = "", common: str = "", parts: Mapping[str, str | bytes] = {}
) -> bytes:
    """Return an OpenDocument file: its content inside `office:text` or similar, its styles and other parts."""
    names = {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "presentation": "presentation", "fo": "xsl-fo-compatible", "svg": "svg-compatible", "meta": "meta",
    }  # fmt: skip
    space = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for short, name in names.items()
    )
    space += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {space}><office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:{kind}>{content}</office:{kind}></office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {space}><office:styles>{common}</office:styles></office:document-styles>",
            "meta.xml": f"<office:document-meta {space}><office:meta><dc:title>Made</dc:title><dc:language>en</dc:language>"
            "<meta:creation-date>2025-03-04T10:00:00</meta:creation-date></office:meta></office:document-meta>",
            **parts,
        }
    )


def compound(name: str, content: bytes) -> bytes:
    """Return an OLE container with one stream, which must fill at least eight sectors of 512 bytes."""
    content = content.ljust(4096, b"\0")
    content += b"\0" * (-len(content) % 512)
    sectors = len(content) // 512
    # Sector 0 is the allocation table, 1 the directory, then the stream.
    table = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, sectors + 2), 0xFFFFFFFE]
    header = bytes.fromhex("d0cf11e0a1b11ae1").ljust(24, b"\0") + struct.pack(
        "<HHHHHHIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0
    )
    difat = struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        label = title.encode("utf-16-le")
        head = label.ljust(64, b"\0") + struct.pack("<HBBIII", len(label) + 2, kind, 1, *[0xFFFFFFFF] * 2, child)
        return head + b"\0" * 36 + struct.pack("<IQ", start, size)

    directory = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry(name, 2, 0xFFFFFFFF, 2, len(content))
    fat = struct.pack(f"<{len(table)}I", *table).ljust(512, b"\xff")
    return (header + difat).ljust(512, b"\0") + fat + directory.ljust(512, b"\0") + content


def old_workbook(*cells: tuple[int, int, str | float], name: str = "Prices", hidden: int = 0) -> bytes:
    """Return an .xls file with one sheet of these cells: row and column from 0, and the value."""

    def record(kind: int, content: bytes) -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    def begin(kind: int) -> bytes:
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0, 0, 0, 0))

    label = struct.pack("<BB", len(name), 0) + name.encode("latin-1")
    globals_size = len(begin(5)) + 4 + 6 + len(label) + 4
    made = begin(5) + record(0x85, struct.pack("<IBB", globals_size, hidden, 0) + label) + record(0x0A, b"")
    made += begin(0x10)
    for row, column, value in cells:
        if isinstance(value, str):
            text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
            made += record(0x204, struct.pack("<HHH", row, column, 0) + text)
        else:
            made += record(0x203, struct.pack("<HHHd", row, column, 0, value))
    return compound("Workbook", made + record(0x0A, b""))


def binary_workbook(*cells: tuple[int, int, float], name: str = "Prices") -> bytes:
    """Return an .xlsb file with one sheet of these numbers: row and column from 0, sorted, and the value."""

    def record(kind: int, content: bytes) -> bytes:
        head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
        return head + bytes([len(content)]) + content

    def wide(text: str) -> bytes:
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    dimension = struct.pack("<IIII", cells[0][0], cells[-1][0], 0, max(cell[1] for cell in cells))
    sheet = record(129, b"") + record(148, dimension) + record(145, b"")
    last = -1
    for row, column, value in cells:
        if row != last:
            sheet += record(0, struct.pack("<IIHHB", row, 0, 0, 0, 0) + b"\0" * 4)
            last = row
        sheet += record(5, struct.pack("<IId", column, 0, value))
    book = (
        record(131, b"")
        + record(153, b"\0" * 12)
        + record(143, b"")
        + record(156, struct.pack("<II", 0, 1) + wide("rId1") + wide(name))
    )
    return packed(
        {
            "_rels/.rels": relations(r1="officeDocument xl/workbook.bin"),
            "xl/_rels/workbook.bin.rels": relations(rId1="worksheet worksheets/sheet1.bin"),
            "xl/workbook.bin": book + record(144, b"") + record(157, b"\0" * 26) + record(132, b""),
            "xl/worksheets/sheet1.bin": sheet + record(146, b"") + record(130, b""),
        }
    )
