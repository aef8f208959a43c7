"""The one facade over the packages below: everything above goes through it. Loaded when first used, as it is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.components import EmbedderState
    from app.engine.facade import Engine, build_engine
else:

    def __getattr__(name: str) -> object:
        """The public names, from the modules that define them."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.engine.components import EmbedderState
        from app.engine.facade import Engine, build_engine

        return {"EmbedderState": EmbedderState, "Engine": Engine, "build_engine": build_engine}[name]


__all__ = ["EmbedderState", "Engine", "build_engine"]
