"""The real application in a given state, which quits in the way that the command line names.

`python -m tests.desktop.leaving STATE WAY [OPTION...]` prints "ready" once STATE is on the screen. It then ends by WAY, or waits for a
signal. The engine is fake, except in the state "real".
"""

from __future__ import annotations

import atexit
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from app.desktop import application, ending
from app.desktop.__main__ import main
from app.desktop.application import DesktopApp, FirstRun
from app.desktop.defects import CrashDialog
from app.desktop.dialogs.confirm import is_agreed
from tests.desktop.fake_engine import FakeParts

LOOK_MS = 20
PATIENCE_SECONDS = 60.0


def is_shown(kind: type[QDialog]) -> bool:
    return any(isinstance(widget, kind) and widget.isVisible() for widget in QApplication.topLevelWidgets())


def ask(desktop: DesktopApp) -> None:
    """Ask in a nested event loop, then open the main window as a careless component might."""
    is_agreed(desktop.window, "Question", "Really?")
    desktop.show_window()


def say_ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


class LockedKeyring(FakeParts):
    """A keyring that waits for a password."""

    def build_endpoint(self, *_: object) -> Any:
        say_ready()
        time.sleep(600)


def stop_answering(_desktop: DesktopApp) -> None:
    """Block the window's thread."""
    QTimer.singleShot(200, lambda: time.sleep(600))


def press_quit(desktop: DesktopApp) -> None:
    """Press Ctrl+Q in the active window."""
    window = QApplication.activeModalWidget() or desktop.window
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


OPEN: dict[str, tuple[Callable[[DesktopApp], object], Callable[[DesktopApp], bool]]] = {
    "wizard": (lambda _: None, lambda desktop: desktop.window.wizard is not None and desktop.window.wizard.isVisible()),
    "real": (lambda _: None, lambda desktop: desktop.window.wizard is not None and desktop.window.wizard.isVisible()),
    "dialog": (lambda desktop: desktop.window.add_page(), lambda _: QApplication.activeModalWidget() is not None),
    "question": (ask, lambda _: is_shown(QMessageBox)),
    "crash": (lambda desktop: desktop.defects.report(ValueError("unexpected")), lambda _: is_shown(CrashDialog)),
    "keyring": (lambda _: None, lambda _: False),
    "stuck": (stop_answering, lambda desktop: desktop.window.isVisible()),
    "start": (lambda _: None, lambda _: True),
    "copied": (
        lambda _: QApplication.clipboard().setText("copied"),
        lambda _: QApplication.clipboard().ownsClipboard(),
    ),
}

END: dict[str, Callable[[DesktopApp], object]] = {
    "tray": lambda desktop: desktop.tray.menu.quit_wanted.emit(),
    "keys": press_quit,
    "session": lambda _: QApplication.sendEvent(QApplication.instance(), QEvent(QEvent.Type.Quit)),
    "signal": lambda _: None,
}


def run(state: str, way: str) -> int:
    show, is_open = OPEN[state]
    start = DesktopApp.start

    def look(desktop: DesktopApp, timer: QTimer) -> None:
        if is_open(desktop):
            timer.stop()
            say_ready()
            END[way](desktop)

    def start_and_show(self: DesktopApp, **named: Any) -> None:
        start(self, **named)
        if state == "start":
            say_ready()
            END[way](self)
            return
        timer = QTimer(self, interval=LOOK_MS)
        timer.timeout.connect(lambda: look(self, timer))
        timer.start()
        QTimer.singleShot(0, self, lambda: show(self))

    DesktopApp.start = start_and_show  # type: ignore[method-assign]
    if state != "real":
        made = LockedKeyring(6) if state == "keyring" else FakeParts(6)
        application.Parts = lambda _secrets: made  # type: ignore[misc,assignment]
    if state != "stuck":
        # Only a hang needs a limit. A busy machine can take longer to exit cleanly.
        ending.end_within = partial(ending.end_within, PATIENCE_SECONDS)  # type: ignore[assignment]
        ending.end_after_signals = partial(ending.end_after_signals, PATIENCE_SECONDS)  # type: ignore[assignment]
    if state not in ("wizard", "real"):
        FirstRun.__init__ = lambda self, *_: setattr(self, "is_due", False)  # type: ignore[method-assign,misc,assignment]
    # Whatever a library does at the end of the interpreter.
    atexit.register(time.sleep, 600)
    return main()


if __name__ == "__main__":
    given, way = sys.argv[1:3]
    del sys.argv[1:3]
    sys.exit(run(given, way))
