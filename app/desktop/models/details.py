"""Chunks and links of one document as tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desktop.flags import flag_mark, text_flags, url_flags, with_flags
from app.desktop.formulas import with_formulas
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import counted, number, plain_address, site_of, translator

if TYPE_CHECKING:
    from app.library.records import Chunk, DocumentSummary, LinkRecord

_tr = translator("DetailModels")


HEADING, TEXT = 1, 5
"""Columns of the chunks."""

_LEAD = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?")
"""Before the words of a line: quoted, or in a list, or both."""
_UNSPOKEN = re.compile(r"#|```|\|(?:\s*:?-+:?\s*\|)+\s*$")
"""Lines of which nothing is said: headings, fences, the line below the head of a table."""
_MARKS = re.compile(r"[*`]|(?<=\])\([^)\s]*\)|(?<!\w)[\[\]]|\](?=[\s(.,;:]|$)")


def heading_path(path: tuple[str, ...]) -> str:
    """Guide › Routing › Path parameters."""
    return " › ".join(path)


def section_of(chunk: Chunk) -> str:
    """Where on its page a chunk stands: the heading path without the page's title, else the address."""
    return heading_path(_below_title(chunk)) or plain_address(chunk.url)


def _below_title(chunk: Chunk) -> tuple[str, ...]:
    return chunk.section_path[1:] if chunk.section_path[:1] == (chunk.title,) else chunk.section_path


def first_words(text: str, limit: int = 160) -> str:
    """The beginning of a Markdown text on one line, without headings and marks."""
    plain = (_LEAD.sub("", line) for line in with_formulas(text[: 4 * limit]).splitlines())
    lines = [line for line in plain if not _UNSPOKEN.match(line)]
    cells = (" ".join(line.strip().strip("|").split("|")) if line.startswith("|") else line for line in lines)
    return " ".join(_MARKS.sub("", " ".join(cells)).split())[:limit]


class ChunksModel(RowsModel["Chunk"]):
    """The passages of a document in their order. `waiting` are the ids of those that search by meaning does not reach yet."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.waiting: frozenset[int] = frozenset()
        columns: list[Column[Chunk]] = [
            Column("#", lambda c: number(c.ord + 1), lambda c: c.ord, right=True),
            Column(
                _tr("Heading"),
                lambda c: heading_path(_below_title(c)) or c.title,
                lambda c: c.section_path,
                tip=lambda c: with_flags(heading_path(c.section_path), text_flags(c.text)),
                mark=lambda c: flag_mark(text_flags(c.text)),
            ),
            Column(_tr("Tokens"), lambda c: number(c.tokens), lambda c: c.tokens, right=True),
            Column(
                _tr("Place"),
                place_text,
                lambda c: c.start,
                right=True,
                tip=lambda c: _tr("Characters {} of the page").format(place_text(c)),
            ),
            Column(
                _tr("Found by"),
                lambda c: _tr("words") if c.id in self.waiting else _tr("words, meaning"),
                lambda c: c.id not in self.waiting,
                tip=self.reach_text,
            ),
            Column(_tr("Text"), lambda c: first_words(c.text), lambda c: c.text),
        ]
        super().__init__(columns, parent)

    def reach_text(self, chunk: Chunk) -> str:
        """Whether search by meaning reaches a chunk."""
        if chunk.id in self.waiting:
            return _tr("Still being prepared: found by its words only")
        return _tr("Prepared: found by its words and by its meaning")

    def facts_text(self, chunk: Chunk) -> str:
        """Size, place and what was added to the text, in one line."""
        parts = [
            counted(chunk.tokens, _tr("1 token"), _tr("{} tokens")),
            _tr("characters {}").format(place_text(chunk)),
            _tr("found by words") if chunk.id in self.waiting else _tr("found by words and meaning"),
        ]
        if chunk.prefix_length or chunk.suffix_length:
            parts.append(_tr("a heading or fence is repeated around it"))
        return "  ·  ".join(parts)


def place_text(chunk: Chunk) -> str:
    """Where a chunk stands in its page, in characters."""
    return f"{number(chunk.start)}–{number(chunk.end)}"


class LinksModel(RowsModel["LinkRecord"]):
    """The links of a document in reading order."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[LinkRecord]] = [
            Column(
                _tr("Link text"),
                lambda r: first_words(r.text),
                lambda r: r.text.casefold(),
                tip=lambda r: with_flags(r.url, url_flags(r.url)),
                mark=lambda r: flag_mark(url_flags(r.url)),
                below=lambda r: plain_address(r.url),
            ),
            Column(_tr("Site"), lambda r: site_of(r.url), lambda r: site_of(r.url)),
        ]
        super().__init__(columns, parent, lambda link: (link.start, link.url))


class LinkingModel(RowsModel["DocumentSummary"]):
    """The stored pages that link to a document."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[DocumentSummary]] = [
            Column(
                _tr("Page"),
                lambda r: r.title or plain_address(r.url),
                lambda r: r.title.casefold(),
                tip=lambda r: r.url,
                below=lambda r: plain_address(r.url),
            ),
            Column(_tr("Site"), lambda r: site_of(r.url), lambda r: site_of(r.url)),
        ]
        super().__init__(columns, parent)
