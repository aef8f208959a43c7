"""What can be a key of the whole desktop, and how a system is asked for it."""

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
    """A key with its modifiers: `key` is a printable character of ASCII, letters in upper case, or 0 for F1 to F12, `function`."""

    key: int
    function: int
    ctrl: bool
    alt: bool
    shift: bool
    meta: bool


Say = Callable[[str, str], object]
"""Takes why a key does not work, and what else there is to say of it; nothing for both where all is as it was wanted."""


class HotKeyRefusedError(Exception):
    """The key cannot be had. Its text says why in the window's language."""


class Grabber(Protocol):
    """Takes one key from the system for the whole desktop. One whose system asks a person says later what was decided."""

    def take(self, keys: Keys) -> None:
        """Take a key in place of an earlier one. Raises HotKeyRefusedError where it cannot be had."""
        ...

    def release(self) -> None:
        """Give the key back."""
        ...


def keys_of(written: str) -> Keys | None:
    """The keys of a text such as “Ctrl+Alt+Space”; None where it names no key with Ctrl, Alt or Meta."""
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
    """What is wrong with keys that somebody wrote; nothing for none."""
    if not written or keys_of(written) is not None:
        return ""
    return _tr("“{}” is no key with Ctrl, Alt or Meta, as in Ctrl+Alt+Space.").format(written)


def taken_text() -> str:
    """What is said of a key that another program has."""
    return _tr("Another program has this key already. Choose another one.")


def missing_key_text() -> str:
    """What is said of a key that the system has no name for."""
    return _tr("The keyboard has no such key.")


def no_way_text() -> str:
    """What is said where the desktop gives programs no keys."""
    return _tr(
        "WebRAG can take no key on this desktop. Set one in the desktop’s own settings that starts: webrag-desktop --ask"
    )
