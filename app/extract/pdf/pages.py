"""Read a page of a PDF file: its lines, tables, form values and links."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.extract.addresses import has_host, is_web_address, with_lower_scheme
from app.extract.pdf.lines import Box, Line, PageText, Reader, cleaned
from app.extract.pdf.tables import with_tables

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage


def read_page(page: PdfPage, number: int) -> PageText:
    """Return text and links of a page; empty if it has none that is readable."""
    content = page.get_textpage()
    try:
        reader = Reader(page, content)
        lines = [] if (is_garbled := reader.is_garbled) else with_tables(page, reader, list(reader.lines()))
        for place, field in enumerate(_fields(page, reader), 1):
            _insert(lines, field, -place)
        links = tuple(_links(page, content)) if lines else ()
    finally:
        content.close()
    return PageText(number, reader.width, reader.height, tuple(lines), links, is_garbled)


def _links(page: PdfPage, content: PdfTextPage) -> Iterator[tuple[str, str]]:
    """Yield text and address of the links to web addresses."""
    import pypdfium2.raw as pdfium

    place, link, area = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(caps.MAX_LINKS_PER_PAGE):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        size = pdfium.FPDFAction_GetURIPath(page.pdf.raw, action, None, 0)
        if not 1 < size <= caps.MAX_URL_CHARS:
            continue
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFAction_GetURIPath(page.pdf.raw, action, buffer, size)
        address = with_lower_scheme(buffer.value.decode("utf-8", "replace").strip())
        is_web = is_web_address(address) and has_host(address)
        if is_web and pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            text = content.get_text_bounded(area.left, area.bottom, area.right, area.top)
            yield " ".join(cleaned(text).split()), address


MAX_FIELDS: Final = 2_000  # The limit for one page.
MAX_VALUE_CHARS: Final = 10_000
_HIDDEN: Final = 2 | 32  # Flags of annotations that are not shown: hidden, no view.
_PASSWORD: Final = 1 << 13
_MAX_LABEL_CHARS: Final = 40
_LABEL_ENDS: Final = (":", "…")
_BESIDE: Final = 3.0  # The maximum distance of a check box's label to its right, as a multiple of the font size.


@dataclass(frozen=True, slots=True)
class _Field:
    """A visible form field with its label, or a text that was typed on the page, without one."""

    box: Box
    value: str
    name: str
    is_mark: bool
    is_remark: bool

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def _fields(page: PdfPage, reader: Reader) -> Iterator[_Field]:
    import pypdfium2.raw as pdfium

    form = page.formenv.raw if page.formenv is not None else None
    area = pdfium.FS_RECTF()
    for number in range(min(pdfium.FPDFPage_GetAnnotCount(page.raw), MAX_FIELDS)):
        mark = pdfium.FPDFPage_GetAnnot(page.raw, number)
        try:
            kind, name, value, is_mark = pdfium.FPDFAnnot_GetSubtype(mark), "", "", False
            if pdfium.FPDFAnnot_GetFlags(mark) & _HIDDEN or not pdfium.FPDFAnnot_GetRect(mark, ctypes.byref(area)):
                continue
            if kind == pdfium.FPDF_ANNOT_WIDGET and form is not None:
                value, is_mark = _value(form, mark)
                name = _text(partial(pdfium.FPDFAnnot_GetFormFieldAlternateName, form), mark)
            elif kind == pdfium.FPDF_ANNOT_FREETEXT:  # text that somebody typed on the page
                value = _text(lambda mark, *place: pdfium.FPDFAnnot_GetStringValue(mark, b"Contents", *place), mark)
            box = reader.turned((area.left, area.bottom, area.right, area.top))
            if value and reader.shows(box):
                yield _Field(box, value, name, is_mark, kind == pdfium.FPDF_ANNOT_FREETEXT)
        finally:
            pdfium.FPDFPage_CloseAnnot(mark)


def _value(form: Any, mark: Any) -> tuple[str, bool]:
    """Return the value of a field, and whether it is a check box."""
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetFormFieldType(form, mark)
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        return ("[x]" if pdfium.FPDFAnnot_IsChecked(form, mark) else "[ ]"), True
    if (
        kind not in (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
        or pdfium.FPDFAnnot_GetFormFieldFlags(form, mark) & _PASSWORD
    ):
        return "", False
    is_list = kind != pdfium.FPDF_FORMFIELD_TEXTFIELD
    count = min(pdfium.FPDFAnnot_GetOptionCount(form, mark), MAX_FIELDS) if is_list else 0
    selected = (number for number in range(count) if pdfium.FPDFAnnot_IsOptionSelected(form, mark, number))

    def label(number: int, mark: Any, place: Any, size: int) -> int:
        return int(pdfium.FPDFAnnot_GetOptionLabel(form, mark, number, place, size))

    chosen = ", ".join(_text(partial(label, number), mark) for number in selected)
    return chosen or _text(partial(pdfium.FPDFAnnot_GetFormFieldValue, form), mark), False


def _text(read: Any, mark: Any) -> str:
    """Return a text that PDFium provides as UTF-16 in two calls."""
    import pypdfium2.raw as pdfium

    size = min(read(mark, None, 0), 2 * MAX_VALUE_CHARS)
    buffer = ctypes.create_string_buffer(max(size, 2))
    if read(mark, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), len(buffer)) > len(buffer):
        return ""
    return " ".join(cleaned(buffer.raw.decode("utf-16-le", "replace").partition("\0")[0]).split())


def _insert(lines: list[Line], field: _Field, row: int) -> None:
    """Put the value next to its label: a check box before the text on its right, other values after the text on their left.

    Remarks on running text follow the page, because they would part its sentences.
    """
    left, low, right, _ = field.box
    beside = [
        (place, line)
        for place, line in enumerate(lines)
        if not line.cells and line.base - line.size / 2 < field.middle - line.size / 4 < line.base + line.size
    ]
    behind = [(place, line) for place, line in beside if 0 <= line.left - right + 2 < _BESIDE * line.size]
    before = [(place, line) for place, line in beside if line.left < left]
    if field.is_remark and any(_is_running(line) for _, line in beside):
        below = min(min(line.base, line.last_base) - _BESIDE * line.size for line in lines)
        lines.append(_own_line(field, lines, field.value, below, row))
    elif field.is_mark and behind:
        place, line = min(behind, key=lambda each: each[1].left)
        lines.insert(place, _line(field, line, field.value))
    elif before:
        place, line = max(before, key=lambda each: each[1].left)
        lines.insert(place + 1, _line(field, line, field.value))
    elif not field.is_mark or field.name:
        above = [place for place, line in enumerate(lines) if line.base >= field.middle]
        place = max(above, key=lambda place: -lines[place].base, default=-1)
        text = f"{field.name}: {field.value}" if field.name else field.value
        lines.insert(place + 1, _own_line(field, lines, text, low, row))


def _is_running(line: Line) -> bool:
    return len(line.text) > _MAX_LABEL_CHARS and not line.text.endswith(_LABEL_ENDS)


def _own_line(field: _Field, lines: Sequence[Line], text: str, base: float, row: int) -> Line:
    """Return a line that is not larger than the text of the page, so that it is not a heading."""
    left, low, right, high = field.box
    size = min(high - low, median(line.size for line in lines) if lines else 12.0)
    return Line(text, left, right, base, base, size, is_mono=False, row=row)


def _line(field: _Field, label: Line, text: str) -> Line:
    left, _, right, _ = field.box
    return Line(text, left, right, label.base, label.last_base, label.size, is_mono=False, row=label.row)
