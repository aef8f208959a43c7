"""Saved images of pages, named in results for assistants that accept images. They are sent only on request (`kb.read_excerpt`)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from app.client_limits import limits_of
from app.errors import CorpusError
from app.server.calls.registry import ToolCall
from app.text.page_text import quoted

if TYPE_CHECKING:
    from app.scratch.resources import NamedPicture

log = logging.getLogger(__name__)

MAX_PICTURES: Final = 3
MAX_PICTURE_TITLE_CHARS: Final = 60


def saved_pictures(call: ToolCall, url: str) -> list[NamedPicture]:
    """Return the saved images of a page; none if the assistant does not accept images, or while the cache is not usable."""
    if not limits_of(call.caller.name).pictures:
        return []
    try:
        return call.engine.artifacts.kept_pictures(url)
    except CorpusError as error:
        log.warning("kept pictures are not named: %s", error)
        return []


def pictures_note(call: ToolCall, url: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a sentence with the first saved images in parts of a page, or ""."""
    parts = list(spans)
    saved = saved_pictures(call, url)
    beside = [each for each in saved if any(start <= each.image.position <= end for start, end in parts)]
    named = ", ".join(
        f"{each.uri} {quoted(each.title, MAX_PICTURE_TITLE_CHARS)}".removesuffix(' ""')
        for each in beside[:MAX_PICTURES]
    )
    return f"Images there, to read with kb_read_excerpt: {named}." if named else ""
