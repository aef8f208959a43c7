"""The global shortcut on Windows: RegisterHotKey, which sends messages to the main thread."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from PySide6.QtCore import QAbstractNativeEventFilter, QCoreApplication

from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, taken_text
from app.desktop.qt import Act

ALT, CONTROL, SHIFT, WIN, NO_REPEAT = 1, 2, 4, 8, 0x4000
HOT_KEY_MESSAGE: Final = 0x0312
NUMBER: Final = 1  # Identifies the shortcut within this thread.
F1: Final = 0x70
SIGNS: Final = {";": 0xBA, "=": 0xBB, ",": 0xBC, "-": 0xBD, ".": 0xBE, "/": 0xBF, "`": 0xC0}
"""Virtual key codes of symbols; letters, digits and Space use their character code."""


class _Message(ctypes.Structure):
    _fields_ = (
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("number", ctypes.c_size_t),
        ("more", ctypes.c_ssize_t),
    )


class WindowsGrabber(QAbstractNativeEventFilter):
    """The Windows implementation. `user32` is the system library; tests pass their own."""

    def __init__(self, pressed: Act, user32: Any = None) -> None:
        super().__init__()
        self._pressed = pressed
        self._user32 = user32 if user32 is not None else ctypes.CDLL("user32")
        self._is_held = False
        application = QCoreApplication.instance()
        if application is not None:
            application.installNativeEventFilter(self)

    def take(self, keys: Keys) -> None:
        self.release()
        letter = chr(keys.key)
        code = keys.key if letter.isalnum() or letter == " " else SIGNS.get(letter, 0)
        key = F1 + keys.function - 1 if keys.function else code
        # With MOD_NOREPEAT, a held key is reported once.
        held = keys.flags(CONTROL, ALT, SHIFT, WIN) | NO_REPEAT
        if not key or not self._user32.RegisterHotKey(None, NUMBER, held, key):
            raise HotKeyRefusedError(taken_text())
        self._is_held = True

    def release(self) -> None:
        if self._is_held:
            self._user32.UnregisterHotKey(None, NUMBER)
            self._is_held = False

    def nativeEventFilter(self, _kind: Any, message: Any) -> tuple[bool, int]:
        seen = _Message.from_address(int(message))
        if seen.message == HOT_KEY_MESSAGE and seen.number == NUMBER:
            self._pressed()
            return True, 0
        return False, 0
