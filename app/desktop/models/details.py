"""Models of the chunks and links of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from PySide6.QtCore import QObject

from app.desktop.flags import flag_mark, text_flags, url_flags, with_flags
from app.desktop.formulas import with_formulas
from app.desktop.models.rows import Column, RowsModel, amount
from app.desktop.wording import counted, number, plain_address, playing_time, site_of, translator
from app.library.records import Chunk, DocumentSummary, LinkRecord, SectionRecord

_tr = translator("DetailModels")

HEADING, TEXT = 1, 5  # Columns of the chunks table.

_LEAD = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?")
"""Markup in front of the words of a line: quote and list marks."""
_UNSPOKEN = re.compile(r"#|```|\|(?:\s*:?-+:?\s*\|)+\s*$")
"""Lines to skip: headings, fences, and the delimiter row of a table."""
_LINE, _NUMBER = re.compile(r"L[0-9]{1,9}"), re.compile(r"[0-9]{1,9}")
_ROWS = re.compile(r"[A-Z]{1,3}(\d{1,9}):[A-Z]{1,3}(\d{1,9})")
_LABELLED = re.compile(r"(?:page|cell|message)=\d{1,9}")
_MARKS = re.compile(r"[*`]|(?<=\])\([^)\s]*\)|(?<!\w)[\[\]]|\](?=[\s(.,;:]|$)")


def heading_path(path: tuple[str, ...]) -> str:
    """Join a heading path: Guide › Routing › Path parameters. The part of a sheet includes the name of the sheet."""
    return " › ".join(
        each for each, below in zip(path, (*path[1:], ""), strict=False) if not below.startswith(f"{each}, ")
    )


def section_of(chunk: Chunk) -> str:
    """Return the heading path of a chunk without the page title and its place in the file, or the address if there is neither."""
    path = heading_path(_below_title(chunk))
    return " › ".join(filter(None, (path, anchor_words(chunk.anchor, path)))) or plain_address(chunk.url)


def anchor_words(anchor: str | None, path: str = "") -> str:
    """Return the place that an anchor means, such as “Slide 2” or “Prices, rows 1–41”. Empty if the heading path includes it."""
    named = dict(part.partition("=")[::2] for part in (anchor or "").split("&"))
    found = {
        key: words for key, words in _places(named).items() if not re.search(rf"\b{words[0]}", path, re.IGNORECASE)
    }
    return ", ".join(words for _, words in found.values())


def _places(named: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return a pattern for the headings that name a place, and its words, for each place of an anchor."""
    numbered = {
        "message": _tr("Message {}"),
        "attachment": _tr("Attachment {}"),
        "page": _tr("Page {}"),
        "slide": _tr("Slide {}"),
        "cell": _tr("Cell {}"),
        "line": _tr("Line {}"),
    }
    line = next((key[1:] for key in named if _LINE.fullmatch(key)), "")
    places = {"line": line, **named}
    found = {
        key: ("attachment: " if key == "attachment" else rf"{key} {places[key]}\b", words.format(places[key]))
        for key, words in numbered.items()
        if _NUMBER.fullmatch(places.get(key, ""))
    }
    if _NUMBER.fullmatch(named.get("t", "")):
        time = playing_time(int(named["t"]))
        found["t"] = (time, time)
    if rows := _ROWS.fullmatch(named.get("range", "")):
        words = _tr("rows {}–{}") if named.get("sheet") else _tr("Rows {}–{}")
        found["range"] = (f"rows {rows[1]}–{rows[2]}", words.format(rows[1], rows[2]))
    for key in ("sheet", "path"):
        if name := unquote(named.get(key, "")):
            found = {key: (re.escape(name), name), **found}
    return found


def place_labels(sections: Sequence[SectionRecord]) -> list[tuple[int, str]]:
    """Return where a page, cell or message begins whose number is not part of the text, with its words."""
    found: list[tuple[int, str]] = []
    for section in sections:
        label = _LABELLED.match(section.anchor or "")
        if label is not None and (not found or found[-1][1] != anchor_words(label[0])):
            found.append((section.start, anchor_words(label[0])))
    return found


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
            amount("#", lambda c: c.ord + 1),
            Column(
                _tr("Heading"),
                lambda c: heading_path(_below_title(c)) or anchor_words(c.anchor) or c.title,
                lambda c: c.section_path,
                tip=lambda c: with_flags(heading_path(c.section_path), text_flags(c.text)),
                mark=lambda c: flag_mark(text_flags(c.text)),
            ),
            amount(_tr("Tokens"), lambda c: c.tokens),
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
                tip=lambda c: (
                    _tr("Not embedded yet: found by keyword search only")
                    if c.id in self.waiting
                    else _tr("Embedded: found by keyword and semantic search")
                ),
            ),
            Column(_tr("Text"), lambda c: first_words(c.text), lambda c: c.text),
        ]
        super().__init__(columns, parent)

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


def links_model(parent: QObject | None = None) -> RowsModel[LinkRecord]:
    """Return a model of the links of a document in reading order."""
    columns: list[Column[LinkRecord]] = [
        Column(
            _tr("Link text"),
            lambda r: first_words(r.text),
            lambda r: r.text.casefold(),
            tip=lambda r: with_flags(r.url, url_flags(r.url)),
            mark=lambda r: flag_mark(url_flags(r.url)),
            below=lambda r: plain_address(r.url),
        ),
        Column(_tr("Site"), lambda r: site_of(r.url)),
    ]
    return RowsModel(columns, parent, lambda link: (link.start, link.url))


def linking_model(parent: QObject | None = None) -> RowsModel[DocumentSummary]:
    """Return a model of the stored pages that link to a document."""
    columns: list[Column[DocumentSummary]] = [
        Column(
            _tr("Page"),
            lambda r: r.title or plain_address(r.url),
            lambda r: r.title.casefold(),
            tip=lambda r: r.url,
            below=lambda r: plain_address(r.url),
        ),
        Column(_tr("Site"), lambda r: site_of(r.url)),
    ]
    return RowsModel(columns, parent)
