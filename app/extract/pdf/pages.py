"""Read a page of a PDF file: its lines, tables, form values and links."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app import caps
from app.extract.addresses import has_host, is_web_address, with_lower_scheme
from app.extract.pdf.forms import with_values
from app.extract.pdf.lines import PageText, Reader, cleaned
from app.extract.pdf.tables import with_tables

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage


def read_page(page: PdfPage, number: int) -> PageText:
    """Return text and links of a page; empty if it has none."""
    content = page.get_textpage()
    try:
        reader = Reader(page, content)
        lines = with_values(page, reader, with_tables(page, reader, list(reader.lines())))
        links = tuple(_links(page, content)) if lines else ()
    finally:
        content.close()
    return PageText(number, reader.width, reader.height, tuple(lines), links)


def _links(page: PdfPage, content: PdfTextPage) -> Iterator[tuple[str, str]]:
    import pypdfium2.raw as pdfium

    place, link, area = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(caps.MAX_LINKS_PER_PAGE):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
            return
        address = _address(page, link)
        if address and pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            text = content.get_text_bounded(area.left, area.bottom, area.right, area.top)
            yield " ".join(cleaned(text).split()), address


def _address(page: PdfPage, link: object) -> str:
    """Return the web address of a link; empty for other targets."""
    import pypdfium2.raw as pdfium

    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    document = page.pdf.raw
    size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 1 < size <= caps.MAX_URL_CHARS:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, size)
    address = buffer.value.decode("utf-8", "replace").strip()
    return with_lower_scheme(address) if is_web_address(address) and has_host(address) else ""
