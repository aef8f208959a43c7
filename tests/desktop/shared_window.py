"""One application for the tests of a module that only look and change settings: each start costs more than such a test."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.application import DesktopApp
from app.settings import load_settings
from tests.desktop.fake_care import FakeCare
from tests.desktop.fake_engine import FakeParts

START_SECONDS = 20.0


@contextmanager
def running(folder: Path) -> Iterator[DesktopApp]:
    """The application over a fake engine, with a home and a keyring of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("WEBRAG_CONFIG", str(folder / "config.toml"))
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        desktop = DesktopApp(application, load_settings(data_dir=folder / "data"), parts=FakeParts(6))
        desktop.start()
        deadline = time.monotonic() + START_SECONDS
        while not desktop.status.url and time.monotonic() < deadline:
            application.processEvents()
        yield desktop
        desktop.quit()
        desktop.window.deleteLater()


def as_new(desktop: DesktopApp) -> FakeCare:
    """Take back what an earlier test chose, and have the engine looked after anew."""
    desktop.settings.reread()
    engine = desktop.status.engine
    assert engine is not None
    care = FakeCare()
    engine.care = care  # type: ignore[assignment,misc]
    desktop.window.go_to("settings")
    desktop.window.settings.filter.clear()
    return care
