"""Passages that say the same but for case, white space and punctuation."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b

from app import caps


class _Folding(dict[int, str | None]):
    """Maps what separates words to a space and forgets nothing else; digits and marks on letters stay."""

    def __missing__(self, code: int) -> str | None:
        sign = chr(code)
        kept = sign if unicodedata.category(sign)[0] in "LMN" else " "
        self[code] = kept
        return kept


_FOLDING = _Folding()


class SeenPassages:
    """The passages of one page so far. Short ones, such as headings and one-line answers, may repeat."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def has(self, text: str, tokens: int) -> bool:
        """Whether a passage of a sensible size was seen before; it is remembered."""
        if tokens < caps.MIN_CHUNK_TOKENS:
            return False
        digest = blake2b((folded(text) or text).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = digest in self._seen
        self._seen.add(digest)
        return known


def folded(text: str) -> str:
    """The words of a text in lower case with one space between them."""
    return " ".join(text.translate(_FOLDING).casefold().split())
