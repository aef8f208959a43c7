"""The parts of a question that can be searched by themselves."""

from __future__ import annotations

import re
from typing import Final

from app import caps
from app.retrieval.analysis.comparisons import compared_sides
from app.retrieval.analysis.pronouns import leans, resolved, subject_of, topic_of
from app.text.terms import query_terms

_SENTENCE_END: Final = re.compile(r"(?<=[?？。！])\s*(?=[^\s?？。！])|(?<=[.!;])\s+(?=\S)|\n+")
_NO_END: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|no|approx|resp|v)|\b[A-Z])[.]$", re.IGNORECASE)
_AUXILIARY: Final = (
    r"(?:do|does|did|is|are|was|were|can|could|should|would|will|shall|may|might|must|has|have|had|"
    r"isn't|aren't|doesn't|don't|won't|can't)"
)
_ASKS: Final = re.compile(
    rf"^(?:(?:and|but|so|or|also|then|if so|please|ok|okay|well|now)[, ]+)*"
    rf"(?:(?:what|which|who|whom|whose|when|where|why|how)\b|{_AUXILIARY}\s+\S|(?:what|how)'s\b)|[?？]\s*$",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    rf"[,;]?\s+(?:and|plus)(?:\s+(?:also|then|if so,?|if not,?))*\s+"
    rf"(?=(?:what|who)\s+[\w']+|(?:when|where|why|how)\s+{_AUXILIARY}\b|how to\s"
    rf"|(?:how|which|what|whose)\s+(?:[\w-]+\s+){{1,4}}{_AUXILIARY}\b"
    rf"|(?:do|does|is|are|can|could|should|will|would|must|may)\s+(?:i|it|its|they|there|the|an?|my|you|this|that"
    rf"|these|we|one)\b)",
    re.IGNORECASE,
)
_SHARED_END: Final = re.compile(
    rf"^(?P<head>(?:what|which)\s+(?:is|are|was|were)\s+)?(?P<a>(?P<word>(?:the(?=\s.+\s(?:of|for|in|on|from|to"
    rf"|with)\b)|which|what|how many|how much)(?!\s+{_AUXILIARY}\b))\s+(?:(?!\b(?:of|between)\b)[^,;:?!]){{3,60}}?)"
    rf"\s+and\s+(?P<b>(?P=word)\s+[^,;:?!]{{3,60}}?)"
    rf"(?P<tail>\s+(?:of|for|in|on|from|to|with|{_AUXILIARY}|[a-z]{{3,}}\s+(?:to|for|with))\b[^?]*)?[?.]?$",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(r"^(?:for|in|with|on|under|when using|using)\s+[^,;:?!]{2,60},\s+", re.IGNORECASE)
_MIN_TERMS: Final = 3


def parts_of(question: str, known_context: str = "") -> tuple[str, ...]:
    """Parts worth a search beside the whole question, at most MAX_SUB_QUERIES - 1; most questions have none.

    The sides of a comparison; questions asked together, pronouns replaced by what they stand for; the question alone
    after sentences that tell the situation. A part that leans on the rest is left out: the whole is searched anyway.
    """
    sides = compared_sides(question) if _NEXT.search(question) is None else ()
    found = sides or _questions(question, known_context)
    whole = _folded(question)
    distinct: dict[str, str] = {}
    for part in found:
        if _folded(part) != whole:
            distinct.setdefault(_folded(part), part)
    return tuple(distinct.values())[: caps.MAX_SUB_QUERIES - 1]


def sentences(text: str) -> list[str]:
    """The sentences of a question; an abbreviation ends none."""
    found: list[str] = []
    for piece in (part.strip() for part in _SENTENCE_END.split(text)):
        if piece and found and _NO_END.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece:
            found.append(piece)
    return found


def _questions(question: str, known_context: str) -> tuple[str, ...]:
    told = sentences(question)
    asked = [part for sentence in told if _ASKS.search(sentence) for part in _asked(sentence)]
    context = " ".join(sentence for sentence in told if not _ASKS.search(sentence)) or known_context
    subject = topic_of(context)
    parts: list[str] = []
    for part in asked:
        stands, own = resolved(part, subject), subject_of(part)
        is_plain = len(asked) > 1 and (stands != part or bool(own))
        if stands and len(query_terms(stands)) >= (1 if is_plain else _MIN_TERMS):
            parts += compared_sides(stands) or [stands]
        subject = own or ("" if leans(part) else subject)
    return tuple(parts)


def _asked(sentence: str) -> list[str]:
    shared = _SHARED_END.match(sentence)
    if shared is not None and shared["tail"]:
        head, tail = shared["head"] or "", shared["tail"]
        return [f"{head}{shared['a']}{tail}", f"{head}{shared['b']}{tail}"]
    parts = [part.strip() for part in _NEXT.split(sentence) if part.strip()]
    leading = _LEADING.match(sentence)
    return [parts[0], *(f"{leading.group()}{part}" for part in parts[1:])] if leading and parts else parts


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" ?.!,;:")
