"""Definition lists: `**Term**: Definition`. A term with an anchor of its own opens a section, so that it
can be cited.
"""

from __future__ import annotations

from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.anchors import own_anchor
from app.extract.writer.inline import code_fence, linked_text
from app.extract.writer.sink import Heading, Sink
from app.extract.writer.walk import Answer, Leave
from app.extract.xpath import elements, holds

DEEPEST_LEVEL: Final = 6

_IS_SIGNATURE: Final = holds(
    "self::*[contains(concat(' ', @class, ' '), ' sig ')] | .//*[contains(@class, 'descname')]"
)
_SOURCE_LINKS: Final = elements(".//a[@href][.//span[contains(@class, 'viewcode-link')]]")
_CLASSIFIERS: Final = elements(".//span[@class='classifier']")


def definition_list(element: HtmlElement, out: Sink) -> Leave:
    """Terms of nested lists lie one section level deeper."""
    out.hard_block()
    level = out.level
    out.term_levels.append(min(level + 1, DEEPEST_LEVEL))
    out.term_end = -1

    def leave() -> None:
        out.term_levels.pop()
        out.level = level
        out.term_end = -1
        out.block()

    return leave


def term(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """The term in bold; the signature of an API as code as well, so that it stays readable."""
    _separate_classifiers(element)
    sources = [(source.get("href"), source.text_content()) for source in _SOURCE_LINKS(element)]
    for source in _SOURCE_LINKS(element):
        source.drop_tree()
    text, links = linked_text(element, out)
    text = text.rstrip(" :")
    if not text:
        return Answer.DONE
    if out.term_end == out.length:
        out.block(blank=False)
    else:
        out.hard_block()
    out.end_emphasis()
    is_signature = bool(_IS_SIGNATURE(element))
    fence = code_fence(text, 1) if is_signature or "*" in text or text.startswith("_") else ""
    start = out.literal(f"**{fence}{text}{fence}**")
    out.adopt(links, start + 2 + len(fence), text)
    _open_section(element, out, _name(text) if is_signature else text, start)
    for href, label in sources:
        _add_link(href, label, out)
    out.term_end = out.length
    return Answer.DONE


def definition(element: HtmlElement, out: Sink) -> Leave:
    """What follows the colon."""
    if out.term_end == out.length and not out.plain and any(text.strip() for text in element.itertext()):
        out.glue(":")
    else:
        out.block()
    out.term_end = -1
    return out.block


def _add_link(href: str, label: str, out: Sink) -> None:
    """A link to the source code, behind the signature."""
    target = out.resolve(href)
    if target is not None:
        out.space()
        opened = out.link(target)
        out.text(label)
        out.unlink(opened)


def _name(signature: str) -> str:
    """A signature without its parameters: `json.dump(obj, fp)` is headed `json.dump()`."""
    name, bracket, _ = signature.partition("(")
    return f"{name.rstrip()}()" if bracket and name.strip() else signature


def _open_section(element: HtmlElement, out: Sink, text: str, start: int) -> None:
    anchor = own_anchor(element)
    if anchor is None or out.flat or out.has_prefix() or "label" in element.get("class", "").split():
        return
    level = out.term_levels[-1] if out.term_levels else DEEPEST_LEVEL
    out.level = level
    out.headings.append(Heading(level, anchor, "", text, start))


def _separate_classifiers(element: HtmlElement) -> None:
    """Put the colon before a classifier (`x : int`) that style sheets draw."""
    for classifier in _CLASSIFIERS(element):
        before = classifier.getprevious()
        if before is None or before.get("class") != "classifier-delimiter":
            classifier.text = " : " + (classifier.text or "")
