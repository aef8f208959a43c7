"""Models of the chunks and links of a document."""

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
"""Columns of the chunks table."""

_LEAD = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?")
"""Markup in front of the words of a line: quote and list marks."""
_UNSPOKEN = re.compile(r"#|```|\|(?:\s*:?-+:?\s*\|)+\s*$")
"""Lines to skip: headings, fences, and the delimiter row of a table."""
_MARKS = re.compile(r"[*`]|(?<=\])\([^)\s]*\)|(?<!\w)[\[\]]|\](?=[\s(.,;:]|$)")


def heading_path(path: tuple[str, ...]) -> str:
    """Join a heading path: Guide › Routing › Path parameters."""
    return " › ".join(path)


def section_of(chunk: Chunk) -> str:
    """Return the heading path of a chunk without the page title, or the address if there is none."""
    return heading_path(_below_title(chunk)) or plain_address(chunk.url)


def _below_title(chunk: Chunk) -> tuple[str, ...]:
    return chunk.section_path[1:] if chunk.section_path[:1] == (chunk.title,) else chunk.section_path


def first_words(text: str, limit: int = 160) -> str:
    """Return the beginning of a Markdown text on one line, without headings and markup."""
    plain = (_LEAD.sub("", line) for line in with_formulas(text[: 4 * limit]).splitlines())
    lines = [line for line in plain if not _UNSPOKEN.match(line)]
    cells = (" ".join(line.strip().strip("|").split("|")) if line.startswith("|") else line for line in lines)
    return " ".join(_MARKS.sub("", " ".join(cells)).split())[:limit]


class ChunksModel(RowsModel["Chunk"]):
    """The passages of a document in order. `waiting` are the IDs of those not embedded yet."""

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
                _tr("Position"),
                place_text,
                lambda c: c.start,
                right=True,
                tip=lambda c: _tr("Characters {} of the page").format(place_text(c)),
            ),
            Column(
                _tr("Search"),
                lambda c: _tr("keyword") if c.id in self.waiting else _tr("keyword, semantic"),
                lambda c: c.id not in self.waiting,
                tip=self.reach_text,
            ),
            Column(_tr("Text"), lambda c: first_words(c.text), lambda c: c.text),
        ]
        super().__init__(columns, parent)

    def reach_text(self, chunk: Chunk) -> str:
        """Return whether semantic search can find a chunk, as text."""
        if chunk.id in self.waiting:
            return _tr("Not embedded yet: found by keyword search only")
        return _tr("Embedded: found by keyword and semantic search")

    def facts_text(self, chunk: Chunk) -> str:
        """Return size, position and searchability of a chunk on one line."""
        parts = [
            counted(chunk.tokens, _tr("1 token"), _tr("{} tokens")),
            _tr("characters {}").format(place_text(chunk)),
            _tr("keyword search only") if chunk.id in self.waiting else _tr("keyword and semantic search"),
        ]
        if chunk.prefix_length or chunk.suffix_length:
            parts.append(_tr("heading or fence repeated for context"))
        return "  ·  ".join(parts)


def place_text(chunk: Chunk) -> str:
    """Return the position of a chunk in its page, in characters."""
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
