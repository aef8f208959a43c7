"""Pronouns of a question that point to something said before, and what they point to where that is plain."""

from __future__ import annotations

import re
from typing import Final

from app.text.names import exact_names

_EXPLETIVE: Final = re.compile(
    r"\b(?:is|was|be|will|would|does|did|can|could|should|may|might|if|that|when|how long|make|makes|find|why)\s+it\s+"
    r"(?:(?:really|still|ever|also|always|be)\s+)*"
    r"(?:possible|impossible|necessary|safe|unsafe|better|best|ok|okay|fine|allowed|legal|recommended|advisable|enough"
    r"|worth|hard|easy|difficult|normal|good|bad|wise|common|takes?|mean|matters?|makes? sense|an error|true|false)\b",
    re.IGNORECASE,
)
_THING: Final = (
    r"(?:option|setting|function|command|feature|flag|method|class|file|value|parameter|argument|approach|mode|directive"
    r"|variable|tool|type|field|module|package|library|structure|format|service|property|attribute|table|index|object)"
)
_AFTER_AUXILIARY: Final = "|".join(
    f"(?<={word} )" for word in ("could", "can", "does", "will", "would", "should", "did", "is")
)
_END: Final = r"\s*[?.,;:!]|\s*$"
_SINGULAR: Final = re.compile(
    rf"\b(?:it|itself|(?:{_AFTER_AUXILIARY})(?:this|that)\b(?!\s+\w+\s+is)|(?:this|that)\s+{_THING}"
    rf"|(?:this|that)(?={_END}|\s+(?:when|if|in|on|at|with|without|for|from|by|to|is|does|can|should|will|works?"
    rf"|happens?|expected|safe|still|be)\b))\b",
    re.IGNORECASE,
)
_PLURAL: Final = re.compile(
    rf"\b(?:they|them|themselves|(?:these|those)\s+{_THING}s|(?:these|those)(?={_END}|\s+(?:is|are|do|can|should|will|be)\b))\b",
    re.IGNORECASE,
)
_POSSESSIVE: Final = {
    "singular": re.compile(r"\bits\b", re.IGNORECASE),
    "plural": re.compile(r"\btheirs?\b", re.IGNORECASE),
}
_OTHERS: Final = re.compile(
    r"\b(?:this|these|those|both|such|another|he|him|his|she|hers?|if so|if not|(?:in|over) there|(?:this|that) one"
    r"|the (?:latter|former|others?|two|three|same|second|first|other \w+|(?:[\w-]+ )?ones?)"
    r"|(?:which|any|each|either|none|all) of (?:the|it))\b"
    rf"|\b(?:there|the (?:reason|original|result|problem|rest|whole thing))\b(?={_END})"
    rf"|\bones?\b(?={_END}|\s+(?:myself|if|when|to|should|is|are|do|does|can|for|of|will|works?)\b)",
    re.IGNORECASE,
)
_BORDERS: Final = (
    r"and|or|but|if|when|while|so|that|which|in|on|at|to|for|from|with|without|by|as|into|is|are|do|does|can|than"
    r"|using|via|before|after|because"
)
_NOUNS: Final = (
    rf"(?:(?:an?|the|my|our|your)\s+)?(?:(?!(?:{_BORDERS})\b)[^\s,;:?!()]+)"
    rf"(?:\s+(?!(?:{_BORDERS}|be|used|called|mean|i|we|you)\b)[^\s,;:?!()]+){{0,4}}"
)
"""A noun phrase, roughly: up to six words before one that cannot stand in it."""
_SUBJECTS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^what (?:does|do|did) (?P<subject>{_NOUNS}(?: of {_NOUNS})?) (?:do|mean|promise|return|contain)\b",
        (
            rf"^(?:what|who) (?:is|are|was|were) (?P<subject>{_NOUNS}(?: of {_NOUNS})?)"
            r"(?=\s*(?:[?,;:]|$)|\s+(?:in|for|used|good)\b)"
        ),
        rf"^how \w+ (?:is|are) (?P<subject>{_NOUNS}(?: of {_NOUNS})?)(?=\s*(?:[?,;:]|$)|\s+in\b)",
        rf"^how (?:do|can|could|should|would) (?:i|we|you|one) [a-z]+ (?P<subject>{_NOUNS})",
        rf"^how to [a-z]+ (?P<subject>{_NOUNS})",
    )
)
_MAX_TOPIC_WORDS: Final = 6
_SITUATION: Final = re.compile(
    r"^(?:(?:i|we)(?:'m|'ve| am| are| have)?\s+\w+\s+(?:(?:an?|the|my|our)\s+)?|(?:my|the|our|in|with)\s+)?",
    re.IGNORECASE,
)
_VERBAL: Final = re.compile(
    r"\b(?:i|we|you|he|she|is|are|was|were|do|does|did|has|have|had|can|will|not)\b|['’](?:s|m|ve|re|t)\b",
    re.IGNORECASE,
)


def leans(text: str) -> bool:
    """Whether the text holds a pronoun whose meaning stands elsewhere; `is it possible` and `an address that ends in` lean on nothing."""
    plain = _EXPLETIVE.sub(" ", text)
    return any(p.search(plain) for p in (_SINGULAR, _PLURAL, *_POSSESSIVE.values(), _OTHERS))


def subject_of(text: str) -> str:
    """What a question is about where its form tells, or the one name of code in it; empty when that is not plain."""
    for pattern in _SUBJECTS:
        match = pattern.match(text.strip())
        if match is not None and not leans(match["subject"]):
            return match["subject"]
    names = exact_names(text)
    return names[0] if len(names) == 1 else ""


def topic_of(context: str) -> str:
    """The thing that a remark before the question is about: the name of code that it opens with (`I set max_size to 4.`), or
    all of it if it is only a few words without a verb (`the write-ahead log`); empty when that is not plain.
    """
    told = context.strip(" .!?\n")
    if 0 < len(told.split()) <= _MAX_TOPIC_WORDS and not leans(told) and not _VERBAL.search(told):
        return told
    names = exact_names(told)
    opening = _SITUATION.match(told)
    return names[0] if len(names) == 1 and opening is not None and told.startswith(names[0], opening.end()) else ""


def resolved(text: str, subject: str) -> str:
    """The text with its pronouns replaced by the subject; empty when a pronoun remains that points elsewhere."""
    if not leans(text):
        return text
    if not subject:
        return ""
    many = _is_plural(subject)
    kept = [match.span() for match in _EXPLETIVE.finditer(text)]

    def instead(match: re.Match[str]) -> str:
        return match.group() if any(start <= match.start() < end for start, end in kept) else subject

    for pattern in (_PLURAL, _POSSESSIVE["plural"]) if many else (_SINGULAR, _POSSESSIVE["singular"]):
        text = pattern.sub(instead, text)
        kept = [match.span() for match in _EXPLETIVE.finditer(text)]
    return "" if leans(text.replace(subject, " ")) else text


def _is_plural(subject: str) -> bool:
    head = subject.split(" of ")[0]
    return " and " in subject or ((head.isalpha() or " " in head) and bool(re.search(r"[^\Wsui]s$", head)))
