"""One window for all tests of a module: making it takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.desktop.application import DesktopApp
from app.desktop.backend import Phase
from app.settings import load_settings
from tests.desktop.fake_engine import FakeParts


@contextmanager
def running_window(home: Path, parts: FakeParts) -> Iterator[DesktopApp]:
    """The application over a fake engine, in a home of its own; stopped at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("WEBRAG_CONFIG", str(home / "config.toml"))
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        desktop = DesktopApp(application, load_settings({}, data_dir=home / "data"), parts=parts)
        desktop.start()
        deadline = QDeadlineTimer(10_000)
        while desktop.status.phase is not Phase.RUNNING and not deadline.hasExpired():
            loop = QEventLoop()
            QTimer.singleShot(10, loop.quit)
            loop.exec()
    yield desktop
    desktop.quit()
    desktop.window.deleteLater()
