"""Detect the language of questions and pages, and provide stop words and stems that match the forms of a word.

English has its stemmer in the keyword index and its rules everywhere. German, French and Spanish have stop words and light stems (Savoy
2006) here, built from words without case and accents, so that unaccented spellings match too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from app.paths import asset_table
from app.text.scripts import normalized

ENGLISH: Final = "en"
GERMAN: Final = "de"
FRENCH: Final = "fr"
SPANISH: Final = "es"
CHINESE: Final = "zh"
JAPANESE: Final = "ja"
MIN_STEM: Final = 4  # The minimum length of a stem; one more if a second ending is removed.
MAX_TEXT_CHARS: Final = 4_000  # The part of a text that determines its language.

_WORDS: Final = asset_table("words.toml")
_LIGATURES: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l"})


def folded(text: str) -> str:
    """Return the text without case and accents: `ß` becomes `ss`, `œ` becomes `oe`."""
    plain = normalized("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(c for c in plain if not unicodedata.combining(c))


STOP_WORDS_OF: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(f"{words} {'' if language == ENGLISH else folded(words)}".split())
    for language, words in _WORDS["stop_words"].items()
}
"""Stop words of other languages are included with and without their accents."""
STOP_WORDS: Final = STOP_WORDS_OF[ENGLISH]
_ENGLISH_TOO: Final = frozenset(_WORDS["languages"]["english_too"].split())
"""Stop words of other languages that also occur in English texts: alone, they do not determine a language."""
SURE_CHARS: Final = 4
"""The minimum length of a single word that determines a language: shorter ones are also names, such as `CI`, `del` or `der`."""
ENGLISH_SHARE: Final = 0.1
"""The least share of stop words in English texts, also of reference pages; words such as `on` and `do` occur in other languages."""
_LETTERS: Final = {
    GERMAN: re.compile(r"[äöüßÄÖÜẞ]"),
    FRENCH: re.compile(r"[àâçèêëîïôùûœÀÇÈÊ]|\b[ldjcnsmt]['’](?=[a-zà-ÿ]{2})"),
    SPANISH: re.compile(r"[ñ¿¡Ñ]"),
}
_SCRIPTS: Final = {
    language: re.compile(f"[{letters}]")
    for language, letters in {
        CHINESE: r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff", JAPANESE: r"\u3041-\u30ff\uff66-\uff9f",
        "ko": r"\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3", "ru": r"\u0400-\u052f", "el": r"\u0370-\u03ff\u1f00-\u1fff",
        "he": r"\u05d0-\u05ea", "ar": r"\u0620-\u064a\u066e-\u06d3\u0750-\u077f", "hi": r"\u0900-\u097f", "th": r"\u0e01-\u0e4e",
    }.items()
}  # fmt: skip
"""The letters of other scripts, by the language that most texts in them have. Japanese is written in kana and Chinese characters."""
_OTHER_LETTER: Final = re.compile(r"[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uff9f]")
SCRIPT_LETTERS: Final = 4  # So many letters of another script count as one stop word.
KANA_SHARE: Final = 0.1  # The share of kana from which a text in Chinese characters is Japanese.
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_FOREIGN_WORDS: Final = frozenset(_WORDS["languages"]["foreign"].split()) - STOP_WORDS
_ELISION: Final = re.compile(r"^(?:[ldjcnsmt]|qu|jusqu|lorsqu|puisqu|quoiqu)['’](?=\w)", re.IGNORECASE)
_ENDINGS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    language: tuple(tuple(endings.split()) for endings in stages) for language, stages in _WORDS["stem_endings"].items()
}
"""Endings by language: first those for number, gender and case, then those that derive words. One of each is removed."""


@lru_cache(maxsize=1_024)
def language_of(text: str) -> str:
    """Return the language with the most stop words in a text: ENGLISH, GERMAN, FRENCH or SPANISH. Empty if there are none.

    English wins a tie. A short word next to names, or words that English shares, do not count. A text mainly in another script has the
    most common language of the script, such as `zh` or `ru`.
    """
    beginning = text[:MAX_TEXT_CHARS]
    spoken = [match.group().lower() for match in WORD.finditer(beginning)]
    most = sum(word in STOP_WORDS for word in spoken)
    best = ENGLISH if most else ""
    for language, letters in _LETTERS.items():
        common = [word for word in spoken if word in STOP_WORDS_OF[language]]
        marks = len(letters.findall(beginning))
        own = {word for word in common if word not in _ENGLISH_TOO}
        is_sure = len(set(common)) + marks > 1 or any(len(word) >= SURE_CHARS for word in own)
        if common and len(common) + marks > most and (marks or own) and is_sure:
            best, most = language, len(common) + marks
    others = "".join(_OTHER_LETTER.findall(beginning))
    if len(others) // SCRIPT_LETTERS <= most:
        return best
    counts = {language: len(script.findall(others)) for language, script in _SCRIPTS.items()}
    if counts[JAPANESE] > KANA_SHARE * counts[CHINESE]:
        counts[JAPANESE] += counts.pop(CHINESE)
    return max(counts, key=counts.__getitem__) if any(counts.values()) else best


def has_stems(language: str) -> bool:
    """Whether `stem_in` supports the language, which the keyword index does not stem."""
    return language in _ENDINGS


def may_be_english(text: str) -> bool:
    """False if most letters belong to other scripts or common words of other European languages outnumber English ones."""
    letters = [c for c in text if c.isalpha()]
    if 2 * sum(c.isascii() for c in letters) < len(letters):
        return False
    spoken = [match.group().lower() for match in WORD.finditer(normalized("NFKC", text))]
    return sum(word in _FOREIGN_WORDS for word in spoken) <= sum(word in STOP_WORDS for word in spoken)


def is_english(text: str, declared: str = "") -> bool:
    """Whether a question or the beginning of a page is English or too short to tell; `declared` is what the page says of itself.

    Many pages declare a language that they are not written in, so that counts only if hardly any words of the text are English.
    """
    beginning = text[:MAX_TEXT_CHARS]
    if language_of(beginning) not in ("", ENGLISH) or not may_be_english(beginning):
        return False
    if not declared or declared[:2].lower() == ENGLISH:
        return True
    spoken = WORD.findall(beginning.lower())
    return sum(word in STOP_WORDS for word in spoken) >= ENGLISH_SHARE * len(spoken)


def without_elision(word: str) -> str:
    """Return `option` for `l'option`, and any other word unchanged."""
    return _ELISION.sub("", word)


@lru_cache(maxsize=65_536)
def stem_in(language: str, word: str) -> str:
    """Return the common stem of a word's forms, without case and accents; a double letter at its end becomes single."""
    plain = folded(without_elision(word))
    for stage, endings in enumerate(_ENDINGS[language]):
        least = MIN_STEM + (stage > 0)
        ending = next((each for each in endings if plain.endswith(each) and len(plain) - len(each) >= least), "")
        plain = plain[: len(plain) - len(ending)]
    return plain[:-1] if plain[-2:-1] == plain[-1:] else plain
