"""Fuzzing targets for files: the XML inside Office files is damaged, not the archive around it, and the other formats as they are."""

from __future__ import annotations

from collections.abc import Callable
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
    b"def f(): ", b"class A {", b"/*", b"# ",
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
OFFICE: Final[dict[str, tuple[str, Callable[[str], bytes]]]] = {
    "word": (_WORD, files.word),
    "slides": (_SLIDE, files.slides),
    "sheets": (_SHEET, lambda rows: files.sheet(rows, "<si><t>text</t></si>")),
    "opendocument": (_ODT, lambda content: files.opendocument("text", content)),
}
"""The damaged part of each format, and what makes a file of it."""
TEXTS: Final[dict[str, bytes]] = {
    "a.ipynb": b'{"cells": [{"cell_type": "markdown", "source": ["# Hives\\n"]}, {"cell_type": "code", "source": "x = 1", "outputs": '
    b'[{"output_type": "stream", "text": "1"}, {"data": {"text/html": "<table><tr><td>1</table>"}}]}], "metadata": {"title": "T"}}',
    "a.rst": b"Hives\n=====\n\nCork *warm* ``code`` `a <https://a.example>`_ [1]_\n\n.. note:: Mind.\n\n+---+---+\n| a | b |\n+---+---+\n\n"
    b".. code-block:: py\n\n   x = 1\n\n.. [1] Note.\n",
    "a.csv": b'Hive,Weight,Note\nCork,12.5,"a, ""b""\nc"\n\nWood;3\n',
    "a.mbox": b"From a@example.com Mon Jan  1 00:00:00 2024\nFrom: A <a@example.com>\nTo: b\nSubject: Hives\nContent-Type: "
    b"multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nCork.\n--x--\n\nFrom b@example.com Tue\nSubject: Two\n\n>From here\n",
    "a.py": b'"""Hives."""\n\nclass Hive:\n    """One."""\n\n    def warm(self) -> None:\n        return None\n',
    "a.yaml": b"hives:\n  - cork: 1 # one\n    note: |\n      text\n",
    "a.rtf": b'{\\rtf1\\ansi{\\fonttbl{\\f0 Courier;}}\\b Hives\\b0\\par {\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt a}}'
    rb"\u233?\'e9\par}",
}
"""A seed of each format, by the name of the file."""
