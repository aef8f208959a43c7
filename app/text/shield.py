"""Passages that address the assistant instead of the reader, and addresses that may carry data away.

Nothing is dropped because of a flag: it tells the assistant and the person what they are looking at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from app import caps
from app.text.posing import poses, without_unseen
from app.text.sentence import sentence
from app.text.shield_patterns import CALLING, ESCAPED, HIDDEN, HIDING, POSING, SENDING, SPEAKING, Wording

SPEAKS: Final = sentence("speaks to the assistant")
POSES: Final = sentence("poses as part of the conversation")
CALLS: Final = sentence("asks for a tool call")
HIDES: Final = sentence("asks to hide something from the user")
SENDS: Final = sentence("asks to send data away")
ENCODED: Final = sentence("long encoded text")
LONG_QUERY: Final = sentence("long query string")
ENCODED_QUERY: Final = sentence("encoded query string")
ENCODED_PATH: Final = sentence("encoded path")

MIXED_SHARE: Final = 0.28
"""Neighbours of which one is a digit or in another case: 0.45 in hexadecimal digits, 0.6 in Base64, below 0.2 in names."""
UNREADABLE_CHARS: Final = 8

_PHRASES: Final = ((SPEAKS, SPEAKING), (CALLS, CALLING), (HIDES, HIDING), (SENDS, SENDING))
_ENCODED_LINES: Final = re.compile(r"[A-Za-z0-9+/_-]{56,}(?:[ \t]*\n[ \t>]*[A-Za-z0-9+/_-]{56,})*")
_PERCENT_RUN: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}){8,}")


@lru_cache(maxsize=caps.MAX_FLAGS_REMEMBERED)
def instruction_flags(text: str) -> tuple[str, ...]:
    """What a passage does that honest text does not, in words for people; empty for nearly all text."""
    plain = without_unseen(unicodedata.normalize("NFKC", text))
    words = " ".join(["", *plain.lower().replace("’", "'").split(), ""])
    found = [flag for flag, wordings in _PHRASES if _any_in(wordings, words)]
    if _any_in(POSING, plain) or poses(text):
        found.append(POSES)
    if _any_in(ESCAPED, plain) or _has_encoded_run(plain) or (not text.isascii() and _any_in(HIDDEN, text)):
        found.append(ENCODED)
    return tuple(found)


def address_flags(url: str) -> tuple[str, ...]:
    """What an address carries beyond a place: much, or what cannot be read. Nothing for what is no address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    query = unquote(parts.query)
    values = [part for pair in parse_qsl(parts.query, keep_blank_values=True) for part in pair]
    found = (
        (LONG_QUERY, len(query) > caps.LONG_QUERY_CHARS),
        (ENCODED_QUERY, any(map(_is_unreadable, values))),
        (ENCODED_PATH, any(_is_encoded(part, caps.ENCODED_PATH_CHARS) for part in unquote(parts.path).split("/"))),
    )
    return tuple(flag for flag, matched in found if matched)


def _any_in(wordings: Iterable[Wording], text: str) -> bool:
    return any(wording.is_in(text) for wording in wordings)


def _has_encoded_run(text: str) -> bool:
    runs = ("".join(found.group().split()) for found in _ENCODED_LINES.finditer(text))
    return any(_is_encoded(run, caps.ENCODED_RUN_CHARS) for run in runs)


def _is_unreadable(value: str) -> bool:
    """Whether a value of a query, decoded once, is long and still no text."""
    binary = sum(not letter.isprintable() or letter == "\ufffd" for letter in value)
    return (
        binary > UNREADABLE_CHARS
        or _PERCENT_RUN.search(value) is not None
        or _is_encoded(value, caps.ENCODED_VALUE_CHARS)
    )


def _is_encoded(run: str, more_than: int) -> bool:
    """Whether a run of letters and digits is longer than this and mixes their kinds as no word or path does."""
    if len(run) <= more_than or " " in run:
        return False
    kinds = [1 if letter.isdigit() else 2 if letter.islower() else 3 if letter.isupper() else 0 for letter in run]
    changes = sum(a != b and a * b > 0 for a, b in pairwise(kinds))
    return changes > MIXED_SHARE * len(run)
