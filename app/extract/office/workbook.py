"""Read workbooks (.xlsx, .xlsm): the stored values in their formats, except dates, which are always in ISO 8601.

Hidden sheets, rows and columns are omitted and counted in the note. Rows are read one by one, so that a large sheet takes little memory.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Final

from lxml import etree

from app.extract.office.elements import (
    attribute,
    attribute_with_namespace,
    child,
    children,
    comment_by,
    make,
    name_of,
    number,
    text_of,
)
from app.extract.office.package import Package, Relation, related
from app.extract.office.slides import write_graphic
from app.extract.page import Page
from app.extract.safe_xml import read_xml
from app.extract.sheet_text import MAX_COLUMNS, Row, SheetWriter, column_number

GENERAL: Final = "General"
BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd", 16: "yyyy-mm-dd",
    17: "yyyy-mm", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0",
    39: "#,##0.00", 40: "#,##0.00", 45: "h:mm:ss", 46: "[h]:mm:ss", 47: "h:mm:ss",
    **dict.fromkeys([*range(27, 32), 36, *range(50, 55), 57, 58], "yyyy-mm-dd"),
}  # fmt: skip
"""The formats that files reference by number only; those from 27 and from 50 on are dates in Chinese, Japanese and Korean files."""
_LITERAL: Final = re.compile(r'"([^"]*+)"|\\(.)|\[\$([^][-]*+)[^][]*+\]|\[[^][]*+\]|_.|\*.')
_DIGITS: Final = re.compile(r"[#0?][#0?,]*(?:\.([#0?]*))?(,*)")
_ELAPSED: Final = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"_x(?![dD][89a-fA-F])([0-9a-fA-F]{4})_")
"""A character as strings in workbooks name it, such as the end of a line."""
_EPOCH: Final = datetime(1899, 12, 30, tzinfo=UTC)
_EPOCH_1904: Final = datetime(1904, 1, 1, tzinfo=UTC)
_MAX_DAYS: Final = 2_958_465  # The last day of the year 9999.
_MAX_DECIMALS: Final = 15
_ROUNDING: Final = Context(prec=40, rounding=ROUND_HALF_UP)


def shown(number: str, code: str, *, is_1904: bool = False) -> str:
    """Return a number as its format shows it. If the format is unknown, return the number unchanged."""
    try:
        value = float(number)
    except ValueError:
        return number
    kind, decimals, has_groups, before, behind = _read(code)
    if kind in ("h", "m", "s", "date") and not 0 <= value <= _MAX_DAYS:
        return number
    if kind in ("h", "m", "s"):
        minutes, seconds = divmod(round(value * 86_400), 60)
        end = f":{seconds:02}" if decimals else ""
        hours = f"{minutes // 60}:{minutes % 60:02}{end}"
        return hours if kind == "h" else f"{minutes}{end}" if kind == "m" else str(minutes * 60 + seconds)
    if kind == "date":
        moment = (_EPOCH_1904 if is_1904 else _EPOCH) + timedelta(seconds=round(value * 86_400))
        is_midnight = moment.time() == datetime.min.time()
        form = "%H:%M:%S" if value < 1 else "%Y-%m-%d" if is_midnight else "%Y-%m-%d %H:%M:%S"
        return moment.strftime(form).removesuffix(":00")
    if kind == "general":
        return f"{value:.15g}" if abs(value) < 1e15 else number
    value = value * 100 if kind == "percent" else value / 1000 ** kind.count(",")
    # Spreadsheets round 15 significant digits, and halves away from zero; they do not show a negative zero.
    rounded = _ROUNDING.quantize(Decimal(f"{value:.15g}"), Decimal(1).scaleb(-decimals)) if abs(value) < 1e15 else value
    return f"{before}{rounded:z{',' if has_groups else ''}.{decimals}f}{behind}"


@lru_cache(maxsize=1024)
def _read(code: str) -> tuple[str, int, bool, str, str]:
    """Return kind, decimals, whether thousands are separated, and the texts before and after the digits.

    The kind of an elapsed time is its unit, and its decimals are 1 if it has seconds. Each comma in a kind divides by a thousand.
    """
    first = code.partition(";")[0]
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return "\0" if literals[-1] else ""

    bare = _LITERAL.sub(keep, first)
    if elapsed := _ELAPSED.search(first):
        return elapsed[1][0].lower(), int("s" in bare.lower()), False, "", ""
    if re.search(r"[ymdhs]", bare, re.IGNORECASE) and "general" not in bare.lower():
        return "date", 0, False, "", ""
    digits = _DIGITS.search(bare)
    if digits is None or "e" in bare.lower() or "/" in bare:
        return "general", 0, False, "", ""
    texts = iter(literals)
    before = "".join(next(texts) if sign == "\0" else sign for sign in bare[: digits.start()])
    behind = "".join(next(texts, "") if sign == "\0" else sign for sign in bare[digits.end() :])
    decimals = min(len(digits[1] or ""), _MAX_DECIMALS)
    whole = digits[0].partition(".")[0]
    scale = "," * (len(whole) - len(whole.rstrip(",")) + len(digits[2]) * ("." in digits[0]))
    return "percent" if "%" in bare else f"number{scale}", decimals, "," in whole.rstrip(","), before, behind


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
        writer.add_sheet(sheet.get("name", ""), workbook.rows(relation), workbook.texts(relation))
    return writer.page(
        package.url,
        package.metadata().title,
        hidden_sheets=hidden,
        hidden_rows=workbook.hidden_rows,
        hidden_columns=workbook.hidden_columns,
        is_cut=package.is_cut,
    )


class _Workbook:
    def __init__(self, package: Package) -> None:
        main = package.main_part("xl/workbook.xml")
        self._package = package
        self.root = package.xml(main)
        self.relations: dict[str, Relation] = package.relations(main)
        self.hidden_rows = self.hidden_columns = 0  # with text
        self._is_1904 = attribute(child(self.root, "workbookPr"), "date1904") in _YES
        strings, styles = (related(self.relations, kind) for kind in ("sharedStrings", "styles"))
        self._strings = [_string(each) for each in package.xml(strings)] if strings in package else []
        self._formats = _formats(package.xml(styles)) if styles in package else []

    def rows(self, sheet: Relation) -> Iterator[Row]:
        """Yield the visible rows of a sheet with their numbers."""
        hidden: dict[int, bool] = {}  # Whether text was found in each hidden column.
        last = 0
        comments = self._comments(sheet)
        waiting = sorted(comments, reverse=True)
        for element in self._package.stream(sheet.target, ("col", "row"), MAX_SHEET_TAGS):
            if name_of(element) == "col":
                if attribute(element, "hidden") in _YES:
                    first, final = (number(attribute(element, key)) for key in ("min", "max"))
                    hidden.update(dict.fromkeys(range(first - 1, min(final, MAX_COLUMNS)), False))
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

    def texts(self, sheet: Relation) -> Iterator[str]:
        """Yield the texts of the text boxes, shapes and diagrams on a sheet."""
        part = related(self._package.relations(sheet.target), "drawing")
        for drawn in self._package.xml(part).iter("{*}sp", "{*}relIds") if part in self._package else ():
            if next(drawn.iterancestors("{*}Fallback"), None) is not None:
                continue  # For other programs, often a note that they cannot show the shape.
            if name_of(drawn) == "relIds":
                diagram = make("div")
                write_graphic(drawn, diagram, self._package, self._package.relations(part))
                yield from (each.text_content() for each in diagram)
            else:
                texts = drawn.iter("{*}p", "{*}t", "{*}br")
                yield "".join((text.text or "") if name_of(text) == "t" else " " for text in texts)

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

    def _cells(self, row: etree._Element, hidden: dict[int, bool]) -> list[str]:
        cells: list[str] = []
        for cell in row:
            reference = _REFERENCE.fullmatch(cell.get("r", ""))
            column = column_number(reference[1]) if reference else len(cells)
            if column >= MAX_COLUMNS or column < len(cells):
                continue
            cells += [""] * (column - len(cells))
            text = "" if hidden.get(column) else self._text(cell)
            if column in hidden and text:
                hidden[column] = True
                self.hidden_columns += 1
            cells.append("" if column in hidden else text)
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
        if kind == "str":
            return _unescaped(text)
        if kind in _NUMBERS and text:
            style = number(cell.get("s", ""), -1)
            code = self._formats[style] if 0 <= style < len(self._formats) else GENERAL
            return shown(text, code, is_1904=self._is_1904)
        return text


def _with_comments(cells: list[str], comments: dict[int, list[str]], hidden: Collection[int]) -> list[str]:
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
    return _unescaped("".join(text.text or "" for part in parts for text in children(part, "t")))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _formats(root: etree._Element) -> list[str]:
    own = {
        number(attribute(each, "numFmtId"), -1): attribute(each, "formatCode")
        for each in children(child(root, "numFmts"), "numFmt")
    }
    styles = (number(attribute(each, "numFmtId")) for each in children(child(root, "cellXfs"), "xf"))
    return [own.get(key) or BUILT_IN.get(key, GENERAL) for key in styles]


def extract_sheet_xml(body: bytes, *, url: str) -> Page:
    """Return the page of a workbook in the XML of Excel 2003. Raises EmptyFileError."""
    root, is_cut = read_xml(body)
    writer = SheetWriter()
    for sheet in root.iter("{*}Worksheet") if root is not None else ():
        writer.add_sheet(attribute(sheet, "Name"), _xml_rows(sheet))
    return writer.page(url, "", is_cut=is_cut)


def _xml_rows(sheet: etree._Element) -> Iterator[Row]:
    last = 0
    for row in sheet.iter("{*}Row"):
        last = min(number(attribute(row, "Index"), last + 1), _MAX_ROW)
        cells: list[str] = []
        for cell in children(row, "Cell"):
            column = number(attribute(cell, "Index"), len(cells) + 1) - 1
            if len(cells) <= column < MAX_COLUMNS:
                data = child(cell, "Data")
                text = "".join(map(str, data.itertext())) if data is not None else ""
                cells += [""] * (column - len(cells))
                cells.append(text.removesuffix("T00:00:00.000") if attribute(data, "Type") == "DateTime" else text)
        yield last, cells
