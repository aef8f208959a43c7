"""Growth of the cost of work with its input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Final, TypeVar

LINEAR: Final = 2.4
"""Allowed growth for twice the input."""
_ENOUGH_SECONDS: Final = 0.05
"""Shorter times of the larger input are not measured again."""
_TRIES: Final = 2
_MORE_TRIES: Final = 3
"""Further measurements of both sizes if the growth is too fast, because a busy computer adds time to some."""
_LOOKS: Final = 3
_SLOW_SECONDS: Final = 2.0
"""Slower work is not measured at larger sizes."""

Input = TypeVar("Input")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of the larger input, and their ratio to the smaller one."""

    seconds: float
    growth: float


def cost(make: Callable[[int], Input], run: Callable[[Input], object], size: int) -> Cost:
    """Measure the cost of double the size. Fast growth is measured again, also at larger sizes, and the least times count."""
    seconds = _seconds(run, make(2 * size))
    growth = 1.0
    for look in range(_LOOKS if seconds > _ENOUGH_SECONDS else 0):
        small, large = make(size << look), make(2 * size << look)
        least = min(_seconds(run, small) for _ in range(_TRIES))
        most = _seconds(run, large) if look else seconds
        for _ in range(_MORE_TRIES):
            if most / least > LINEAR:
                least, most = min(least, _seconds(run, small)), min(most, _seconds(run, large))
        growth = most / least
        if growth <= LINEAR or most > _SLOW_SECONDS:
            break
    return Cost(seconds, growth)


def _seconds(run: Callable[[Input], object], value: Input) -> float:
    started = process_time()
    run(value)
    return process_time() - started
