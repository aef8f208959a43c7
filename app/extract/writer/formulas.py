"""Write formulas as LaTeX: MathJax scripts, KaTeX, Sphinx `.math`, and Presentation MathML, best effort."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_letters
from typing import Any, Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import collapse, verbatim, word_set
from app.extract.tree import elements
from app.extract.writer.sink import MAX_DOM_DEPTH, Answer, Sink
from app.paths import asset_table

_TEX_NOTES: Final = elements(".//*[local-name()='annotation'][contains(translate(@encoding, 'TEX', 'tex'), 'tex')]")
_MATHML: Final = elements(".//*[local-name()='math']")
_EQUATION_NUMBER: Final = elements(".//*[contains(concat(' ', @class, ' '), ' eqno ')]")
_DELIMITED: Final = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)
_WRAPPED: Final = re.compile(r"\{\\(?:display|text)style\s++(.*)\}", re.DOTALL)
_FORMULAS: Final[Mapping[str, Any]] = asset_table("markups.toml")["formulas"]
_SYMBOLS: Final[Mapping[str, str]] = _FORMULAS["symbols"]
_ACCENTS: Final[Mapping[str, str]] = _FORMULAS["accents"]
_FUNCTIONS: Final = word_set(_FORMULAS["functions"])


def mathml(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """Write a `math` element: its TeX annotation, otherwise `alttext`, otherwise its structure."""
    return _write(math_source(element), element.get("display") == "block", out)


def math_script(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """Write a MathJax `script type="math/tex"`."""
    return _write(element.text or "", "mode=display" in (element.get("type") or ""), out)


def math_class(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """Write what style or script turns into a formula: from a MathML copy (KaTeX, MathJax) or LaTeX in delimiters. None for others."""
    is_display = element.tag in ("div", "p") or "display" in (element.get("class") or "")
    if copies := _MATHML(element):
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
    """Write a formula drawn as an image whose alternative text is LaTeX."""
    return _write(element.get("alt") or "", "display" in (element.get("class") or ""), out)


def math_source(element: HtmlElement) -> str:
    """Return the LaTeX of a `math` element."""
    for note in _TEX_NOTES(element):
        if (note.text or "").strip():
            return str(note.text)
    return element.get("alttext") or latex(element)


def _write(source: str, is_display: bool, out: Sink) -> Literal[Answer.DONE] | None:
    formula = verbatim(source).strip()
    wrapped = _WRAPPED.fullmatch(formula)
    formula = (wrapped.group(1) if wrapped else formula).strip()
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


def latex(element: HtmlElement, depth: int = 0) -> str:
    """Return the LaTeX of a MathML element and its content, without delimiters."""
    if depth > MAX_DOM_DEPTH // 4:
        return collapse(element.text_content())
    depth += 1
    name = _name(element)
    if name == "mi":
        word = collapse(element.text_content())
        return f"\\{word}" if word in _FUNCTIONS else _symbols(word) if len(word) < 2 else rf"\mathrm{{{word}}}"
    if name in ("mtext", "ms"):
        text = element.text_content()
        return rf"\text{{{' '.join(text.split()) or ' '}}}" if text else ""
    if name == "mfenced":
        separator = (element.get("separators") or ",").strip()[:1]
        inner = separator.join(latex(child, depth) for child in _children(element))
        left, right = element.get("open", "("), element.get("close", ")")
        return rf"\left{_SYMBOLS.get(left, left) or '.'}{inner}\right{_SYMBOLS.get(right, right) or '.'}"
    if name == "mtable":
        rows = (_children(row) for row in _children(element) if _name(row) in ("mtr", "mlabeledtr"))
        lines = (" & ".join(latex(cell, depth) for cell in row) for row in rows)
        return r"\begin{matrix}" + r" \\ ".join(lines) + r"\end{matrix}"
    return _CONVERTERS.get(name, _row)(element, depth)


def _name(element: HtmlElement) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(element.tag, str) else ""


def _children(element: HtmlElement) -> list[HtmlElement]:
    return [child for child in element if isinstance(child.tag, str)]


def _argument(element: HtmlElement, number: int, depth: int) -> str:
    children = _children(element)
    return latex(children[number], depth) if number < len(children) else ""


def _row(element: HtmlElement, depth: int) -> str:
    children = _children(element)
    if not children:
        return _symbols(element.text or "")
    return _join([latex(child, depth) for child in children if _name(child) not in ("annotation", "annotation-xml")])


def _join(parts: list[str]) -> str:
    """Join parts, with a space only between a command and a following letter."""
    line = ""
    for part in parts:
        if line and part and part[0].isalnum():
            head = line.rstrip(ascii_letters)
            line += " " if head != line and head.endswith("\\") else ""
        line += part
    return line


def _symbols(text: str) -> str:
    return _join([_SYMBOLS.get(character, character) for character in collapse(text)])


def _scripts(*signs: str) -> Callable[[HtmlElement, int], str]:
    def convert(element: HtmlElement, depth: int) -> str:
        line = _argument(element, 0, depth)
        if len(line) > 1 and not line.startswith("\\") and not line.endswith((")", "]", "|")):
            line = f"{{{line}}}"
        for number, sign in enumerate(signs, 1):
            if script := _argument(element, number, depth):
                line += f"{sign}{{{script}}}" if len(script) > 1 else f"{sign}{script}"
        return line

    return convert


def _accent(sign: str) -> Callable[[HtmlElement, int], str]:
    def convert(element: HtmlElement, depth: int) -> str:
        children = _children(element)
        mark = collapse(children[1].text_content()) if len(children) > 1 else ""
        if mark in _ACCENTS and _name(children[1]) == "mo":
            return f"{_ACCENTS[mark]}{{{_argument(element, 0, depth)}}}"
        return _scripts(sign)(element, depth)

    return convert


_CONVERTERS: Final[Mapping[str, Callable[[HtmlElement, int], str]]] = {
    "mfrac": lambda element, depth: (
        rf"\{'binom' if element.get('linethickness') in ('0', '0pt', '0px') else 'frac'}"
        rf"{{{_argument(element, 0, depth)}}}{{{_argument(element, 1, depth)}}}"
    ),
    "msqrt": lambda element, depth: rf"\sqrt{{{_row(element, depth)}}}",
    "mroot": lambda element, depth: rf"\sqrt[{_argument(element, 1, depth)}]{{{_argument(element, 0, depth)}}}",
    "msup": _scripts("^"),
    "msub": _scripts("_"),
    "msubsup": _scripts("_", "^"),
    "munder": _accent("_"),
    "mover": _accent("^"),
    "munderover": _scripts("_", "^"),
    "mphantom": lambda element, depth: "",
    "mspace": lambda element, depth: " ",
}
