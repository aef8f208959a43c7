"""Convert formulas of Office files (OMML) to MathML, which the writer converts to LaTeX."""

from __future__ import annotations

import re
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.office.elements import child, children, is_on, make, name_of, value

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
