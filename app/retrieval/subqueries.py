"""The parts of a question that can be searched separately.

Three steps: the sides of a comparison, several questions in one, and pronouns that refer to earlier text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from app.text.languages import STOP_WORDS
from app.text.terms import exact_names, query_terms

MAX_SUB_QUERIES: Final = 4

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
)  # A noun phrase, roughly: up to six words before one that cannot be part of it.
_PARTICLES: Final = r"(?:on|off|up|down|out|back|away|over) "  # Particles of two-word verbs: to turn on, to set up.
_SUBJECTS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^what (?:does|do|did) (?P<subject>{_NOUNS}(?: of {_NOUNS})?) (?:do|mean|promise|return|contain)\b",
        (
            rf"^(?:what|who) (?:is|are|was|were) (?P<subject>{_NOUNS}(?: of {_NOUNS})?)"
            r"(?=\s*(?:[?,;:]|$)|\s+(?:in|for|used|good)\b)"
        ),
        rf"^how \w+ (?:is|are) (?P<subject>{_NOUNS}(?: of {_NOUNS})?)(?=\s*(?:[?,;:]|$)|\s+in\b)",
        rf"^how (?:do|can|could|should|would) (?:i|we|you|one) [a-z]+ (?:{_PARTICLES})?(?P<subject>{_NOUNS})",
        rf"^how to [a-z]+ (?:{_PARTICLES})?(?P<subject>{_NOUNS})",
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
_SIDE: Final = r"(?:(?!\b(?:and|or|with|when|if|because)\b)[^,;:?!]){1,80}?"
_SIDE_END: Final = (
    r"(?=\s*(?:[,;:?!]|\.(?:\s|$)|$)"
    r"|\s+(?-i:in|on|for|when|if|with|without|under|while|during|regarding|concerning|as|at|from|within|by|to"
    r"|that|which|is|are|do|does|should|would)\b)"
)
_LONG_END: Final = r"(?=\s*(?:[,;:?!]|\.(?:\s|$)|$)|\s+(?:when|if|while|regarding|concerning|in terms of)\b)"
_DIFFERENCE: Final = re.compile(
    rf"\b(?:(?:difference|distinction|comparison|choice|choose|choosing|decide|trade-?offs?|compare|relationship"
    rf"|relation)s?(?: is)? between|^(?:please )?compare(?!\s+(?:an?|my|two)\b))"
    rf"\s+(?P<a>{_SIDE})\s+(?:and|or|with|to|against|versus|vs\.?)\s+(?P<b>{_SIDE}){_SIDE_END}"
    rf"|\b(?:unterschiede? zwischen|diff[ée]rences? entre|diferencias? entre)\s+(?P<a2>{_SIDE})\s+(?:und|et|y"
    rf"|e)\s+(?P<b2>{_SIDE}){_SIDE_END}",
    re.IGNORECASE,
)
_VERSUS: Final = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_BEFORE_SIDE: Final = re.compile(
    r"[,;:?!(]\s+|\b(?:of|for|in|on|between|is|are|use|about|compare|with|regarding|when|to)\s+", re.IGNORECASE
)
_THAN: Final = re.compile(
    rf"\b(?:is|are|was|were|does|do|why is|why are)\s+(?P<a>{_SIDE})\s+"
    rf"(?P<how>(?:(?:much|any|really|always|still|run|work|perform|scale|load)s?\s+)*"
    rf"(?:more|less|better|worse|\w{{2,10}}er)(?:\s+(?!than\b)\w{{3,16}}){{0,3}})\s+than\s+(?P<b>{_SIDE}){_SIDE_END}",
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
    rf"(?P<b>(?P<det2>an?|the|my|on|in|with|by|via|from|at)\s+{_SIDE}){_SIDE_END}",
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
    rf"(?:[,;]|(?<!\s))\s++(?:and|plus)(?:\s++(?:also|then|if so,?|if not,?))*+\s++"
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
    """Return the parts worth a search in addition to the whole question, at most MAX_SUB_QUERIES - 1. Often none.

    Parts are the sides of a comparison, several questions in one (with pronouns replaced by their subject), or the question alone after
    sentences that describe the situation. A part that depends on the rest is omitted, because the whole is searched anyway.
    """
    sides = compared_sides(question) if _NEXT.search(question) is None else ()
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
        if piece and found and _NO_END.search(found[-1]):
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
    plain = _EXPLETIVE.sub(" ", text)
    return any(p.search(plain) for p in (_SINGULAR, _PLURAL, *_POSSESSIVE.values(), _OTHERS))


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
    if 0 < len(remark.split()) <= _MAX_TOPIC_WORDS and not leans(remark) and not _VERBAL.search(remark):
        return remark
    names = exact_names(remark)
    opening = _SITUATION.match(remark)
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
    kept = [match.span() for match in _EXPLETIVE.finditer(text)]

    def instead(match: re.Match[str]) -> str:
        return match.group() if any(start <= match.start() < end for start, end in kept) else subject

    for pattern in (_PLURAL, _POSSESSIVE["plural"]) if many else (_SINGULAR, _POSSESSIVE["singular"]):
        text = pattern.sub(instead, text)
        kept = [match.span() for match in _EXPLETIVE.finditer(text)]
    return "" if leans(text.replace(subject, " ")) else text


def _difference(question: str, match: re.Match[str]) -> tuple[str, ...]:
    tail = _tail(question[match.end() :])
    if match["a"] is None:
        return _both(match["a2"], match["b2"], lambda side: f"{side}{tail}")
    before = _content(question[: match.start()])
    return _both(match["a"], match["b"], lambda side: f"{before} {side}{tail}")


def _versus(question: str, _match: re.Match[str]) -> tuple[str, ...]:
    parts = _VERSUS.split(question)
    if len(parts) != 2:
        return ()
    starts = [match.end() for match in _BEFORE_SIDE.finditer(parts[0])]
    opener = _OPENERS.match(parts[0])
    start = max([*starts, opener.end() if opener else 0])
    end = re.search(_SIDE_END, parts[1])
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
    if (_ARTICLE.match(match["a"]) is None) != (_ARTICLE.match(match["b"]) is None):
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
        following = _PARALLEL.search(question, match.start() + 1)
        if following is None:
            return ()
        match = following
    else:
        return ()
    head, tail = question[: match.start()], question[match.end() :]
    return _both(match["a"], match["b"], lambda side: f"{head}{side}{tail}") if _DECIDES.search(head) else ()


_COMPARISONS: Final = (
    (_DIFFERENCE, _difference),
    (_VERSUS, _versus),
    (_THAN, _than),
    (_NAMED_FIRST, _named_first),
    (_NAMED_LAST, _named_last),
    (_CHOOSE, _chosen),
    (_PARALLEL, _parallel),
)


def _both(a: str, b: str, made: Callable[[str], str]) -> tuple[str, ...]:
    sides = [side.strip(" .'\"") for side in (a, b)]
    if any(
        _EMPTY_SIDE.search(side) or not set(query_terms(side)) - STOP_WORDS or len(side.split()) > _MAX_SIDE_WORDS
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
    asked = [part for sentence in spoken if _ASKS.search(sentence) for part in _split_sentence(sentence)]
    context = " ".join(sentence for sentence in spoken if not _ASKS.search(sentence)) or known_context
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
    shared = _SHARED_END.match(sentence)
    if shared is not None and shared["tail"]:
        head, tail = shared["head"] or "", shared["tail"]
        return [f"{head}{shared['a']}{tail}", f"{head}{shared['b']}{tail}"]
    parts = [part.strip() for part in _NEXT.split(sentence) if part.strip()]
    leading = _LEADING.match(sentence)
    return [parts[0], *(f"{leading.group()}{part}" for part in parts[1:])] if leading and parts else parts


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" ?.!,;:")
