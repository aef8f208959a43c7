"""The sides of a comparison, each with what the question says about both."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from app.text.terms import STOP_WORDS, query_terms

_SIDE: Final = r"(?:(?!\b(?:and|or|with|when|if|because)\b)[^,;:?!]){1,80}?"
_END: Final = (
    r"(?=\s*(?:[,;:?!]|\.(?:\s|$)|$)"
    r"|\s+(?-i:in|on|for|when|if|with|without|under|while|during|regarding|concerning|as|at|from|within|by|to"
    r"|that|which|is|are|do|does|should|would)\b)"
)
_LONG_END: Final = r"(?=\s*(?:[,;:?!]|\.(?:\s|$)|$)|\s+(?:when|if|while|regarding|concerning|in terms of)\b)"
_DIFFERENCE: Final = re.compile(
    rf"\b(?:(?:difference|distinction|comparison|choice|choose|choosing|decide|trade-?offs?|compare|relationship"
    rf"|relation)s?(?: is)? between|^(?:please )?compare(?!\s+(?:an?|my|two)\b))"
    rf"\s+(?P<a>{_SIDE})\s+(?:and|or|with|to|against|versus|vs\.?)\s+(?P<b>{_SIDE}){_END}"
    rf"|\b(?:unterschiede? zwischen|diff[ée]rences? entre|diferencias? entre)\s+(?P<a2>{_SIDE})\s+(?:und|et|y"
    rf"|e)\s+(?P<b2>{_SIDE}){_END}",
    re.IGNORECASE,
)
_VERSUS: Final = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_BEFORE_SIDE: Final = re.compile(
    r"[,;:?!(]\s+|\b(?:of|for|in|on|between|is|are|use|about|compare|with|regarding|when|to)\s+", re.IGNORECASE
)
_THAN: Final = re.compile(
    rf"\b(?:is|are|was|were|does|do|why is|why are)\s+(?P<a>{_SIDE})\s+"
    rf"(?P<how>(?:(?:much|any|really|always|still|run|work|perform|scale|load)s?\s+)*"
    rf"(?:more|less|better|worse|\w{{2,10}}er)(?:\s+(?!than\b)\w{{3,16}}){{0,3}})\s+than\s+(?P<b>{_SIDE}){_END}",
    re.IGNORECASE,
)
_CHOOSE: Final = re.compile(
    rf"\b(?:should (?:i|we|one|you)|shall i|do i|better to|best to|when to|whether to|if i should"
    rf"|would you)\s+(?:rather |better )?"
    rf"(?:use|choose|pick|prefer|take|go with|go for|select|want|need|recommend|install)\s+"
    rf"(?P<a>{_SIDE})(?:,)?\s+or\s+(?P<b>{_SIDE}){_LONG_END}",
    re.IGNORECASE,
)
_PARALLEL: Final = re.compile(
    rf"(?<!\w)(?P<a>(?P<det>an?|the|my|on|in|with|by|via|from|at)\s+{_SIDE})(?:,)?\s+or\s+"
    rf"(?P<b>(?P<det2>an?|the|my|on|in|with|by|via|from|at)\s+{_SIDE}){_END}",
    re.IGNORECASE,
)
_NAMED_LAST: Final = re.compile(
    rf"\b(?P<head>(?:which|what"
    rf"|who)\b[^,;:?!]{{3,100}})[,:]\s+(?:either )?(?P<a>{_SIDE})(?:,)?\s+or\s+(?P<b>{_SIDE})\s*\?",
    re.IGNORECASE,
)
_NAMED_FIRST: Final = re.compile(
    rf"^(?P<a>{_SIDE})\s+or\s+(?P<b>{_SIDE})\s*[:?,]\s+(?P<rest>(?:which|what|when|what's)\b.{{3,300}})$", re.IGNORECASE
)
_EMPTY_SIDE: Final = re.compile(
    r"\b(?:it|its|they|them|this|that|these|those|others?|(?:any|no|some)thing|there|one|ones|both|each other|i"
    r"|we|you|my|your|much|far|even|not|so|rather|more|less|just|before|after|two|three)\b"
    r"|^\W*[\d.,\s%-]+\W*$",
    re.IGNORECASE,
)
_OPENERS: Final = re.compile(
    r"^(?:what(?:'s| is| are| were)?|which|how|why|is|are|does|do|should (?:i|we|one)|can|the|please|explain"
    r"|tell me|describe|when|use|using)\b\s*",
    re.IGNORECASE,
)
_SHARED_TAIL: Final = re.compile(r"\s(?:for|in|on|to)\s.*$")
_DECIDES: Final = re.compile(r"\b(?:should|which|whether|better|prefer|choose)\b", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:an?|the|my|our|your)\s", re.IGNORECASE)
_MAX_SIDE_WORDS: Final = 7
_MAX_TRIES: Final = 8


def compared_sides(question: str) -> tuple[str, ...]:
    """One query a side of the comparison in the question, the shared words kept; none when it compares nothing plainly."""
    for find in (_difference, _versus, _than, _named_first, _named_last, _chosen, _parallel):
        sides = find(question)
        if len(sides) == 2 and sides[0].casefold() != sides[1].casefold():
            return sides
    return ()


def _difference(question: str) -> tuple[str, ...]:
    match = _DIFFERENCE.search(question)
    if match is None:
        return ()
    tail = _tail(question[match.end() :])
    if match["a"] is None:
        return _both(match["a2"], match["b2"], lambda side: f"{side}{tail}")
    before = _content(question[: match.start()])
    return _both(match["a"], match["b"], lambda side: f"{before} {side}{tail}")


def _versus(question: str) -> tuple[str, ...]:
    parts = _VERSUS.split(question)
    if len(parts) != 2:
        return ()
    starts = [match.end() for match in _BEFORE_SIDE.finditer(parts[0])]
    opener = _OPENERS.match(parts[0])
    start = max([*starts, opener.end() if opener else 0])
    end = re.search(_END, parts[1])
    stop = end.start() if end else len(parts[1])
    head, tail = _content(parts[0][:start]), _tail(parts[1][stop:])
    return _both(parts[0][start:], parts[1][:stop], lambda side: f"{head} {side}{tail}")


def _than(question: str) -> tuple[str, ...]:
    match = _THAN.search(question)
    if match is None or match["how"].split()[-1].lower() in ("other", "rather", "number"):
        return ()
    how, tail = match["how"], _tail(question[match.end() :])
    return _both(match["a"], match["b"], lambda side: f"{side} {how}{tail}")


def _named_first(question: str) -> tuple[str, ...]:
    match = _NAMED_FIRST.match(question)
    if match is None:
        return ()
    rest = re.sub(
        r"^(?:which|what)\b(?:\s+(?:one|of (?:the two|them|these|both)))*", "", match["rest"], flags=re.IGNORECASE
    )
    return _both(match["a"], match["b"], lambda side: f"{side}: {rest.strip(' ?')}")


def _named_last(question: str) -> tuple[str, ...]:
    match = _NAMED_LAST.search(question)
    if match is None:
        return ()
    rest = re.sub(
        r"^(?:which|what|who)\b(?:\s+(?:one|of (?:the two|them|these|both)))*(?:\s+(?:is|are))?",
        "",
        match["head"],
        flags=re.IGNORECASE,
    )
    return _both(match["a"], match["b"], lambda side: f"{side} {rest.strip()}")


def _chosen(question: str) -> tuple[str, ...]:
    match = _CHOOSE.search(question)
    if match is None or _is_half(match["a"], match["b"]):
        return ()
    tail = _tail(question[match.end() :])
    shared = _SHARED_TAIL.search(match["b"])
    second = match["b"][: shared.start()] if shared else match["b"]
    end = (shared.group() if shared else "") + tail
    return _both(match["a"], second, lambda side: f"{side}{end}")


def _parallel(question: str) -> tuple[str, ...]:
    start = 0
    for _ in range(_MAX_TRIES):
        match = _PARALLEL.search(question, start)
        if match is None:
            return ()
        if _same_kind(match["det"], match["det2"]):
            return _alternatives(question, match)
        start = match.start() + 1
    return ()


def _alternatives(question: str, match: re.Match[str]) -> tuple[str, ...]:
    head, tail = question[: match.start()], question[match.end() :]
    if not _DECIDES.search(head):
        return ()
    return _both(match["a"], match["b"], lambda side: f"{head}{side}{tail}")


def _same_kind(first: str, second: str) -> bool:
    articles = {"a", "an", "the", "my"}
    first, second = first.lower(), second.lower()
    return first == second or (first in articles and second in articles)


def _is_half(a: str, b: str) -> bool:
    """`a read or write lock`: one side has the article, the other the noun; that is no choice."""
    return (_ARTICLE.match(a) is None) != (_ARTICLE.match(b) is None)


def _both(a: str, b: str, made: Callable[[str], str]) -> tuple[str, ...]:
    sides = [side.strip(" .'\"") for side in (a, b)]
    if any(
        _EMPTY_SIDE.search(side) or not set(query_terms(side)) - STOP_WORDS or len(side.split()) > _MAX_SIDE_WORDS
        for side in sides
    ):
        return ()
    return tuple(" ".join(made(side).split()).strip(" ,;:") for side in sides)


def _content(text: str) -> str:
    """What of the words before the comparison belongs to both sides: the words that carry meaning, an opener left out."""
    kept = [word for word in text.split() if word.isupper() or word.strip(",.:;?!()").lower() not in STOP_WORDS]
    return " ".join(kept)


def _tail(text: str) -> str:
    return f" {text.strip(' ?')}" if text.strip(" ?.,;:!") else ""
