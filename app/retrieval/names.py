"""The names in a question, and which of them stand in passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from app.library.records import Chunk
from app.text.languages import GERMAN, STOP_WORDS, STOP_WORDS_OF, folded, has_stems, language_of, stem_in
from app.text.synonyms import synonyms
from app.text.terms import exact_names, holds_name, stem, words

_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:]\s)\W*+\w+")
_AMOUNT: Final = re.compile(r"[\d.]+")
_NUMBERED: Final = frozenset({"version", "release", "port", "error", "status", "code"})
_MARKED: Final = re.compile(r"\b(?:[A-Z][\w.+#/-]*|\w*[A-Za-z]\w*\d[\w./-]*|\w+_\w+)\b")


def names_of(question: str) -> list[str]:
    """Words that name something: capital letters within a sentence, letters with digits, underscores. Such words in a row are one name."""
    opening = {match.end() for match in _SENTENCE_START.finditer(question)}
    found = [match for match in _MARKED.finditer(question) if match.end() not in opening]
    language = language_of(question)
    if language == GERMAN:
        found = [match for match in found if not match.group().istitle()]
    spans: list[tuple[int, int]] = []
    for match in found:
        if match.group().lower() in STOP_WORDS_OF.get(language, STOP_WORDS):
            continue
        is_next = bool(spans) and question[spans[-1][1] : match.start()].isspace()
        spans.append((spans.pop()[0] if is_next else match.start(), match.end()))
    return [question[start:end] for start, end in spans]


def spoken_of(question: str, chunks: Sequence[Chunk]) -> tuple[list[str], list[str]]:
    """The names of the question that stand in these chunks, their titles and headings, and those of which no word does.

    Flags, paths, versions and what else begins with a sign or digit stand there only as they are written.
    """
    held = Held.of(chunks, language_of(question))
    written = "\n".join(part for chunk in chunks for part in (chunk.text, chunk.title, *chunk.section_path))
    names = list(dict.fromkeys(names_of(question)))
    exact = (name.rstrip(".,;:?!") for name in exact_names(question))
    names += [name for name in exact if name and _is_name(name, question) and not any(name in other for other in names)]
    literal = {name: holds_name(written, name) for name in names if not name[0].isalpha()}
    standing = [name for name in names if literal.get(name, held.holds(name))]
    absent = [name for name in names if not literal.get(name, held.holds_part(name))]
    return standing, absent


def _is_name(name: str, question: str) -> bool:
    """Whether this is more than an amount: a number names something behind `version`, `port` or a name (`Python 3.11`)."""
    if not _AMOUNT.fullmatch(name):
        return True
    before = re.findall(rf"(\w+)\s+v?{re.escape(name)}(?![\w.])", question)
    return any(word.lower() in _NUMBERED or (word[0].isupper() and word.lower() not in STOP_WORDS) for word in before)


@dataclass(frozen=True, slots=True)
class Held:
    """All that stands in chunks, their titles and headings; for the stems of a language without accents."""

    text: str
    language: str = ""

    @classmethod
    def of(cls, chunks: Sequence[Chunk], language: str = "") -> Self:
        heads = {(chunk.title, chunk.section_path) for chunk in chunks}
        parts = [chunk.text for chunk in chunks] + [f"{title} {' '.join(path)}" for title, path in sorted(heads)]
        text = "\n".join(parts)
        return cls(folded(text), language) if has_stems(language) else cls(text.lower())

    def holds(self, term: str) -> bool:
        """Whether every word of the term begins a word here, by its stem; an underscore parts words."""
        return all(self._begins_word(self._stem(word)) for word in words(term))

    def holds_part(self, name: str) -> bool:
        """Whether the name, a word of it or another word for it stands here."""
        return any(self.holds_any(part) for part in (name, *words(name)))

    def _stem(self, word: str) -> str:
        return stem_in(self.language, word) if self.language else stem(word)

    def holds_any(self, name: str) -> bool:
        """Whether the name stands here, or another word for it."""
        return self.holds(name) or any(self.holds(other) for other in synonyms(name.lower()))

    def _begins_word(self, letters: str) -> bool:
        # Letters that stand nowhere are found out a hundred times faster than words that begin with them.
        return letters in self.text and re.search(rf"(?<![^\W_]){re.escape(letters)}", self.text) is not None
