r"""The window under Wine as it appears on the screen: `xvfb-run installer/windows_under_wine.py show tests/windows/pictures.py FOLDER`.

Starts the application on a new data folder with Qt's Windows platform, opens every page and saves screenshots.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

LEAST_COLOURS = 8
SCENE_MS = 1500
STEP_MS = 50
SCENE_SECONDS = 20.0
START_SECONDS = 240.0
QUESTION = "How do I connect an assistant?"
"""A question that the guide answers, which is in every library."""
FIXED_WIDTH = ("Courier New", "DejaVu Sans Mono")
"""The replacement for Windows's monospace font, which Wine lacks. Qt ignores the replacements of its registry."""


def main(folder: Path) -> int:
    """Save one image per page, and return 1 if one of them is empty."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        os.environ |= {"QT_QPA_PLATFORM": "windows", "WEBRAG_CONFIG": str(Path(data) / "config.toml")}
        os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        empty = _pictures(Path(data), folder)
    print(f"drawn by Qt's platform for Windows, {len(empty)} empty: {' '.join(empty)}", flush=True)  # noqa: T201
    return 1 if empty else 0


def _pictures(data_dir: Path, folder: Path) -> list[str]:
    from PySide6.QtGui import QFont

    from app.desktop import engine_thread
    from app.desktop.application import DesktopApp, make_qt_application
    from app.desktop.pages.search.page import SearchPage
    from app.desktop.pages.settings.page import SettingsPage
    from app.settings import load_settings

    # The model is slow under Wine, and a running engine keeps the files of the folder open.
    engine_thread.STOP_SECONDS = START_SECONDS
    folder.mkdir(parents=True, exist_ok=True)
    qt = make_qt_application(["webrag-desktop"])
    QFont.insertSubstitution(*FIXED_WIDTH)
    desktop = DesktopApp(qt, load_settings({"mcp_port": 0}, data_dir=data_dir))
    desktop.start(hidden=True)
    try:
        _wait(lambda: bool(desktop.status.url) or desktop.status.error is not None)
        desktop.window.show()
        empty = []
        for name in list(desktop.window.pages):
            desktop.window.go_to(name)
            page = desktop.window.pages[name]
            if isinstance(page, SettingsPage):
                page.complete()
            elif isinstance(page, SearchPage):
                page.query.setText(QUESTION)
                page.search()
                _wait(lambda: not desktop.window.search.searching.is_running)
            image = _at_rest(qt)
            image.save(str(folder / f"{name}.png"))
            points = ((x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7))
            if len({image.pixel(x, y) for x, y in points}) < LEAST_COLOURS:
                empty.append(str(name))
        return empty
    finally:
        desktop.quit()


def _at_rest(qt: QApplication) -> QImage:
    """Return the screen when it no longer changes, or after a time limit."""
    deadline = time.monotonic() + SCENE_SECONDS
    before = None
    while (image := qt.primaryScreen().grabWindow(0).toImage()) != before and time.monotonic() < deadline:
        before = image
        _settle(SCENE_MS)
    return image


def _wait(done: Callable[[], bool]) -> None:
    """Wait for a condition, at most START_SECONDS."""
    deadline = time.monotonic() + START_SECONDS
    while not done() and time.monotonic() < deadline:
        _settle(STEP_MS)


def _settle(milliseconds: int) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
