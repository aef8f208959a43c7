"""A passage kept for its owner, and where it is from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SCHEME: Final = "webrag"
ALIAS_SCHEME: Final = "wekadocs"
PINNED: Final = "pinned"
"""The session of passages that the person pinned: every assistant of this machine may read them."""


@dataclass(frozen=True, slots=True)
class PassageIn:
    """A text to keep. `section_id` is the chunk's id as text, empty for what is no chunk.

    `document_id`, `document_hash`, `start` and `end` say where it stands in a stored document (None and "" for what is from elsewhere).
    """

    section_id: str
    doc_tag: str
    title: str
    text: str
    source_uri: str
    anchor: str | None = None
    media_type: str = "text/plain"
    document_id: int | None = None
    document_hash: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A kept text. `id` is opaque and random, `created_at` seconds since the epoch, `size_bytes` the text in UTF-8."""

    id: str
    session_id: str
    content: PassageIn
    created_at: float
    size_bytes: int

    @property
    def uri(self) -> str:
        return f"{SCHEME}://scratch/{self.session_id}/{self.id}"
