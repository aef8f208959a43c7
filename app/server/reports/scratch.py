"""Kept passages as the person sees them: who asked, how long they last, whether they are pinned."""

from __future__ import annotations

from dataclasses import dataclass

from app.scratch.passage import Passage
from app.scratch.store import ScratchStore


@dataclass(frozen=True, slots=True)
class PassageReport:
    """A passage. `seconds_left` is None for one that is only pinned, `text` empty in lists, `is_cut` says that it is longer."""

    id: str
    title: str
    source_uri: str
    media_type: str
    size_bytes: int
    created_at: float
    client: str
    seconds_left: float | None
    is_pinned: bool
    text: str = ""
    is_cut: bool = False


def report_of(store: ScratchStore, passage: Passage, characters: int = 0) -> PassageReport:
    """The passage with so much of its text."""
    content, holding = passage.content, store.holding(passage.id)
    return PassageReport(
        id=passage.id,
        title=content.title,
        source_uri=content.source_uri,
        media_type=content.media_type,
        size_bytes=passage.size_bytes,
        created_at=passage.created_at,
        # What tells connections of one client apart stands for the right to read, so it is not shown.
        client=holding.owner.partition("\0")[0] if holding is not None else "",
        seconds_left=holding.seconds_left if holding is not None else None,
        is_pinned=store.is_pinned(passage.id),
        text=content.text[:characters],
        is_cut=len(content.text) > characters > 0,
    )


def reports(store: ScratchStore, limit: int) -> list[PassageReport]:
    """Pinned passages, the latest first, then the others, last used first."""
    pinned = store.pinned()
    known = {passage.id for passage in pinned}
    others = [passage for passage in store.everything(limit + len(known)) if passage.id not in known]
    return [report_of(store, passage) for passage in [*pinned, *others][:limit]]
