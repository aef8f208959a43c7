"""What a result is, how much it may hold, and the last cut that makes sure it holds no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

JsonObject = dict[str, Any]

CountTokens = Callable[[str], int]

CUT_MARK: Final = "\n... (cut here: the rest did not fit into one result)"


@dataclass(frozen=True, slots=True)
class Rendered:
    """Both forms of a result, and the addresses of the pages that it rests on."""

    text: str
    structured: JsonObject
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """The size of one result text: tokens of the embedder's tokenizer, characters, bytes of UTF-8."""

    tokens: int
    characters: int
    bytes: int

    def holds(self, text: str, count: CountTokens) -> bool:
        """Whether the text is within all three limits. A token takes a byte or more, so that a short text needs no counting."""
        size = len(text.encode("utf-8", "replace"))
        return (
            len(text) <= self.characters and size <= self.bytes and (size <= self.tokens or count(text) <= self.tokens)
        )


class Room:
    """What is left of a budget while a text is put together from parts.

    Counting tokens costs most. A token takes a byte or more, so parts are counted only once their bytes could exceed what is left.
    """

    def __init__(self, budget: Budget, count: CountTokens) -> None:
        self._count = count
        self._tokens = budget.tokens
        self._characters = budget.characters
        self._bytes = budget.bytes
        self._uncounted: list[str] = []
        self._uncounted_bytes = 0

    def fits(self, text: str) -> bool:
        """Whether the part could still be added."""
        characters, size = _size(text)
        return characters <= self._characters and size <= self._bytes and self._tokens_suffice(text, size)

    def take(self, text: str) -> bool:
        """Add the part if it fits; says whether it did."""
        if not self.fits(text):
            return False
        self.spend(text)
        return True

    def spend(self, text: str) -> None:
        """Add the part even if the room becomes negative, so that nothing optional follows it."""
        characters, size = _size(text)
        self._characters -= characters
        self._bytes -= size
        self._uncounted.append(text)
        self._uncounted_bytes += size

    def refund(self, text: str) -> None:
        """Give back what was set aside for a part that is not needed."""
        characters, size = _size(text)
        self._characters += characters
        self._bytes += size
        if text in self._uncounted:
            self._uncounted.remove(text)
            self._uncounted_bytes -= size
        else:
            self._tokens += self._count(text)

    def _tokens_suffice(self, text: str, size: int) -> bool:
        if self._uncounted_bytes + size <= self._tokens:
            return True
        self._tokens -= sum(self._count(part) for part in self._uncounted)
        self._uncounted, self._uncounted_bytes = [], 0
        return size <= self._tokens or self._count(text) <= self._tokens


def _size(text: str) -> tuple[int, int]:
    """Characters and bytes of a part and of the two line breaks that may separate it from the next one."""
    return len(text) + 2, len(text.encode("utf-8", "replace")) + 2


def clip(text: str, budget: Budget, count: CountTokens, *, mark: str = CUT_MARK) -> str:
    """The text, or its longest head that fits together with `mark`; never more than the budget."""
    if budget.holds(text, count):
        return text
    low, high = 0, min(len(text), budget.characters)
    while low < high:
        middle = (low + high + 1) // 2
        if budget.holds(_head(text, middle) + mark, count):
            low = middle
        else:
            high = middle - 1
    clipped = _head(text, low) + mark
    if budget.holds(clipped, count):
        return clipped
    return "" if mark == "" else clip(text, budget, count, mark="")


def _head(text: str, length: int) -> str:
    return text[:length].rstrip()
