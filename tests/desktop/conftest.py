"""The application over a fake engine, offscreen; one theme for the whole process as in the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.backend import Phase
from app.settings import load_settings
from tests.desktop.fake_engine import FakeParts

Start = Callable[..., DesktopApp]


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path) -> Iterator[Start]:
    """Starts the application with given parts; everything is stopped after the test."""
    started: list[DesktopApp] = []

    def run(
        parts: FakeParts | None = None, *, ready: bool = True, hidden: bool = False, **settings: object
    ) -> DesktopApp:
        from PySide6.QtWidgets import QApplication

        application = QApplication.instance()
        assert isinstance(application, QApplication)
        desktop = DesktopApp(
            application, load_settings(settings, data_dir=tmp_path / "data"), parts=parts or FakeParts()
        )
        started.append(desktop)
        desktop.start(hidden=hidden)
        if ready:
            qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING, timeout=5_000)
        return desktop

    yield run
    for desktop in started:
        desktop.quit()
        desktop.window.deleteLater()


@pytest.fixture
def parts() -> FakeParts:
    """Six stored pages."""
    return FakeParts(6)


@pytest.fixture
def desktop(start: Start, parts: FakeParts) -> DesktopApp:
    """The application with six stored pages, running."""
    return start(parts)
