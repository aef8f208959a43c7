"""Damaged inputs from valid ones, each reproducible from a seed and its number, and the smallest that still fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

MAX_INPUT_BYTES: Final = 6_000
MAX_CHANGES: Final = 9
MINIMISING_STEPS: Final = 600
COMMON_TOKENS: Final = (
    b"", b" ", b"\n", b"\r\n", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"0", b"-1", b"9" * 25, b"1e999", b"NaN", b"null",
    "é".encode(), "蜂".encode(), "\u202e".encode(), "\u200b".encode(), "\u2028".encode(), "İ".encode(), "ß".encode(),
    b"\xed\xa0\x80", "\U0001f41d".encode(), b"&#0;", b"&#xD800;", b"%00", b"%", b"\\", b"'", b'"', b"`", b"(", b"[", b"{",
    b"http://[::1", b"hTtps:", b"http://h:port/", b"http://\xe2\x84\xa2/", b"//", b"?", b"#", b":", b"@", b"=?x?q?=ff?=",
)  # fmt: skip
"""Common problems for programs that read text in any format."""


class Mutator:
    """Creates inputs from `seeds` and `tokens`, the words of their format."""

    def __init__(self, name: str, seeds: Sequence[bytes], tokens: Sequence[bytes], seed: int) -> None:
        self._name, self._seeds, self._seed = name, seeds, seed
        self._tokens = (*tokens, *tokens, *COMMON_TOKENS)

    def make(self, number: int) -> bytes:
        """Return the input of this number, the same in every process with the same seed."""
        chance = random.Random(f"{self._seed}:{self._name}:{number}")
        data = bytearray(chance.choice(self._seeds))
        for _ in range(chance.randint(1, MAX_CHANGES)):
            self._change(data, chance)
        limit = max(MAX_INPUT_BYTES, 2 * len(self._seeds[0]))
        return bytes(data[:limit])

    def _change(self, data: bytearray, chance: random.Random) -> None:
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + int(chance.expovariate(1 / 12)) + 1)
        kind = chance.randrange(8)
        if kind <= 2:
            data[place:place] = chance.choice(self._tokens)
        elif kind == 3:
            data[place:end] = chance.choice(self._tokens)
        elif kind == 4:
            del data[place:end]
        elif kind == 5:
            data[place:place] = data[place:end] * chance.choice((1, 1, 2, 5, 40))
        elif kind == 6 and place < len(data):
            data[place] = chance.randrange(256)
        else:
            other = chance.choice(self._seeds)
            start = chance.randrange(len(other) + 1)
            data[place:end] = other[start : start + chance.randint(1, 60)]


def minimised(data: bytes, fails: Callable[[bytes], bool], steps: int = MINIMISING_STEPS) -> bytes:
    """Return a shorter input that still fails. Removes parts, halves first, until all are needed or the steps are used up."""
    size = len(data)
    while size >= 1 and steps > 0:
        start = 0
        while start < len(data) and steps > 0:
            shorter = data[:start] + data[start + size :]
            steps -= 1
            if shorter != data and fails(shorter):
                data = shorter
            else:
                start += size
        size //= 2
    return data
