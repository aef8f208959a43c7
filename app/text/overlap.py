"""How much of a question a text covers."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

from app.text.terms import words


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
    """Without case and accents, as the keyword index compares."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A light English stem: enough to match plurals and common verb endings."""
    for ending in ("ations", "ation", "ings", "ing", "edly", "ies", "ers", "ed", "es", "er", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            return base + "y" if ending == "ies" else base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word
