"""The pages that one call touched, as far as they are stored, with the passages that it used."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desktop.language import translator
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import number, plain_address

if TYPE_CHECKING:
    from app.desktop.models.activity import Call
    from app.engine import Engine

_tr = translator("TouchedModel")


@dataclass(frozen=True, slots=True)
class TouchedPage:
    """`document_id` is 0 for a page that is not stored (any more); `ranges` are the passages used, the best first."""

    url: str
    title: str = ""
    document_id: int = 0
    tokens: int = 0
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Touched:
    """The pages of a call in its order, and how many of their tokens it did not return."""

    pages: tuple[TouchedPage, ...]
    saved: int


async def touched_pages(engine: Engine, call: Call) -> Touched:
    """Look the pages of a call up."""
    from app.engine.activity import reads_pages

    stored = await engine.documents.at(call.pages)
    rows = tuple(
        TouchedPage(url, page.title, page.id, page.tokens) if page is not None else TouchedPage(url)
        for url, page in zip(call.pages, stored, strict=True)
    )
    whole = sum({row.document_id: row.tokens for row in rows}.values())
    reads = reads_pages(call.tool, call.outcome, call.tokens)
    return Touched(rows, call.saved if call.saved is not None else max(0, whole - call.tokens) if reads else 0)


class TouchedModel(RowsModel[TouchedPage]):
    """The pages of the call that is shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[TouchedPage]] = [
            Column(
                _tr("Page"),
                lambda p: p.title or plain_address(p.url),
                lambda p: (p.title or p.url).casefold(),
                tip=lambda p: p.url,
                mark=lambda p: ("quote", "success") if p.ranges else None,
            ),
            Column(
                _tr("Passages used"),
                lambda p: number(len(p.ranges)) if p.ranges else "–",
                lambda p: len(p.ranges),
                True,
            ),
            Column(
                _tr("Whole page"),
                lambda p: _tr("{} tokens").format(number(p.tokens)) if p.document_id else _tr("not stored"),
                lambda p: p.tokens,
                right=True,
            ),
        ]
        super().__init__(columns, parent)

    def key(self, record: TouchedPage) -> Hashable:
        return record.url

    def haystack(self, record: TouchedPage) -> str:
        return f"{record.title}\n{record.url}".casefold()
