"""The real engine and its endpoint next to a browser, on their own event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from app.browsers import PairedBrowsers
from app.engine import Engine, build_engine
from app.errors import WebRAGError
from app.ingest.policies import BROWSER_KIND
from app.secrets import SecretStore
from app.server.http import HttpServer
from app.server.tools import build_registry
from app.settings import load_settings

T = TypeVar("T")
TOKEN = "token-of-the-tests"


class App:
    """Engine and endpoint on their own event loop."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        given = {"allow_hosts": "localhost", "allow_networks": "127.0.0.0/8", "render_pages": False}
        self.settings = load_settings(given, data_dir=folder / "data", file=folder / "none.toml", environ={})
        self.browsers = PairedBrowsers(self.settings.data_dir)
        self.engine: Engine = build_engine(self.settings, secrets=SecretStore())
        self.do(self.engine.start())
        self.port = 0
        self._server: HttpServer | None = None
        self.listen()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        made: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return made.result(120)

    def listen(self) -> None:
        registry = build_registry(self.settings)
        self._server = HttpServer(self.engine, registry, token=TOKEN, port=self.port)
        url = self.do(self._server.start())
        self.port = int(url.rpartition(":")[2].partition("/")[0])

    def silence(self) -> None:
        assert self._server is not None
        self.do(self._server.stop())

    def stop(self) -> None:
        self.silence()
        self.do(self.engine.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def code(self) -> str:
        return f"{self.port}-{self.browsers.new_code()}"

    def kept(self, url: str) -> str:
        """Return the text of a page that a browser saved, or an empty string."""
        (row,) = self.do(self.engine.documents.at([url]))
        if row is None or row.kind != BROWSER_KIND:
            return ""
        document = self.do(self.engine.documents.get(row.id))
        return document.text if document is not None else ""

    def fetched(self, url: str) -> str:
        """Return the text from fetching an address, or the error."""
        try:
            look = self.do(self.engine.preview_page(url))
        except WebRAGError as error:
            return f"{error.title}: {error.message}"
        assert look.fetched is not None
        return look.fetched.prepared.page.text
