"""Write running text and media: emphasis, code spans, links, breaks, superscript and subscript, images and figures."""

from __future__ import annotations

import re
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import collapse
from app.extract.signs import is_said, label_of
from app.extract.tree import has_class, holds, string
from app.extract.writer.formulas import math_image
from app.extract.writer.sink import Anchored, Answer, Leave, Sink, in_turn, walk

_EXPONENT: Final = re.compile(r"[-+−]?(?:\d{1,6}|[A-Za-z]|[\w+\-−*/()]{2,12})")
_ORDINAL: Final = re.compile(r"(?:st|nd|rd|th|er|ère|re|e|ème|o|a|os|as|TM|SM|®|©)", re.IGNORECASE)
_INDEX: Final = re.compile(r"[A-Za-z](?:[\w+\-−,]{0,5})")
_NOTE_NUMBER: Final = re.compile(r"\d{1,3}|[a-z]|[*†‡]")
_ANCHOR_SIGNS: Final = frozenset({"↩", "↩\ufe0e", "↩\ufe0f", "↵", "⤴", "⏎", "¶"})
_TO_TOP: Final = frozenset({"top", "back to top"})
_HAS_LINKS = holds(".//a[@href]")
_HAS_BLOCKS = holds(".//pre|.//p|.//ul|.//table|.//div")
_ONLY_CODE = holds("count(*) = 1 and (code or tt or kbd or samp) and not(text()[normalize-space()])")
_SOURCES: Final = ("data-src", "data-original", "data-lazy-src", "data-actualsrc", "src")
_CAPTION: Final = string(
    f"(.//figcaption | .//p[{has_class('caption')}] | .//*[contains(@class, 'wp-caption-text')]"
    f" | ./*[{has_class('title')}])[1]"
)
_TINY: Final = re.compile(r"[0-3](?:px)?")


def emphasis(element: HtmlElement, out: Sink, sign: str = "*") -> Leave | None:
    """Write `*…*` or other marks; none around a lone code span or around signs: a slash would read as `*/*`."""
    text = collapse(element.text or "")
    is_sign = bool(text) and not len(element) and not any(map(str.isalnum, text))
    if is_sign or _ONLY_CODE(element):
        return None
    mark = out.mark(sign)
    return (lambda: out.unmark(mark)) if mark is not None else None


def code_span(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE] | None:
    """Write a code span; links inside keep their offsets. With blocks inside, it is only a wrapper."""
    if out.plain or (len(element) and _HAS_BLOCKS(element)):
        return None
    text, links = linked_text(element, out) if len(element) else (collapse(element.text or ""), [])
    if not text:
        if element.text_content():
            out.space()
        return Answer.DONE
    fence = code_fence(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    raw = element.text_content()
    if raw[:1].isspace():
        out.space()
    start = out.literal(f"{fence}{pad}{text}{pad}{fence}") + len(fence) + len(pad)
    out.adopt(links, start, text)
    if raw[-1:].isspace():
        out.space()
    return Answer.DONE


def code_fence(text: str, least: int) -> str:
    """Return enough backticks to enclose the text: more than any run inside, at least `least`."""
    if "`" not in text:
        return "`" * least
    longest = max(len(run) for run in re.findall(r"`+", text))
    return "`" * max(least, longest + 1)


def link(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE] | None:
    """Write the text of a link and store its target separately. A heading's link to itself is dropped. Heading marks, return links of
    footnotes and rustdoc's `Source` next to every item are not text.
    """
    href = element.get("href")
    if (href or "").startswith("#"):
        label = collapse(element.text_content())
        if label in _ANCHOR_SIGNS or (out.plain and (label.lower() in _TO_TOP or not any(map(str.isalnum, label)))):
            return Answer.DONE
        if out.plain:
            return None
    elif element.get("class") == "src rightside":
        return Answer.DONE
    target = out.resolve(href) if href else None
    if target is None:
        return None
    opened = out.link(target)
    return lambda: out.unlink(opened)


def line_break(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write a new line in the same paragraph."""
    out.newline()
    return Answer.DONE


def superscript(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE] | None:
    """Write an exponent as `2^31` to keep its meaning; ordinals and footnote marks remain."""
    if not _HAS_LINKS(element):
        return shifted(element, out, "^")
    if not _NOTE_NUMBER.fullmatch(collapse(element.text_content())) or not out.continues_word():
        return None
    out.text("[")
    return lambda: out.text("]")


def quote(element: HtmlElement, out: Sink) -> Leave:
    """Write the quotation marks that a browser adds."""
    out.text("“")
    return lambda: out.text("”")


def checkbox(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write the box of a task list, a matrix or a choice."""
    mark = "x" if element.get("checked") is not None else " "
    out.text(f"({mark}) " if element.get("type") == "radio" else f"[{mark}] ")
    return Answer.DONE


def shifted(element: HtmlElement, out: Sink, sign: str = "_") -> Literal[Answer.DONE] | None:
    """Write an exponent, or a lettered index as `x_i`; lowered digits (H2O) remain."""
    text = collapse(element.text_content())
    is_raised = sign == "^" and _EXPONENT.fullmatch(text) and not _ORDINAL.fullmatch(text)
    is_lowered = sign == "_" and _INDEX.fullmatch(text)
    if not (is_raised or is_lowered) or not out.continues_word():
        return None
    out.literal(f"{sign}{text}" if len(text) == 1 or text.isalnum() else f"{sign}({text.strip('()')})")
    return Answer.DONE


def linked_text(element: HtmlElement, out: Sink) -> tuple[str, list[Anchored]]:
    """Return the text of an element on one line without marks, and its links, with offsets from the start of that text."""
    flat = Sink(resolve=out.resolve, flat=1)
    walk(element, flat, {"a": link, "br": line_break})
    return flat.getvalue(), flat.links


def figure(element: HtmlElement, out: Sink) -> Leave:
    """Use the caption of a figure for the images in it."""
    out.block()
    out.captions.append(collapse(_CAPTION(element)))
    return in_turn(out.captions.pop, out.block)


def image(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write an image with its absolute address, and its label if that is part of the text. Skip tracking pixels and embedded data."""
    if "math" in (element.get("class") or "").split() and math_image(element, out) is not None:
        return Answer.DONE
    if callout(element):
        out.text(callout(element))
        return Answer.DONE
    named = [(element.get(name) or "").strip() for name in _SOURCES]
    sets = [(element.get(name) or "").split() for name in ("data-srcset", "srcset")]
    named += [candidates[0].rstrip(",") for candidates in sets if candidates]
    source = next((each for each in named if each and not each.startswith("data:")), "")
    url = out.resolve(source) if source else None
    is_tiny = any(_TINY.fullmatch((element.get(side) or "").strip()) for side in ("width", "height"))
    if url is not None and not is_tiny:
        out.picture(url, collapse(element.get("alt") or ""), out.captions[-1] if out.captions else "")
    if is_said(element, in_cell=out.is_cell):  # the words that the image stands for, apart from neighboring words
        if out.continues_word():
            out.space()
        label = label_of(element)
        out.text(label)
        if label[-1].isalnum() and (element.tail or "")[:1].isalnum():
            out.space()
    return Answer.DONE


def callout(element: HtmlElement) -> str:
    """Return `(1)` for the drawn number that connects a line of code with its explanation; empty for other images."""
    number = (element.get("alt") or "").strip(" ()")
    is_number = number.isascii() and number.isdigit() and len(number) < 3
    name = (element.get("src") or "").rpartition("/")[2].partition(".")[0]
    return f"({number})" if is_number and name == number else ""
