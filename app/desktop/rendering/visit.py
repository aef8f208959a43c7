"""One page on its way: loaded, watched until it comes to rest, taken."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript

from app import caps
from app.desktop.rendering.browser import Browser
from app.desktop.rendering.messages import RenderRequest, Setup
from app.desktop.rendering.scripts import flatten_script, read_state, state_script

POLL_MS: Final = 50

_MAIN = QWebEngineScript.ScriptWorldId.MainWorld.value
_OWN = QWebEngineScript.ScriptWorldId.ApplicationWorld.value


class Visit(QObject):
    """Renders one page. Calls `taken` with address and HTML, or `failed` with a reason, once."""

    def __init__(
        self,
        setup: Setup,
        request: RenderRequest,
        taken: Callable[[str, bytes], None],
        failed: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._taken, self._failed = taken, failed
        self._url = request.url
        self._deadline = time.monotonic() + request.timeout
        self._state_name = f"_{secrets.token_hex(8)}"
        self._is_over = False
        self._browser = Browser(setup, self._state_name)
        self._page = self._browser.page
        self._page.loadFinished.connect(self._loaded)
        self._page.renderProcessTerminated.connect(self._crashed)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._poll)

    def start(self) -> None:
        self._page.load(QUrl(self._url))
        self._timer.start()

    def _loaded(self, ok: bool) -> None:
        if not ok:
            self._fail("the page did not load")

    def _crashed(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        self._fail("the page made the browser engine end")

    def _poll(self) -> None:
        if time.monotonic() >= self._deadline:
            self._take()
        else:
            self._page.runJavaScript(state_script(self._state_name), _MAIN, self._judge)

    def _judge(self, answer: object) -> None:
        if self._is_over:
            return
        state = read_state(answer)
        if state is not None and state.is_at_rest:
            self._take()
        else:
            self._timer.start()

    def _take(self) -> None:
        self._page.runJavaScript(flatten_script(), _OWN, self._measured)

    def _measured(self, length: object) -> None:
        if isinstance(length, int | float) and length > caps.MAX_RENDERED_BYTES:
            self._fail(f"the page is larger than {caps.MAX_RENDERED_BYTES // caps.MIB} MiB once its scripts have run")
        elif not self._is_over:
            self._page.toHtml(self._got)

    def _got(self, html: str) -> None:
        if self._end():
            self._taken(self._page.url().toString(), html.encode("utf-8", "replace")[: caps.MAX_RENDERED_BYTES])

    def _fail(self, reason: str) -> None:
        if self._end():
            self._failed(reason)

    def _end(self) -> bool:
        """True the first time."""
        was_running, self._is_over = not self._is_over, True
        if was_running:
            self._timer.stop()
            self._page.loadFinished.disconnect(self._loaded)
            self._browser.close()
        return was_running
