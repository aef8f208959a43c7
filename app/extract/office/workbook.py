"""Read workbooks (.xlsx, .xlsm): the stored values, shown in their formats.

Hidden sheets, rows and columns are omitted and counted in the note. Rows are read one by one, so that a large sheet takes little memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from app.extract.office.cell_formats import BUILT_IN, GENERAL, shown
from app.extract.office.elements import (
    attribute,
    attribute_with_namespace,
    child,
    children,
    comment_by,
    name_of,
    number,
    text_of,
)
from app.extract.office.package import Package, Relation, related
from app.extract.page import Page
from app.extract.sheet_text import MAX_COLUMNS, Row, SheetWriter, column_number

MAX_SHEET_TAGS: Final = 8_000_000
MAX_SHEETS: Final = 500
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_NUMBERS: Final = ("", "n")
_YES: Final = ("1", "true", "on")
_MAX_ROW: Final = 1_048_576


def extract_workbook(package: Package) -> Page:
    """Return the page of a workbook. Raises EmptyPageError, UnsupportedContentError and ContentProtectedError."""
    workbook = _Workbook(package)
    writer = SheetWriter()
    hidden = 0
    for sheet in list(children(child(workbook.root, "sheets"), "sheet"))[:MAX_SHEETS]:
        relation = workbook.relations.get(attribute_with_namespace(sheet, "id"))
        if relation is None or relation.kind != "worksheet" or relation.target not in package or writer.is_full:
            continue
        if sheet.get("state", "visible") != "visible":
            hidden += 1
            continue
        writer.add_sheet(sheet.get("name", ""), workbook.rows(relation))
    title, rows = package.metadata().title, workbook.hidden_rows
    return writer.page(package.url, title, hidden_sheets=hidden, hidden_rows=rows, is_cut=package.is_cut)


class _Workbook:
    def __init__(self, package: Package) -> None:
        main = package.main_part("xl/workbook.xml")
        self._package = package
        self.root = package.xml(main)
        self.relations: dict[str, Relation] = package.relations(main)
        self.hidden_rows = 0
        self._is_1904 = attribute(child(self.root, "workbookPr"), "date1904") in _YES
        strings, styles = (related(self.relations, kind) for kind in ("sharedStrings", "styles"))
        self._strings = [_string(each) for each in package.xml(strings)] if strings in package else []
        self._formats = _formats(package.xml(styles)) if styles in package else []

    def rows(self, sheet: Relation) -> Iterator[Row]:
        """Yield the visible rows of a sheet with their numbers."""
        hidden: set[int] = set()
        last = 0
        comments = self._comments(sheet)
        waiting = sorted(comments, reverse=True)
        for element in self._package.stream(sheet.target, ("col", "row"), MAX_SHEET_TAGS):
            if name_of(element) == "col":
                if attribute(element, "hidden") in _YES:
                    first, final = (number(attribute(element, key)) for key in ("min", "max"))
                    hidden.update(range(first - 1, min(final, MAX_COLUMNS)))
                continue
            last = min(number(attribute(element, "r"), last + 1), _MAX_ROW)
            while waiting and waiting[-1] < last:  # comments in blank rows
                yield waiting[-1], _with_comments([], comments[waiting.pop()], hidden)
            said = comments[waiting.pop()] if waiting and waiting[-1] == last else {}
            if attribute(element, "hidden") in _YES:
                self.hidden_rows += 1
                yield last, []
            else:
                yield last, _with_comments(self._cells(element, hidden), said, hidden)
        for row in reversed(waiting):
            yield row, _with_comments([], comments[row], hidden)

    def _comments(self, sheet: Relation) -> dict[int, dict[int, list[str]]]:
        """Return the comments of a sheet by row and column. Conversations have an older copy, which is ignored."""
        relations = self._package.relations(sheet.target)
        part = related(relations, "threadedComment") or related(relations, "comments")
        found: dict[int, dict[int, list[str]]] = {}
        if not self._package.reads_comments or part not in self._package:
            return found
        root, people = self._package.xml(part), related(self.relations, "person")
        authors = {str(at): text_of(each) for at, each in enumerate(children(child(root, "authors"), "author"))}
        for person in self._package.xml(people) if people in self._package else ():
            authors[attribute(person, "id")] = attribute(person, "displayName")
        for comment in root.iter("{*}comment", "{*}threadedComment"):
            if place := _REFERENCE.fullmatch(comment.get("ref", "")):
                author = authors.get(attribute(comment, "personId") or attribute(comment, "authorId"), "")
                text = child(comment, "text")
                said = (text_of(text) or _string(text)).removeprefix(f"{author}:").strip()
                row = found.setdefault(int(place[2]), {})
                row.setdefault(column_number(place[1]), []).append(f"[{comment_by(author)}: {said}]")
        return found

    def _cells(self, row: etree._Element, hidden: set[int]) -> list[str]:
        cells: list[str] = []
        for cell in row:
            reference = _REFERENCE.fullmatch(cell.get("r", ""))
            column = column_number(reference[1]) if reference else len(cells)
            if column >= MAX_COLUMNS or column < len(cells):
                continue
            cells += [""] * (column - len(cells))
            cells.append("" if column in hidden else self._text(cell))
        return cells

    def _text(self, cell: etree._Element) -> str:
        kind = cell.get("t", "")
        if kind == "inlineStr":
            return _string(child(cell, "is"))
        found = child(cell, "v")
        text = (found.text or "") if found is not None else ""
        if kind == "s":
            place = number(text, -1)
            return self._strings[place] if 0 <= place < len(self._strings) else ""
        if kind == "b":
            return "TRUE" if text == "1" else "FALSE"
        if kind in _NUMBERS and text:
            style = number(cell.get("s", ""), -1)
            code = self._formats[style] if 0 <= style < len(self._formats) else GENERAL
            return shown(text, code, is_1904=self._is_1904)
        return text


def _with_comments(cells: list[str], comments: dict[int, list[str]], hidden: set[int]) -> list[str]:
    """Return a row in which the comments on its visible cells follow their texts."""
    for column, said in comments.items():
        if column < MAX_COLUMNS and column not in hidden:
            cells += [""] * (column + 1 - len(cells))
            cells[column] = " ".join(filter(None, [cells[column], *said]))
    return cells


def _string(element: etree._Element | None) -> str:
    """Return the text of a string, without phonetic readings."""
    if element is None:
        return ""
    parts = [element, *children(element, "r")]
    return "".join(text.text or "" for part in parts for text in children(part, "t"))


def _formats(root: etree._Element) -> list[str]:
    own = {
        number(attribute(each, "numFmtId"), -1): attribute(each, "formatCode")
        for each in children(child(root, "numFmts"), "numFmt")
    }
    styles = (number(attribute(each, "numFmtId")) for each in children(child(root, "cellXfs"), "xf"))
    return [own.get(key) or BUILT_IN.get(key, GENERAL) for key in styles]
