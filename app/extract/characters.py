"""Characters that a reader never sees: control codes, zero-width marks, icon glyphs."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_SHAPED: Final = "\u0600-\u1fff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"
"""Scripts and pictographs in which a joiner changes how the neighbours look."""

_UNSEEN = re.compile(f"[{_INVISIBLE}]|(?<![{_SHAPED}])[\u200c\u200d]|[\u200c\u200d](?![{_SHAPED}])")

_NO_CHARACTER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE: Final = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,8})(?![0-9a-fA-F])|0*([0-9]{1,9})(?![0-9]));?")


def storable(markup: str) -> str:
    """Markup without the characters, and references to such, that a tree of lxml refuses to hold.

    The parsers let them in, but what moves a text inside a tree raises ValueError, and half a surrogate pair is bytes that
    are no text.
    """
    if _NO_CHARACTER.search(markup):
        markup = _NO_CHARACTER.sub(lambda found: " " if found.group() in "\x0b\x0c" else "", markup)
    return _REFERENCE.sub(_held, markup) if "&#" in markup else markup


def _held(reference: re.Match[str]) -> str:
    """The reference; nothing for a control code, the sign for the unknown where no character has the number."""
    number = int(reference.group(1), 16) if reference.group(1) else int(reference.group(2))
    if 0 < number < 32 and number not in (9, 10, 13):
        return ""
    is_character = 0 < number < 0xD800 or 0xDFFF < number < 0xFFFE or 0xFFFF < number < 0x110000
    return reference.group() if is_character else "\ufffd"


def visible(text: str) -> str:
    """The text without characters that leave no mark on the page; joiners stay where a script needs them."""
    return _UNSEEN.sub("", text)


def collapse(text: str) -> str:
    """Visible text on one line with single spaces."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join(visible(line).split())


def verbatim(text: str) -> str:
    """Visible text with its line structure: line ends unified, no-break spaces as spaces, nothing else
    changed.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text if text.isprintable() else visible(text)
    return visible(text.replace("\u00a0", " ").replace("\u2028", "\n").replace("\u2029", "\n"))


def word_set(words: str) -> frozenset[str]:
    """The words of a list that is written as running text."""
    return frozenset(words.split())
