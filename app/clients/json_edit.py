"""Set or remove one member in the text of a JSON file. All other bytes are unchanged.

Reads comments and trailing commas and the position of every value, which no library provides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app import caps
from app.clients.syntax import NotAnObjectError, SyntaxProblem, nest, newline_of, position_in
from app.text.sentence import sentence

MAX_JSON_DEPTH: Final = 200
MAX_COMMENTED_CHARS: Final = 4 * caps.MIB
"""Longer texts must be plain JSON. Reading 1 MiB with comments takes up to two seconds."""
DEFAULT_INDENT: Final = "  "

_SAME_LINE = re.compile(r"(?:[ \t]+|/\*[^\r\n]*?\*/|//[^\r\n]*)*")


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with the member set. Creates missing objects on the path. Raises JsoncError, NotAnObjectError."""
    if is_blank(text):
        # The first value of a file that contains only comments goes below them.
        newline, comments = newline_of(text), text.rstrip()
        below = comments + newline if comments else ""
        return below + _render(nest(path, value), DEFAULT_INDENT, "", newline) + newline
    node, depth, member = _walk(text, path)
    if member is None:
        return _insert(text, node, path[depth], nest(path[depth + 1 :], value))
    if member.value.value == value:
        return text
    if _is_on_one_line(text, node):
        rendered = json.dumps(value, ensure_ascii=False)
    else:
        rendered = _render(value, _unit(text), _indent_of_line(text, member.key_start), newline_of(text))
    return text[: member.value.start] + rendered + text[member.value.end :]


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member and its duplicates. Raises JsoncError, NotAnObjectError."""
    while (found := find(text, path)) is not None:
        text = _remove(text, *found)
    return text


def find(text: str, path: Sequence[str]) -> tuple[PlacedValue, Member] | None:
    """Return the member at `path` and its object. Raises JsoncError, NotAnObjectError."""
    if is_blank(text):
        return None
    node, _, member = _walk(text, path)
    return (node, member) if member is not None else None


def _walk(text: str, path: Sequence[str]) -> tuple[PlacedValue, int, Member | None]:
    """Return the innermost object on the path to a member, the index of its key in the path, and the member or None."""
    node = parse(text)
    if not node.is_object:
        raise NotAnObjectError("")
    for depth, key in enumerate(path):
        member = node.member(key)
        if member is None or depth == len(path) - 1:
            return node, depth, member
        if not member.value.is_object:
            raise NotAnObjectError(key)
        node = member.value
    raise ValueError("the path is empty")


def load(text: str) -> Any:
    """Return the whole text as data, or an empty object for an empty text. Raises JsoncError."""
    try:
        # Most files are plain JSON, and some have several megabytes.
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if len(text) > MAX_COMMENTED_CHARS:
            raise JsoncError(text, getattr(error, "pos", 0), str(error)) from error
        return {} if is_blank(text) else parse(text).value


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _insert(text: str, node: PlacedValue, key: str, value: Any) -> str:
    """Add a member at the end of an object, in the style of its other members."""
    if not node.members:
        closing = _indent_of_line(text, node.start)
        member = _line(text, closing + _unit(text), key, value)
        place = _same_line_end(text, node.start + 1)
        rest = text[place:].lstrip(" \t")
        if rest.startswith("}"):
            return text[:place] + member + newline_of(text) + closing + rest
        return text[:place] + member + text[place:]
    last = node.members[-1]
    if _is_on_one_line(text, node):
        member = f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        place = last.value.end if last.comma < 0 else last.comma + 1
    else:
        first = node.members[0].key_start
        below = "\n" in text[node.start : first]
        indent = _indent_of_line(text, first) if below else _indent_of_line(text, node.start) + _unit(text)
        member = _line(text, indent, key, value)
        place = _same_line_end(text, last.value.end if last.comma < 0 else last.comma + 1)
    if last.comma >= 0:
        return text[:place] + member + "," + text[place:]
    return text[: last.value.end] + "," + text[last.value.end : place] + member + text[place:]


def _line(text: str, indent: str, key: str, value: Any) -> str:
    newline = newline_of(text)
    return f"{newline}{indent}{json.dumps(key)}: {_render(value, _unit(text), indent, newline)}"


def _remove(text: str, node: PlacedValue, member: Member) -> str:
    """Remove a member with its line and the remaining comma."""
    index = node.members.index(member)
    end = member.comma + 1 if member.comma >= 0 else member.value.end
    start = member.key_start
    blank = len(text[:start]) - len(text[:start].rstrip(" \t"))
    line_start = start - blank
    if text[:line_start].endswith("\n"):
        start = line_start - (2 if text[:line_start].endswith("\r\n") else 1)
    elif index > 0:
        start = line_start
    elif member.comma >= 0:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    head, tail = text[:start], text[end:]
    if member.comma < 0 and index > 0:
        comma = node.members[index - 1].comma
        head = head[:comma] + head[comma + 1 :]
    if len(node.members) == 1 and not head[node.start + 1 :].strip() and tail.lstrip().startswith("}"):
        return head[: node.start + 1] + tail.lstrip()
    return head + tail


def _render(value: Any, unit: str, indent: str, newline: str) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=unit)
    return text.replace("\n", newline + indent)


def _is_on_one_line(text: str, node: PlacedValue) -> bool:
    return "\n" not in text[node.start : node.end]


def _same_line_end(text: str, position: int) -> int:
    """Return the position after the comments on the same line."""
    found = _SAME_LINE.match(text, position)
    if found is None:
        return position
    ends = text[found.end() : found.end() + 1] in {"", "\n", "\r"}
    return found.end() if ends else position


def _indent_of_line(text: str, position: int) -> str:
    line_start = text.rfind("\n", 0, position) + 1
    found = re.match(r"[ \t]*", text[line_start:position])
    return found.group() if found else ""


_INDENT_CHARS: Final = 4_096  # The beginning of a file shows its indentation.


def _unit(text: str) -> str:
    """Return one step of indentation, taken from the first member of the file."""
    found = re.search(r"\{[^\S\n]*\r?\n(?:[ \t]*//[^\n]*\n)*([ \t]+)\"", text[:_INDENT_CHARS])
    return found.group(1) if found else DEFAULT_INDENT


_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)+", re.DOTALL)
_LITERALS: Final = {"true": True, "false": False, "null": None}
_PLAIN: Final = json.JSONDecoder(parse_constant=_refuse)


class JsoncError(SyntaxProblem):
    """The text is not valid JSON."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(*position_in(text, position), expected)


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value. `comma` is the position of the comma after the value, or -1."""

    key: str
    key_start: int
    value: PlacedValue
    comma: int


@dataclass(frozen=True, slots=True)
class PlacedValue:
    """A value and its position: text[start:end]. Only objects have `members`."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = field(default=())

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    def member(self, key: str) -> Member | None:
        """Return the effective member: the last one, as in every JSON parser."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def parse(text: str) -> PlacedValue:
    """Return the single value of a text. Raises JsoncError."""
    reader = _Reader(text)
    node = reader.value(reader.skip(0), 0)
    rest = reader.skip(node.end)
    if rest != len(text):
        raise JsoncError(text, rest, sentence("unexpected text after the closing bracket"))
    return node


def is_blank(text: str) -> bool:
    """Whether a text contains only white space and comments. Raises JsoncError for an unclosed comment."""
    reader = _Reader(text)
    end = reader.skip(0)
    if text.startswith("/*", end):
        raise JsoncError(text, end, sentence("unclosed comment"))
    return end == len(text)


def is_plain(text: str) -> bool:
    """Whether a parser without comments and trailing commas accepts the text."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._has_plain_lists = True
        """Whether all lists so far are plain JSON, which is read faster."""

    def skip(self, position: int) -> int:
        """Return the position after white space and comments."""
        found = _TRIVIA.match(self._text, position)
        return found.end() if found else position

    def value(self, start: int, depth: int) -> PlacedValue:
        if depth > MAX_JSON_DEPTH:
            raise JsoncError(self._text, start, sentence("brackets are nested too deeply"))
        opening = self._text[start : start + 1]
        if opening == "{":
            return self._object(start, depth)
        if opening == "[":
            return self._array(start, depth)
        if opening == '"':
            text, end = self._string(start)
            return PlacedValue(start, end, text)
        if number := _NUMBER.match(self._text, start):
            try:
                return PlacedValue(start, number.end(), json.loads(number.group()))
            except ValueError:  # An integer of thousands of digits.
                raise JsoncError(self._text, start, sentence("expected a value")) from None
        for word, literal in _LITERALS.items():
            if self._text.startswith(word, start):
                return PlacedValue(start, start + len(word), literal)
        raise JsoncError(self._text, start, sentence("expected a value"))

    def _object(self, start: int, depth: int) -> PlacedValue:
        members: list[Member] = []
        position = self.skip(start + 1)
        while self._text[position : position + 1] != "}":
            if members and members[-1].comma < 0:
                raise JsoncError(self._text, position, sentence("expected , or }"))
            if self._text[position : position + 1] != '"':
                raise JsoncError(self._text, position, sentence('expected a key in double quotes or "}"'))
            key, end = self._string(position)
            colon = self.skip(end)
            if self._text[colon : colon + 1] != ":":
                raise JsoncError(self._text, colon, sentence("expected : after the key"))
            value = self.value(self.skip(colon + 1), depth + 1)
            comma, after = self._comma(value.end)
            members.append(Member(key, position, value, comma))
            position = after
        return PlacedValue(start, position + 1, {m.key: m.value.value for m in members}, tuple(members))

    def _array(self, start: int, depth: int) -> PlacedValue:
        if self._has_plain_lists:
            try:
                plain, end = _PLAIN.raw_decode(self._text, start)
                return PlacedValue(start, end, plain)
            except (ValueError, RecursionError):
                self._has_plain_lists = False
        items: list[Any] = []
        separated = True
        position = self.skip(start + 1)
        while self._text[position : position + 1] != "]":
            if not separated:
                raise JsoncError(self._text, position, sentence("expected , or ]"))
            item = self.value(position, depth + 1)
            items.append(item.value)
            comma, position = self._comma(item.end)
            separated = comma >= 0
        return PlacedValue(start, position + 1, items)

    def _comma(self, position: int) -> tuple[int, int]:
        position = self.skip(position)
        if self._text[position : position + 1] == ",":
            return position, self.skip(position + 1)
        return -1, position

    def _string(self, start: int) -> tuple[str, int]:
        try:
            text, end = _PLAIN.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            raise JsoncError(self._text, error.pos, error.msg) from error
        return str(text), end
