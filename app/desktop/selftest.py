"""`--selftest`: start everything in a new folder, ask a question and draw the window. Runs on every build."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

log = logging.getLogger(__name__)

QUESTION = "How do I connect an assistant?"
PLATFORMS = {"linux": ("qxcb", "qoffscreen"), "win32": ("qwindows",), "darwin": ("qcocoa",)}
"""Qt plugins that a window or this test needs."""
TIMEOUT_MS = 60_000
POLL_MS = 30


def run_selftest(data_dir: Path | None) -> int:
    """Run all checks, print one line each, and return 0 if all pass."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    failures = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["WEBRAG_CONFIG"] = str(Path(folder) / "config.toml")
        checks: list[tuple[str, Callable[[Path], str]]] = [
            ("keyring", _keyring),
            ("extraction", _extraction),
            ("Qt", _qt),
            ("application", _application),
        ]
        for name, check in checks:
            try:
                print(f"ok      {name}: {check(data_dir or Path(folder))}")  # noqa: T201
            except Exception:
                failures += 1
                log.exception("FAILED  %s", name)
    return 1 if failures else 0


def _keyring(_data_dir: Path) -> str:
    import keyring

    return type(keyring.get_keyring()).__module__


def _extraction(_data_dir: Path) -> str:
    """Check the native HTML parsers with a realistic page."""
    from app.extract import extract

    body = f"<article><h1>Title</h1><p>{'Words of an article. ' * 40}</p></article>"
    page = extract(
        f"<html><body>{body}</body></html>".encode(),
        url="https://a.example/",
        content_type="text/html",
        charset="utf-8",
    )
    if "Words of an article." not in page.text:
        raise RuntimeError("the text of the page is missing")
    return f"{len(page.text)} characters"


def _qt(_data_dir: Path) -> str:
    """Check the Qt plugins that are loaded by name, whose absence only shows when painting."""
    from PySide6.QtCore import QLibraryInfo, qVersion
    from PySide6.QtGui import QIcon, QImageReader

    from app.paths import assets_dir

    _qt_application()
    formats = {bytes(name.data()).decode() for name in QImageReader.supportedImageFormats()}
    if missing := {"svg", "png", "jpeg", "ico"} - formats:
        raise RuntimeError(f"Qt cannot read {', '.join(sorted(missing))}")
    if QIcon(str(assets_dir() / "icons" / "app.svg")).pixmap(64, 64).toImage().pixelColor(32, 8).alpha() == 0:
        raise RuntimeError("the icon is empty")
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    if missing := {name for name in PLATFORMS.get(sys.platform, ()) if not list(plugins.glob(f"*{name}.*"))}:
        raise RuntimeError(f"Qt has no platform {', '.join(sorted(missing))}")
    return f"Qt {qVersion()}, {len(formats)} image formats, {len(list(plugins.iterdir()))} platforms"


def _application(data_dir: Path) -> str:
    """Check the whole application: model, corpus, endpoint, semantic search and every page."""
    from app.desktop.application import DesktopApp
    from app.settings import load_settings

    desktop = DesktopApp(_qt_application(), load_settings({"mcp_port": 0}, data_dir=data_dir))
    desktop.start(hidden=True)
    try:
        _wait(lambda: bool(desktop.status.url) or desktop.status.error is not None)
        if desktop.status.error is not None:
            raise desktop.status.error
        embedder = desktop.status.embedder
        if embedder is None or not embedder.usable:
            raise RuntimeError(f"the search model is not available: {embedder}")
        search = desktop.window.search
        search.mode.select("meaning")
        search.query.setText(QUESTION)
        library = desktop.window.library.model
        _wait(lambda: library.total > 0 and all(row.chunks_embedded == row.chunks for row in library.everything))
        search.search()
        _wait(lambda: search.hits.rowCount() > 0)
        colours = []
        for page in desktop.window.pages:
            desktop.window.go_to(page)
            picture = desktop.window.grab().toImage()
            points = ((x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7))
            colours.append(len({picture.pixel(x, y) for x, y in points}))
        if min(colours) < 8:
            raise RuntimeError(f"a page has only {min(colours)} colors")
        return f"{embedder.name}, {search.hits.rowCount()} results, {min(colours)} colors drawn"
    finally:
        desktop.quit()


def _qt_application() -> QApplication:
    """Return the existing application or a new one."""
    from PySide6.QtWidgets import QApplication

    from app.desktop.application import make_qt_application

    running = QApplication.instance()
    return running if isinstance(running, QApplication) else make_qt_application([sys.argv[0]])


def _wait(ready: Callable[[], bool]) -> None:
    """Run the event loop until a condition is true. Raises TimeoutError."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

    deadline = QDeadlineTimer(TIMEOUT_MS)
    while not ready():
        if deadline.hasExpired():
            raise TimeoutError("the application did not become ready")
        loop = QEventLoop()
        QTimer.singleShot(POLL_MS, loop.quit)
        loop.exec()
