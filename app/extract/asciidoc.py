"""Read AsciiDoc: headings, lists, blocks, tables, notices and inline formats. Other files are never included."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.asciidoc_inline import Inline, bare_formula
from app.extract.clean import shown_body
from app.extract.markup import MAX_DEPTH, Notes, Source, code_block, formula
from app.extract.office.elements import make, number
from app.extract.page import Page

MAX_ATTRIBUTES: Final = 1_000
MAX_COLUMNS: Final = 200
_MAX_VALUE_CHARS: Final = 1_000
_AUTHORS: Final = re.compile(r"[\w.\"' -]+<[^<>]+>|v?\d[\w.]*,")
_NOTICES: Final = ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
_NOTICE: Final = re.compile(rf"({'|'.join(_NOTICES)}):[ \t]+(.*)", re.DOTALL)
_HEADING: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ATTRIBUTE: Final = re.compile(r":(!?[\w-]+!?):(?:[ \t]++(.*))?")
_DIRECTIVE: Final = re.compile(r"(include|ifdef|ifndef|ifeval|endif|toc)::?[^\s\[]{0,1000}\[[^\n]*\]")
_ANCHOR: Final = re.compile(r"\[\[([^\],\[]++)(?:,[^\]]*+)?\]\]|\[#([\w:.-]++)[^\]]*+\]")
_BLOCK_STYLE: Final = re.compile(r"\[([^\[\]]*)\][ \t]*")
_IMAGE: Final = re.compile(r"image::([^\s\[]{1,2000})\[([^\]]*)\][ \t]*")
_ITEM: Final = re.compile(r"[ \t]*(\*{1,6}|-|\.{1,6}|\d{1,6}[.)]|<\d{1,3}>|<\.>)[ \t]+(\S.*)")
_TERM: Final = re.compile(r"[ \t]*(\S(?:[^:;]|:(?!:)|;(?!;))*?)(:{2,4}|;;)(?:[ \t]++(.*+)|[ \t]*+)")
_CHECK: Final = re.compile(r"\[([ xX*])\][ \t]+")
_DELIMITER: Final = re.compile(r"(-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,120}|--|```[\w+#.-]*|[|,:!]={3,})[ \t]*")
"""The end of each length of slashes is searched in the rest of the file, so there is a longest one."""
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,20}")
_CELL: Final = r"(?<!\\)(?:(?:(?<=\s)|(?<![\s\S]))(?:(\d{0,3})(?:\.(\d{1,3}))?([+*]))?[<^>.]{0,4}[adehlmsv]?)?"
"""What may precede the sign before a cell: how many columns and rows it spans (`2.3+`), or how often it is repeated (`2*`)."""
_SEPARATOR: Final = re.compile(r"separator=\"?([^\s\",])")
_MAX_SPAN: Final = 100
_COLUMNS: Final = re.compile(r"cols=(?:\"([^\"]*)\"|([^,\s]+))")
_REPEATED: Final = re.compile(r"(\d{1,3})\*")


def extract_asciidoc(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of an AsciiDoc body. Raises EmptyPageError and UnsupportedContentError."""
    source = Source(body, url=url, charset=charset)
    if source.is_data("|"):
        return source.as_written()
    reader = _Reader(source)
    content = make("body")
    reader.write_blocks([line for line in source.text.split("\n") if not reader.is_directive(line)], content, 0)
    reader.notes.append_to(content)
    return source.page(content, title=reader.title)


