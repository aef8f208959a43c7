"""Formulas as LaTeX: MathML, MathJax scripts, KaTeX, Sphinx `.math`."""

from __future__ import annotations

import re
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import verbatim
from app.extract.writer.mathml import latex
from app.extract.writer.sink import Sink
from app.extract.writer.walk import Answer
from app.extract.xpath import elements

_TEX_NOTES: Final = elements(".//*[local-name()='annotation'][contains(translate(@encoding, 'TEX', 'tex'), 'tex')]")
_MATHML: Final = elements(".//*[local-name()='math']")
_EQUATION_NUMBER: Final = elements(".//*[contains(concat(' ', @class, ' '), ' eqno ')]")
_DELIMITED: Final = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)
_WRAPPED: Final = re.compile(r"\{\\(?:display|text)style\s+(.*)\}", re.DOTALL)


def mathml(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """A `math` element: its TeX annotation, else `alttext`, else its structure."""
    source = math_source(element)
    return _write(source, element.get("display") == "block", out)


def math_script(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """A MathJax `script type="math/tex"`."""
    return _write(element.text or "", "mode=display" in (element.get("type") or ""), out)


def math_class(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """An element that style or script turns into a formula; None when it holds none.

    KaTeX and MathJax keep a MathML copy; Sphinx and others leave LaTeX between delimiters.
    """
    is_display = element.tag in ("div", "p") or "display" in (element.get("class") or "")
    copies = _MATHML(element)
    if copies:
        return _write(math_source(copies[0]), is_display or copies[0].get("display") == "block", out)
    number = ""
    for label in _EQUATION_NUMBER(element):
        number = label.text_content().strip(" \n\t¶#")
        label.drop_tree()
    source = element.text_content()
    match = _DELIMITED.fullmatch(source)
    if match is None and element.tag not in ("span", "div"):
        return None
    inner = next(group for group in match.groups() if group is not None) if match else source
    answer = _write(inner, is_display, out)
    if number and answer is not None:
        out.text(number)
        out.block()
    return answer


def math_image(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """A formula drawn as an image whose alternative text is LaTeX."""
    return _write(element.get("alt") or "", "display" in (element.get("class") or ""), out)


def math_source(element: HtmlElement) -> str:
    """LaTeX of a `math` element."""
    for note in _TEX_NOTES(element):
        if (note.text or "").strip():
            return str(note.text)
    return element.get("alttext") or latex(element)


def _write(source: str, is_display: bool, out: Sink) -> Literal[Answer.DONE] | None:
    formula = _clean(source)
    if not formula:
        return None
    if out.flat or not is_display:
        out.literal(f"${' '.join(formula.split())}$")
        return Answer.DONE
    out.block()
    lines = [line for line in formula.split("\n") if line.strip()]
    out.lines([f"$${lines[0]}$$"] if len(lines) == 1 else ["$$", *lines, "$$"])
    out.block()
    return Answer.DONE


def _clean(source: str) -> str:
    formula = verbatim(source).strip()
    wrapped = _WRAPPED.fullmatch(formula)
    return (wrapped.group(1) if wrapped else formula).strip()
