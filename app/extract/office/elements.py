"""Tools for the XML of Office files, whose names are compared without namespaces, and for the HTML made from it: lists, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from lxml import etree
from lxml.html import HtmlElement, html_parser

from app import caps
from app.extract.addresses import file_name
from app.extract.characters import storable
from app.extract.page import Metadata, Page, iso_date
from app.extract.writer.document import assemble, write_text

_LONG_TEXT: Final = 4_000
_NO_TITLE: Final = re.compile(
    r"(?=.{0,50}\Z)(?:.*powerpoint.*(?:pr[eäéæ]sent|prezent|презент|演示|プレゼン|簡報|프레젠).*|.*(?:pr[eäéæ]sent|prezent|презент).*powerpoint.*"
    r"|(?:slide|folie|diapositiv[ae]|dia|слайд|スライド|幻灯片|slajd|sheet|book|document|dokument|presentation|untitled|unbenannt)\s*\d*"
    r"|microsoft (?:word|powerpoint|excel) - .*|[^\s/]+\.(?:do[ct][xm]?|p[po]t[xm]?|xl[st][xm]?|od[tps]|rtf))",
    re.IGNORECASE,
)
"""Titles that programs write into files whose writer chose none."""
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MIN_BOLD_LINES: Final = 3
_MAX_BOLD_CHARS: Final = 100
_MAX_BOLD_PARTS: Final = 10
_OPENING_CHARS: Final = 300  # The part of a text in which a bold line may be its title.
_SENTENCE_ENDS: Final = tuple(".,;!?…。！？")
_SLIDE: Final = re.compile(r"Slide \d+(?:: (?P<title>.*?))?(?: \(hidden\))?")


def name_of(element: etree._Element) -> str:
    """Return the name without its namespace; Word writes each format in two of them."""
    return element.tag.rpartition("}")[2]


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """Return an attribute by its name without the namespace."""
    # The items of `attrib` take time that grows with the square of their number.
    if element is None:
        return default
    keys = element.keys()
    return next((str(element.get(key)) for key in keys if str(key).rpartition("}")[2] == name), default)


def attribute_with_namespace(element: etree._Element, name: str) -> str:
    """Return an attribute in a namespace, if another one of the same name has none."""
    keys = element.keys()
    return next((str(element.get(key)) for key in keys if str(key).endswith(f"}}{name}")), "")


def number(text: str, default: int = 0) -> int:
    """Return a short whole number, or `default` for anything else."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else default


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """Return the first child with a name, its first child with the next name, and so on."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def children(element: etree._Element | None, name: str) -> Iterable[etree._Element]:
    """Return the children with a name."""
    return (each for each in element if name_of(each) == name) if element is not None else ()


def text_of(element: etree._Element | None) -> str:
    """Return the text before the first child of an element; empty if there is none."""
    return (element.text or "").strip() if element is not None else ""


def value(element: etree._Element | None, *path: str) -> str:
    """Return the attribute `val` of a descendant; empty if there is none."""
    return attribute(child(element, *path), "val")


def is_on(element: etree._Element | None) -> bool:
    """Whether a toggle such as `w:b` exists and is on."""
    return element is not None and attribute(element, "val", "1") not in ("0", "false", "none", "off")


def make(tag: str, text: str = "", *inner: HtmlElement, **attributes: str) -> HtmlElement:
    """Return an HTML element. Attributes with an empty value are omitted."""
    said = {key: storable(each) for key, each in attributes.items() if each}
    element: HtmlElement = html_parser.makeelement(tag, said)
    append_text(element, text)
    element.extend(inner)
    return element


def last_child(element: HtmlElement) -> HtmlElement | None:
    """Return the last child. The length of an element would be counted each time."""
    return next(element.iterchildren(reversed=True), None)


def append_text(parent: HtmlElement, text: str | None) -> None:
    """Append text after the content of an element. Long text continues after an empty element: adding to it takes ever longer."""
    if not text:
        return
    text = storable(text)
    last = last_child(parent)
    before = (parent.text if last is None else last.tail) or ""
    if len(before) > _LONG_TEXT:
        last, before = make("span"), ""
        parent.append(last)
    if last is not None:
        last.tail = before + text
    else:
        parent.text = before + text


def nested(out: HtmlElement, *tags: str) -> HtmlElement:
    """Append elements inside each other, and return the innermost one."""
    for tag in tags:
        out.append(make(tag))
        out = out[-1]
    return out


def add_slide(out: HtmlElement, place: int, title: str, *, is_hidden: bool) -> None:
    """Append the heading of a slide, with its number and its title."""
    words = " ".join(title.split())
    heading = f"Slide {place}: {words}" if words else f"Slide {place}"
    out.append(make("h2", f"{heading} (hidden)" if is_hidden else heading, id=f"slide={place}"))


def add_speaker_notes(out: HtmlElement, notes: HtmlElement) -> None:
    """Append the speaker notes of a slide, a quotation, if there are any."""
    if notes.text_content().strip():
        out.extend([make("p", "", make("strong", "Speaker notes")), notes])


def add_comment(out: HtmlElement, author: str, comment: HtmlElement) -> None:
    """Append a comment, a quotation, with its author, if it has text."""
    if comment.text_content().strip():
        comment.insert(0, make("p", "", make("strong", comment_by(author))))
        out.append(comment)


def comment_by(author: str) -> str:
    """Return the words that precede a comment."""
    return f"Comment by {author}" if author else "Comment"


def declared(root: etree._Element | None, date: str) -> Metadata:
    """Return the title, the language and the date (the element with this name) that a file declares."""
    elements = reversed([*root.iter()]) if root is not None else ()  # of several titles, the first one counts
    said = {name_of(each): (each.text or "").strip() for each in elements}
    title = said.get("title", "")[: caps.MAX_TITLE_CHARS]
    return Metadata(
        "" if _NO_TITLE.fullmatch(title) else title, said.get("language", ""), None, iso_date(said.get(date, "")[:10])
    )


def page_of(body: HtmlElement, url: str, metadata: Metadata, notes: Sequence[str]) -> Page:
    """Return the page that the writer makes from a tree. Raises EmptyPageError."""
    is_bold = _make_headings(body)
    page = assemble(write_text([body], url), url=url, metadata=metadata, notes=tuple(notes))
    if metadata.title or not (is_bold or _SLIDE.fullmatch(page.title)):
        return page
    if is_bold and not _SLIDE.fullmatch(page.title) and page.sections[0].start < _OPENING_CHARS:
        return page
    slides = (_SLIDE.fullmatch(section.heading) for section in page.sections)
    titles = (slide["title"] for slide in slides if slide is not None and slide["title"])
    return replace(page, title=next(titles, file_name(url)))


def _make_headings(body: HtmlElement) -> bool:
    """Turn short bold lines into headings, if the writer used them instead of heading styles. Return whether there were any.

    Such a line is above text that is not bold. A document has at least _MIN_BOLD_LINES of them, and fewer than half as many real headings.
    """
    blocks = list(body)
    bold = [_is_bold_line(block) for block in blocks]
    titles = {
        id(block)
        for (block, after), (is_bold, is_bold_after) in zip(pairwise(blocks), pairwise(bold), strict=True)
        if is_bold and not is_bold_after and after.tag not in _HEADINGS
    }
    if len(titles) < _MIN_BOLD_LINES or 2 * sum(block.tag in _HEADINGS for block in blocks) >= len(titles):
        return False
    level = 1
    for block in blocks:
        if block.tag in _HEADINGS:
            level = int(block.tag[1])
        elif id(block) in titles:
            for line_end in block.iter("br"):
                line_end.tail = f" {line_end.tail or ''}"
            heading = make(f"h{min(level + 1, 6)}", " ".join(block.text_content().split()), id=block.get("id") or "")
            body.replace(block, heading)
    return True


def _is_bold_line(block: HtmlElement) -> bool:
    text = block.text_content().strip() if block.tag == "p" and len(block) <= _MAX_BOLD_PARTS else ""
    return (
        1 < len(text) <= _MAX_BOLD_CHARS
        and (text[0].isdigit() or text[0] == "§" or not text.endswith(_SENTENCE_ENDS))
        and any(map(str.isalpha, text))
        and not (block.text or "").strip()
        and all(part.tag == "strong" and not (part.tail or "").strip() for part in block)
        and next(block.iter("a", "img"), None) is None  # would lose their addresses
    )


@dataclass(slots=True)
class OpenLists:
    """The lists that the next item may continue, outermost first, with their depths; `code` is the block for the next line of code."""

    out: HtmlElement
    code: HtmlElement | None = None
    _open: list[tuple[int, HtmlElement]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def place(self) -> HtmlElement:
        """Return the open item, or the element around all lists."""
        return self._open[-1][1][-1] if self._open else self.out

    def add_item(self, depth: int, *, is_ordered: bool, count: int = 1) -> HtmlElement:
        """Append an item; `count` is its number if it begins a list."""
        tag = "ol" if is_ordered else "ul"
        while self._open and (last := self._open[-1])[0] >= depth and (last[0] > depth or last[1].tag != tag):
            self._open.pop()
        if not self._open or self._open[-1][0] < depth:
            opened = make(tag, start=str(count) if is_ordered and count != 1 else "")
            self.place.append(opened)
            self._open.append((depth, opened))
        return nested(self._open[-1][1], "li")

    def add_code(self, line: str) -> None:
        """Append a line of code, to the preceding line's block if possible."""
        if self.code is None:
            self.code = make("pre", line)
            self.place.append(self.code)
        else:
            append_text(self.code, f"\n{line}")

    def close(self) -> None:
        """Let the next item start a new list."""
        self._open.clear()


