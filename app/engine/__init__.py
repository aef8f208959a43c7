"""The facade over the packages below; all layers above use it. Loaded on first use, because it is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.components import EmbedderState, OpenNode
    from app.engine.facade import Engine
    from app.events import EventBus
    from app.secrets import SecretStore
    from app.settings import Settings
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from app.engine.components import EmbedderState
        from app.engine.facade import Engine

        return {"EmbedderState": EmbedderState, "Engine": Engine}[name]


def build_engine(
    settings: Settings,
    *,
    secrets: SecretStore | None = None,
    bus: EventBus | None = None,
    open_node: OpenNode | None = None,
) -> Engine:
    """Return an engine for these settings, not yet started; with `open_node`, for a shared library.

    Raises SettingsError if the environment names such a library but nothing opens it.
    """
    from app.engine.components import settings_for
    from app.engine.facade import Engine
    from app.events import EventBus
    from app.memory import limit_arenas
    from app.secrets import SecretStore

    settings = settings_for(settings, open_node)
    limit_arenas()
    return Engine(settings, secrets or SecretStore(), bus or EventBus(), open_node=open_node)


__all__ = ["EmbedderState", "Engine", "build_engine"]
