"""Cut a short snippet out of a page around the words of a question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import islice
from typing import Final

from app.extract.markdown_source import read_front_matter
from app.text.scripts import compatible, places_of_pairs
from app.text.terms import query_terms, stem

MARK: Final = "..."
_LINK: Final = re.compile(r"(!?)\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_ATTRIBUTES: Final = re.compile(r"\{[ \t]*+[:#.][^{}\n]*+\}[ \t]*+$", re.MULTILINE)
_NOISE: Final = re.compile(
    r"<!--.*?-->|</?[A-Za-z][^<>]*>|^[ \t]*+(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|`{3,}[^\n]*$|~{3,}[^\n]*$|(?=\|?[ \t:-]*+\|)[ \t|:-]++$)"
    r"|\*\*|__(?=\S)|(?<=\S)__",
    re.MULTILINE | re.DOTALL,
)
_TITLE: Final = re.compile(r"\A\s*+#[ \t][^\n]*+\n")
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST_WORD: Final = 40
_NARROW_CHARS: Final = 4_000
_PLACES: Final = 100


def snippet(text: str, question: str, length: int) -> str:
    """Return at most `length` characters of a text on one line, around the words of the question, cut between words.

    Chooses the range with the most different words of the question; words that are rare in the text count most.
    """
    wanted = {stem(part) for term in query_terms(question) for part in _WORD.findall(term.lower())}
    # On one line, without its title, Markdown marks and link targets.
    body = _TITLE.sub("", read_front_matter(_narrowed(text, wanted))[1], count=1)
    clean = " ".join(_NOISE.sub("", _LINK.sub(r"\2", _ATTRIBUTES.sub("", body))).split())
    if len(clean) <= length:
        return clean
    places = [
        (match.start(), name)
        for match in _WORD.finditer(clean.lower())
        if (name := stem(compatible(match.group()))) in wanted
    ]
    places += [(start, clean[start:end]) for start, end in places_of_pairs(clean, wanted)]
    places.sort()
    start = _best_start(places, length - 2 * len(MARK)) if places else 0
    return _cut(clean, start, length)


def shortened(text: str, length: int) -> str:
    """Return a snippet cut to a smaller length, with a mark at its end."""
    return text if len(text) <= length else _cut(text, 0, length)


def _narrowed(text: str, wanted: Collection[str]) -> str:
    """Return the part of a long text with most of the words, found quickly: cleaning the whole text takes too long."""
    if len(text) <= _NARROW_CHARS:
        return text
    lower = text.lower()
    places: list[tuple[int, str]] = []
    for name in wanted:
        found = (match.start() for match in re.finditer(re.escape(name), lower))
        places += ((place, name) for place in islice(found, _PLACES))
    places.sort()
    if not places:
        return text[:_NARROW_CHARS]
    start = max(0, _best_start(places, _NARROW_CHARS // 4) - _NARROW_CHARS // 4)
    begin = text.rfind("\n", 0, start) + 1 if start else 0
    return text[begin : begin + _NARROW_CHARS]


def _best_start(places: list[tuple[int, str]], length: int) -> int:
    """Return the start of the best range: before its first word, so that all its words are centered."""
    weights = {name: 1 + 1 / number for name, number in Counter(name for _, name in places).items()}
    best, chosen = -1.0, (0, 0)
    held: dict[str, int] = {}
    last = 0
    for first, (begin, name) in enumerate(places):
        while last < len(places) and places[last][0] - begin < max(1, length - _LONGEST_WORD // 2):
            held[places[last][1]] = held.get(places[last][1], 0) + 1
            last += 1
        value = sum(weights[each] for each, number in held.items() if number)
        if value > best:
            best, chosen = value, (begin, places[max(first, last - 1)][0])
        held[name] -= 1
    begin, end = chosen
    return max(0, begin - max(0, length - (end - begin)) // 3)


def _cut(text: str, start: int, length: int) -> str:
    """Return the range from about `start` with marks at omitted text, `length` characters including them."""
    if start > 0:
        border = text.rfind(" ", max(0, start - _LONGEST_WORD), start + 1)
        start = border + 1 if border >= 0 else start
    head = MARK if start else ""
    left = length - len(head)
    if len(text) - start <= left:
        return head + text[start:]
    left -= len(MARK)
    border = text.rfind(" ", start + max(1, left - _LONGEST_WORD), start + left + 1)
    end = border if border > start else start + left
    return f"{head}{text[start:end]}{MARK}"
