"""The parts of a question that can be searched separately.

Three steps: the sides of a comparison, several questions in one, and pronouns that refer to earlier text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from app.text.languages import STOP_WORDS
from app.text.terms import exact_names, query_terms
from app.text.wordings import wordings

MAX_SUB_QUERIES: Final = 4
_FORMS: Final = wordings("questions.toml", "subqueries")
_SUBJECTS: Final = tuple(wordings("questions.toml", "subjects").values())

_POSSESSIVE: Final = {
    "singular": re.compile(r"\bits\b", re.IGNORECASE),
    "plural": re.compile(r"\btheirs?\b", re.IGNORECASE),
}
_MAX_TOPIC_WORDS: Final = 6
_SHARED_TAIL: Final = re.compile(r"\s(?:for|in|on|to)\s.*$")
_MAX_SIDE_WORDS: Final = 7
_MAX_TRIES: Final = 8
_SENTENCE_END: Final = re.compile(r"(?<=[?？。！])\s*(?=[^\s?？。！])|(?<=[.!;])\s+(?=\S)|\n+")
_MIN_TERMS: Final = 3


def parts_of(question: str, known_context: str = "") -> tuple[str, ...]:
    """Return the parts worth a search in addition to the whole question, at most MAX_SUB_QUERIES - 1. Often none.

    Parts are the sides of a comparison, several questions in one (with pronouns replaced by their subject), or the question alone after
    sentences that describe the situation. A part that depends on the rest is omitted, because the whole is searched anyway.
    """
    sides = compared_sides(question) if _FORMS["next"].search(question) is None else ()
    found = sides or _split_questions(question, known_context)
    whole = _folded(question)
    distinct: dict[str, str] = {}
    for part in found:
        if _folded(part) != whole:
            distinct.setdefault(_folded(part), part)
    return tuple(distinct.values())[: MAX_SUB_QUERIES - 1]


def sentences(text: str) -> list[str]:
    """Return the sentences of a question; abbreviations do not end a sentence."""
    found: list[str] = []
    for piece in (part.strip() for part in _SENTENCE_END.split(text)):
        if piece and found and _FORMS["no_end"].search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece:
            found.append(piece)
    return found


def compared_sides(question: str) -> tuple[str, ...]:
    """Return one query per side of the comparison in the question, with the shared words. None if it is not clearly a comparison."""
    # The patterns try every position between two words; reducing spaces to one keeps them fast.
    spaced = " ".join(question.split())
    for pattern, find_sides in _COMPARISONS:
        match = pattern.search(spaced)
        sides = find_sides(spaced, match) if match is not None else ()
        if len(sides) == 2 and sides[0].casefold() != sides[1].casefold():
            return sides
    return ()


def leans(text: str) -> bool:
    """Whether the text has a pronoun that refers to something else; `is it possible` and `an address that ends in` do not."""
    plain = _FORMS["expletive"].sub(" ", text)
    return any(p.search(plain) for p in (_FORMS["singular"], _FORMS["plural"], *_POSSESSIVE.values(), _FORMS["others"]))


def subject_of(text: str) -> str:
    """Return the subject of a question if its form shows it, or its only code name; "" if unclear."""
    for pattern in _SUBJECTS:
        match = pattern.match(text.strip())
        if match is not None and not leans(match["subject"]):
            return match["subject"]
    names = exact_names(text)
    return names[0] if len(names) == 1 else ""


def topic_of(context: str) -> str:
    """Return the subject of a remark before the question: the code name at its start (`I set max_size to 4.`), or all of it if it is
    only a few words without a verb (`the write-ahead log`). "" if unclear."""
    remark = context.strip(" .!?\n")
    if 0 < len(remark.split()) <= _MAX_TOPIC_WORDS and not leans(remark) and not _FORMS["verbal"].search(remark):
        return remark
    names = exact_names(remark)
    opening = _FORMS["situation"].match(remark)
    return names[0] if len(names) == 1 and opening is not None and remark.startswith(names[0], opening.end()) else ""


def resolved(text: str, subject: str) -> str:
    """Return the text with its pronouns replaced by the subject; "" if a pronoun remains that refers to something else."""
    if not leans(text):
        return text
    if not subject:
        return ""
    head = subject.split(" of ")[0]
    is_ending = (head.isalpha() or " " in head) and re.search(r"[^\Wsui]s$", head) is not None
    many = " and " in subject or is_ending
    kept = [match.span() for match in _FORMS["expletive"].finditer(text)]

    def instead(match: re.Match[str]) -> str:
        return match.group() if any(start <= match.start() < end for start, end in kept) else subject

    for pattern in (_FORMS["plural"], _POSSESSIVE["plural"]) if many else (_FORMS["singular"], _POSSESSIVE["singular"]):
        text = pattern.sub(instead, text)
        kept = [match.span() for match in _FORMS["expletive"].finditer(text)]
    return "" if leans(text.replace(subject, " ")) else text


def _difference(question: str, match: re.Match[str]) -> tuple[str, ...]:
    tail = _tail(question[match.end() :])
    if match["a"] is None:
        return _both(match["a2"], match["b2"], lambda side: f"{side}{tail}")
    before = _content(question[: match.start()])
    return _both(match["a"], match["b"], lambda side: f"{before} {side}{tail}")


def _versus(question: str, _match: re.Match[str]) -> tuple[str, ...]:
    parts = _FORMS["versus"].split(question)
    if len(parts) != 2:
        return ()
    starts = [match.end() for match in _FORMS["before_side"].finditer(parts[0])]
    opener = _FORMS["openers"].match(parts[0])
    start = max([*starts, opener.end() if opener else 0])
    end = _FORMS["side_end"].search(parts[1])
    stop = end.start() if end else len(parts[1])
    head, tail = _content(parts[0][:start]), _tail(parts[1][stop:])
    return _both(parts[0][start:], parts[1][:stop], lambda side: f"{head} {side}{tail}")


def _than(question: str, match: re.Match[str]) -> tuple[str, ...]:
    if match["how"].split()[-1].lower() in ("other", "rather", "number"):
        return ()
    how, tail = match["how"], _tail(question[match.end() :])
    return _both(match["a"], match["b"], lambda side: f"{side} {how}{tail}")


def _named_first(_question: str, match: re.Match[str]) -> tuple[str, ...]:
    rest = re.sub(r"(?i)^(?:which|what)\b(?:\s+(?:one|of (?:the two|them|these|both)))*", "", match["rest"])
    return _both(match["a"], match["b"], lambda side: f"{side}: {rest.strip(' ?')}")


def _named_last(_question: str, match: re.Match[str]) -> tuple[str, ...]:
    asked = r"(?i)^(?:which|what|who)\b(?:\s+(?:one|of (?:the two|them|these|both)))*(?:\s+(?:is|are))?"
    rest = re.sub(asked, "", match["head"])
    return _both(match["a"], match["b"], lambda side: f"{side} {rest.strip()}")


def _chosen(question: str, match: re.Match[str]) -> tuple[str, ...]:
    # `a read or write lock` is not a choice: one side has the article, the other the noun.
    if (_FORMS["article"].match(match["a"]) is None) != (_FORMS["article"].match(match["b"]) is None):
        return ()
    tail = _tail(question[match.end() :])
    shared = _SHARED_TAIL.search(match["b"])
    second = match["b"][: shared.start()] if shared else match["b"]
    end = (shared.group() if shared else "") + tail
    return _both(match["a"], second, lambda side: f"{side}{end}")


def _parallel(question: str, match: re.Match[str]) -> tuple[str, ...]:
    for _ in range(_MAX_TRIES):
        kinds = {match["det"].lower(), match["det2"].lower()}
        if len(kinds) == 1 or kinds <= {"a", "an", "the", "my"}:
            break
        following = _FORMS["parallel"].search(question, match.start() + 1)
        if following is None:
            return ()
        match = following
    else:
        return ()
    head, tail = question[: match.start()], question[match.end() :]
    return _both(match["a"], match["b"], lambda side: f"{head}{side}{tail}") if _FORMS["decides"].search(head) else ()


_COMPARISONS: Final = (
    (_FORMS["difference"], _difference),
    (_FORMS["versus"], _versus),
    (_FORMS["than"], _than),
    (_FORMS["named_first"], _named_first),
    (_FORMS["named_last"], _named_last),
    (_FORMS["choose"], _chosen),
    (_FORMS["parallel"], _parallel),
)


def _both(a: str, b: str, made: Callable[[str], str]) -> tuple[str, ...]:
    sides = [side.strip(" .'\"") for side in (a, b)]
    if any(
        _FORMS["empty_side"].search(side)
        or not set(query_terms(side)) - STOP_WORDS
        or len(side.split()) > _MAX_SIDE_WORDS
        for side in sides
    ):
        return ()
    return tuple(" ".join(made(side).split()).strip(" ,;:") for side in sides)


def _content(text: str) -> str:
    """Return the words before the comparison that belong to both sides: its content words without an opening phrase."""
    words = text.split()
    return " ".join(word for word in words if word.isupper() or word.strip(",.:;?!()").lower() not in STOP_WORDS)


def _tail(text: str) -> str:
    return f" {text.strip(' ?')}" if text.strip(" ?.,;:!") else ""


def _split_questions(question: str, known_context: str) -> tuple[str, ...]:
    spoken = sentences(question)
    asked = [part for sentence in spoken if _FORMS["asks"].search(sentence) for part in _split_sentence(sentence)]
    context = " ".join(sentence for sentence in spoken if not _FORMS["asks"].search(sentence)) or known_context
    subject = topic_of(context)
    parts: list[str] = []
    for part in asked:
        stands, own = resolved(part, subject), subject_of(part)
        is_plain = len(asked) > 1 and (stands != part or bool(own))
        if stands and len(query_terms(stands)) >= (1 if is_plain else _MIN_TERMS):
            parts += compared_sides(stands) or [stands]
        subject = own or ("" if leans(part) else subject)
    return tuple(parts)


def _split_sentence(sentence: str) -> list[str]:
    sentence = " ".join(sentence.split())
    shared = _FORMS["shared_end"].match(sentence)
    if shared is not None and shared["tail"]:
        head, tail = shared["head"] or "", shared["tail"]
        return [f"{head}{shared['a']}{tail}", f"{head}{shared['b']}{tail}"]
    parts = [part.strip() for part in _FORMS["next"].split(sentence) if part.strip()]
    leading = _FORMS["leading"].match(sentence)
    return [parts[0], *(f"{leading.group()}{part}" for part in parts[1:])] if leading and parts else parts


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" ?.!,;:")
