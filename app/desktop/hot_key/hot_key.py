"""The global shortcut that opens the Ask window: valid keys, the protocol that each platform implements, and following the setting."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.desktop.qt import SILENT_PLATFORMS, Act
from app.desktop.settings_store import SettingsStore
from app.desktop.wording import translator

_tr = translator("HotKey")

_MODIFIERS: Final = frozenset({"ctrl", "alt", "shift", "meta"})
_FUNCTION: Final = re.compile(r"[Ff]([1-9]|1[0-2])")
_PRINTABLE: Final = range(0x20, 0x7F)


@dataclass(frozen=True, slots=True)
class Keys:
    """A key with modifiers. `key` is a printable ASCII character (letters in upper case), or 0 for F1 to F12 in `function`."""

    key: int
    function: int
    ctrl: bool
    alt: bool
    shift: bool
    meta: bool


Say = Callable[[str, str], object]
"""Receives the problem of a shortcut and a note about it; both are empty if it works as requested."""


class HotKeyRefusedError(Exception):
    """The shortcut cannot be registered. The message gives the reason in the window's language."""


class Grabber(Protocol):
    """Registers one global shortcut. If the system asks the user, the result is reported later."""

    def take(self, keys: Keys) -> None:
        """Register a shortcut and replace the previous one. Raises HotKeyRefusedError."""

    def release(self) -> None:
        """Unregister the shortcut."""


def keys_of(written: str) -> Keys | None:
    """Parse a text such as “Ctrl+Alt+Space”. Return None unless it is a key with Ctrl, Alt or Meta."""
    *held, name = (part.strip() for part in written.split("+"))
    modifiers = {part.lower() for part in held}
    function = _FUNCTION.fullmatch(name)
    key = " " if name.lower() == "space" else name.upper()
    if not modifiers <= _MODIFIERS or not (function or (len(key) == 1 and ord(key) in _PRINTABLE)):
        return None
    made = Keys(
        0 if function else ord(key),
        int(function[1]) if function else 0,
        *(modifier in modifiers for modifier in ("ctrl", "alt", "shift", "meta")),
    )
    return made if made.ctrl or made.alt or made.meta else None


def keys_problem(written: str) -> str:
    """Return the error message for an entered shortcut, or an empty string."""
    if not written or keys_of(written) is not None:
        return ""
    return _tr("“{}” is not a valid shortcut. Use Ctrl, Alt or Meta with a key, for example Ctrl+Alt+Space.").format(
        written
    )


def taken_text() -> str:
    """Return the message for a shortcut that another program uses."""
    return _tr("Another program uses this shortcut. Choose a different one.")


def missing_key_text() -> str:
    """Return the message for a key that the keyboard does not have."""
    return _tr("Your keyboard does not have this key.")


def no_way_text() -> str:
    """Return the message for a desktop that does not support global shortcuts."""
    return _tr(
        "WebRAG cannot register a shortcut on this desktop. Add one in the desktop settings that runs: webrag-desktop --ask"
    )


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

    def __init__(
        self, settings: SettingsStore, parent: QObject, make: Callable[[Act, Say], Grabber | None] = grabber
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._make = make
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
                self._grabber = self._make(self._press, self._say)
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
