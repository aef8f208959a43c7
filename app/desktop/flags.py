"""Marks for passages that address the assistant and for addresses that may carry data away; found for what is shown."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from app.desktop.wording import counted
from app.text.shield import address_flags, instruction_flags

if TYPE_CHECKING:
    from app.engine import Engine

KEPT: Final = 512
"""Texts and addresses whose flags are remembered while a table is painted again and again."""

FLAG_MARK: Final = ("flag", "warning")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Flags", text)


text_flags = lru_cache(maxsize=KEPT)(instruction_flags)
url_flags = lru_cache(maxsize=KEPT)(address_flags)


def flag_mark(flags: tuple[str, ...]) -> tuple[str, str] | None:
    """The icon of a cell, if there is anything to mark."""
    return FLAG_MARK if flags else None


def flagged(flags: tuple[str, ...]) -> str:
    """`Flagged: speaks to the assistant`; empty without flags."""
    return _tr("Flagged: {}").format(", ".join(flags)) if flags else ""


def with_flags(tip: str, flags: tuple[str, ...]) -> str:
    """A tooltip and below it the flags."""
    return "\n".join(part for part in (tip, flagged(flags)) if part)


async def document_flags(engine: Engine, document_id: int, url: str, limit: int) -> str:
    """What is flagged in the first chunks of a document, in its links and in its address, one flag a line."""
    found: Counter[str] = Counter()
    for chunk in await engine.document_chunks(document_id, limit=limit):
        found.update(instruction_flags(chunk.text))
        # The loop serves the assistants meanwhile.
        await asyncio.sleep(0)
    lines = [f"{flag} ({counted(count, _tr('1 chunk'), _tr('{} chunks'))})" for flag, count in found.items()]
    links = sum(bool(address_flags(link.url)) for link in await engine.document_links(document_id))
    if links:
        lines.append(counted(links, _tr("1 link that may carry data"), _tr("{} links that may carry data")))
    lines += [_tr("{} (this address)").format(flag) for flag in address_flags(url)]
    return "\n".join(lines)
