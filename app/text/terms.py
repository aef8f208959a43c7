"""Words of a text: terms for the keyword index, stems, overlap with a question, parts of identifiers, token estimates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache
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
_OTHERS: Final = """der das und ist wie ein eine einen nicht ich warum für mit von zu dem den im auf wenn kann wird sind welche welcher
    le les des est une et pourquoi comment quand dans pour avec sur que qui quel quelle sont je il ne pas
    el los las una por qué cómo cuando para con del cuál es se son puedo mi su
    il gli perché come quando quale di che per con sono della
    o os as um uma não como qual são do da para com
    de het een niet hoe waarom wat voor met zijn en"""
_FOREIGN_WORDS: Final = frozenset(_OTHERS.split()) - STOP_WORDS
_NAME: Final = re.compile(r"\b_*[A-Za-z]+[A-Z0-9_]\w*")
_BORDER: Final = re.compile(
    r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])"
)
_MIN_PART: Final = 2


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


def coverage(terms: Collection[str], text: str, weights: Mapping[str, float] | None = None) -> float:
    """Weighted share of `terms` that occur in `text`, 0..1; a plural or inflected form counts by its common stem."""
    if not terms:
        return 0.0
    folded = _folded(text)
    present = {stem(word) for word in words(folded)}
    total = found = 0.0
    for term in terms:
        weight = weights.get(term, 1.0) if weights else 1.0
        total += weight
        plain = _folded(term)
        if stem(plain) in present or ((not plain.isascii() or not plain.isalnum()) and plain in folded):
            found += weight
    return found / total if total else 0.0


def _folded(text: str) -> str:
    """Without case and accents, as the keyword index compares. Some letters have a case only once they are decomposed."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A light English stem: enough to match plurals and common verb endings."""
    for ending in ("ations", "ation", "ings", "ing", "edly", "ies", "ers", "ed", "es", "er", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            return base + "y" if ending == "ies" else base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def may_be_english(text: str) -> bool:
    """False when most letters are of other scripts or common words of other European languages outnumber English ones."""
    letters = [c for c in text if c.isalpha()]
    if 2 * sum(c.isascii() for c in letters) < len(letters):
        return False
    spoken = words(text)
    return sum(word in _FOREIGN_WORDS for word in spoken) <= sum(word in STOP_WORDS for word in spoken)


def split_identifiers(text: str) -> str:
    """Distinct lower-case parts of all CamelCase, snake_case and numbered names in the text, in order,
    space-separated.

        Names that have no parts give nothing, they are in the text as they are; single letters are left out.
    """
    found: dict[str, None] = {}
    for name in _NAME.findall(text):
        parts = [part.lower() for part in _BORDER.split(name) if len(part) >= _MIN_PART]
        if len(parts) > 1 or (parts and parts[0] != name.lower()):
            found.update(dict.fromkeys(parts))
    return " ".join(found)


def estimate_tokens(text: str) -> int:
    """A quarter of the UTF-8 length, rounded up."""
    return -(-len(text.encode("utf-8")) // 4)
