"""What can be wrong with the text of a configuration file, whatever its language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SyntaxProblem(Exception):  # noqa: N818 - every problem ends as a ClientConfigError
    """The text does not follow the rules of its language; line and column count from 1."""

    def __init__(self, line: int, column: int, expected: str) -> None:
        self.line = line
        self.column = column
        self.expected = expected
        super().__init__(f"line {line}, column {column}: {expected}")


class NotAnObjectError(Exception):
    """On the way to the member stands a value that is not an object; `key` names it."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def find_value(data: Any, path: Sequence[str]) -> Any:
    """The value at a path of keys, None where there is none."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def nest(path: Sequence[str], value: Any) -> Any:
    """A value inside objects with these keys, the outermost first."""
    for key in reversed(path):
        value = {key: value}
    return value


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def position_in(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position, from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
