"""Check a result: whether it contains an expected span, its evidence blocks, and whether it reports that nothing was found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from app.text.scripts import UNSPACED

SHORT_CHARS: Final = 240
"""A result without a block that is shorter means that nothing was found, in any wording."""
NOTICE_CHARS: Final = 1_600
"""A longer text without a block is a page. Words about missing results in it do not count."""

_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
"""A word, or a letter of a script without spaces between words."""
_EVIDENCE = re.compile(r"^\[EVIDENCE\]\s*$", re.MULTILINE)
_BLOCK = re.compile(r"^Source \[\d+\]", re.MULTILINE)
_AFTER = re.compile(r"^\[(?:IMAGES|EXPANSION TRACE|CITATIONS|STATS)\]\s*$", re.MULTILINE)
_NONE = re.compile(
    r"\bno relevant (?:content|evidence|passages?|results?)\b|\bno (?:evidence|matches|results)\b"
    r"|\bnothing (?:relevant )?(?:was )?found\b|\bnot found in\b|\b0 results\b|\(none\)",
    re.IGNORECASE,
)


def spoken(text: str) -> str:
    """Return the words of a text in lower case with single spaces, without link targets. Chinese and Japanese letters are words."""
    plain = _LINK.sub(r"\1", unicodedata.normalize("NFKC", text).replace("\\_", "_"))
    words = _WORD.findall(plain.lower())
    return f" {' '.join(words)} "


def holds(text: str, span: str) -> bool:
    """Whether the text contains the span's words in order and adjacent, with any punctuation."""
    return spoken(span) in spoken(text)


def holds_any(text: str, spans: Collection[str]) -> bool:
    """Whether the text contains the words of at least one span."""
    words = spoken(text) if spans else ""
    return any(spoken(span) in words for span in spans)


def evidence_blocks(result: str) -> list[str]:
    """Return the evidence blocks of a result, best first, or an empty list."""
    begin, end = _evidence(result)
    starts = [match.start() for match in _BLOCK.finditer(result, begin, end)]
    return [result[a:b] for a, b in pairwise([*starts, end])]


def says_nothing_found(result: str) -> bool:
    """Whether the result reports before its first block that nothing was found, or has no block and is a short notice."""
    first = _BLOCK.search(result, *_evidence(result))
    if first is not None:
        return bool(_NONE.search(result[: first.start()]))
    return len(result) < SHORT_CHARS or (len(result) < NOTICE_CHARS and bool(_NONE.search(result)))


def _evidence(result: str) -> tuple[int, int]:
    """Return the start and end of the evidence."""
    heading = _EVIDENCE.search(result)
    begin = heading.end() if heading else 0
    after = _AFTER.search(result, begin)
    return begin, after.start() if after else len(result)