_MAX_DEPTH: Final = 60
_TOKENS: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]|\S")
_SCRIPTS: Final = {
    "f": ("mfrac", "num", "den"), "sSup": ("msup", "e", "sup"), "sSub": ("msub", "e", "sub"),
    "sSubSup": ("msubsup", "e", "sub", "sup"), "limLow": ("munder", "e", "lim"), "limUpp": ("mover", "e", "lim"),
    "func": ("mrow", "fName", "e"),
}  # fmt: skip
"""Elements whose parts have the same order in MathML."""


def formula(element: etree._Element, *, is_display: bool) -> HtmlElement:
    """Return an `oMath` as a `math` element."""
    return make("math", "", _row(element, 0), display="block" if is_display else "inline")


def _row(element: etree._Element | None, depth: int) -> HtmlElement:
    row = make("mrow")
    if element is not None and depth < _MAX_DEPTH:
        for part in element:
            if not name_of(part).endswith("Pr"):
                row.append(_part(part, depth + 1))
    return row


def _part(part: etree._Element, depth: int) -> HtmlElement:
    """Return one element as MathML; of an unknown one, its contents."""
    name = name_of(part)

    def inner(which: str) -> HtmlElement:
        return _row(child(part, which), depth)

    def sign(which: str, usual: str, settings: str = "dPr") -> HtmlElement:
        found = child(part, settings, which)
        return make("mo", usual if found is None else value(found))

    if name == "r":
        return _text(part)
    if name in _SCRIPTS:
        tag, *parts = _SCRIPTS[name]
        return make(tag, "", *map(inner, parts))
    if name == "rad":
        degree = child(part, "deg")
        if degree is None or not len(degree) or is_on(child(part, "radPr", "degHide")):
            return make("msqrt", "", inner("e"))
        return make("mroot", "", inner("e"), inner("deg"))
    if name == "nary":
        limits = make("msubsup", "", sign("chr", "∫", "naryPr"), inner("sub"), inner("sup"))
        return make("mrow", "", limits, inner("e"))
    if name == "d":
        row = make("mrow", "", sign("begChr", "("))
        for place, each in enumerate(children(part, "e")):
            row.extend([make("mo", "|")] if place else [])
            row.append(_row(each, depth))
        row.append(sign("endChr", ")"))
        return row
    if name == "acc":
        return make("mover", "", inner("e"), sign("chr", "^", "accPr"))
    if name in ("m", "eqArr"):
        rows = [list(children(each, "e")) for each in children(part, "mr")] or [[each] for each in children(part, "e")]
        cells = ([make("mtd", "", _row(cell, depth)) for cell in row] for row in rows)
        return make("mtable", "", *(make("mtr", "", *row) for row in cells))
    return _row(part, depth)


def _text(run: etree._Element) -> HtmlElement:
    text = "".join(each.text or "" for each in children(run, "t"))
    if child(run, "rPr", "nor") is not None:
        return make("mtext", text)
    row = make("mrow")
    for token in _TOKENS.findall(text):
        row.append(make("mn" if token[0].isdigit() else "mi" if token.isalpha() else "mo", token))
    return row
