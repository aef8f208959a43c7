"""Count tokens the same way in every process."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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

    `tokenizer_file` is the tokenizer.json behind `count_tokens`, for a process without an embedder; None for an estimate.
    """

    max_tokens: int
    count_tokens: CountTokens
    tokenizer_file: Path | None = None


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
        wanted = list(new - endless)
        if wanted:
            known.update(zip(wanted, self._count(wanted), strict=True))
        return [
            self._count([text])[0]
            if _SPECIAL.search(text) or (endless and not endless.isdisjoint(words))
            else sum(map(known.__getitem__, words))
            for text, words in zip(texts, split, strict=True)
        ]


def fast_counter(count: CountTokens, tokenizer_file: Path | None) -> CountTokens:
    """Return an equivalent counter, several times faster if the tokenizer of `count` allows it."""
    return WordCounter(count) if tokenizer_file is not None and _counts_by_words(tokenizer_file) else count


def token_counter(tokenizer_file: Path | None) -> CountTokens:
    """Return a counter that matches the local embedder with this tokenizer, or an estimate without one."""
    if tokenizer_file is None:
        return lambda texts: [estimate_tokens(sound_text(text)) for text in texts]
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

    return fast_counter(count, tokenizer_file)


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
