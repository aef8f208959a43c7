"""Long repetitive inputs, and the detection of targets that take too much time for them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

SIZE: Final = 8_000
LOOKS: Final = 3
"""Repeated measurements of an input that seems slow, each time at twice the size, to reduce noise."""
TRIES: Final = 2
MAX_GROWTH: Final = 2.4
"""Allowed growth of the time for twice the input."""
MAX_MS_PER_KB: Final = 60.0
QUICK_SECONDS: Final = 0.05
"""Shorter times for the larger input are not measured again."""
SIGNS: Final = [sign.encode() for sign in "`*_[](<>#$~|-=\\!&{}\"'/:;,.%@? \t\na1é中"]
OPENINGS: Final = (
    *(b"```\n", b"---\n", b"> ", b"- ", b"[a](", b"![", b"$$\n", b"| a ", b"# a\n"),
    *(b"<div>", b"<a ", b"<!--", b"<![CDATA[", b"<table><tr><td>", b"<item><title>", b"&#"),
    *(b"<article>a ", b"<ul><li>", b"<i><p>", b"; a=b", b"=?utf-8?q?a?= ", b"> > ", b"- - a\n"),
    *(b'{"a":', b"[[", b'"\\', b"(", b"BT (a) Tj ", b"<<", b"stream\n"),
)
"""Unclosed constructs of Markdown, HTML, mail, feeds, JSON and PDF."""


@dataclass(frozen=True, slots=True)
class Long:
    """A valid input with a repetition in its middle."""

    before: bytes
    unit: bytes
    after: bytes

    def of(self, size: int) -> bytes:
        return self.before + self.unit * (size // len(self.unit)) + self.after


def long_inputs(name: str, seeds: Sequence[bytes], tokens: Sequence[bytes], seed: int, number: int) -> list[Long]:
    """Return this number of runs of one character, alternating pairs and openings, alone and within a valid input."""
    chance = random.Random(f"{seed}:{name}:long")
    made = []
    for _ in range(number):
        pair = chance.choice(SIGNS) + chance.choice(SIGNS)
        unit = chance.choice([chance.choice(SIGNS), pair, chance.choice([*OPENINGS, *filter(None, tokens)])])
        sound = chance.choice([b"", chance.choice(seeds)])
        place = chance.randint(0, len(sound))
        made.append(Long(sound[:place], unit, sound[place:]))
    return made


def slowness(run: Callable[[bytes], object], make: Callable[[int], bytes]) -> str | None:
    """Describe too much growth or a time over budget, or return None."""
    found = None
    for size in (SIZE << look for look in range(LOOKS)):
        short, long = make(size), make(2 * size)
        if _seconds(run, long) < QUICK_SECONDS:
            return None
        # On a busy machine, a single measurement is unreliable.
        seconds, less = (min(_seconds(run, each) for _ in range(TRIES)) for each in (long, short))
        if seconds < QUICK_SECONDS:
            return None
        growth = seconds / less
        per_kb = 1000 * seconds / (len(long) / 1000)
        if growth <= MAX_GROWTH and per_kb <= MAX_MS_PER_KB:
            return None
        found = f"{growth:.1f} times as long for twice as much, {per_kb:.0f} ms for a KB"
    return found


def _seconds(run: Callable[[bytes], object], data: bytes) -> float:
    started = time.thread_time()
    run(data)
    return max(time.thread_time() - started, 1e-6)
