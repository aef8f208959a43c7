"""Find which passages explain the words of a question: a translation model between words of passages and of questions.

Model 1 of Brown et al. (1993), used for retrieval by Berger and Lafferty (1999). The probabilities were estimated from the questions of
training/questions by training/words.py. A reader who asks how to "erase" something expects passages about "remove" and "drop".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.paths import assets_dir
from app.text.languages import STOP_WORDS
from app.text.terms import stem

TABLE: Final = "asked_words.txt"
SAME_SHARE: Final = 0.3  # Weight of the asked word itself; the rest is for the words that explain it.
_WORD: Final = re.compile(r"[a-z][a-z0-9']*[a-z0-9]")


def count_stems(text: str) -> Counter[str]:
    """Count the stems of the English words of a text in reading order, without stop words."""
    found = Counter(stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)
    del found[""]
    return found


def explain(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return how well each text explains the words of the question, compared with the average text; 0 if not at all.

    The mean over the words of ln(1 + p / average p), where p is the probability that the text makes a reader ask with the word.
    """
    asked = list(count_stems(question))
    found = np.zeros((len(texts), len(asked)))
    explained: dict[str, list[tuple[int, float]]] = {}
    for place, word in enumerate(asked):
        explained.setdefault(word, []).append((place, SAME_SHARE))
        for other, probability in _table().get(word, {}).items():
            explained.setdefault(other, []).append((place, (1 - SAME_SHARE) * probability))
    for row, text in zip(found, texts, strict=True):
        counts = count_stems(text)
        length = counts.total()
        for word, count in counts.items():  # in reading order, so that rounding is the same in every process
            for place, probability in explained.get(word, ()):
                row[place] += probability * count / length
    average = found.mean(axis=0, keepdims=True) if texts else found
    known = average[0] > 0 if texts else np.zeros(0, bool)
    if not known.any():
        return np.zeros(len(texts))
    return np.asarray(np.log1p(found[:, known] / average[:, known]).sum(axis=1) / len(asked))


@cache
def _table() -> Mapping[str, Mapping[str, float]]:
    """Return the probabilities of asking with a stem because of another one, by the asked stem."""
    lines = (assets_dir() / TABLE).read_text("utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {asked: dict(zip(words[::2], map(float, words[1::2]), strict=True)) for asked, *words in rows}
