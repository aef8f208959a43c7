"""Start, wait for and remove the application with a fake engine, for one test or a whole module."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.desktop.application import DesktopApp
from app.desktop.ask_window import AskWindow
from app.desktop.backend import Parts, Phase
from app.desktop.main_window import MainWindow
from app.desktop.pages.page import FilterBox, PendingDeletion
from app.desktop.preview.view import Preview
from app.settings import load_settings
from tests.desktop.fake_engine import FakeParts
from tests.desktop.fake_maintenance import FakeMaintenance

PATIENCE_MS = 60_000
"""Timeout in milliseconds on a busy machine. Only a failing test waits this long."""


def make(data_dir: Path, parts: Parts | None = None, **settings: object) -> DesktopApp:
    """Create the application without starting it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return DesktopApp(application, load_settings(settings, data_dir=data_dir), parts=parts or FakeParts())


def write_all(preview: Preview) -> None:
    """Write the requested part of a page at once."""
    while preview.is_writing:
        preview._write(60.0)


def wait_until(fact: Callable[[], bool]) -> None:
    """Wait in module fixtures, which have no qtbot."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not fact() and not deadline.hasExpired():
        loop = QEventLoop()
        QTimer.singleShot(5, loop.quit)
        loop.exec()
    assert fact()


def wait_running(desktop: DesktopApp) -> None:
    wait_until(lambda: desktop.status.phase is Phase.RUNNING)


def take_away(desktop: DesktopApp) -> None:
    """Stop everything and delete its windows immediately, on this thread, so that the next test does not meet them.

    Quitting an application hides every window of the process, so the window that other tests of a module share is shown again.
    """
    windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()]
    desktop.quit()
    for window in windows:
        if window is not desktop.window:
            window.show()
    signal.set_wakeup_fd(-1)
    for made in (desktop.window, desktop.tray.menu, desktop.asking, desktop):
        if made is not None:
            made.deleteLater()
    delete_now()


def begin_anew(desktop: DesktopApp, shared: FakeParts, parts: FakeParts, **settings: object) -> None:
    """Give a shared window another engine, as a start would. This takes an eighth of the time of a new window.

    `shared` are the parts that it was created with; they become `parts`. Resets dialogs, messages, the window's memory, saved settings and
    table filters. Other choices of a test on a page are kept.
    """
    assert not desktop.ending.is_begun, "an earlier test quit the shared window: it needs the mark own_window"
    window = desktop.window
    if not window.isVisible():
        desktop.show_window()
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    # Pending deletions of an earlier test would happen in this one.
    for deletion in window.findChildren(PendingDeletion):
        deletion.undo()
    for box in window.findChildren(FilterBox):
        box.clear()
    window.library.clear_filters()
    window.toast.clear()
    window.go_to("home")
    for model in (window.library.model, window.activity.model, window.activity.jobs.model, window.scratch.model):
        model.replace(())  # type: ignore[attr-defined]
    desktop.bridge.flush()
    window.library.model.is_loaded = False
    window.library.model._gone.clear()
    window.library.model._pending.clear()
    desktop.context.memory._values.clear()
    vars(shared).update(vars(parts))
    desktop.settings.saved = load_settings(settings, data_dir=desktop.settings.running.data_dir)
    desktop.restart()
    wait_until(lambda: bool(parts.engines) and desktop.status.engine is parts.engines[0] and bool(desktop.status.url))
    wait_until(lambda: window.library.model.is_loaded and not window.library.model.is_loading)
    delete_now()


def delete_now() -> None:
    """Run deferred deletions, because no event loop runs between the tests."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def without_parent() -> list[QWidget]:
    """Return the widgets that only Python owns. The Ask window is removed with its application."""
    is_there = QApplication.instance() is not None
    every = QApplication.topLevelWidgets() if is_there else []
    return [widget for widget in every if widget.parent() is None and not isinstance(widget, AskWindow)]


def as_new(desktop: DesktopApp) -> FakeMaintenance:
    """Reset the settings that an earlier test changed, and the maintenance of the engine."""
    desktop.settings.reread()
    engine = desktop.status.engine
    assert engine is not None
    care = FakeMaintenance()
    engine.maintenance = care  # type: ignore[assignment,misc]
    desktop.window.go_to("settings")
    desktop.window.settings.filter.clear()
    return care
