"""The global shortcut that opens the Ask window. Each platform has an implementation of the same protocol.

If the system does not let programs register shortcuts, `problem` explains what to do instead.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.desktop.hot_key.keys import Grabber, HotKeyRefusedError, Say, keys_of, keys_problem, no_way_text
from app.desktop.qt import SILENT_PLATFORMS, Act
from app.desktop.settings_store import SettingsStore

REPEAT_SECONDS: Final = 0.3  # Seconds. Faster successive presses mean that the key is held down.


def grabber(pressed: Act, say: Say) -> Grabber | None:
    """Return the shortcut implementation of this system, or None if it does not support shortcuts."""
    platform = QGuiApplication.platformName()
    if sys.platform == "win32":
        from app.desktop.hot_key.windows import WindowsGrabber

        return WindowsGrabber(pressed)
    if sys.platform == "darwin" and platform == "cocoa":
        from app.desktop.hot_key.macos import MacGrabber

        return MacGrabber(pressed)
    # On Wayland, the X server only sees keys of its own windows.
    is_within_wayland = platform == "xcb" and bool(os.environ.get("WAYLAND_DISPLAY"))
    if sys.platform == "linux" and (platform.startswith("wayland") or is_within_wayland):
        from app.desktop.hot_key.portal import PortalGrabber

        return PortalGrabber(pressed, say)
    if platform == "xcb":
        from app.desktop.hot_key.x11 import X11Grabber

        return X11Grabber(pressed)
    return None


class HotKey(QObject):
    """The global shortcut from the settings. Emits `pressed` for each press, and `changed` when `problem` or `note` may have changed."""

    pressed = Signal()
    changed = Signal()

    def __init__(self, settings: SettingsStore, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._grabber: Grabber | None = None
        self._taken = ""
        self._last = 0.0
        self.problem = ""  # Why the shortcut does not work; empty if it works or is turned off.
        self.note = ""  # A note from the system, for example that it asks the user or assigned different keys.
        settings.changed.connect(self.follow)

    def follow(self) -> None:
        """Register the shortcut from the settings if it has changed."""
        wanted = str(self._settings.value("ask_hot_key"))
        if wanted == self._taken:
            return
        self._taken = wanted
        self._say("", "")
        if problem := self._take(wanted):
            self._say(problem, "")

    def release(self) -> None:
        """Unregister the shortcut permanently."""
        self._settings.changed.disconnect(self.follow)
        if self._grabber is not None:
            self._grabber.release()

    def _take(self, wanted: str) -> str:
        if self._grabber is not None:
            self._grabber.release()
        keys = keys_of(wanted)
        if keys is None:
            return keys_problem(wanted)
        try:
            if self._grabber is None:
                self._grabber = grabber(self._press, self._say)
            if self._grabber is None:
                return "" if QGuiApplication.platformName() in SILENT_PLATFORMS else no_way_text()
            self._grabber.take(keys)
        except HotKeyRefusedError as refused:
            return str(refused)
        return ""

    def _say(self, problem: str, note: str) -> None:
        if (problem, note) != (self.problem, self.note):
            self.problem, self.note = problem, note
            self.changed.emit()

    def _press(self) -> None:
        now, last = time.monotonic(), self._last
        self._last = now
        if now - last > REPEAT_SECONDS:
            self.pressed.emit()
