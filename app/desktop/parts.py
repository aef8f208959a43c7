"""The real engine and endpoint. Everything heavy is imported when they are made, on the engine's thread."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app import __version__
from app.instance import RuntimeInfo
from app.secrets import SecretStore

if TYPE_CHECKING:
    from app.desktop.backend import Endpoint, Requests
    from app.engine import Engine
    from app.events import EventBus
    from app.settings import Settings


class RealParts:
    """Fits app.desktop.backend.Parts."""

    def __init__(self, secrets: SecretStore) -> None:
        self._secrets = secrets
        self._token = ""

    def build_engine(self, settings: Settings, bus: EventBus) -> Engine:
        from app.engine import build_engine

        return build_engine(settings, secrets=self._secrets, bus=bus)

    def build_endpoint(self, engine: Engine, requests: Requests) -> Endpoint:
        from app.server.tools import build_registry
        from app.server.transport.http import HttpServer

        settings = engine.settings
        self._token = self._secrets.server_token()
        return HttpServer(
            engine,
            build_registry(settings),
            token=self._token,
            host=settings.mcp_host,
            port=settings.mcp_port,
            on_show=requests.show,
            on_stop=requests.stop,
        )

    def runtime_info(self, url: str) -> RuntimeInfo:
        return RuntimeInfo(url=url, token=self._token, pid=os.getpid(), version=__version__)
