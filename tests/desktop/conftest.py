"""The application with a fake engine, offscreen, with one theme for the whole process as in the program."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop import defects, engine_thread, theme
from app.desktop.application import DesktopApp
from app.desktop.exports import leave_clipboard
from app.memory import collect_due
from tests.conftest import in_own_home
from tests.desktop.fake_engine import FakeParts
from tests.desktop.window import PATIENCE_MS, begin_anew, delete_now, make, take_away, wait_running, without_parent

Start = Callable[..., DesktopApp]
REAL_STYLE = theme.style_sheet
NEEDED = ("Xvfb", "dbus-run-session", "openbox", "xwininfo", "xprop")
"""Programs of a desktop that tests start themselves."""


class _PatientBot(QtBot):
    """Waits as long as a busy machine may need, no matter which timeout the test asks for."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE_MS))

    def waitSignal(self, *arguments: Any, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignal(*arguments, timeout=max(timeout, PATIENCE_MS), **options)


@pytest.fixture(scope="module", autouse=True)
def garbage_is_collected_on_this_thread() -> Iterator[None]:
    """As in the program: on other threads, the collector would delete Qt objects with running timers and crash a later test."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(scope="module", autouse=True)
def style_of_the_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """Apply the style sheet, half of a window's start time, only in modules marked `styled`, which check sizes and colors."""
    if request.node.get_closest_marker("styled") is not None:
        yield
        return
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setStyleSheet("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "style_sheet", lambda *_, **__: "")
        yield
    theme.theme()._applied = False  # the next new window sets the real one


@pytest.fixture
def real_style(qapp: QApplication) -> Iterator[None]:
    """Apply the style sheet for one test of a module without it. The test has its own window."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "style_sheet", REAL_STYLE)
        qapp.setStyleSheet(REAL_STYLE(theme.colours(), qapp.font(), native=theme.NATIVE_STYLE))
        yield
    qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def no_window_outlives_its_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """A widget left to the garbage collector can be deleted at any time, also while the theme visits all widgets."""
    if _shares_window(request):
        request.getfixturevalue("shared_desktop")
    before = without_parent()
    yield
    for widget in without_parent():
        if widget not in before:
            widget.deleteLater()
    delete_now()
    collect_due()


@pytest.fixture(autouse=True)
def no_modifier_stays_pressed() -> Iterator[None]:
    """Qt remembers the modifiers of a simulated key, and Ctrl would make `selectRow` of a later test deselect a selected row."""
    yield
    if QApplication.instance() is not None and QGuiApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Control)


@pytest.fixture(scope="session", autouse=True)
def crashes_are_printed() -> Iterator[None]:
    """The application writes crashes to a file in its folder, which is deleted after the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(defects, "faulthandler", SimpleNamespace(enable=lambda _file: None, disable=lambda: None))
        yield


@pytest.fixture(scope="session", autouse=True)
def engines_end_in_order() -> Iterator[None]:
    """Allow engines more time to stop than a user would wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_thread, "STOP_SECONDS", 60.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_stays_copied() -> Iterator[None]:
    """Qt deletes the contents of its clipboard after Python has ended, which crashes."""
    yield
    if QApplication.instance() is not None:
        leave_clipboard()


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return _PatientBot(request)


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    """Return a function that starts the application with given parts; everything is stopped after the test.

    In a module marked `shared_window`, the first start of a test uses the module's window, unless the test is marked `own_window`.
    """
    started: list[DesktopApp] = []
    shared: list[DesktopApp] = [request.getfixturevalue("shared_desktop")] if _shares_window(request) else []

    def run(
        parts: FakeParts | None = None, *, ready: bool = True, hidden: bool = False, **settings: object
    ) -> DesktopApp:
        if shared and ready and not hidden:
            desktop = shared.pop()
            begin_anew(desktop, request.getfixturevalue("shared_parts"), parts or FakeParts(), **settings)
            return desktop
        desktop = make(tmp_path / "data", parts, **settings)
        started.append(desktop)
        desktop.start(hidden=hidden)
        if ready:
            wait_running(desktop)
        return desktop

    yield run
    for desktop in started:
        take_away(desktop)


def _shares_window(request: pytest.FixtureRequest) -> bool:
    marker = request.node.get_closest_marker
    return "start" in request.fixturenames and marker("shared_window") is not None and marker("own_window") is None


@pytest.fixture
def parts() -> FakeParts:
    """Return parts with six stored pages."""
    return FakeParts(6)


@pytest.fixture
def desktop(start: Start, parts: FakeParts) -> DesktopApp:
    """Return the running application with six stored pages."""
    return start(parts)


@pytest.fixture(scope="module")
def shared_parts() -> FakeParts:
    """Return parts with six stored pages for all tests of a module."""
    return FakeParts(6)


@pytest.fixture(scope="module")
def shared_desktop(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, shared_parts: FakeParts
) -> Iterator[DesktopApp]:
    """Return one running application for the tests of a module that leave it unchanged."""
    home = tmp_path_factory.mktemp("shared")
    with in_own_home(home):
        desktop = make(home / "data", shared_parts)
        desktop.start()
        wait_running(desktop)
    yield desktop
    with in_own_home(home):
        take_away(desktop)


@pytest.fixture
def display() -> Iterator[str]:
    """Return the name of a separate virtual display."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or not sys.platform.startswith("linux"):
        pytest.skip(f"needs {', '.join(missing) or 'Linux'}")
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as stream:
        number = stream.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)
