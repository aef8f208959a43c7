"""Words of a question: what is looked up in the keyword index and compared with evidence."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from app import caps

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_CODE_WORD = re.compile(r"(?<![A-Za-z_])[A-Za-z_]\w*+(?:[.:/-]++\w++)++|--?[A-Za-z][\w-]+|(?<!\w)\w+_\w+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")

_STOP_WORDS = """a about after all also am an and any are as at be because been before being both but by can cannot could did do does
    doing don't down each else for from further get give go had has have having he her here hers him his how however i if in
    into is isn't it its itself just kind let like lot make many may me might mine more most much must my need no nor not of
    off on once one only or other our ours out over own per please rather same shall she should since so some such tell than
    that that's the their theirs them then there these they thing things this those through to too under until up upon us
    use using very want was way we were what what's when where whether which while who whom whose why will with within
    without would yet you your yours"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())


def words(text: str) -> list[str]:
    """Lower-case alphanumeric words in reading order; compatibility forms folded (NFKC)."""
    return [match.group().lower() for match in _WORD.finditer(unicodedata.normalize("NFKC", text))]


def query_terms(text: str) -> tuple[str, ...]:
    """Distinct words that carry meaning, in order, at most MAX_QUERY_TERMS.

    Stop words are dropped unless nothing else is left; dotted, dashed and snake_case names are kept whole beside their
    parts; CamelCase gives its parts too; CJK runs give character bigrams, since they hold no spaces.
    """
    found: dict[str, None] = {}
    for match in _CODE_WORD.finditer(text):
        found[match.group().strip(".:/-").lower()] = None
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text)):
        word = match.group()
        if _CJK.search(word):
            found.update(dict.fromkeys(_bigrams(word.lower())))
            continue
        found[word.lower()] = None
        parts = _CAMEL.split(word)
        if len(parts) > 1:
            found.update(dict.fromkeys(part.lower() for part in parts))
    meaningful = [term for term in found if term and term not in STOP_WORDS]
    return tuple((meaningful or list(found))[: caps.MAX_QUERY_TERMS])


def _bigrams(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]
