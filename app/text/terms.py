"""Extract words and names from a text: index terms, stems, overlap with a question, names in code, token estimates and synonyms.

Names (identifiers, options, paths, error codes, versions, quoted words) must be found exactly as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from typing import Final, TypeVar

from app import caps
from app.paths import asset_table
from app.text import scripts
from app.text.languages import FRENCH, STOP_WORDS, STOP_WORDS_OF, WORD, has_stems, language_of, stem_in, without_elision

T = TypeVar("T")
_CODE_WORD = re.compile(r"(?<![A-Za-z_])[A-Za-z_]\w*+(?:[.:/-]++\w++)++|--?[A-Za-z][\w-]+|(?<!\w)\w+_\w+")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS: Final = rf"[^\W_](?:[^\W_]|[{scripts.MARKS}])*+"
_WORD_WITH_MARKS: Final = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})?")
"""A word whose vowels may be separate marks, as in Indic scripts."""
_NAME: Final = re.compile(r"\b_*[A-Za-z]+[A-Z0-9_]\w*")
_BORDER: Final = re.compile(
    r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])"
)
_MIN_PART: Final = 2
_KINDS: Final = (
    # `in backticks`
    r"`(?P<ticked>[^`\n]{1,80})`",
    # version 15, v2.0, SQLSTATE 23505
    (
        r"(?:\b(?:version|release|v|errno|SQLSTATE|status|error|code|port)\s+|(?<![\w.])v(?=\d))"
        r"(?P<number>\d+(?:\.\d+)*\w*)"
    ),
    # ${name} $NAME #define @decorator <tag>
    r"\$\{\w[\w.]*\}|\$\w+|(?<![\w&])#[A-Za-z]\w+|(?<!\w)@[A-Za-z_][\w.]*|</?[A-Za-z][\w-]*/?>",
    # -m --flag
    r"(?<![\w-])--?[A-Za-z][\w-]*",
    # /etc/x ~/x ./x a/**/b *.html C:\x %2F
    r"(?<![\w/])(?:~|\.{1,2})?/[\w.*~+-]+(?:/[\w.*~+-]+)*|\b[\w.-]++(?:/\*{1,2})+(?:/[\w.*-]+)*|\*\.\w+",
    r"\b[A-Za-z]:\\[\w\\.-]+|%[0-9A-Fa-f]{2}\b",
    # std::vector
    r"\b\w+(?:::\w+)+",
    # RFC 2616, HTTP/2, UTF-16
    r"\b(?:RFC|PEP|ISO|CVE|JEP|JSR)[ -]\d[\d-]*|\b(?:HTTP|TLS|SSL|UTF|SHA|IPv|ES)[/-]?\d+(?:\.\d+)*\b",
    # os.path.join, .tar.gz
    r"\b(?!(?:e\.g|i\.e|a\.m|p\.m|vs\.)\b)(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*(?:\(\))?|(?<!\w)\.[a-z]\w+(?:\.\w+)*",
    # snake_case and __dunder__ names, names of headers, functions called
    r"\b\w*[A-Za-z0-9]_\w+|(?<!\w)_+\w+|\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+\b|\b[A-Za-z]\w*(?=\(\))",
    # camelCase, CamelCase, t-SNE, sha256, python3.12, M-AL070
    r"\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[A-Z]{2,}[a-z]+[A-Z]\w*|\b[a-z]-[A-Z]{2,}\b",
    r"\b(?:[A-Z]+-){0,4}+[A-Za-z]+\d\w*(?:\.\d+)*",
    # ECONNRESET, ORDER BY
    r"(?P<capitals>\b[A-Z][A-Z0-9]+(?: [A-Z][A-Z0-9]+)*\b)",
    # 3.11, 2.0.1rc1
    r"(?<![\w.])\d+(?:\.\d+){1,3}(?:(?:a|b|rc|dev)\d+)?(?![\w.]*\d|\s*%)",
)
_EXACT_NAME: Final = re.compile("|".join(f"(?:{kind})" for kind in _KINDS))
_PHRASE: Final = re.compile(r"\"([^\"\n]{2,80})\"|“([^”\n]{2,80})[”“]|«([^»\n]{2,80})»|„([^“”\n]{2,80})[“”]")
_SINGLE: Final = re.compile(r"(?:(?<=\s)|^)['‘]([^'’\n]{2,80})['’](?=[\s.,;:?!)]|$)")
_SHOUTED_SHARE: Final = 0.6
_NO_NAMES: Final = frozenset({"OK", "YES", "FAQ", "PC", "TV", "USA", "EU", "UK", "US", "KB", "MB", "GB", "TB", "MS"})
_CASE_MATTERS_UP_TO: Final = 3
_BEGINS_ANYWHERE: Final = "<>.%"


def fold_whitespace(text: str) -> str:
    """Replace every run of white space with one space, and remove it at the ends."""
    return " ".join(text.split())


def unique_texts(items: Iterable[T], text_of: Callable[[T], str], *, ignore_case: bool = True) -> list[T]:
    """Return the items in order, without those whose text repeats an earlier one except for white space, or case."""
    first: dict[str, T] = {}
    for item in items:
        key = fold_whitespace(text_of(item))
        first.setdefault(key.lower() if ignore_case else key, item)
    return list(first.values())


def cuts_word(text: str, place: int) -> bool:
    """Whether a border at `place` splits a word; scripts without spaces between words have none."""
    return 0 < place < len(text) and _is_word(text[place - 1]) and _is_word(text[place])


def _is_word(character: str) -> bool:
    """Whether the character is an underscore, or a letter or digit of a script with spaces between words."""
    return (character.isalnum() and not "\u2e80" <= character <= "\ud7ff") or character == "_"


def words(text: str) -> list[str]:
    """Return the lowercase words in reading order, in the form for comparison; a run without spaces is one word."""
    plain = scripts.parted(text)
    return [match.group().lower() for match in _word_pattern(plain).finditer(plain)]


def _word_pattern(text: str) -> re.Pattern[str]:
    return _WORD_WITH_MARKS if scripts.has_marks(text) else WORD


def query_terms(text: str) -> tuple[str, ...]:
    """Return distinct meaningful words in order, at most MAX_QUERY_TERMS.

    Stop words are dropped unless nothing else is left. Dotted, dashed and snake_case names are kept whole in addition to their parts,
    CamelCase adds its parts, and unspaced scripts give every two consecutive letters.
    """
    language = language_of(text)
    plain = scripts.parted(text)
    found: dict[str, None] = {}
    for match in _CODE_WORD.finditer(plain):
        found[match.group().strip(".:/-").lower()] = None
    for match in _word_pattern(plain).finditer(plain):
        word = without_elision(match.group()) if language == FRENCH else match.group()
        if scripts.has_unspaced(word):
            found.update(dict.fromkeys(scripts.pairs(word.lower())))
            continue
        found[word.lower()] = None
        parts = HUMP.split(word)
        if len(parts) > 1:
            found.update(dict.fromkeys(part.lower() for part in parts))
    stop_words = STOP_WORDS_OF.get(language, STOP_WORDS)
    meaningful = [term for term in found if term and term not in stop_words]
    return tuple((meaningful or list(found))[: caps.MAX_QUERY_TERMS])


def coverage(
    terms: Collection[str], text: str, weights: Mapping[str, float] | None = None, language: str = ""
) -> float:
    """Return the weighted share of `terms` in `text`, 0..1; inflected forms match by their stem in the language."""
    if not terms:
        return 0.0
    whole = folded(text)
    stemmed = partial(stem_in, language) if has_stems(language) else stem
    present = {stemmed(word) for word in words(whole)}
    total = found = 0.0
    for term in terms:
        weight = weights.get(term, 1.0) if weights else 1.0
        total += weight
        plain = folded(term)
        if stemmed(plain) in present or ((not plain.isascii() or not plain.isalnum()) and plain in whole):
            found += weight
    return found / total if total else 0.0


def folded(text: str) -> str:
    """Return the text without case and accents, as the keyword index compares it. Some letters have a case only when decomposed."""
    if text.isascii():
        return text.lower()
    plain = scripts.in_plain_letters(scripts.compatible(text))
    return scripts.without_marks(scripts.normalized("NFKD", scripts.normalized("NFKD", plain).casefold()))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a light English stem that matches plurals and common verb endings."""
    for ending in ("ations", "ation", "ings", "ing", "edly", "ies", "ers", "ed", "es", "er", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            return base + "y" if ending == "ies" else base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def split_identifiers(text: str) -> str:
    """Return the distinct lowercase parts of CamelCase, snake_case and numbered names in order, without single letters."""
    found: dict[str, None] = {}
    for name in _NAME.findall(text):
        parts = [part.lower() for part in _BORDER.split(name) if len(part) >= _MIN_PART]
        if len(parts) > 1 or (parts and parts[0] != name.lower()):
            found.update(dict.fromkeys(parts))
    return " ".join(found)


def estimate_tokens(text: str) -> int:
    """Return a quarter of the UTF-8 length, rounded up."""
    return -(-len(text.encode("utf-8")) // 4)


def exact_names(text: str) -> tuple[str, ...]:
    """Return distinct names in code as written, in order, at most MAX_EXACT_NAMES: `max_connections`, `--onto`, `a/**/b`, `3.11`.

    Functions lose their parentheses and words their backticks. In a text written in capitals, capitals alone do not make a name.
    """
    letters = [c for c in text if c.isalpha()]
    shouted = len(text.split()) > 1 and sum(c.isupper() for c in letters) > _SHOUTED_SHARE * len(letters)
    found: dict[str, None] = {}
    for match in _EXACT_NAME.finditer(text):
        if match["capitals"]:
            run = [] if shouted else match["capitals"].split()
            if len(run) > 1 and any(word.lower() in STOP_WORDS for word in run):
                found[" ".join(run)] = None  # a run that contains a common word is one name: `ORDER BY`, `NOT NULL`
            else:
                named = (word for word in run if word not in _NO_NAMES and word.lower() not in STOP_WORDS)
                found.update(dict.fromkeys(named))
        else:
            name = (match["ticked"] or match["number"] or match.group()).strip().removesuffix("()")
            found[name or match.group()] = None
    return tuple(found)[: caps.MAX_EXACT_NAMES]


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the text between quotation marks in order, at most MAX_EXACT_NAMES; an apostrophe does not open a quote."""
    found = [next(group for group in match.groups() if group) for match in _PHRASE.finditer(text)]
    found += [match.group(1) for match in _SINGLE.finditer(text)]
    clean = (" ".join(phrase.split()) for phrase in found)
    return tuple(dict.fromkeys(phrase for phrase in clean if any(c.isalnum() for c in phrase)))[: caps.MAX_EXACT_NAMES]


def holds_name(text: str, name: str) -> bool:
    """Whether the text contains the whole name: `-m` is in neither `--max` nor `a-m`. Short names are case-sensitive."""
    exact = len(name) <= _CASE_MATTERS_UP_TO
    text, name = scripts.compatible(text), scripts.compatible(name)
    folded, wanted = (text, name) if exact else (text.casefold(), name.casefold())
    position = folded.find(wanted)
    while wanted and position >= 0:
        if not _joined(folded, position - 1, wanted[0]) and not _joined(folded, position + len(wanted), wanted[-1]):
            return True
        position = folded.find(wanted, position + 1)
    return False


def _joined(text: str, position: int, border: str) -> bool:
    """Whether the character at the position continues the name whose outermost character is `border`.

    A bracket or dot can begin a name directly after a word (`vector<int>`, `a.tar.gz`). Scripts without spaces have no such borders.
    """
    if not 0 <= position < len(text) or border in _BEGINS_ANYWHERE:
        return False
    neighbour = text[position]
    if neighbour.isalnum():
        return not (scripts.has_unspaced(neighbour) or scripts.has_unspaced(border))
    return neighbour == "_" or neighbour == "-" == border


MAX_SYNONYMS: Final = 64

ORIGINAL_WEIGHT: Final = 2
"""The weight of a word of the question relative to its synonyms: with equal weights, exact questions rank worse."""


_SYNONYMS: Final[dict[str, dict[str, None]]] = {}
for _group in map(str.split, asset_table("words.toml")["synonyms"]["en"].splitlines()):
    for _word in _group:
        _SYNONYMS.setdefault(stem(_word), {}).update(dict.fromkeys(other for other in _group if other != _word))


def synonyms(word: str) -> tuple[str, ...]:
    """Return synonyms of a lowercase English word in any of its forms; none for most words."""
    return tuple(_SYNONYMS.get(stem(word), ()))


def expanded_terms(text: str) -> tuple[str, ...]:
    """Return the query terms of a text for a keyword search: each one ORIGINAL_WEIGHT times, and each synonym or other spelling once.

    BM25 adds up the score of every query term, so a repeated term weighs more. Names in code have no synonyms. Returns at most
    ORIGINAL_WEIGHT * MAX_QUERY_TERMS + MAX_SYNONYMS terms; without synonyms, each term once.
    """
    terms = query_terms(text)
    named = {word for name in exact_names(text) for word in (name.lower(), *words(name))}
    others = dict.fromkeys(plain for term in terms if (plain := scripts.in_plain_letters(term)) != term)
    others |= dict.fromkeys(other for term in terms if term not in named for other in synonyms(term))
    added = tuple(other for other in others if other not in terms)[:MAX_SYNONYMS]
    return terms * ORIGINAL_WEIGHT + added if added else terms
