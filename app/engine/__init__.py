"""The facade over the packages below; all layers above use it. Loaded on first use, because it is large."""

from __future__ import annotations

import os
from dataclasses import replace
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
    from app.engine.facade import Engine
    from app.errors import SettingsError
    from app.events import EventBus
    from app.memory import limit_arenas
    from app.secrets import SecretStore
    from app.settings_schema import LIBRARY_VARIABLE
    from app.text.sentence import sentence

    if open_node is not None:
        # Questions and users are recorded in the audit log of the library, never in a file of one node.
        settings = replace(settings, activity_log=False, keep_questions=False, auto_backup=False)
    elif os.environ.get(LIBRARY_VARIABLE, "").strip():
        server = "`webrag serve --transport streamable-http`"
        raise SettingsError(
            sentence("{} is set, but only {} can open a shared library.", LIBRARY_VARIABLE, server),
            hint=sentence("Unset {}, or start that server.", LIBRARY_VARIABLE),
        )
    limit_arenas()
    return Engine(settings, secrets or SecretStore(), bus or EventBus(), open_node=open_node)


__all__ = ["EmbedderState", "Engine", "build_engine"]
