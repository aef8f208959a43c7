"""Tools for the XML of Office files, whose names are compared without namespaces, and for the HTML made from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lxml import etree
from lxml.html import HtmlElement, html_parser

from app import caps
from app.extract.characters import storable
from app.extract.page import Metadata, Page, iso_date
from app.extract.writer.document import assemble, write_text


def name_of(element: etree._Element) -> str:
    """Return the name without its namespace; Word writes each format in two of them."""
    return element.tag.rpartition("}")[2]


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """Return an attribute by its name without the namespace."""
    if element is not None:
        for key, value in element.attrib.items():
            if str(key).rpartition("}")[2] == name:
                return str(value)
    return default


def attribute_with_namespace(element: etree._Element, name: str) -> str:
    """Return an attribute in a namespace, if another one of the same name has none."""
    return next((str(each) for key, each in element.attrib.items() if str(key).endswith(f"}}{name}")), "")


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
    element: HtmlElement = html_parser.makeelement(
        tag, {key: storable(each) for key, each in attributes.items() if each}
    )
    append_text(element, text)
    element.extend(inner)
    return element


def append_text(parent: HtmlElement, text: str | None) -> None:
    """Append text after the content of an element."""
    if not text:
        return
    text = storable(text)
    last = next(parent.iterchildren(reversed=True), None)  # the length of an element is counted each time
    if last is not None:
        last.tail = (last.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


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
    return Metadata(title, said.get("language", ""), None, iso_date(said.get(date, "")[:10]))


def page_of(body: HtmlElement, url: str, metadata: Metadata, notes: Sequence[str]) -> Page:
    """Return the page that the writer makes from a tree. Raises EmptyPageError."""
    return assemble(write_text([body], url), url=url, metadata=metadata, notes=tuple(notes))
