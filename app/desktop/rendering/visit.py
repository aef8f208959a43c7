"""Loading of one page until it settles, in a browser without display, prompts or storage.

The browser only loads what the page needs for its text. A separate module, because it protects the user from pages.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6 import QtWebEngineCore
from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtNetwork import QAuthenticator
from PySide6.QtWebEngineWidgets import QWebEngineView
from shiboken6 import delete

from app import caps
from app.desktop.qt import single_shot
from app.desktop.rendering.messages import RenderRequest, Setup
from app.desktop.rendering.scripts import FLATTEN, is_at_rest, state_script, watch_script

WEB_SCHEMES: Final = frozenset({"http", "https"})
LOCAL_SCHEMES: Final = frozenset({"about", "blob", "data"})  # URL schemes that do not use the network.
WIDTH: Final = 1_280
HEIGHT: Final = 3_000  # Size of the window in pixels. It is tall, because pages fill the visible part first.
METHODS: Final = frozenset({b"GET", b"HEAD", b"POST", b"OPTIONS"})

_Kind = QtWebEngineCore.QWebEngineUrlRequestInfo.ResourceType
_NEEDED: Final = frozenset(
    {
        *(_Kind.ResourceTypeMainFrame, _Kind.ResourceTypeSubFrame, _Kind.ResourceTypeStylesheet),
        *(_Kind.ResourceTypeScript, _Kind.ResourceTypeXhr, _Kind.ResourceTypeWorker, _Kind.ResourceTypeSharedWorker),
        *(_Kind.ResourceTypeNavigationPreloadMainFrame, _Kind.ResourceTypeNavigationPreloadSubFrame),
        *(_Kind.ResourceTypeSubResource, _Kind.ResourceTypeJson),
    }
)  # Excludes images, media, fonts, icons, plug-ins, service workers, pings, reports, prefetching and web sockets.

_Attribute = QtWebEngineCore.QWebEngineSettings.WebAttribute
_OFF: Final = (
    *(_Attribute.AutoLoadImages, _Attribute.PluginsEnabled, _Attribute.PdfViewerEnabled, _Attribute.ErrorPageEnabled),
    *(_Attribute.JavascriptCanOpenWindows, _Attribute.JavascriptCanAccessClipboard, _Attribute.ScreenCaptureEnabled),
    *(_Attribute.LocalContentCanAccessFileUrls, _Attribute.LocalContentCanAccessRemoteUrls, _Attribute.WebGLEnabled),
    *(_Attribute.HyperlinkAuditingEnabled, _Attribute.DnsPrefetchEnabled, _Attribute.FullScreenSupportEnabled),
    *(_Attribute.AutoLoadIconsForPage, _Attribute.NavigateOnDropEnabled, _Attribute.AllowRunningInsecureContent),
    *(_Attribute.AllowGeolocationOnInsecureOrigins, _Attribute.Accelerated2dCanvasEnabled),
)
_ON: Final = (_Attribute.WebRTCPublicInterfacesOnly, _Attribute.PlaybackRequiresUserGesture)

POLL_MS: Final = 50

_MAIN = QtWebEngineCore.QWebEngineScript.ScriptWorldId.MainWorld.value
_OWN = QtWebEngineCore.QWebEngineScript.ScriptWorldId.ApplicationWorld.value


class Interceptor(QtWebEngineCore.QWebEngineUrlRequestInterceptor):
    """Blocks all requests except those that the text needs from the web."""

    def interceptRequest(self, info: QtWebEngineCore.QWebEngineUrlRequestInfo) -> None:
        scheme = info.requestUrl().scheme()
        is_web = scheme in WEB_SCHEMES and info.resourceType() in _NEEDED and info.requestMethod().data() in METHODS
        info.block(not (is_web or scheme in LOCAL_SCHEMES))


class QuietPage(QtWebEngineCore.QWebEnginePage):
    """A page that denies all prompts and permissions."""

    def acceptNavigationRequest(
        self, url: QUrl | str, navigation: QtWebEngineCore.QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        scheme = QUrl(url).scheme()
        return scheme in WEB_SCHEMES or (scheme in LOCAL_SCHEMES and not is_main_frame)

    def javaScriptAlert(self, origin: QUrl | str, text: str) -> None:
        return

    def javaScriptConfirm(self, origin: QUrl | str, text: str) -> bool:
        return False

    def javaScriptPrompt(self, origin: QUrl | str, text: str, default: str) -> tuple[bool, str]:
        return False, ""

    def chooseFiles(
        self, mode: QtWebEngineCore.QWebEnginePage.FileSelectionMode, old: Sequence[str], kinds: Sequence[str]
    ) -> list[str]:
        return []

    def javaScriptConsoleMessage(
        self, level: QtWebEngineCore.QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        return


class Browser(QObject):
    """A temporary profile and page for one address."""

    def __init__(self, setup: Setup, state_name: str) -> None:
        super().__init__()
        self._setup = setup
        self._profile = QtWebEngineCore.QWebEngineProfile()
        self._profile.setHttpUserAgent(setup.user_agent)
        self._interceptor = Interceptor(self)
        self._profile.setUrlRequestInterceptor(self._interceptor)
        self._profile.downloadRequested.connect(lambda download: download.cancel())
        script = QtWebEngineCore.QWebEngineScript()
        script.setSourceCode(watch_script(state_name))
        script.setInjectionPoint(QtWebEngineCore.QWebEngineScript.InjectionPoint.DocumentCreation)
        script.setWorldId(QtWebEngineCore.QWebEngineScript.ScriptWorldId.MainWorld)
        self._profile.scripts().insert(script)
        self.page = QuietPage(self._profile)
        for attribute in (*_OFF, *_ON):
            self.page.settings().setAttribute(attribute, attribute in _ON)
        # Without a window, the page is hidden: timers only run once a second, and lazy content never loads.
        self._view = QWebEngineView()
        self._view.setPage(self.page)
        self._view.resize(WIDTH, HEIGHT)
        self._view.show()
        self.page.proxyAuthenticationRequired.connect(self._authenticate)
        self.page.certificateError.connect(lambda error: error.rejectCertificate())
        self.page.permissionRequested.connect(lambda permission: permission.deny())

    def close(self) -> None:
        """Delete window, page and profile in this order, when none of them is active."""
        QTimer.singleShot(0, self._delete)

    def _delete(self) -> None:
        for part in (self._view, self.page, self._profile):
            delete(part)

    def _authenticate(self, url: QUrl, authenticator: QAuthenticator, proxy_host: str) -> None:
        authenticator.setUser(self._setup.proxy_user)
        authenticator.setPassword(self._setup.proxy_password)


class Visit(QObject):
    """Renders one page. Calls either `taken` with URL and HTML or `failed` with a reason, once."""

    def __init__(
        self, setup: Setup, request: RenderRequest, taken: Callable[[str, bytes], None], failed: Callable[[str], None]
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
        self._page.renderProcessTerminated.connect(lambda *_: self._fail("the page crashed the browser engine"))
        self._timer = single_shot(self, POLL_MS, self._poll)

    def start(self) -> None:
        self._page.load(QUrl(self._url))
        self._timer.start()

    def _loaded(self, ok: bool) -> None:
        if not ok:
            self._fail("the page did not load")

    def _poll(self) -> None:
        if time.monotonic() >= self._deadline:
            self._take()
        else:
            self._page.runJavaScript(state_script(self._state_name), _MAIN, self._judge)

    def _judge(self, answer: object) -> None:
        if self._is_over:
            return
        if is_at_rest(answer):
            self._take()
        else:
            self._timer.start()

    def _take(self) -> None:
        self._page.runJavaScript(FLATTEN, _OWN, self._measured)

    def _measured(self, length: object) -> None:
        if isinstance(length, int | float) and length > caps.MAX_RENDERED_BYTES:
            self._fail(f"the rendered page is larger than {caps.MAX_RENDERED_BYTES // caps.MIB} MiB")
        elif not self._is_over:
            self._page.toHtml(self._got)

    def _got(self, html: str) -> None:
        if self._end():
            self._taken(self._page.url().toString(), html.encode("utf-8", "replace")[: caps.MAX_RENDERED_BYTES])

    def _fail(self, reason: str) -> None:
        if self._end():
            self._failed(reason)

    def _end(self) -> bool:
        """End the visit. Return True the first time."""
        was_running, self._is_over = not self._is_over, True
        if was_running:
            self._timer.stop()
            self._page.loadFinished.disconnect(self._loaded)
            self._browser.close()
        return was_running
