"""Chunks: exact spans of a page's text along its headings, with stable keys.

text == prefix + page.text[start:end] + suffix for every chunk; prefix and suffix only repeat a table header or re-open a fence.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import caps
from app.corpus.records import ChunkIn
from app.extract.page import Page, Section
from app.ingest.blocks import CountTokens, Kind, Piece, pieces_of
from app.text.identifiers import split_identifiers
from app.text.spans import sentence_spans

PATH_SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class _Draft:
    """A chunk in the making; `last_prose` is the start of its last piece where that is prose."""

    start: int
    end: int
    tokens: int
    path: tuple[Section, ...]
    prefix: str = ""
    suffix: str = ""
    last_prose: int | None = None

    @property
    def is_part(self) -> bool:
        return bool(self.prefix or self.suffix)


def chunk_page(page: Page, *, url: str, count_tokens: CountTokens, max_tokens: int) -> tuple[ChunkIn, ...]:
    """Cut a page into chunks of at most `max_tokens`; every character that is not blank is in one.

    A chunk starts with the heading that opens it; small neighbours under one parent share a chunk; sentences overlap
    within a section; a chunk equal to an earlier one of the page is dropped.
    """
    pieces = pieces_of(page.text, count_tokens=count_tokens, max_tokens=max_tokens)
    paths = _Paths(page.sections)
    drafts = _merged(_drafts(pieces, paths, max_tokens), max_tokens)
    drafts = _overlapping(page.text, drafts, count_tokens, max_tokens)
    texts = [f"{d.prefix}{page.text[d.start : d.end]}{d.suffix}" for d in drafts]
    chunks: dict[str, ChunkIn] = {}
    for draft, text, tokens in zip(drafts, texts, count_tokens(texts), strict=True):
        chunks.setdefault(" ".join(text.split()), _chunk(url, draft, text, tokens))
    return tuple(chunks.values())[: caps.MAX_CHUNKS_PER_DOCUMENT]


class _Paths:
    """The headings above a position."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._starts = [section.start for section in sections]
        self._paths: list[tuple[Section, ...]] = []
        for section in sections:
            above = self._paths[-1] if self._paths else ()
            self._paths.append((*(s for s in above if s.level < section.level), section))

    def at(self, position: int) -> tuple[Section, ...]:
        index = bisect_right(self._starts, position) - 1
        return self._paths[index] if index >= 0 else ()


def _drafts(pieces: Sequence[Piece], paths: _Paths, max_tokens: int) -> list[_Draft]:
    """Pieces gathered section by section; headings wait for what follows them."""
    drafts: list[_Draft] = []
    waiting: list[Piece] = []
    current: _Draft | None = None
    for piece in pieces:
        if piece.kind is Kind.HEADING:
            drafts += [current] if current is not None else []
            current = None
            waiting.append(piece)
            continue
        added = _started(waiting, piece, paths, max_tokens, drafts)
        waiting = []
        if current is not None and not current.is_part and not piece.is_part and current.tokens + added.tokens <= max_tokens:
            current = replace(current, end=added.end, tokens=current.tokens + added.tokens, last_prose=added.last_prose)
        else:
            drafts += [current] if current is not None else []
            current = added
    drafts += [current] if current is not None else []
    if waiting:
        drafts.append(_Draft(waiting[0].start, waiting[-1].end, sum(p.tokens for p in waiting), paths.at(waiting[-1].start)))
    return drafts


def _started(
    waiting: list[Piece], piece: Piece, paths: _Paths, max_tokens: int, drafts: list[_Draft]
) -> _Draft:
    """The piece with the headings before it; headings that do not fit stand alone before it."""
    path = paths.at(piece.start)
    prose = piece.start if piece.kind is Kind.PROSE else None
    headings = list(waiting)
    while headings and (piece.prefix or sum(p.tokens for p in headings) + piece.tokens > max_tokens):
        first = headings.pop(0)
        drafts.append(_Draft(first.start, first.end, first.tokens, paths.at(first.start)))
    start = headings[0].start if headings else piece.start
    tokens = piece.tokens + sum(p.tokens for p in headings)
    return _Draft(start, piece.end, tokens, path, piece.prefix, piece.suffix, prose)


def _merged(drafts: Sequence[_Draft], max_tokens: int) -> list[_Draft]:
    """Small drafts joined to the next one under the same parent while both fit."""
    merged: list[_Draft] = []
    for draft in drafts:
        last = merged[-1] if merged else None
        if last is not None and _belong_together(last, draft) and last.tokens + draft.tokens <= max_tokens:
            path = last.path if len(last.path) <= len(draft.path) else last.path[: len(draft.path) - 1] or last.path
            tokens = last.tokens + draft.tokens
            merged[-1] = replace(last, end=draft.end, tokens=tokens, path=path, last_prose=draft.last_prose)
        else:
            merged.append(draft)
    return merged


def _belong_together(first: _Draft, second: _Draft) -> bool:
    if first.is_part or second.is_part or min(first.tokens, second.tokens) >= caps.MIN_CHUNK_TOKENS:
        return False
    shorter = min(len(first.path), len(second.path))
    parent = max(shorter - 1, 0) if len(first.path) == len(second.path) else shorter
    return first.path[:parent] == second.path[:parent]


def _overlapping(
    text: str, drafts: Sequence[_Draft], count_tokens: CountTokens, max_tokens: int
) -> list[_Draft]:
    """Within a section a chunk begins with the last sentences of the prose before it."""
    result = list(drafts[:1])
    budget = int(caps.CHUNK_OVERLAP * max_tokens)
    for before, draft in zip(drafts, drafts[1:], strict=False):
        same_section = before.path == draft.path and (not draft.path or draft.start > draft.path[-1].start)
        if before.last_prose is None or draft.is_part or not same_section:
            result.append(draft)
            continue
        room = min(budget, max_tokens - draft.tokens)
        start, tokens = _last_sentences(text, before.last_prose, before.end, count_tokens, room)
        result.append(replace(draft, start=start, tokens=draft.tokens + tokens) if tokens else draft)
    return result


def _last_sentences(text: str, start: int, end: int, count_tokens: CountTokens, room: int) -> tuple[int, int]:
    """Where the last whole sentences of a stretch that fit into `room` tokens begin, and their tokens."""
    spans = sentence_spans(text[start:end])[1:]
    counts = count_tokens([text[start + s.start : start + s.end] for s in spans]) if spans else []
    taken, begin = 0, end
    for span, tokens in zip(reversed(spans), reversed(counts), strict=True):
        if taken + tokens > room:
            break
        taken, begin = taken + tokens, start + span.start
    return begin, taken


def _chunk(url: str, draft: _Draft, text: str, tokens: int) -> ChunkIn:
    path = tuple(section.heading for section in draft.path)
    key = hashlib.sha256(f"{url}|{PATH_SEPARATOR.join(path)}|{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return ChunkIn(
        key=key,
        section_path=path,
        anchor=draft.path[-1].anchor if draft.path else None,
        text=text,
        start=draft.start,
        end=draft.end,
        prefix_length=len(draft.prefix),
        suffix_length=len(draft.suffix),
        tokens=tokens,
        identifiers=split_identifiers(text),
    )
