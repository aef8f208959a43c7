"""Read books in XML: DocBook and FictionBook. One table maps their elements to HTML, which the writer turns into text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lxml import etree
from lxml.html import HtmlElement

from app.errors import UnsupportedContentError
from app.extract.markup import MAX_DEPTH, Notes, code_block
from app.extract.office.elements import append_text, attribute, make, number, page_of
from app.extract.office.package import MAX_TAGS
from app.extract.page import CUT_NOTE, Metadata, Page
from app.extract.safe_xml import local_name, read_xml
from app.paths import asset_table
from app.text.sentence import sentence

_TABLES: Final[Mapping[str, Any]] = asset_table("markups.toml")["docbook"]
_SECTIONS: Final = frozenset(_TABLES["sections"])
ROOTS: Final = _SECTIONS - {"body", "topic"} | {"fictionbook"}  # Elements that begin a file of these formats.
_NOTICES: Final = frozenset({"note", "tip", "important", "warning", "caution", "danger"})
_CODE: Final = frozenset(_TABLES["code"])
_UNREAD: Final = frozenset(_TABLES["unread"])
"""Elements without content for readers. Titles and metadata are read where their section begins."""
_TAGS: Final = {tag: html for html, tags in _TABLES["tags"].items() for tag in tags.split()}


def extract_book_markup(body: bytes, *, url: str, charset: str | None = None) -> Page:
    """Return the page of a DocBook or FictionBook file. Raises EmptyPageError and UnsupportedContentError."""
    root, is_cut = read_xml(body) if body.count(b"<") <= MAX_TAGS else (None, False)
    if root is None:
        raise UnsupportedContentError(sentence("{} is not valid XML, or too large.", url), url=url)
    return page_of_book(root, url, is_cut=is_cut)


def page_of_book(root: etree._Element, url: str, *, is_cut: bool) -> Page:
    """Return the page of a parsed document, which may be damaged (`is_cut`)."""
    writer, content = _Writer(), make("body")
    about = next(root.iterdescendants("{*}title-info"), root)
    title = _title(about) or _line(next(about.iterdescendants("{*}title"), None))
    language = _line(about.find("{*}lang")) if about is not root else attribute(root, "lang")
    if local_name(root) == "fictionbook" and title:
        content.append(make("h1", title))
        writer.shown = title
    writer.write(root, content, level=1 + bool(writer.shown), depth=0)
    writer.notes.append_to(content)
    return page_of(content, url, Metadata(title, language, None, None), [CUT_NOTE] if is_cut else [])


class _Writer:
    def __init__(self) -> None:
        self.notes = Notes()
        self.shown = ""
        """The title of the book where it is written already."""
        self._media: etree._Element | None = None  # The last picture whose alternative text was read.

    def write(
        self, element: etree._Element, out: HtmlElement, *, level: int, depth: int, is_inline: bool = False
    ) -> None:
        """Append the HTML of an element, not the text after it. The next heading has this `level`; `is_inline`: in a line of text."""
        name = local_name(element)
        if depth >= MAX_DEPTH:
            append_text(out, _text(element))
        elif name in _SECTIONS:
            title = _title(element)
            if is_new := bool(title) and title != self.shown:
                out.append(make(f"h{min(level, 6)}", title, id=attribute(element, "id")))
            self._write_content(element, out, level + is_new, depth)
        elif name in _CODE:
            out.append(code_block(_text(element).strip("\n"), attribute(element, "language")))
        elif name == "footnote":
            mark, note = self.notes.add()
            out.append(mark)
            self._write_content(element, note, level, depth)
        elif name in ("imagedata", "image", "graphic", "inlinegraphic"):
            target = attribute(element, "fileref") or attribute(element, "href")
            out.append(make("img", src=target, alt=attribute(element, "alt") or self._alternative(element)))
        else:
            made = self._element(element, name, "span" if is_inline else "div")
            if title := _title(element):
                out.append(make("p", "", make("strong", title)))
            out.append(made)
            self._write_content(element, made, level, depth)

    def _element(self, element: etree._Element, name: str, otherwise: str) -> HtmlElement:
        tag = _TAGS.get(name, otherwise)
        if tag == "td" and any(local_name(each) == "thead" for each in element.iterancestors()):
            tag = "th"
        if tag == "a":
            target = attribute(element, "href") or attribute(element, "url")
            return make(tag, href=target or f"#{attribute(element, 'linkend')}")
        if name == "listitem" and (parent := element.getparent()) is not None:
            tag = "dd" if local_name(parent) == "varlistentry" else tag
        spans = {"rowspan": "", "colspan": attribute(element, "colspan")}
        if more := number(attribute(element, "morerows")):
            spans["rowspan"] = str(more + 1)
        others = {"class": f"admonition {name}"} if name in _NOTICES else spans
        return make(tag, "", id=attribute(element, "id"), **others)

    def _write_content(self, element: etree._Element, out: HtmlElement, level: int, depth: int) -> None:
        texts = [element.text or ""]
        is_line = bool(texts[0].strip())
        for each in element:
            name = local_name(each)
            if name == "xref":
                texts.append(attribute(each, "endterm") or attribute(each, "linkend"))
            elif name not in _UNREAD:
                append_text(out, "".join(texts))
                texts = []
                is_inline = is_line or bool((each.tail or "").strip())
                self.write(each, out, level=level, depth=depth + 1, is_inline=is_inline)
            texts.append(each.tail or "")
        append_text(out, "".join(texts))

    def _alternative(self, image: etree._Element) -> str:
        """Return the text that replaces a picture, once if it has several files."""
        media = next(image.iterancestors("{*}mediaobject", "{*}inlinemediaobject"), None)
        if media is None or media is self._media:
            return ""
        self._media = media
        return _line(media.find("{*}textobject"))


def _title(element: etree._Element) -> str:
    """Return the title of a section, which its metadata may contain."""
    for each in element:
        name = local_name(each)
        if name in ("title", "book-title", "refnamediv"):
            return _line(next(each.iterchildren("{*}refname"), each))
        if name.endswith("info") and (found := each.find("{*}title")) is not None:
            return _line(found)
    return ""


def _text(element: etree._Element) -> str:
    return str(etree.tostring(element, encoding="unicode", method="text", with_tail=False))


def _line(element: etree._Element | None) -> str:
    if element is None:
        return ""
    parts = [_text(each) for each in element.iterchildren("{*}p")] or [_text(element)]
    return " ".join(" ".join(parts).split())
