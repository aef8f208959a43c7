"""The global shortcut on X11: a passive grab on the root window over a separate libxcb connection."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_uint8, c_uint16, c_uint32, c_void_p
from typing import Any, Final

from PySide6.QtCore import QSocketNotifier

from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, missing_key_text, taken_text
from app.desktop.qt import Act
from app.desktop.wording import translator

_tr = translator("HotKey")

SHIFT, LOCK, CONTROL, MOD1, MOD2, MOD4 = 1, 2, 4, 8, 16, 64
IGNORED: Final = (0, LOCK, MOD2, LOCK | MOD2)
"""With Caps Lock or Num Lock on, X11 treats the same keys as another shortcut."""
ASYNC: Final = 1
KEY_PRESS, KEY_RELEASE = 2, 3
TIME: Final = slice(4, 8)  # The offset of the timestamp in a key event.
F1_KEYSYM: Final = 0xFFBE


class _Screens(ctypes.Structure):
    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", c_uint),)


def _library() -> tuple[Any, Any, Any]:
    """Return libxcb, libxcb-keysyms and the C library, which Qt has already loaded."""
    try:
        xcb, symbols, libc = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL("libxcb-keysyms.so.1"), ctypes.CDLL(None)
    except OSError as error:
        raise HotKeyRefusedError(_tr("An X11 library is missing: {}.").format(error)) from error
    for function, result, arguments in (
        (xcb.xcb_connect, c_void_p, (c_char_p, POINTER(c_int))),
        (xcb.xcb_connection_has_error, c_int, (c_void_p,)),
        (xcb.xcb_disconnect, None, (c_void_p,)),
        (xcb.xcb_get_setup, c_void_p, (c_void_p,)),
        (xcb.xcb_setup_roots_iterator, _Screens, (c_void_p,)),
        (xcb.xcb_get_file_descriptor, c_int, (c_void_p,)),
        (xcb.xcb_poll_for_event, POINTER(c_uint8), (c_void_p,)),
        (xcb.xcb_flush, c_int, (c_void_p,)),
        (xcb.xcb_request_check, POINTER(c_uint8), (c_void_p, _Cookie)),
        (xcb.xcb_grab_key_checked, _Cookie, (c_void_p, c_uint8, c_uint32, c_uint16, c_uint8, c_uint8, c_uint8)),
        (xcb.xcb_ungrab_key, _Cookie, (c_void_p, c_uint8, c_uint32, c_uint16)),
        (symbols.xcb_key_symbols_alloc, c_void_p, (c_void_p,)),
        (symbols.xcb_key_symbols_free, None, (c_void_p,)),
        (symbols.xcb_key_symbols_get_keycode, POINTER(c_uint8), (c_void_p, c_uint32)),
        (libc.free, None, (c_void_p,)),
    ):
        function.restype, function.argtypes = result, arguments
    return xcb, symbols, libc


class X11Grabber:
    """The X11 implementation. Raises HotKeyRefusedError if the display is not reachable."""

    def __init__(self, pressed: Act) -> None:
        self._pressed = pressed
        self._xcb, self._symbols, self._libc = _library()
        self._held: list[tuple[int, int]] = []
        self._released = b""
        self._connection = self._xcb.xcb_connect(None, byref(c_int()))
        if self._xcb.xcb_connection_has_error(self._connection):
            self._xcb.xcb_disconnect(self._connection)
            raise HotKeyRefusedError(_tr("WebRAG could not register the shortcut with the display server."))
        self._root = int(self._xcb.xcb_setup_roots_iterator(self._xcb.xcb_get_setup(self._connection)).data[0])
        self._notifier = QSocketNotifier(self._xcb.xcb_get_file_descriptor(self._connection), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)

    def take(self, keys: Keys) -> None:
        """Register a shortcut, with and without Caps Lock and Num Lock."""
        self.release()
        modifiers = keys.flags(CONTROL, MOD1, SHIFT, MOD4)
        wanted = [(code, modifiers | also) for code in self._codes(keys) for also in IGNORED]
        if not wanted:
            raise HotKeyRefusedError(missing_key_text())
        for code, held in wanted:
            cookie = self._xcb.xcb_grab_key_checked(self._connection, 0, self._root, held, code, ASYNC, ASYNC)
            refused = self._xcb.xcb_request_check(self._connection, cookie)
            if refused:
                self._libc.free(refused)
                self.release()
                raise HotKeyRefusedError(taken_text())
            self._held.append((code, held))
        self._read()

    def release(self) -> None:
        for code, held in self._held:
            self._xcb.xcb_ungrab_key(self._connection, code, self._root, held)
        self._held = []
        self._xcb.xcb_flush(self._connection)

    def _codes(self, keys: Keys) -> list[int]:
        """Return the key codes of the key on this keyboard."""
        symbol = F1_KEYSYM + keys.function - 1 if keys.function else ord(chr(keys.key).lower())
        table = self._symbols.xcb_key_symbols_alloc(self._connection)
        codes = self._symbols.xcb_key_symbols_get_keycode(table, symbol)
        found: list[int] = []
        while codes and codes[len(found)]:
            found.append(int(codes[len(found)]))
        self._libc.free(codes)
        self._symbols.xcb_key_symbols_free(table)
        return found

    def _read(self) -> None:
        """Handle events from the display, which only reports the shortcut.

        X11 reports a held key as repeated pairs of release and press with the same timestamp.
        """
        while event := self._xcb.xcb_poll_for_event(self._connection):
            kind, moment = event[0] & 0x7F, bytes(event[TIME])
            self._libc.free(event)
            if kind == KEY_RELEASE:
                self._released = moment
            elif kind == KEY_PRESS and moment != self._released:
                self._pressed()
        if self._xcb.xcb_connection_has_error(self._connection):
            self._notifier.setEnabled(False)
