"""Names that must be found as they are written: identifiers, flags, paths, error codes, versions, quoted words."""

from __future__ import annotations

import re
from typing import Final

from app import caps
from app.text.terms import STOP_WORDS

_KINDS: Final = (
    # `in back ticks`
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
    r"\b\w*[A-Za-z0-9]_\w+|(?<!\w)_+\w+|\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+|\b[A-Za-z]\w*(?=\(\))",
    # camelCase, CamelCase, t-SNE, sha256, python3.12
    r"\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[A-Z]{2,}[a-z]+[A-Z]\w*|\b[a-z]-[A-Z]{2,}\b",
    r"\b[A-Za-z]+\d\w*(?:\.\d+)*",
    # ECONNRESET, ORDER BY
    r"(?P<capitals>\b[A-Z][A-Z0-9]+(?: [A-Z][A-Z0-9]+)*\b)",
    # 3.11, 2.0.1rc1
    r"(?<![\w.])\d+(?:\.\d+){1,3}(?:(?:a|b|rc|dev)\d+)?(?![\w.]*\d|\s*%)",
)
_NAME: Final = re.compile("|".join(f"(?:{kind})" for kind in _KINDS))
_PHRASE: Final = re.compile(r"\"([^\"\n]{2,80})\"|“([^”\n]{2,80})[”“]|«([^»\n]{2,80})»|„([^“”\n]{2,80})[“”]")
_SINGLE: Final = re.compile(r"(?:(?<=\s)|^)['‘]([^'’\n]{2,80})['’](?=[\s.,;:?!)]|$)")
_SHOUTED_SHARE: Final = 0.6
_NO_NAMES: Final = frozenset({"OK", "YES", "FAQ", "PC", "TV", "USA", "EU", "UK", "US", "KB", "MB", "GB", "TB", "MS"})
_CASE_MATTERS_UP_TO: Final = 3


def exact_names(text: str) -> tuple[str, ...]:
    """Distinct names of code as written, in order, at most MAX_EXACT_NAMES: `max_connections`, `--onto`, `a/**/b`, `3.11`.

    A function loses its parentheses, words in back ticks their ticks. In a text written in capitals no word counts as a
    name only because of them.
    """
    shouted = _is_shouted(text)
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        if match["capitals"]:
            found.update(dict.fromkeys([] if shouted else _of_capitals(match["capitals"].split())))
        else:
            name = (match["ticked"] or match["number"] or match.group()).strip().removesuffix("()")
            found[name or match.group()] = None
    return tuple(found)[: caps.MAX_EXACT_NAMES]


def quoted_phrases(text: str) -> tuple[str, ...]:
    """What stands between quotation marks, in order, at most MAX_EXACT_NAMES; an apostrophe opens nothing."""
    found = [next(group for group in match.groups() if group) for match in _PHRASE.finditer(text)]
    found += [match.group(1) for match in _SINGLE.finditer(text)]
    clean = (" ".join(phrase.split()) for phrase in found)
    return tuple(dict.fromkeys(phrase for phrase in clean if any(c.isalnum() for c in phrase)))[: caps.MAX_EXACT_NAMES]


def holds_name(text: str, name: str) -> bool:
    """Whether the text holds the name as a whole: `-m` is not in `--max` nor in `a-m`. The case of short names matters."""
    exact = len(name) <= _CASE_MATTERS_UP_TO
    folded, wanted = (text, name) if exact else (text.casefold(), name.casefold())
    position = folded.find(wanted)
    while wanted and position >= 0:
        if not _joined(folded, position - 1, wanted[0]) and not _joined(folded, position + len(wanted), wanted[-1]):
            return True
        position = folded.find(wanted, position + 1)
    return False


def _of_capitals(run: list[str]) -> list[str]:
    """A run with a common word in it is one name (`ORDER BY`, `NOT NULL`), others are names side by side."""
    if len(run) > 1 and any(word.lower() in STOP_WORDS for word in run):
        return [" ".join(run)]
    return [word for word in run if word not in _NO_NAMES and word.lower() not in STOP_WORDS]


def _joined(text: str, position: int, border: str) -> bool:
    """Whether the character at the position goes on with the name whose outermost character is `border`."""
    if not 0 <= position < len(text):
        return False
    neighbour = text[position]
    return neighbour.isalnum() or neighbour == "_" or neighbour == "-" == border


def _is_shouted(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return len(text.split()) > 1 and sum(c.isupper() for c in letters) > _SHOUTED_SHARE * len(letters)
