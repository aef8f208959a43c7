"""Which of many names fit what was typed. No scores: three tiers, and within one the order given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

_GAPS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Named(Generic[T]):
    """A thing with its name made ready: `spaced` is the name in words, each after one space, `whole` all that is searched."""

    thing: T
    spaced: str
    whole: str


def named(thing: T, name: str, more: str = "") -> Named[T]:
    """Make a thing ready; `more` is searched after the name."""
    spaced = _spaced(name)
    return Named(thing, spaced, f"{spaced}\n{name.casefold()}\n{more.casefold()}")


def fitting(candidates: Sequence[Named[T]], typed: str) -> Sequence[Named[T]]:
    """Those that hold every word of what was typed; who types on can only narrow them down."""
    # The longest word is the rarest, most likely: most candidates are ruled out by one look.
    for word in sorted(typed.casefold().split(), key=len, reverse=True):
        candidates = [one for one in candidates if word in one.whole]
    return candidates


def best(candidates: Sequence[Named[T]], typed: str, limit: int) -> list[T]:
    """At most `limit` of the fitting things: those whose name begins with what was typed, then those with words that
    begin with its words, then the others."""
    begin = _spaced(typed)
    if not typed.split() or limit < 1:
        return []
    candidates = fitting(candidates, typed)
    found: dict[int, T] = {}
    for tier in (_beginning, _with_heads, _all):
        for one in tier(candidates, begin):
            found.setdefault(id(one), one.thing)
            if len(found) == limit:
                return list(found.values())
    return list(found.values())


def _beginning(candidates: Sequence[Named[T]], begin: str) -> Sequence[Named[T]]:
    return [one for one in candidates if one.spaced.startswith(begin)] if begin else []


def _with_heads(candidates: Sequence[Named[T]], begin: str) -> Sequence[Named[T]]:
    for word in begin.split():
        head = f" {word}"
        candidates = [one for one in candidates if head in one.spaced]
    return candidates if begin else []


def _all(candidates: Sequence[Named[T]], _begin: str) -> Sequence[Named[T]]:
    return candidates


def _spaced(text: str) -> str:
    words = _GAPS.sub(" ", text.casefold()).strip()
    return f" {words}" if words else ""
