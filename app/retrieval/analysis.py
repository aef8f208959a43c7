"""Analyze a question: its intent, sub-queries, names, and the kinds of passage that would answer it.

The patterns are English words, so passages in other languages are compared without them. Names are found in every language, and the
passages that answer are searched for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

from app import caps
from app.errors import InvalidArgumentError
from app.library.records import Chunk
from app.retrieval.records import Intent, QueryAnalysis, Want
from app.retrieval.subqueries import MAX_SUB_QUERIES, compared_sides, parts_of
from app.text import languages
from app.text.scripts import compatible, has_unspaced, parted
from app.text.sentence import sentence
from app.text.terms import exact_names, fold_whitespace, holds_name, query_terms, quoted_phrases, stem, synonyms, words
from app.text.wordings import wording, wordings

MAX_FORMS_REMEMBERED: Final = 4_096  # Cached ratings of passages for one kind of question, with their texts.

Words = frozenset[str]
STATEMENT_BONUS: Final = 0.05
WANT_BONUS: Final = 0.03
NAME_BONUS: Final = 0.02
MAX_WANTED: Final = 2.0
_WORDS: Final = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_REASON_PHRASES: Final = ("so that", "in order to", "as a result")
_MEANS: Final = re.compile(
    r"\byou (?:can|may|should|must|need|could|have to)\b|\buse (?:the )?`|\bto \w+ .{0,60}, (?:use|set|run|call|pass)\b"
)
_MEANS_OPENINGS: Final = ("you ", "use ", ", set", ", run", ", call", ", pass", ", use")
"""Every text that `_MEANS` matches contains one of these; searching for them takes a tenth of the time."""
_FENCE: Final = re.compile(r"^(?:```|~~~)", re.MULTILINE)
_COMMAND: Final = re.compile(r"^[ \t]*(?:\$|>>>|%) \w|`(?:[\w.-]+ )+-{1,2}\w", re.MULTILINE)
_TABLE: Final = re.compile(r"^\|.*\|\s*$", re.MULTILINE)
_TERM: Final = re.compile(r"^[ \t]*(?:[-*] )?\*\*`?[^*\n]{1,80}\*\*:", re.MULTILINE)
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")
_AMOUNT: Final = re.compile(
    r"\b(?<!\d[.,])\d++(?:[.,]\d++)*+\s*+(?:%|percent\b|(?:bytes?|[kmgt]i?b|ms|s|seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|years?|columns?|rows?|pages?|"
    r"times?|bits?|items?|entries|characters|lines?|threads?|processes)\b)"
)
_QUESTION_FORMS: Final = {Want(name): form for name, form in wordings("questions.toml", "question_forms").items()}
_OF_CONSTRAINTS: Final = {Want(name): form for name, form in wordings("questions.toml", "constraint_forms").items()}
_REFUSAL: Final = wording("questions.toml", "analysis", "refusal")
_EXPLORATORY: Final = wording("questions.toml", "analysis", "exploratory")
_NAMED_INTENT_WANTS: Final = {Intent.COMPARISON: (Want.CHOICE,), Intent.HOW_TO: (Want.CODE,)}
_WITH_DIGIT: Final = re.compile(r"(?<!\w)(?:\w[\w.-]*\d\w*|\d\w*)")


def analyse(
    query: str, *, intent: str | None = None, constraints: Sequence[str] = (), known_context: str | None = None
) -> QueryAnalysis:
    """Analyze a question; `known_context` resolves its pronouns. Raises InvalidArgumentError without words."""
    whole = fold_whitespace(query)
    if not query_terms(whole):
        raise InvalidArgumentError(
            sentence("The query does not contain a searchable word."), hint="Add at least one word to the query."
        )
    wishes = [constraint for constraint in constraints if not is_refusal(constraint)]
    language = languages.language_of(whole)
    wants = wants_of(whole, wishes)
    kind = Intent(intent) if intent is not None else _intent(whole, wants)
    asked = {*wants, *(_NAMED_INTENT_WANTS.get(kind, ()) if intent is not None else ())}
    sources = (whole, *wishes)
    return QueryAnalysis(
        query=whole,
        intent=kind,
        sub_queries=(whole, *(() if languages.has_stems(language) else parts_of(whole, known_context or "")))[
            :MAX_SUB_QUERIES
        ],
        wants=tuple(want for want in Want if want in asked),
        names=_distinct(exact_names, sources),
        phrases=_distinct(quoted_phrases, sources),
        is_english=languages.may_be_english(whole) and not languages.has_stems(language),
        language=language,
    )


def specifics(analysis: QueryAnalysis) -> tuple[str, ...]:
    """Return the distinct names, quoted phrases and words with digits (`plan-1234`, `42`) of the question."""
    return tuple(dict.fromkeys((*analysis.names, *analysis.phrases, *keys_in(analysis.query))))[: caps.MAX_EXACT_NAMES]


def keys_in(question: str) -> list[str]:
    """Return the words with digits of a question (`plan-1234`, `42`)."""
    return _WITH_DIGIT.findall(question)[: caps.MAX_EXACT_NAMES]


def wants_of(question: str, constraints: Sequence[str] = ()) -> tuple[Want, ...]:
    """Return the kinds of passage that the question and its constraints ask for, in the order of `Want`; often none."""
    asked = {want for want, form in _QUESTION_FORMS.items() if form.search(question)}
    for constraint in constraints:
        asked |= {want for want, form in _OF_CONSTRAINTS.items() if form.search(constraint)}
    return tuple(want for want in Want if want in asked)


def is_refusal(constraint: str) -> bool:
    """Whether a constraint excludes something: searching for its words would find exactly that."""
    return _REFUSAL.search(constraint) is not None


def form_bonus(analysis: QueryAnalysis, text: str, heading: str = "") -> float:
    """Return the bonus for the form of a passage, as a mean cosine (docs/internals/measurements.md)."""
    bonus = _signs_bonus(analysis.wants, text) if analysis.is_english else 0.0
    names = (*analysis.names, *analysis.phrases)
    if names:
        whole = f"{heading}\n{text}"
        bonus += NAME_BONUS * sum(holds_name(whole, name) for name in names) / len(names)
    return bonus


def _words(text: str) -> Words:
    return frozenset(text.split())


_REASON: Final = _words("because since therefore thus hence otherwise cause causes due reason reasons")
_NEGATION: Final = _words("not cannot never")
_CONDITION: Final = _words("if when unless")

_ADVICE: Final = _words(
    "recommend recommends recommended recommendation recommendations prefer prefers preferred "
    "preferable preferably should best better advise advised advisable advice suggest suggests suggested"
)
_COMPARISON: Final = _words(
    "faster slower better worse more less fewer smaller larger than whereas while unlike instead"
)
_DANGER: Final = _words(
    "warning caution beware unsafe insecure untrusted vulnerable vulnerability risk risks risky danger dangerous malicious careful"
)


@lru_cache(maxsize=MAX_FORMS_REMEMBERED)
def _signs_bonus(wants: tuple[Want, ...], text: str) -> float:
    low = text.lower()
    words = frozenset(_WORDS.findall(low))
    wanted = sum(_fits(want, text, low, words) for want in wants)
    # How much a passage states: explanations answer questions; lists, indexes and signatures do not.
    signs = (
        _reasons(low, words),
        _negates(low, words),
        not _CONDITION.isdisjoint(words),
        not _ADVICE.isdisjoint(words),
        not _COMPARISON.isdisjoint(words),
        any(opening in low for opening in _MEANS_OPENINGS) and _MEANS.search(low) is not None,
    )
    return STATEMENT_BONUS * (sum(signs) / len(signs)) + WANT_BONUS * min(wanted, MAX_WANTED)


def _fits(want: Want, text: str, low: str, words: Words) -> float:
    match want:
        case Want.CODE:
            return float(_FENCE.search(text) is not None or _COMMAND.search(text) is not None)
        case Want.NUMBER:
            return (bool(_NUMBER.search(low)) + bool(_AMOUNT.search(low))) / 2
        case Want.DEFAULT:
            return float("default" in words or "defaults" in words)
        case Want.DEFINITION:
            return float(_TERM.search(text) is not None)
        case Want.REASON:
            return (_reasons(low, words) + _negates(low, words)) / 2
        case Want.CHOICE:
            return ((not _ADVICE.isdisjoint(words)) + (not _COMPARISON.isdisjoint(words))) / 2
        case Want.WARNING:
            return (_negates(low, words) + (not _DANGER.isdisjoint(words) or "⚠" in text)) / 2
        case Want.TABLE:
            return float(_TABLE.search(text) is not None)


def _reasons(low: str, words: Words) -> bool:
    return not _REASON.isdisjoint(words) or any(phrase in low for phrase in _REASON_PHRASES)


def _negates(low: str, words: Words) -> bool:
    return not _NEGATION.isdisjoint(words) or "n't" in low or "n’t" in low


def _distinct(find: Callable[[str], tuple[str, ...]], sources: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for source in sources for name in find(source)))[: caps.MAX_EXACT_NAMES]


def _intent(query: str, wants: tuple[Want, ...]) -> Intent:
    if _EXPLORATORY.search(query):
        return Intent.EXPLORATORY
    if Want.CHOICE in wants or compared_sides(query):
        return Intent.COMPARISON
    return Intent.HOW_TO if Want.CODE in wants else Intent.FACTUAL


_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:]\s)\W*+\w+")
_FIGURE: Final = re.compile(r"[\d.]+")
_NUMBERED: Final = frozenset({"version", "release", "port", "error", "status", "code"})
_MARKED: Final = re.compile(r"\b(?:[A-Z][\w.+#/-]*|[^\WA-Za-z]*+[A-Za-z][^\W\d]*+\d[\w./-]*|\w+_\w+)\b")


def names_of(question: str) -> list[str]:
    """Return words that are names: capitalized in a sentence, with digits or underscores; neighbors form one."""
    question = compatible(question)
    opening = {match.end() for match in _SENTENCE_START.finditer(question)}
    found = [match for match in _MARKED.finditer(question) if match.end() not in opening]
    language = languages.language_of(question)
    if language == languages.GERMAN:
        found = [match for match in found if not match.group().istitle()]
    spans: list[tuple[int, int]] = []
    for match in found:
        if match.group().lower() in languages.STOP_WORDS_OF.get(language, languages.STOP_WORDS):
            continue
        is_next = bool(spans) and question[spans[-1][1] : match.start()].isspace()
        spans.append((spans.pop()[0] if is_next else match.start(), match.end()))
    return [question[start:end] for start, end in spans]


def spoken_of(question: str, chunks: Sequence[Chunk]) -> tuple[list[str], list[str]]:
    """Return the names of the question that occur in these chunks, and those of which no word occurs."""
    held = Held.of(chunks, languages.language_of(question))
    written = "\n".join(part for chunk in chunks for part in (chunk.text, chunk.title, *chunk.section_path))
    names = list(dict.fromkeys(names_of(question)))
    exact = (name.rstrip(".,;:?!") for name in exact_names(question))
    names += [name for name in exact if name and _is_name(name, question) and not any(name in other for other in names)]
    literal = {name: holds_name(written, name) for name in names if not name[0].isalpha()}
    standing = [name for name in names if literal.get(name, held.holds(name))]
    absent = [name for name in names if not literal.get(name, held.holds_part(name))]
    return standing, absent


def _is_name(name: str, question: str) -> bool:
    """Whether this is more than an amount: a number is a name after `version`, `port` or another name (`Python 3.11`)."""
    if not _FIGURE.fullmatch(name):
        return True
    before = re.findall(rf"(\w+)\s+v?{re.escape(name)}(?![\w.])", question)
    return any(
        word.lower() in _NUMBERED or (word[0].isupper() and word.lower() not in languages.STOP_WORDS) for word in before
    )


@dataclass(frozen=True, slots=True)
class Held:
    """The text of chunks, their titles and headings, for lookups by the stems of a language without accents."""

    text: str
    language: str = ""

    @classmethod
    def of(cls, chunks: Sequence[Chunk], language: str = "") -> Self:
        heads = {(chunk.title, chunk.section_path) for chunk in chunks}
        parts = [chunk.text for chunk in chunks] + [f"{title} {' '.join(path)}" for title, path in sorted(heads)]
        text = parted("\n".join(parts))
        return cls(languages.folded(text), language) if languages.has_stems(language) else cls(text.lower())

    def holds(self, term: str) -> bool:
        """Whether every word of the term is, by its stem, the beginning of a word here; underscores separate words."""
        for word in words(term):
            letters = languages.stem_in(self.language, word) if self.language else stem(word)
            # Checking for letters that do not occur is a hundred times faster than checking the beginnings of words.
            if letters not in self.text:
                return False
            if not has_unspaced(letters) and re.search(rf"(?<![^\W_]){re.escape(letters)}", self.text) is None:
                return False
        return True

    def holds_part(self, name: str) -> bool:
        """Whether the text contains the name, one of its words, or a synonym."""
        return any(self.holds_any(part) for part in (name, *words(name)))

    def holds_any(self, name: str) -> bool:
        return self.holds(name) or any(self.holds(other) for other in synonyms(name.lower()))
