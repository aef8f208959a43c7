"""The structure of a Markdown text as a CommonMark parser reads it, compared with the structure of the page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar
from urllib.parse import urljoin

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.extract import Page
from support.data_tables import trimmed
from support.letters import exact_lines, letters
from support.markup import Held

NOTICE_SIGN = re.compile("\u2139")
OWN_WORDS = re.compile(r"^[\s>]*(?:[-*+]\s+)*(?:```+[\w+#.-]+|\d+\.\s)|\u2139", re.MULTILINE)
LIST_NUMBER = re.compile(r"^\s*\d+\.\s")
LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]\\]|\\.|\[[^\]]*\])*)\]\(<?([^\s>)]*(?:\([^\s)]*\)[^\s>)]*)*)>?(?:\s\"[^\"]*\")?\)"
)
IMAGE = re.compile(r"!\[([^\]]*)\]\(<?([^\s>)]+)>?[^)]*\)")
HEADING_ANCHOR = re.compile(r"\(#([^)\s]+)\)")

Item = TypeVar("Item")


@dataclass(slots=True)
class Kept:
    """The structure of a page in Markdown. `dense` is without white space, `whole` only letters and digits."""

    headings: list[str] = field(default_factory=list)
    anchors: list[tuple[str, str]] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    code: list[str] = field(default_factory=list)
    languages: list[tuple[str, str]] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    images: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    dense: str = ""
    whole: str = ""
    words: list[str] = field(default_factory=list)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").disable("inline")


def read_page(page: Page) -> Kept:
    """Return the structure of a Page, whose links, images and anchors are separate from its text."""
    kept = read_markdown(page.text, page.url)
    kept.links = [(link.url, letters(link.text)[:80]) for link in page.links]
    kept.images = [(image.url, letters(image.alt)) for image in page.images]
    kept.anchors = [(letters(item.heading)[:120], item.anchor) for item in page.sections if item.anchor]
    kept.named = {anchor for _, anchor in kept.anchors}
    return kept


def read_markdown(text: str, url: str) -> Kept:
    """Return headings, code, tables, links and lines of the Markdown of the page at `url`."""
    kept = Kept()
    tokens = _parser().parse(text)
    for number, token in enumerate(tokens):
        if token.type == "fence":
            code = exact_lines(token.content)
            kept.code.append(code)
            kept.languages.append((code, token.info.strip().lower()))
        elif token.type == "heading_open":
            _read_heading(token, tokens[number + 1].content, kept)
        elif token.type == "tr_open":
            kept.rows.append(_row(tokens, number))
    shown = IMAGE.sub(r"\1", text)
    kept.links = [(urljoin(url, match.group(2)), letters(match.group(1))[:80]) for match in LINK.finditer(shown)]
    kept.images = [(urljoin(url, match.group(2)), letters(match.group(1))) for match in IMAGE.finditer(text)]
    shown = LINK.sub(r"\1", shown)
    kept.lines = NOTICE_SIGN.sub("", shown).split("\n")
    kept.dense = "".join(text.split())
    kept.whole = letters(shown)
    kept.words = re.findall(r"[^\W_]+", OWN_WORDS.sub("", shown).lower())
    return kept


def _read_heading(token: Token, content: str, kept: Kept) -> None:
    anchor = HEADING_ANCHOR.search(content)
    text = letters(LINK.sub(r"\1", content))[:120]
    kept.headings.append(f"{token.tag[1]} {text}")
    if anchor:
        kept.anchors.append((text, anchor.group(1)))


def _row(tokens: list[Token], number: int) -> tuple[str, ...]:
    cells = []
    for token in tokens[number + 1 :]:
        if token.type == "tr_close":
            break
        if token.type == "inline":
            cells.append(letters(LINK.sub(r"\1", IMAGE.sub("", token.content))))
    return trimmed(cells)


def losses(held: Held, kept: Kept) -> dict[str, tuple[list[object], int]]:
    """Return the missing items and the total for each kind."""
    anchors = set(kept.anchors)
    starts = sorted({form for line in kept.lines for form in (line, LIST_NUMBER.sub("", line))})
    opens = sorted({letters(start) for start in starts})
    return {
        "heading": _missing(held.headings, kept.headings),
        "anchor": _lost(held.anchors, lambda item: any((item[0], name) in anchors for name in item[1])),
        "term anchor": _lost(held.term_anchors, kept.named.__contains__),
        "code": _missing(held.code, kept.code),
        "language": _missing(held.languages, kept.languages),
        "row": _missing(held.rows, kept.rows),
        "formula": _lost(held.formulas, lambda tex: _is_delimited(tex, kept.dense)),
        "link": _missing(held.links, kept.links),
        "term": _lost(held.terms, lambda term: _opens_line(term, opens) or term in kept.dense),
        "notice": _lost(held.notices, lambda box: _opens_line(box[1], opens) or _is_labelled(box, opens)),
        "image": _missing(held.images, kept.images),
        "caption": _lost(held.captions, kept.whole.__contains__),
        "word": _missing(held.words, kept.words),
        "surplus": _missing(kept.words, held.words),
    }


def _missing(wanted: Sequence[Hashable], found: Iterable[Hashable]) -> tuple[list[object], int]:
    """Return the items of a multiset that another one lacks."""
    return list((Counter(wanted) - Counter(found)).elements()), len(wanted)


def _lost(wanted: Sequence[Item], is_kept: Callable[[Item], bool]) -> tuple[list[object], int]:
    return [item for item in wanted if not is_kept(item)], len(wanted)


def _opens_line(text: str, starts: list[str]) -> bool:
    """Whether one of the sorted lines starts with the text."""
    place = bisect_left(starts, text)
    return bool(text) and place < len(starts) and starts[place].startswith(text)


def _is_labelled(box: tuple[str, str], starts: list[str]) -> bool:
    """Whether a line starts with the kind of a notice and its title."""
    kind, title = box
    return any(_opens_line(f"{label}{title}", starts) for label in {kind, "note" if kind == "admonition" else kind})


def _is_delimited(tex: str, dense: str) -> bool:
    return any(f"{mark}{tex}" in dense for mark in ("$", "\\(", "\\["))
