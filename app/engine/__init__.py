"""The one facade over the rooms below: everything above goes through it."""

from __future__ import annotations

from app.engine.embedder_state import EmbedderState
from app.engine.facade import Engine, build_engine

__all__ = ["EmbedderState", "Engine", "build_engine"]
