"""Assign handlers to elements, and build the Page from the written text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final, Literal
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from app import caps
from app.errors import EmptyFileError
from app.extract.addresses import Resolver, file_name
from app.extract.characters import collapse, word_set
from app.extract.page import Image, Link, Metadata, Page, Section, closed
from app.extract.tree import HEADINGS
from app.extract.writer import blocks, code, formulas, inline, notices, tables
from app.extract.writer.sink import Answer, Handler, Leave, Sink, walk
from app.text.sentence import joined, sentence

_BLOCK_TAGS: Final = [
    "address", "article", "aside", "body", "caption", "center", "dir", "fieldset", "footer", "form", "header",
    "hgroup", "legend", "li", "main", "nav", "noscript", "p", "section", "tbody", "tfoot", "thead", "details", "div",
    "dialog", "figcaption",
]  # fmt: skip
_MATH_CLASSES: Final = word_set("math katex katex-display mwe-math-element MathJax arithmatex stemblock")
_LABEL_CLASSES: Final = frozenset({"rubric", "topic-title", "sidebar-title", "fancy_title"})
_NOTE_CLASSES: Final = frozenset({"citation", "footnote"})
_SIGNATURES: Final = frozenset({"member-signature", "type-signature"})
_FIGURE_CLASSES: Final = frozenset({"figure", "wp-caption", "imageblock", "mediaobject", "thumb"})


def write(roots: Iterable[HtmlElement], resolve: Callable[[str], str | None], starts: list[int] | None = None) -> Sink:
    """Write elements one after the other as clean Markdown, up to the maximum size of a page. `resolve` makes addresses absolute (None:
    drop the link). `starts` receives the offset of each element, or of the blank lines before it.
    """
    out = Sink(resolve=resolve)
    for root in roots:
        if out.length > caps.MAX_PAGE_CHARS:
            break
        out.block()
        if starts is not None:
            starts.append(out.length)
        _render(root, out)
        out.block()
    return out


def write_text(roots: Iterable[HtmlElement], url: str, starts: list[int] | None = None) -> Sink:
    """Write the elements of the file at `url`. Raises EmptyFileError if they have no text."""
    written = write(roots, Resolver(url), starts)
    if not written.length:
        raise EmptyFileError(sentence("{} has no readable text.", url), url=url)
    return written


def _render(element: HtmlElement, out: Sink) -> None:
    walk(element, out, HANDLERS)


def _container(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE]:
    """Write a block whose classes may make it a notice, a formula or a figure."""
    if classes := element.get("class"):
        if (label := notices.notice_label(classes)) is not None:
            return notices.notice(element, out, label)
        tokens = classes.split()
        if element.tag == "div" and (answer := _special(element, tokens, out)) is not None:
            return answer
        if not _MATH_CLASSES.isdisjoint(tokens) and formulas.math_class(element, out) is not None:
            return Answer.DONE
        if not _FIGURE_CLASSES.isdisjoint(tokens):
            return inline.figure(element, out)
        if not _LABEL_CLASSES.isdisjoint(tokens):
            return blocks.bold_line(element, out)
    if element.get("role") == "table" and tables.from_roles(element):
        return _table(element, out)
    return blocks.paragraph(element, out)


def _special(element: HtmlElement, tokens: list[str], out: Sink) -> Leave | Literal[Answer.DONE] | None:
    """Write a `div` of Doxygen or Javadoc that is in effect code, a table or the title."""
    if "fragment" in tokens and element.find("div[@class='line']") is not None:
        return code.preformatted(element, out)
    if not _SIGNATURES.isdisjoint(tokens):
        element.set("data-lang", "java")
        return code.preformatted(element, out)
    if "title" in tokens and (element.getparent().get("class") or "") == "headertitle":
        element.tag = "h1"
        return blocks.heading(element, out)
    if "memproto" in tokens:
        return code.prototype(element, out)
    if "summary-table" in tokens and tables.to_table(element):
        return _table(element, out)
    return None


def _definition_list(element: HtmlElement, out: Sink) -> Leave:
    label = notices.list_label(element)
    return blocks.definition_list(element, out) if label is None else notices.notice(element, out, label)


def _span(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE] | None:
    """Write running text that may be a formula, or a footnote label with its text on the same line."""
    tokens = (element.get("class") or "").split()
    if not tokens:
        return None
    if not _MATH_CLASSES.isdisjoint(tokens):
        return formulas.math_class(element, out)
    if "label" in tokens and not _NOTE_CLASSES.isdisjoint((element.getparent().get("class") or "").split()):
        start = out.length
        return lambda: out.glue("") if out.length > start else None
    return None


def _table(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE]:
    return tables.table(element, out, _render)


def _quotation(element: HtmlElement, out: Sink) -> Leave:
    if (label := notices.quotation_label(element)) is not None:
        return notices.notice(element, out, label)
    if (kind := blocks.alert_kind(element)) is not None:
        notices.write_label(kind.upper(), "", out)
        return out.block
    return blocks.blockquote(element, out)


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_BLOCK_TAGS, _container),
    **dict.fromkeys(HEADINGS, blocks.heading),
    **dict.fromkeys(("strong", "b"), partial(inline.emphasis, sign="**")),
    **dict.fromkeys(("em", "i"), inline.emphasis),
    **dict.fromkeys(("del", "s", "strike"), partial(inline.emphasis, sign="~~")),
    **dict.fromkeys(
        ("code", "tt", "kbd", "samp"),
        lambda element, out: code.broken_code(element, out) or inline.code_span(element, out),
    ),
    **dict.fromkeys(("pre", "listing", "xmp"), code.preformatted),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), blocks.items),
    **dict.fromkeys(("td", "th"), tables.table_cell),
    **dict.fromkeys(
        ("style", "template", "title", "meta", "link", "head", "textarea", "select"), lambda element, out: Answer.DONE
    ),
    "a": inline.link,
    "blockquote": _quotation,
    "br": inline.line_break,
    "dd": blocks.definition,
    "dl": _definition_list,
    "dt": blocks.term,
    "figure": inline.figure,
    "hr": blocks.rule,
    "img": inline.image,
    "input": inline.checkbox,
    "li": blocks.item,
    "math": formulas.mathml,
    "q": inline.quote,
    "script": lambda element, out: formulas.math_script(element, out) or Answer.DONE,
    "span": _span,
    "sub": inline.shifted,
    "summary": blocks.summary,
    "sup": inline.superscript,
    "table": _table,
    "tr": blocks.paragraph,  # of a layout table
}


def assemble(written: Sink, *, url: str, metadata: Metadata, notes: tuple[str, ...] = ()) -> Page:
    """Return a Page with all offsets in its text; `note` reports what was cut off."""
    text = written.getvalue()
    remarks: list[str] = list(notes)
    if len(text) > caps.MAX_PAGE_CHARS:
        text = cut_at_line(text, caps.MAX_PAGE_CHARS)
        remarks.append(sentence("Only the first {} characters were kept.", f"{caps.MAX_PAGE_CHARS:,}"))
    links = _links(written, text)
    if len(links) > caps.MAX_LINKS_PER_PAGE:
        kept, found = f"{caps.MAX_LINKS_PER_PAGE:,}", f"{len(links):,}"
        remarks.append(sentence("Only the first {0} of {1} links were kept.", kept, found))
        links = links[: caps.MAX_LINKS_PER_PAGE]
    images: dict[str, Image] = {}
    for drawn in sorted(written.pictures, key=lambda picture: picture.position):
        images.setdefault(drawn.url, replace(drawn, position=min(drawn.position, len(text))))
    marks = (mark for mark in sorted(written.headings, key=lambda mark: mark.start) if mark.heading)
    opened = [
        Section(mark.level, mark.heading[: caps.MAX_HEADING_CHARS].rstrip(), mark.anchor, mark.start, mark.start)
        for mark in marks
        if mark.start < len(text)
    ]
    # The highest of the first headings, otherwise the file's name, otherwise the first line.
    title = metadata.title
    if opened and not title:
        title = min(opened[:5], key=lambda section: section.level).heading
    elif not title:
        name = file_name(urlsplit(url).path.rstrip("/"))
        title = name or collapse(text.partition("\n")[0])[: caps.MAX_TITLE_CHARS]
    return Page(
        url=url,
        title=title,
        text=text,
        sections=closed(opened, len(text)),
        links=tuple(links),
        images=tuple(images.values())[: caps.MAX_IMAGES_PER_PAGE],
        language=metadata.language,
        canonical_url=metadata.canonical_url,
        published=metadata.published,
        note=joined(remarks) if remarks else "",
        noindex=metadata.noindex,
        nofollow=metadata.nofollow,
        markdown_url=metadata.markdown_url,
    )


def cut_at_line(text: str, limit: int) -> str:
    """Return the text cut to `limit` characters, after a whole line if there is one."""
    border = text.rfind("\n", limit // 2, limit)
    return text[: border if border >= 0 else limit].rstrip()


def _links(written: Sink, text: str) -> list[Link]:
    links = []
    for link in sorted(written.links, key=lambda link: (link.start, link.end)):
        end = min(link.end, link.start + caps.MAX_ANCHOR_TEXT_CHARS, len(text))
        if label := text[link.start : end].rstrip():
            links.append(Link(link.target, label, link.start, link.start + len(label)))
    return links
