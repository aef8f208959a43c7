"""Tables made of `div` elements become real ones."""

from __future__ import annotations

from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.xpath import elements

_FIRST: Final = frozenset({"col-first", "col-summary-item-name"})
_HEADER: Final = "table-header"
_ROWS: Final = elements(
    "./*[@role='row'] | ./*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='row']"
)
_CELL_ROLES: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}


def to_table(element: HtmlElement) -> bool:
    """Put the cells of a summary table of Javadoc, which stand side by side, into rows; False when it has none."""
    cells = [child for child in element if isinstance(child.tag, str)]
    rows: list[HtmlElement] = []
    for cell in cells:
        tokens = (cell.get("class") or "").split()
        if not _FIRST.isdisjoint(tokens) or not rows:
            rows.append(etree.SubElement(element, "tr"))
        cell.tag = "th" if _HEADER in tokens else "td"
        rows[-1].append(cell)
    return len(rows) > 1


def from_roles(element: HtmlElement) -> bool:
    """Name rows and cells what their roles say; False where there are none."""
    rows = _ROWS(element)
    for row in rows:
        row.tag = "tr"
        for cell in row:
            cell.tag = _CELL_ROLES.get(cell.get("role") or "", cell.tag)
    return bool(rows)
