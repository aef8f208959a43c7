"""The global shortcut on macOS: RegisterEventHotKey of Carbon, which does not need permission and reports to the main thread."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_int32, c_uint32, c_ulong, c_void_p
from typing import Any, Final

from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, missing_key_text, taken_text
from app.desktop.qt import Act
from app.desktop.wording import translator

_tr = translator("HotKey")

LIBRARY: Final = "/System/Library/Frameworks/Carbon.framework/Carbon"
COMMAND, SHIFT, OPTION, CONTROL = 0x0100, 0x0200, 0x0800, 0x1000
KEYBOARD: Final = int.from_bytes(b"keyb", "big")
PRESSED: Final = 5
SIGNATURE: Final = int.from_bytes(b"wrag", "big")
NUMBER: Final = 1
TAKEN: Final = -9878  # Carbon error: another program uses the shortcut.
NO_ERROR: Final = 0
NOT_HANDLED: Final = -9874
_ROWS: Final = (
    (0x00, "ASDFHGZXCV"),
    (0x0B, "BQWERYT123465=97-80]OU[IP"),
    (0x25, "LJ'K;\\,/NM."),
    (0x31, " "),
    (0x32, "`"),
)
CODES: Final = {letter: start + place for start, letters in _ROWS for place, letter in enumerate(letters)}
"""Key positions by US letter. macOS uses positions, so Y and Z are swapped on a German keyboard."""
FUNCTION_CODES: Final = (0x7A, 0x78, 0x63, 0x76, 0x60, 0x61, 0x62, 0x64, 0x65, 0x6D, 0x67, 0x6F)


class Pair(ctypes.Structure):
    """EventHotKeyID, which identifies the shortcut within this program, or EventTypeSpec, the event that a handler receives."""

    _fields_ = (("signature_or_class", c_uint32), ("number_or_kind", c_uint32))


HANDLER: Final = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p)


def _library() -> Any:
    try:
        carbon = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise HotKeyRefusedError(_tr("A system library is missing: {}.").format(error)) from error
    for function, result, arguments in (
        (carbon.GetApplicationEventTarget, c_void_p, ()),
        (
            carbon.InstallEventHandler,
            c_int32,
            (c_void_p, HANDLER, c_ulong, POINTER(Pair), c_void_p, POINTER(c_void_p)),
        ),
        (carbon.RegisterEventHotKey, c_int32, (c_uint32, c_uint32, Pair, c_void_p, c_uint32, POINTER(c_void_p))),
        (carbon.UnregisterEventHotKey, c_int32, (c_void_p,)),
    ):
        function.restype, function.argtypes = result, arguments
    return carbon


class MacGrabber:
    """The macOS implementation. `carbon` is the system library; tests pass their own. Raises HotKeyRefusedError if it is missing."""

    def __init__(self, pressed: Act, carbon: Any = None) -> None:
        self._pressed = pressed
        self._carbon = carbon if carbon is not None else _library()
        self._held: c_void_p | None = None
        # Carbon calls it until the program ends, so it must not be garbage-collected.
        self._handler = HANDLER(self._handle)
        self._target = self._carbon.GetApplicationEventTarget()
        wanted = Pair(KEYBOARD, PRESSED)
        self._installed = c_void_p()
        if self._carbon.InstallEventHandler(
            self._target, self._handler, 1, byref(wanted), None, byref(self._installed)
        ):
            raise HotKeyRefusedError(_tr("macOS does not allow WebRAG to register shortcuts."))

    def take(self, keys: Keys) -> None:
        self.release()
        code = key_code(keys)
        if code is None:
            raise HotKeyRefusedError(missing_key_text())
        held = c_void_p()
        modifiers = keys.flags(CONTROL, OPTION, SHIFT, COMMAND)
        refused = self._carbon.RegisterEventHotKey(
            code, modifiers, Pair(SIGNATURE, NUMBER), self._target, 0, byref(held)
        )
        if refused:
            words = _tr("macOS rejected this shortcut (error {}). Choose a different one.").format(refused)
            raise HotKeyRefusedError(taken_text() if refused == TAKEN else words)
        self._held = held

    def release(self) -> None:
        if self._held is not None:
            self._carbon.UnregisterEventHotKey(self._held)
            self._held = None

    def _handle(self, _next: int | None, _event: int | None, _data: int | None) -> int:
        if self._held is None:
            return NOT_HANDLED
        self._pressed()
        return NO_ERROR


def key_code(keys: Keys) -> int | None:
    """Return the macOS code of a key, or None if it does not have a fixed position."""
    if keys.function:
        return FUNCTION_CODES[keys.function - 1]
    return CODES.get(chr(keys.key))
