"""English sentences that remember their template and values, so that the window can translate them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MAX_NAMES: Final = 10  # The number of names in a sentence; a library may have thousands of collections.


class Sentence(str):
    """A text with its template and values; a value may be a Sentence itself."""

    __slots__ = ("template", "values")
    template: str
    values: tuple[str, ...]


def sentence(template: str, *values: object) -> Sentence:
    """Fill in the {} of the template, which must be a single literal: the catalogs are generated from these calls."""
    words = tuple(value if isinstance(value, str) else str(value) for value in values)
    made = Sentence(template.format(*words) if words else template)
    made.template, made.values = template, words
    return made


def listing(names: Iterable[str], most: int = MAX_NAMES) -> str:
    """Join names with commas, and replace those after the first few with their number."""
    given = list(names)
    more = len(given) - most
    shown = ", ".join(given[:most])
    return sentence("{} and {} more", shown, f"{more:,}") if more > 0 else shown


def joined(parts: Iterable[str]) -> Sentence:
    """Join several sentences with spaces."""
    words = tuple(part for part in parts if part)
    made = Sentence(" ".join(words))
    made.template, made.values = " ".join("{}" for _ in words), words
    return made
