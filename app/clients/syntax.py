"""Problems with the text of a configuration file, in any language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SyntaxProblem(Exception):  # noqa: N818 - every problem ends as a ClientConfigError
    """The text violates the syntax of its language. Line and column count from 1."""

    def __init__(self, line: int, column: int, expected: str) -> None:
        self.line = line
        self.column = column
        self.expected = expected
        super().__init__(f"line {line}, column {column}: {expected}")


class NotAnObjectError(Exception):
    """A value on the path to the member is not an object. `key` is its key."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def find_value(data: Any, path: Sequence[str]) -> Any:
    """Return the value at a path of keys, or None."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def nest(path: Sequence[str], value: Any) -> Any:
    """Return a value nested in objects with these keys, outermost first."""
    for key in reversed(path):
        value = {key: value}
    return value


def newline_of(text: str) -> str:
    """Return the line ending of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def position_in(text: str, position: int) -> tuple[int, int]:
    """Return the line and column of a position, counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
