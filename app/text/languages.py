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

from app.text.scripts import normalized

ENGLISH: Final = "en"
GERMAN: Final = "de"
FRENCH: Final = "fr"
SPANISH: Final = "es"
CHINESE: Final = "zh"
JAPANESE: Final = "ja"
MIN_STEM: Final = 4  # The minimum length of a stem; one more if a second ending is removed.
MAX_TEXT_CHARS: Final = 4_000  # The part of a text that determines its language.

_ENGLISH: Final = """a about after all also am an and any are as at be because been before being both but by can cannot could did do does
    doing don't down each else for from further get give go had has have having he her here hers him his how however i if in
    into is isn't it its itself just kind let like lot make many may me might mine more most much must my need no nor not of
    off on once one only or other our ours out over own per please rather same shall she should since so some such tell than
    that that's the their theirs them then there these they thing things this those through to too under until up upon us
    use using very want was way we were what what's when where whether which while who whom whose why will with within
    without would yet you your yours"""
_GERMAN: Final = """aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bzw da dabei
    damit dann daran darauf darf das dass dein deine dem den denn der deren des dessen dich die dies diese diesem diesen dieser dieses
    dir doch dort du durch ein eine einem einen einer eines er es etwa etwas euch eure für gegen gibt habe haben hat hatte hier hinter
    ich ihm ihn ihnen ihr ihre ihrem ihren im immer in ist ja jede jedem jeden jeder jedes kann kannst kein keine keinen können könnte
    man mein meine meinem meinen meiner mich mir mit muss musst müssen möchte nach nicht nichts noch nun nur ob oder ohne sehr sein
    seine sich sie sind so soll sollte sonst über um und uns unser unter viel viele vom von vor wann warum was weil welche welchem
    welchen welcher welches wenn wer werden wie wieder will wir wird wo woher wohin womit woran wozu wurde während zu zum zur zwischen
    fuer ueber koennen muessen"""
_FRENCH: Final = """à afin ai alors après au aucun aucune aussi autre autres aux avant avec avoir ce cela ces cet cette ceux chaque
    chez ci comme comment dans de depuis des dois doit donc dont du elle elles en encore entre est et être eu eux fait faire faut il
    ils je jusque la là laquelle le lequel les leur leurs lors lorsque lui ma mais me mes moi mon ne ni nos notre nous on ont or où ou
    par parce pas pendant peu peut peuvent plus plutôt pour pourquoi pouvoir puis puisque quand que quel quelle quelles quels qui quoi
    sa sans se selon ses si sinon soit son sont sous sur ta te tes toi ton tous tout toute toutes très tu un une vers veut veux vos
    votre vous"""
_SPANISH: Final = """a al algo algún alguna algunas alguno algunos ante antes así aunque bajo cada como cómo con cual cuál cuales
    cuáles cuando cuándo cuánto cuánta cuántos cuántas cuyo de debe debo del desde donde dónde dos durante e el él ella ellas ellos en
    entre era es esa esas ese eso esos esta ésta está están estas este éste esto estos hace hacen hacer hago han hasta hay ha he la
    las le les lo los más me mi mis muy nada ni no nos o para pero poco por porque puede pueden puedo pues que qué quien quién quiero
    se según ser si sí sin sino sobre solo sólo son su sus también tan tanto te tengo tiene tienen todo toda todos todas tu tus un una
    unas uno unos usted y ya yo cual cuanto cuantos"""
_LIGATURES: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l"})


def folded(text: str) -> str:
    """Return the text without case and accents: `ß` becomes `ss`, `œ` becomes `oe`."""
    plain = normalized("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(c for c in plain if not unicodedata.combining(c))


STOP_WORDS: Final = frozenset(_ENGLISH.split())
STOP_WORDS_OF: Final[Mapping[str, frozenset[str]]] = {
    ENGLISH: STOP_WORDS,
    GERMAN: frozenset(f"{_GERMAN} {folded(_GERMAN)}".split()),
    FRENCH: frozenset(f"{_FRENCH} {folded(_FRENCH)}".split()),
    SPANISH: frozenset(f"{_SPANISH} {folded(_SPANISH)}".split()),
}
"""Stop words of other languages are included with and without their accents."""
_SHARED: Final = """a ai am an ante as bin but chat ci comment come da de den die dir e en es este fin fort hat he in la las le los main
    man me mi mit no o on or para plus pour sans se ses si sin so solo son tan te ton tu un uno va vers war was will y"""
_ENGLISH_TOO: Final = frozenset(_SHARED.split())
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
    CHINESE: re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    JAPANESE: re.compile(r"[\u3041-\u30ff\uff66-\uff9f]"),
    "ko": re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]"),
    "ru": re.compile(r"[\u0400-\u052f]"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile(r"[\u05d0-\u05ea]"),
    "ar": re.compile(r"[\u0620-\u064a\u066e-\u06d3\u0750-\u077f]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "th": re.compile(r"[\u0e01-\u0e4e]"),
}
"""The letters of other scripts, by the language that most texts in them have. Japanese is written in kana and Chinese characters."""
_OTHER_LETTER: Final = re.compile(r"[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uff9f]")
SCRIPT_LETTERS: Final = 4  # So many letters of another script count as one stop word.
KANA_SHARE: Final = 0.1  # The share of kana from which a text in Chinese characters is Japanese.
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_OTHERS: Final = """der das und ist wie ein eine einen nicht ich warum für mit von zu dem den im auf wenn kann wird sind welche welcher
    le les des est une et pourquoi comment quand dans pour avec sur que qui quel quelle sont je il ne pas
    el los las una por qué cómo cuando para con del cuál es se son puedo mi su
    il gli perché come quando quale di che per con sono della
    o os as um uma não como qual são do da para com
    de het een niet hoe waarom wat voor met zijn en"""
_FOREIGN_WORDS: Final = frozenset(_OTHERS.split()) - STOP_WORDS
_ELISION: Final = re.compile(r"^(?:[ldjcnsmt]|qu|jusqu|lorsqu|puisqu|quoiqu)['’](?=\w)", re.IGNORECASE)
_ENDINGS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    language: tuple(tuple(endings.split()) for endings in stages)
    for language, stages in {
        GERMAN: ("ern em en er es e s", "ierung ation ung keit heit iert ier end est et", "t"),
        FRENCH: (
            "es s x e",
            "issement ement ateur atric ation aient eront erait abl anc enc ant ent era ait er ez ir it is ai e i",
        ),
        SPANISH: ("os as es o a e s", "amient imient acion ador abl aron ieron and iend ad id ar er ir an en"),
    }.items()
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
    others = _OTHER_LETTER.findall(beginning)
    return _language_of_script("".join(others)) or best if len(others) // SCRIPT_LETTERS > most else best


def _language_of_script(letters: str) -> str:
    counts = {language: len(script.findall(letters)) for language, script in _SCRIPTS.items()}
    if counts[JAPANESE] > KANA_SHARE * counts[CHINESE]:
        counts[JAPANESE] += counts.pop(CHINESE)
    return max(counts, key=lambda language: counts[language]) if any(counts.values()) else ""


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
