"""The one facade over the rooms below: everything above goes through it. Loaded when it is first asked for, as it is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.components import EmbedderState
    from app.engine.facade import Engine, build_engine
else:

    def __getattr__(name: str) -> object:
        """What this room offers, from the modules that have it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.engine.components import EmbedderState
        from app.engine.facade import Engine, build_engine

        return {"EmbedderState": EmbedderState, "Engine": Engine, "build_engine": build_engine}[name]


__all__ = ["EmbedderState", "Engine", "build_engine"]
