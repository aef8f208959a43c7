"""Fuzzing targets for files: the XML inside Office files is damaged, not the archive around it, and the other formats as they are."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from support import format_hostile as files

OFFICE_WORDS: Final = (
    b"<w:p>", b"</w:p>", b"<w:r><w:t>", b"</w:t></w:r>", b"<w:tbl>", b"<w:tr>", b"<w:tc>", b'<w:gridSpan w:val="-3"/>', b"<w:ins>",
    b'<w:numPr><w:ilvl w:val="9"/></w:numPr>', b'<w:fldChar w:fldCharType="begin"/>', b"<w:instrText>", b"<a:t>", b"<a:p>",
    b'<a:pPr lvl="99">', b"<a:buAutoNum/>", b'<c r="XFD9" t="s"><v>7</v></c>', b'<row r="0">', b'spans="x"', b'r="A"', b"<text:list>",
    b"<text:p>", b'table:number-columns-repeated="9999"', b'text:outline-level="-1"', b"<table:table-cell/>", b"<!--", b"<![CDATA[",
)  # fmt: skip
TEXT_WORDS: Final = (
    b'"', b",", b"\t", b";", b"From a@b Mon\n", b"\n\n", b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b".. note::\n", b"   ",
    b"+---+\n", b"====\n", b"`a <b_>`_", b"|x|", b"::\n", b'"cells": [', b'"source": ', b'"outputs": [{"text": "x"}]', b"[" * 900,
    b"def f(): ", b"class A {", b"/*", b"# ", b"|===\n", b"----\n", b"include::a[]\n", b"[source,c]\n",
    b"\\begin{tabular}{ll}", b"\\end{x}",
    b"\\verb|", b"$$", b"\\newcommand{\\a}{\\a\\a}", b"@table @code\n", b"@end ", b"@c{", b".TH A 1\n", b".IP \\(bu\n", b".de x\n", b"\\fB",
    b".so a\n", b"00:00:01,000 --> ", b"<b>", b"<section><title>", b"</para>", b"<body>", b"Content-Type: message/rfc822\n\n",
    b"Content-Disposition: attachment; filename=a.csv\n", b"PK\x03\x04",
)  # fmt: skip
_WORD: Final = (
    '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Hives</w:t></w:r></w:p><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Cork</w:t></w:r>'
    '<w:r><w:br/><w:tab/><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "https://a.example"</w:instrText></w:r></w:p><w:tbl>'
    '<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>'
)  # fmt: skip
_SLIDE: Final = (
    '<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Hives</a:t></a:r></a:p></p:txBody></p:sp>'
    '<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:pPr lvl="1"><a:buAutoNum/></a:pPr><a:r><a:rPr b="1"><a:latin '
    'typeface="Courier"/></a:rPr><a:t>cork</a:t></a:r></a:p></p:txBody></p:sp>'
)
_SHEET: Final = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Hive</t></is></c><c r="B1"><v>2.5</v></c></row><row r="3"><c r="A3" t="s"><v>0</v></c>'
    '<c r="C3" t="b"><v>1</v></c></row>'
)
_ODT: Final = (
    '<text:h text:outline-level="1">Hives</text:h><text:p>Cork<text:s text:c="2"/><text:span>a</text:span></text:p><text:list>'
    "<text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item>"
    "</text:list><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>"
)
_CHAPTER: Final = (
    '<h1 id="a">Hives</h1><p>Cork <a href="c.xhtml#a">warm</a></p><table><tr><th>a</th></tr><tr><td>b</td></tr></table>'
    "<pre>x</pre>"
)
OFFICE: Final[dict[str, tuple[str, Callable[[str], bytes]]]] = {
    "word": (_WORD, files.word),
    "slides": (_SLIDE, files.slides),
    "sheets": (_SHEET, lambda rows: files.sheet(rows, "<si><t>text</t></si>")),
    "opendocument": (_ODT, lambda content: files.opendocument("text", content)),
    "book": (_CHAPTER, lambda chapter: files.book('<itemref idref="c"/>', f"<html><body>{chapter}</body></html>")),
    "zip": (
        "# Hives\n\n## Cork\n\nWarm.\n",
        lambda text: files.packed({"a.md": text, "b/c.csv": text}),
    ),
}
"""The damaged part of each format, and what makes a file of it."""


def _unpacked(text: bytes) -> bytes:
    return zlib.decompress(base64.b85decode(text))


OLD_WORKBOOK: Final = _unpacked(
    b"c-rmNI}U<C5C-6Xc?lFmEG(?7J%q6_u{1XJ8VW+92^td*;6XfsC($G5K@<l93RX}V&Hs_fP8OEO4lI|me?6XhH+&dE$0KoImHJd3nKop9lB8+T"
    b"rV{!ocZsxqy422)FeTEOw<K%{C$BI4ry16=ZPCXVD`{iw(L@)fD$b>9jw!DfbGdqq2#f4KA~e;3rpnJ#XN;DwUnJkREfZmxmA(T!46@9^G!B=+"
    b"#(f=Goi;=BiwtUl5IY3WHBWvM@0Y<CxtwPrA|fIpBBF140uRN+;s"
)
"""An .xls file with two cells."""
_BINARY_BOOK: Final = _unpacked(b"c-m`bWSGgw!+-?(85!m<s(@IGK+FQfMGT${DGY`TY(RDZkeA7j%#g}Z%rJqGVJ@Q-15VJw$N&JW#s~`")
BINARY_SHEET: Final = _unpacked(b"c-m`ZWSGJzzyJiy3=qHs#1k1A7z7#60jmHipT&VekQq}E6AJ%>{Uk<)CPoGT(dGo1")


def binary_workbook(sheet: bytes) -> bytes:
    """Return an .xlsb file with this sheet."""
    return files.packed(
        {
            "_rels/.rels": files.relations(r1=("officeDocument", "xl/workbook.bin")),
            "xl/_rels/workbook.bin.rels": files.relations(rId1=("worksheet", "worksheets/sheet1.bin")),
            "xl/workbook.bin": _BINARY_BOOK,
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


TEXTS: Final[dict[str, bytes]] = {
    file.name: file.read_bytes() for file in sorted(Path(__file__).with_name("seeds").iterdir())
}
"""A seed of each format, by the name of the file."""
