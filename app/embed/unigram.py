"""The tokenizer of multilingual models in 5 MB instead of 280: its own search for the best pieces, with numpy.

The library `tokenizers` keeps each piece in a tree of hash tables. Here, a piece is the hash of its characters in a sorted array. The
library still normalizes the text, splits it into words and finds the place of each piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

UNKNOWN_PIECE: Final = "<unk>"
UNKNOWN_PENALTY: Final = 10.0
"""How much less likely a character without a piece is than the least likely piece, as in `tokenizers`."""
_FACTOR: Final = np.uint64(0x9E37_79B9_7F4A_7C15)

Arrays = Mapping[str, NDArray[Any]]


def unigram_arrays(tokenizer_file: bytes) -> dict[str, NDArray[Any]] | None:
    """Return what `UnigramTokenizer` needs of a tokenizer.json, or None if it has a model of another kind."""
    stored = json.loads(tokenizer_file)
    model = stored["model"]
    if model.get("type") != "Unigram" or model.get("byte_fallback") or model.get("unk_id") is None:
        return None
    # Text that looks like a special token is ordinary text.
    special = {token["content"] for token in stored["added_tokens"]}
    pieces = [(text, number, score) for number, (text, score) in enumerate(model["vocab"]) if text not in special]
    lengths = np.array([len(text) for text, _, _ in pieces])
    codes, starts = _codes(text for text, _, _ in pieces), np.cumsum(lengths) - lengths
    keys = np.zeros(len(pieces), np.uint64)
    for at in range(lengths.max()):
        longer = np.flatnonzero(lengths > at)
        keys[longer] = keys[longer] * _FACTOR + codes[starts[longer] + at]
    order = np.argsort(keys)
    if len(np.unique(keys)) < len(keys):
        return None
    lowest = min(score for _, score in model["vocab"])
    rest = stored | {"added_tokens": [], "model": {"type": "Unigram", "unk_id": 0, "vocab": [[UNKNOWN_PIECE, 0.0]]}}
    return {
        "keys": keys[order],
        "numbers": np.array([number for _, number, _ in pieces], np.int32)[order],
        "scores": np.array([score for _, _, score in pieces])[order],
        "unknown": np.array([model["unk_id"], lowest - UNKNOWN_PENALTY, lengths.max()]),
        "rest": np.frombuffer(json.dumps(rest).encode(), np.uint8),
    }


class UnigramTokenizer:
    """Makes the same tokens as the Tokenizer of `tokenizers`, except for special tokens in the text. Thread-safe."""

    def __init__(self, arrays: Arrays) -> None:
        from tokenizers import Tokenizer

        self._rest = Tokenizer.from_str(arrays["rest"].tobytes().decode())
        self._keys, self._numbers, self._scores = arrays["keys"], arrays["numbers"], arrays["scores"]
        unknown, self._unknown_score, longest = arrays["unknown"].tolist()
        self._unknown, self._longest = int(unknown), int(longest)

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        """Return the Encoding of a text."""
        from tokenizers import PreTokenizedString

        split = PreTokenizedString(text)
        if self._rest.normalizer is not None:
            split.normalize(self._rest.normalizer.normalize)
        if self._rest.pre_tokenizer is not None:
            self._rest.pre_tokenizer.pre_tokenize(split)
        words = list(dict.fromkeys(word for word, *_ in split.get_splits()))
        split.tokenize(dict(zip(words, self._tokens(words), strict=True)).__getitem__)
        encoding, processor = split.to_encoding(), self._rest.post_processor
        return encoding if processor is None or not add_special_tokens else processor.process(encoding)

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool = True) -> list[Any]:
        return [self.encode(text, add_special_tokens) for text in texts]

    def enable_truncation(self, max_length: int, strategy: str) -> None:
        """Set the length of pairs, as for the Tokenizer of `tokenizers`."""
        self._rest.enable_truncation(max_length, strategy=strategy)

    def post_process(self, first: Any, second: Any) -> Any:
        """Return the Encoding of a pair of texts from theirs without special tokens."""
        return self._rest.post_process(first, second)

    def _tokens(self, words: Sequence[str]) -> list[list[Any]]:
        """Return the tokens of each word: the pieces with the highest sum of scores."""
        from tokenizers import Token

        matches = self._matches(words)
        at, start, found = 0, 0, []
        for word in words:
            best, pieces = [0.0] * (len(word) + 1), [(-1, 0)] * (len(word) + 1)
            for place in range(len(word)):
                is_known = False
                while at < len(matches) and matches[at][0] == start + place:
                    _, length, number, score = matches[at]
                    at, end, is_known = at + 1, place + length, is_known or length == 1
                    if pieces[end][0] < 0 or best[place] + score > best[end]:
                        best[end], pieces[end] = best[place] + score, (place, number)
                score = best[place] + self._unknown_score
                if not is_known and (pieces[place + 1][0] < 0 or score > best[place + 1]):
                    best[place + 1], pieces[place + 1] = score, (place, self._unknown)
            start += len(word)
            found.append([Token(*each) for each in self._path(word, pieces)])
        return found

    def _path(self, word: str, pieces: Sequence[tuple[int, int]]) -> Iterable[tuple[int, str, tuple[int, int]]]:
        """Return number, text and place in bytes of the best pieces; unknown neighbors are one."""
        spans: list[tuple[int, int, int]] = []
        end = len(word)
        while end:
            begin, number = pieces[end]
            if spans and number == self._unknown == spans[-1][0]:
                spans[-1] = (number, begin, spans[-1][2])
            else:
                spans.append((number, begin, end))
            end = begin
        at = 0
        for number, begin, end in reversed(spans):
            piece = word[begin:end]
            size = len(piece.encode())
            yield number, UNKNOWN_PIECE if number == self._unknown else piece, (at, at + size)
            at += size

    def _matches(self, words: Sequence[str]) -> list[tuple[int, int, int, float]]:
        """Return start, length, number and score of every piece in the words one after another, by start and length."""
        codes, lengths = _codes(words), np.array([len(word) for word in words], np.intp)
        room = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(codes))
        hashes, found = np.zeros(len(codes), np.uint64), []
        for length in range(1, self._longest + 1):
            starts = np.flatnonzero(room >= length)
            if not len(starts):
                break
            hashes[starts] = hashes[starts] * _FACTOR + codes[starts + length - 1]
            slots = np.searchsorted(self._keys, hashes[starts]).clip(max=len(self._keys) - 1)
            is_piece = self._keys[slots] == hashes[starts]
            found.append((starts[is_piece], slots[is_piece], np.full(int(is_piece.sum()), length)))
        if not found:
            return []
        starts, slots, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(starts, kind="stable")
        columns = starts[order], sizes[order], self._numbers[slots[order]], self._scores[slots[order]]
        return list(zip(*(column.tolist() for column in columns), strict=True))


def _codes(words: Iterable[str]) -> NDArray[np.uint64]:
    """Return the characters of all words, none of which is 0."""
    return np.frombuffer("".join(words).encode("utf-32-le"), "<u4").astype(np.uint64) + np.uint64(1)
