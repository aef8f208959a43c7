"""The embedder as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.parts import Parts


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """`detail` says why it is not usable, `waiting` counts chunks without vectors, `reason` says what they wait for, if anything."""

    name: str
    usable: bool
    detail: str
    waiting: int
    reason: str = ""


def embedder_state_of(parts: Parts | None) -> EmbedderState:
    """The state now; None stands for an engine that is not running."""
    if parts is None:
        return EmbedderState("none", False, "", 0)
    queue, embedder = parts.embeddings, parts.embedder
    failure = queue.failure if queue is not None else None
    detail = parts.embedder_error or (str(failure) if failure is not None else "")
    name = embedder.card.name if embedder is not None else "none"
    usable = embedder is not None and not detail
    if queue is None:
        return EmbedderState(name, usable, detail, 0)
    return EmbedderState(name, usable, detail, queue.waiting, queue.reason)
