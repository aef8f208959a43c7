"""Sentences that are English wherever they go and still known as templates, so that the window can say them otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MAX_NAMES: Final = 10
"""So many names stand in a sentence; somebody may have thousands of collections."""


class Sentence(str):
    """A text together with what it was made of; a value may be a Sentence again."""

    __slots__ = ("template", "values")
    template: str
    values: tuple[str, ...]


def sentence(template: str, *values: object) -> Sentence:
    """The template with its {} filled in. It has to be written out as one literal: the catalogues are made of these calls."""
    words = tuple(value if isinstance(value, str) else str(value) for value in values)
    made = Sentence(template.format(*words) if words else template)
    made.template, made.values = template, words
    return made


def listing(names: Iterable[str], most: int = MAX_NAMES) -> str:
    """Names with commas between, those after the first few as their number."""
    given = list(names)
    more = len(given) - most
    shown = ", ".join(given[:most])
    return sentence("{} and {} more", shown, f"{more:,}") if more > 0 else shown


def joined(parts: Iterable[str]) -> Sentence:
    """Several sentences, one after the other."""
    words = tuple(part for part in parts if part)
    made = Sentence(" ".join(words))
    made.template, made.values = " ".join("{}" for _ in words), words
    return made
