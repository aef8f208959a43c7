"""Which documents a search or a list is about. Each store compiles it into a condition of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Filter:
    """Restricts a search; empty fields restrict nothing, all fields given must hold. `urls` accepts aliases too.

    `doc_tags` are groups of source roots ("docs.python.org", "fastapi", "guide"), tags below them ("fastapi/tutorial"), labels
    ("collection:Thesis", "tag:draft") and ids of documents: a document must have or be one of each group; a tag of a source stands for
    everything below it.
    `path_prefix` begins the path below the root, without a slash at its front ("3/library", "tutorial/"). `changed_after` is in seconds
    since the epoch.
    """

    urls: tuple[str, ...] = ()
    document_ids: tuple[int, ...] = ()
    url_prefix: str = ""
    doc_tags: tuple[tuple[str | int, ...], ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None


EVERYTHING: Final = Filter()
