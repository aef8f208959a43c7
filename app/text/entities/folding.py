"""One form for all spellings of a name: case, accents, plural, underscores, dashes and humps make no difference."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BORDER: Final = re.compile(r"(?<=\w)[\s_-]+(?=\w)")
_KEPT: Final = 8192


@lru_cache(maxsize=_KEPT)
def folded_symbol(name: str) -> str:
    """`maxConnections` and `MAX_CONNECTIONS` give `max connections`; dots, colons and leading dashes stay."""
    return _BORDER.sub(" ", _plain(_HUMP.sub(" ", name)))


@lru_cache(maxsize=_KEPT)
def folded_term(text: str) -> str:
    """`Context managers` gives `context manager`."""
    first, space, last = _BORDER.sub(" ", _plain(text)).rpartition(" ")
    return f"{first}{space}{_singular(last)}"


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def _singular(word: str) -> str:
    """English plurals only; what looks like none stays."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "os")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]
