"""Data tables in markup, with every span filled."""

from __future__ import annotations

from itertools import zip_longest

from lxml.html import HtmlElement

from support.letters import letters

MAX_SPAN = 100
LAYOUTS = ("indextable", "indextable genindextable", "indextable modindextable", "memname", "memberdecls")


def is_data(table: HtmlElement) -> bool:
    """Whether a table contains data in several columns instead of blocks or line numbers."""
    classes = table.get("class") or ""
    if table.get("role") == "presentation" or classes in LAYOUTS or table.find(".//table") is not None:
        return False
    if next(table.iterancestors("table"), None) is not None:
        return False
    if any("\n" in "".join(block.itertext()).strip() for block in table.iter("pre")):
        return False
    if any(True for _ in table.iter("h1", "h2", "h3", "h4")):
        return False
    return sum(len(_cells(row)) > 1 for row in table.iter("tr")) > 0


def spanned_rows(table: HtmlElement) -> list[list[str]]:
    """Return the cell texts. Spanning cells are repeated in every row and column."""
    rows: list[list[str]] = []
    below: dict[int, list[str]] = {}
    for source in table.iter("tr"):
        waiting = iter(_cells(source))
        row: list[str] = []
        while True:
            held = below.get(len(row))
            if held:
                row.append(held.pop())
                continue
            cell = next(waiting, None)
            if cell is None:
                break
            text, across, down = cell.text_content(), _span(cell, "colspan"), _span(cell, "rowspan")
            for _ in range(across):
                below[len(row)] = [text] * (down - 1)
                row.append(text)
        rows.append(row)
    return rows


def compared_rows(table: HtmlElement) -> list[tuple[str, ...]]:
    """Return the rows for comparison. Consecutive header rows are merged, because a Markdown table has one header."""
    rows = [[letters(cell) for cell in row] for row in spanned_rows(table)]
    sources = list(table.iter("tr"))
    headers = 0
    while (
        headers < len(rows) and _cells(sources[headers]) and all(cell.tag == "th" for cell in _cells(sources[headers]))
    ):
        headers += 1
    if 1 < headers < len(rows):
        columns = zip_longest(*rows[:headers], fillvalue="")
        rows[:headers] = [["".join(dict.fromkeys(column)) for column in columns]]
    return [trimmed(row) for row in rows]


def trimmed(row: list[str]) -> tuple[str, ...]:
    """Return a row without empty cells at its end, which short rows lack. A cell over the whole row becomes one text."""
    while row and not row[-1]:
        row = row[:-1]
    return tuple(row) if len(set(row)) > 1 else tuple(row[:1])


def _cells(row: HtmlElement) -> list[HtmlElement]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _span(cell: HtmlElement, name: str) -> int:
    value = cell.get(name) or ""
    return min(max(int(value), 1), MAX_SPAN) if value.isdigit() else 1