class _Block:
    """The style with the language, the title and the anchor of the next block, from the lines before it."""

    def __init__(self) -> None:
        self.style: list[str] = []
        self.said = ""
        self.title = ""
        self.anchor = ""

    @property
    def name(self) -> str:
        return re.split(r"[#.%]", self.style[0], maxsplit=1)[0] if self.style else ""


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._attributes: dict[str, str] = {}
        self.notes = Notes()
        self.title = ""
        self._inline = Inline(self._attributes, self.notes)

    def write_blocks(self, lines: list[str], out: HtmlElement, depth: int) -> None:
        """Write the blocks of some lines, which are the whole file or the content of a block."""
        block = _Block()
        place = 0
        while place < len(lines):
            line = lines[place].rstrip()
            is_comment = line.startswith("//") and not _DELIMITER.fullmatch(line)
            if attribute := _ATTRIBUTE.fullmatch(line):
                if len(self._attributes) < MAX_ATTRIBUTES:
                    self._attributes[attribute[1].strip("!").lower()] = (attribute[2] or "")[:_MAX_VALUE_CHARS]
                place += 1
            elif not line or is_comment or line in ("<<<", "+") or self._is_about_block(line, block):
                place += 1
            elif (heading := _HEADING.fullmatch(line)) and not depth:
                made, level = make(f"h{len(heading[1])}"), len(heading[1])
                self._inline.write(heading[2], made)
                name = re.sub(r"[\s.-]+", "_", re.sub(r"[^\w\s.-]", "", made.text_content().lower())).strip("_")
                made.set("id", block.anchor or (f"_{name}" if level > 1 else name))
                if level == 1 and not self.title:
                    self.title = made.text_content().strip()
                out.append(made)
                place, block = place + 1, _Block()
                for _ in range(2 if level == 1 and made.getprevious() is None else 0):
                    # the lines with the author and the revision below the title
                    place += place < len(lines) and _AUTHORS.match(lines[place]) is not None
            else:
                place = self._write_block(lines, place, block, out, depth)
                block = _Block()

    def is_directive(self, line: str) -> bool:
        """Whether the line includes a file or depends on a condition. Such lines count everywhere, also in code."""
        if directive := _DIRECTIVE.fullmatch(line.rstrip()):
            self._source.included += directive[1] == "include"
        return directive is not None

    def _is_about_block(self, line: str, block: _Block) -> bool:
        if anchor := _ANCHOR.fullmatch(line):
            block.anchor = anchor[1] or anchor[2]
        elif line.startswith("[") and (style := _BLOCK_STYLE.fullmatch(line)):
            block.style = [each.strip().strip('"') for each in style[1].split(",")]
            block.said = style[1]
        elif line[0] == "." and len(line) > 1 and line[1] not in ". \t":
            block.title = line[1:]
        else:
            return False
        return True

    def _write_block(
        self, lines: list[str], place: int, block: _Block, out: HtmlElement, depth: int, *, is_attached: bool = False
    ) -> int:
        """Write the block that begins at a line and return the place of the line after it."""
        line = lines[place].rstrip()
        if block.title and not _DELIMITER.fullmatch(line):
            self._write_title(block, out)
        if (delimiter := _DELIMITER.fullmatch(line)) is not None:
            mark = "```" if line.startswith("```") else line
            end = next((at for at in range(place + 1, len(lines)) if lines[at].rstrip() == mark), len(lines))
            if mark[0] == "/" and end == len(lines):
                return place + 1  # A comment without an end is one line.
            self._write_delimited(delimiter[1], lines[place + 1 : end], block, out, depth)
            return end + 1
        if line in ("'''", "---", "***"):
            out.append(make("hr"))
            return place + 1
        if image := _IMAGE.fullmatch(line):
            alt = image[2].partition(",")[0].strip('" ')
            out.append(make("p", "", make("img", src=self._inline.filled(image[1]), alt=alt)))
            return place + 1
        if any(_item_of(line)) and depth < MAX_DEPTH:
            return self._write_list(lines, place, out, depth)
        return self._write_paragraph(lines, place, block, out, is_attached=is_attached)

    def _write_title(self, block: _Block, out: HtmlElement) -> None:
        title = make("strong")
        self._inline.write(block.title, title)
        out.append(make("p", "", title))

    def _write_paragraph(
        self, lines: list[str], place: int, block: _Block, out: HtmlElement, *, is_attached: bool
    ) -> int:
        ends = _ends_item if is_attached else _begins_block
        end = place + 1
        while end < len(lines) and lines[end].strip() and not ends(lines[end]):
            end += 1
        text = "\n".join(line.rstrip() for line in lines[place:end] if not line.startswith("//"))
        if block.name in ("source", "listing", "literal") or (text[:1] in " \t" and not block.style):
            out.append(_code(lines[place:end], block))
        elif block.name in ("stem", "latexmath", "asciimath"):
            out.append(formula(bare_formula(text), is_display=True))
        else:
            notice = _NOTICE.fullmatch(text)
            kind = notice[1] if notice else block.name
            out.append(self._framed(kind, block, self._inline.paragraph(notice[2] if notice else text)))
        return end

    def _framed(self, kind: str, block: _Block, *content: HtmlElement) -> HtmlElement:
        """Return content as a notice, a quotation or itself."""
        if kind in _NOTICES:
            return make("div", "", *content, **{"class": f"admonition {kind.lower()}"})
        if kind in ("quote", "verse"):
            by = ", ".join(each for each in block.style[1:3] if each and "=" not in each)
            return make("blockquote", "", *content, *([make("p", f"— {by}")] if by else []))
        return content[0] if len(content) == 1 else make("div", "", *content)

    def _write_delimited(self, mark: str, lines: list[str], block: _Block, out: HtmlElement, depth: int) -> None:
        sign = mark[0]
        if block.title and sign != "/":
            self._write_title(block, out)
        if sign == "/":
            pass
        elif mark[-1] == "=" and sign in "|,:!":
            out.append(self._table(lines, "," if sign == "," or "format=csv" in block.said else sign, block))
        elif sign == "+":
            if block.name in ("stem", "latexmath", "asciimath"):
                out.append(formula(bare_formula("\n".join(lines)), is_display=True))
            else:
                out.extend(shown_body("<div>" + "\n".join(lines) + "</div>"))
        elif sign in ".`" or (sign == "-" and (len(mark) > 2 or block.name in ("source", "listing"))):
            out.append(_code(lines, block, mark.strip("`") if sign == "`" else ""))
        elif depth >= MAX_DEPTH:
            out.append(self._inline.paragraph("\n".join(lines)))
        else:
            inner = make("div")
            self.write_blocks(lines, inner, depth + 1)
            out.append(self._framed("quote" if sign == "_" else block.name, block, *inner))

    def _table(self, lines: list[str], sign: str, block: _Block) -> HtmlElement:
        """Return a table. Its style defines the number of columns, otherwise its first line does."""
        if sign in ",:":
            csv.field_size_limit(max(csv.field_size_limit(), len(self._source.text)))
            rows = [[make("td", cell.strip()) for cell in row] for row in csv.reader(lines, delimiter=sign) if row]
        else:
            separator = _SEPARATOR.search(block.said)
            rows = self._rows(lines, separator[1] if separator else sign, _columns(block.said))
        is_spaced = len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip()
        for cell in rows[0] if rows and (is_spaced or "header" in block.said) else ():
            cell.tag = "th"
        return make("table", "", *(make("tr", "", *row) for row in rows))

    def _rows(self, lines: list[str], sign: str, count: int) -> list[list[HtmlElement]]:
        """Return the cells of each row; a cell may be on several lines, and a row too."""
        start = re.compile(_CELL + re.escape(sign))
        lines = [line for line in lines if not line.startswith("//")]
        before, *pieces = start.split("\n".join(lines))
        pieces = ["", "", "", before, *pieces] if before.strip() else pieces
        first = start.findall(next(filter(str.strip, lines), ""))
        count = count or sum(int(wide or 1) if kind else 1 for wide, _, kind in first) or 1
        rows: list[list[HtmlElement]] = [[]]
        taken: Counter[int] = Counter()  # the columns that cells of rows above cover
        free = count
        for wide, high, kind, text in zip(*[iter(pieces)] * 4, strict=True):
            times, columns = (int(wide or 1), 1) if kind == "*" else (1, int(wide or 1) if kind else 1)
            for _ in range(min(times, MAX_COLUMNS)):
                while free <= 0:
                    rows.append([])
                    free = count - taken[len(rows)]
                cell = make("td", colspan=str(columns) if columns > 1 else "", rowspan=high or "")
                self._inline.write(text.replace(f"\\{sign}", sign).strip(), cell)
                rows[-1].append(cell)
                free -= columns
                for row in range(1, min(int(high or 1), _MAX_SPAN)):
                    taken[len(rows) + row] += columns
        return rows

    def _write_list(self, lines: list[str], place: int, out: HtmlElement, depth: int) -> int:
        """Write the items of a list and of the lists in it, and return the place of the line after them."""
        stack: list[tuple[str, HtmlElement]] = []
        while place < len(lines):
            item, term = _item_of(lines[place].rstrip())
            if item is None and term is None:
                break
            sign = term[2] if term else re.sub(r"\d+", "1", item[1]) if item else ""
            known = next((at for at, (mark, _) in enumerate(stack) if mark == sign), None)
            if known is not None:
                del stack[known + 1 :]
            elif len(stack) < MAX_DEPTH:
                made = make("dl" if term else "ul" if sign[0] in "*-" else "ol")
                (stack[-1][1][-1] if stack else out).append(made)
                stack.append((sign, made))
            listed = stack[-1][1]
            text = (term[3] or "" if term else item[2] if item else "").strip()
            end = place + 1
            while end < len(lines) and lines[end].strip() and not _ends_item(lines[end]):
                text += f"\n{lines[end].strip()}"
                end += 1
            if term is not None and listed.tag == "dl":
                listed.extend([make("dt"), make("dd")])
                self._inline.write(term[1], listed[-2])
            else:
                listed.append(make("li"))
            if check := _CHECK.match(text):
                text = f"{'☐' if check[1] == ' ' else '☑'} {text[check.end() :]}"
            self._inline.write(text.strip(), listed[-1])
            place = self._write_attached(lines, end, listed[-1], depth)
            after = place
            while after < len(lines) and not lines[after].strip():
                after += 1
            if after < len(lines) and any(_item_of(lines[after])):
                place = after
        return place

    def _write_attached(self, lines: list[str], place: int, out: HtmlElement, depth: int) -> int:
        """Write the blocks that a `+` attaches to an item."""
        while place < len(lines) and lines[place].strip() == "+":
            block, place = _Block(), place + 1
            while place < len(lines) and lines[place].strip() and self._is_about_block(lines[place].rstrip(), block):
                place += 1
            if place < len(lines) and lines[place].strip() and depth < MAX_DEPTH:
                place = self._write_block(lines, place, block, out, depth + 1, is_attached=True)
        return place


