"""JSON with comments and trailing commas, read with the place of every value, for edits in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from app import caps
from app.clients.syntax import SyntaxProblem, position_in

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)+", re.DOTALL)
_LITERALS: Final = {"true": True, "false": False, "null": None}
_STRINGS: Final = json.JSONDecoder()


class JsoncError(SyntaxProblem):
    """The text is not JSON."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(*position_in(text, position), expected)


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value; `comma` is the position of the comma after the value, -1 without one."""

    key: str
    key_start: int
    value: Node
    comma: int


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: text[start:end]. `members` are those of an object."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = field(default=())

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    def member(self, key: str) -> Member | None:
        """The member that counts: the last one, as in every JSON reader."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def parse(text: str) -> Node:
    """The one value of a text. Raises JsoncError."""
    reader = _Reader(text)
    node = reader.value(reader.skip(0), 0)
    rest = reader.skip(node.end)
    if rest != len(text):
        raise JsoncError(text, rest, "nothing may follow the closing bracket")
    return node


def is_blank(text: str) -> bool:
    """Whether a text holds white space and comments only. Raises JsoncError for a comment without an end."""
    reader = _Reader(text)
    end = reader.skip(0)
    if text.startswith("/*", end):
        raise JsoncError(text, end, "the comment has no end")
    return end == len(text)


def is_plain(text: str) -> bool:
    """Whether a reader without comments and trailing commas accepts the text too."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, position: int) -> int:
        """The position after white space and comments."""
        found = _TRIVIA.match(self._text, position)
        return found.end() if found else position

    def value(self, start: int, depth: int) -> Node:
        if depth > caps.MAX_JSON_DEPTH:
            raise JsoncError(self._text, start, "too many brackets inside each other")
        opening = self._text[start : start + 1]
        if opening == "{":
            return self._object(start, depth)
        if opening == "[":
            return self._array(start, depth)
        if opening == '"':
            text, end = self._string(start)
            return Node(start, end, text)
        if number := _NUMBER.match(self._text, start):
            return Node(start, number.end(), json.loads(number.group()))
        for word, literal in _LITERALS.items():
            if self._text.startswith(word, start):
                return Node(start, start + len(word), literal)
        raise JsoncError(self._text, start, "a value is expected here")

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        position = self.skip(start + 1)
        while self._text[position : position + 1] != "}":
            if members and members[-1].comma < 0:
                raise JsoncError(self._text, position, "expected , or }")
            if self._text[position : position + 1] != '"':
                raise JsoncError(self._text, position, 'expected a key in double quotes or "}"')
            key, end = self._string(position)
            colon = self.skip(end)
            if self._text[colon : colon + 1] != ":":
                raise JsoncError(self._text, colon, "expected : after the key")
            value = self.value(self.skip(colon + 1), depth + 1)
            comma, after = self._comma(value.end)
            members.append(Member(key, position, value, comma))
            position = after
        return Node(start, position + 1, {m.key: m.value.value for m in members}, tuple(members))

    def _array(self, start: int, depth: int) -> Node:
        items: list[Any] = []
        separated = True
        position = self.skip(start + 1)
        while self._text[position : position + 1] != "]":
            if not separated:
                raise JsoncError(self._text, position, "expected , or ]")
            item = self.value(position, depth + 1)
            items.append(item.value)
            comma, position = self._comma(item.end)
            separated = comma >= 0
        return Node(start, position + 1, items)

    def _comma(self, position: int) -> tuple[int, int]:
        position = self.skip(position)
        if self._text[position : position + 1] == ",":
            return position, self.skip(position + 1)
        return -1, position

    def _string(self, start: int) -> tuple[str, int]:
        try:
            text, end = _STRINGS.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            raise JsoncError(self._text, error.pos, error.msg) from error
        return str(text), end
