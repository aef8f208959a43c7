"""Arguments that no tool could take are refused before any schema looks at them: checking them would cost more than the call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError

HINT: Final = "Send less in one call: the tool's description names its limits."


def check_size(arguments: Mapping[str, Any]) -> None:
    """Raise InvalidArgumentError for too much text, too many entries or too deep nesting; looks at no more than the limits allow."""
    left = caps.MAX_ARGUMENT_BYTES
    waiting: list[tuple[str, Any, int]] = [("", arguments, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, str):
            _check(path, len(value), caps.MAX_ARGUMENT_CHARS, "characters")
            left -= len(value.encode("utf-8", "replace"))
        elif isinstance(value, Mapping | list | tuple):
            _check(path, len(value), caps.MAX_ARGUMENT_ENTRIES, "entries")
            if depth >= caps.MAX_ARGUMENT_DEPTH:
                raise InvalidArgumentError(f"{_named(path)} nested deeper than {caps.MAX_ARGUMENT_DEPTH}.", hint=HINT)
            waiting += _entries(path, value, depth + 1)
            left -= len(value)
        if left < 0:
            raise InvalidArgumentError(
                f"The arguments are larger than {caps.MAX_ARGUMENT_BYTES:,} bytes together.", hint=HINT
            )


def _entries(path: str, value: Any, depth: int) -> list[tuple[str, Any, int]]:
    if not isinstance(value, Mapping):
        return [(f"{path}[{index}]", each, depth) for index, each in enumerate(value)]
    return [(f"{path}.{str(key)[: caps.MAX_ARGUMENT_CHARS_SHOWN]}", each, depth) for key, each in value.items()]


def _check(path: str, size: int, limit: int, what: str) -> None:
    if size > limit:
        raise InvalidArgumentError(
            f"{_named(path)} {size:,} {what} long; nothing may have more than {limit:,}.", hint=HINT
        )


def _named(path: str) -> str:
    shown = path.removeprefix(".")
    return f"`{shown[: caps.MAX_ARGUMENT_CHARS_SHOWN]}` is" if shown else "The list of arguments is"