def _columns(said: str) -> int:
    """Return the number of columns that the style of a table names (`cols=3`, `cols="1,2*"`), or 0."""
    columns = _COLUMNS.search(said)
    names = (columns[1] or columns[2]).split(",") if columns else []
    if len(names) == 1 and names[0].strip().isdecimal():
        return min(number(names[0].strip(), MAX_COLUMNS), MAX_COLUMNS)
    repeated = map(_REPEATED.match, map(str.strip, names))
    return min(sum(int(many[1]) if many else 1 for many in repeated), MAX_COLUMNS)


def _begins_block(line: str) -> bool:
    return _DELIMITER.fullmatch(line.rstrip()) is not None or _BLOCK_STYLE.fullmatch(line) is not None or line == "+"


def _ends_item(line: str) -> bool:
    return _begins_block(line) or any(_item_of(line))


@lru_cache(maxsize=2)
def _item_of(line: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Return the item of a list or the term of a definition list that begins in a line."""
    line = line.rstrip()
    item = _ITEM.fullmatch(line)
    return item, None if item else _TERM.fullmatch(line)


def _code(lines: list[str], block: _Block, language: str = "") -> HtmlElement:
    named = block.style[1] if len(block.style) > 1 and block.name in ("source", "listing", "") else ""
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    text = "\n".join(lines if block.style else [line[indent:] for line in lines])
    return code_block(text, language or (named if _LANGUAGE.fullmatch(named) else ""))
