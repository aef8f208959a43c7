"""Valid global shortcuts, and the protocol to register them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

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

    def flags(self, ctrl: int, alt: int, shift: int, meta: int) -> int:
        """Return the modifiers as flags of a system."""
        return ctrl * self.ctrl | alt * self.alt | shift * self.shift | meta * self.meta


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
