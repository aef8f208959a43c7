"""Whether a text may be English: rules about English words say nothing about other languages."""

from __future__ import annotations

from typing import Final

from app.text.terms import STOP_WORDS, words

_OTHERS: Final = """der das und ist wie ein eine einen nicht ich warum für mit von zu dem den im auf wenn kann wird sind welche welcher
    le les des est une et pourquoi comment quand dans pour avec sur que qui quel quelle sont je il ne pas
    el los las una por qué cómo cuando para con del cuál es se son puedo mi su
    il gli perché come quando quale di che per con sono della
    o os as um uma não como qual são do da para com
    de het een niet hoe waarom wat voor met zijn en"""
_FOREIGN_WORDS: Final = frozenset(_OTHERS.split()) - STOP_WORDS


def may_be_english(text: str) -> bool:
    """False when most letters are of other scripts or common words of other European languages outnumber English ones."""
    letters = [c for c in text if c.isalpha()]
    if 2 * sum(c.isascii() for c in letters) < len(letters):
        return False
    spoken = words(text)
    return sum(word in _FOREIGN_WORDS for word in spoken) <= sum(word in STOP_WORDS for word in spoken)
