"""Count tokens the same way in every process."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from app.serialise import sound_text
from app.text.scripts import with_other_letters
from app.text.terms import estimate_tokens

CountTokens = Callable[[Sequence[str]], list[int]]
_WORD: Final = re.compile(r"[^ \t\n\r!-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]")
"""Words between white space; each ASCII sign is its own word, as in BERT."""
_SPECIAL: Final = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]")
_MOST_WORDS: Final = 50_000
_MOST_CHARS: Final = 64  # The number of cached words, and the longest of them.
_BATCH_CHARS: Final = 128 * 1024  # The text to split at a time: words take many times the memory of their text.
CHARS_PER_TOKEN: Final = 32
"""Text with more characters per token (one endless word, padding) is measured by its characters."""


@dataclass(frozen=True, slots=True)
class ChunkingLimits:
    """The largest chunk in tokens, and the function that counts tokens.

    `tokenizer_file` is the tokenizer.json behind `count_tokens`, for a process without an embedder; None for an estimate. With `scripts`,
    it only counts ASCII words; see `ScriptCounter`.
    """

    max_tokens: int
    count_tokens: CountTokens
    tokenizer_file: Path | None = None
    scripts: Mapping[str, float] = field(default_factory=dict)


class WordCounter:
    """Counts word by word and caches each word, for tokenizers that treat a text as separate words and signs."""

    def __init__(self, count: CountTokens) -> None:
        self._count = count
        self._known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for batch in _batches(texts):
            counts += self._counts(batch)
        return counts

    def _counts(self, texts: Sequence[str]) -> list[int]:
        split = [_WORD.findall(text) for text in texts]
        if len(self._known) > _MOST_WORDS:
            self._known = {}
        known = self._known
        new = set(chain.from_iterable(split)).difference(known)
        endless = {word for word in new if len(word) > _MOST_CHARS}
        if wanted := list(new - endless):
            known.update(zip(wanted, self._count(wanted), strict=True))
        return [
            self._count([text])[0]
            if _SPECIAL.search(text) or (endless and not endless.isdisjoint(words))
            else sum(map(known.__getitem__, words))
            for text, words in zip(texts, split, strict=True)
        ]


class ScriptCounter:
    """Counts ASCII words with `count` and other words by the tokens per letter of their script.

    The tokenizers of multilingual models take 300 MB, so only the embedder loads them; see `tokens_per_letter`.
    """

    def __init__(self, count: CountTokens, scripts: Mapping[str, float]) -> None:
        self._count = count
        self._scripts = scripts

    def __call__(self, texts: Sequence[str]) -> list[int]:
        split = [_WORD.findall(text) for text in texts]
        counts = self._count([" ".join(filter(str.isascii, words)) for words in split])
        others = [
            sum(self._scripts.get(script_of(letter), 1.0) for word in words if not word.isascii() for letter in word)
            for words in split
        ]
        return [count + math.ceil(other) for count, other in zip(counts, others, strict=True)]


@cache
def script_of(letter: str) -> str:
    """Return the script of a letter as its Unicode name begins, such as "LATIN"; "" for characters without a name."""
    return unicodedata.name(letter, "").partition(" ")[0]


def tokens_per_letter(count: CountTokens, texts: Sequence[str]) -> dict[str, float]:
    """Return the tokens per letter by script, measured on the words in `texts` that are not ASCII."""
    found: dict[str, list[str]] = {}
    for word in chain.from_iterable(map(_WORD.findall, texts)):
        if not word.isascii():
            found.setdefault(script_of(next(letter for letter in word if not letter.isascii())), []).append(word)
    return {script: sum(count(words)) / sum(map(len, words)) for script, words in found.items()}


def fast_counter(count: CountTokens, tokenizer_file: Path | None) -> CountTokens:
    """Return an equivalent counter, several times faster if the tokenizer of `count` allows it."""
    return WordCounter(count) if tokenizer_file is not None and _counts_by_words(tokenizer_file) else count


def token_counter(tokenizer_file: Path | None, scripts: Mapping[str, float] | None = None) -> CountTokens:
    """Return a counter that matches `ChunkingLimits` with this tokenizer and these scripts, or an estimate without a tokenizer."""
    if tokenizer_file is None:
        return lambda texts: [estimate_tokens(sound_text(text)) for text in texts]
    count = file_counter(tokenizer_file)
    return fast_counter(ScriptCounter(count, scripts) if scripts else count, tokenizer_file)


def file_counter(tokenizer_file: Path) -> CountTokens:
    """Return a counter with this tokenizer."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def count(texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for batch in _batches(texts):
            encodings = tokenizer.encode_batch_fast([model_text(text) for text in batch], add_special_tokens=False)
            counts += map(len, encodings)
        return counts

    return count


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield groups of texts in order, each about _BATCH_CHARS long."""
    first = size = 0
    for number, text in enumerate(texts):
        size += len(text) + 1
        if size > _BATCH_CHARS:
            yield texts[first : number + 1]
            first, size = number + 1, 0
    if first < len(texts):
        yield texts[first:]


def _counts_by_words(tokenizer_file: Path) -> bool:
    """Whether it is a BERT tokenizer: it normalizes each character and splits at white space and punctuation, without context."""
    try:
        parts = json.loads(tokenizer_file.read_bytes())
        kinds = [(parts[name] or {}).get("type") for name in ("normalizer", "pre_tokenizer")]
    except (OSError, ValueError, KeyError, AttributeError):
        return False
    return kinds == ["BertNormalizer", "BertPreTokenizer"]


def model_text(text: str) -> str:
    """Return the text for the model: without lone surrogates, and with usual letters for forms unknown to its tokenizer."""
    return text if text.isascii() else with_other_letters(sound_text(text))


def size_of(tokens: int, characters: int) -> int:
    """Return the size of a text within a chunk, in tokens."""
    return max(tokens, -(-characters // CHARS_PER_TOKEN))
