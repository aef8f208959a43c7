"""Set or remove one table in the text of a TOML file. All other bytes are unchanged.

tomlkit merges separated tables and removes the comments after a table with it, so this module finds the positions itself.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.clients.syntax import SyntaxProblem, find_value, newline_of, position_in
from app.serialise import read_toml

_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|(?P<comment>\#[^\n]*)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<newline>\r?\n)|(?P<equals>=)|(?P<space>[ \t]+)|.",
    re.DOTALL,
)
_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A table header, or a key with its value. `path` starts at the outermost table; `line_end` is after the line's end."""

    path: tuple[str, ...]
    is_header: bool
    start: int
    value_start: int
    end: int
    line_end: int


def load(text: str) -> dict[str, Any]:
    """Return the whole text as data. Raises SyntaxProblem."""
    try:
        return read_toml(text)
    except ValueError as error:
        message = str(error)
        found = _PLACE.search(message)
        line, column = position_in(text, len(text))
        if found and found.group(1):
            line, column = int(found.group(1)), int(found.group(2))
        raise SyntaxProblem(line, column, _PLACE.sub("", message)) from error


def set_member(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """Return the text with the table set. Raises SyntaxProblem."""
    current = find_value(load(text), path)
    if current == value:
        return text
    whole = any(statement.path == tuple(path) for statement in _statements(text))
    if isinstance(current, Mapping) and not (whole and current.keys() <= value.keys()):
        # A value of another type, or a table in several parts: write it from scratch.
        text, current = remove_member(text, path), None
    if current is None:
        newline = newline_of(text)
        header = f"[{'.'.join(_key(key) for key in path)}]"
        lines = [header, *(f"{_key(key)} = {_render(one)}" for key, one in value.items())]
        if text:
            text += newline if text.endswith("\n") else newline * 2
        return text + newline.join(lines) + newline
    return _update(text, tuple(path), current, value)


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the table and its subtables. Raises SyntaxProblem."""
    load(text)
    newline = newline_of(text)
    for start, end in reversed(list(_regions(text, tuple(path)))):
        head, tail = text[:start], text[end:]
        parted = not tail or tail.startswith(newline)
        if parted and (head.endswith(newline * 2) or head == newline):
            head = head.removesuffix(newline)
        text = head + tail
    return text


def _regions(text: str, path: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Return the lines of a table, part by part."""
    region: tuple[int, int] | None = None
    for statement in _statements(text):
        if statement.path[: len(path)] != path:
            if region:
                yield region
            region = None
        elif region and not statement.is_header:
            region = (region[0], statement.line_end)
        else:
            if region:
                yield region
            region = (text.rfind("\n", 0, statement.start) + 1, statement.line_end)
    if region:
        yield region


def _update(text: str, path: tuple[str, ...], current: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Change different values in place and add missing ones."""
    statements = list(_statements(text))
    values = {one.path: one for one in statements if not one.is_header}
    if whole := values.get(path):
        return text[: whole.value_start] + _render(value) + text[whole.end :]
    changes: list[tuple[int, int, str]] = []
    for key, wanted in value.items():
        existing = values.get((*path, key))
        if key not in current:
            # After the last line of the table itself, before its subtables.
            place, inside = 0, False
            for statement in statements:
                inside = statement.path == path if statement.is_header else inside
                place = statement.line_end if inside else place
            first = "" if text[:place].endswith("\n") else newline_of(text)
            changes.append((place, place, f"{first}{_key(key)} = {_render(wanted)}{newline_of(text)}"))
        elif current[key] != wanted and existing is not None:
            changes.append((existing.value_start, existing.end, _render(wanted)))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _statements(text: str) -> Iterator[Statement]:
    """Return the headers and keys of a valid text, in order."""
    table: tuple[str, ...] = ()
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        assert found is not None
        if found.lastgroup in {"comment", "newline", "space"}:
            position = found.end()
            continue
        statement = _statement(text, position, table)
        if statement.is_header:
            table = statement.path
        yield statement
        position = statement.line_end


def _statement(text: str, start: int, table: tuple[str, ...]) -> Statement:
    depth, equals, end, position = 0, -1, start, start
    while position < len(text):
        found = _TOKEN.match(text, position)
        assert found is not None
        kind, position = found.lastgroup, found.end()
        if kind == "newline" and depth == 0:
            break
        depth += {"open": 1, "close": -1}.get(kind or "", 0)
        if kind == "equals" and equals < 0:
            equals = found.start()
        if kind not in {"comment", "newline", "space"}:
            end = found.end()
    if equals < 0 or text[start] == "[":
        # The path of an array of tables must not match any table.
        is_list = text.startswith("[[", start)
        header = (*_path(text[start + 2 : end - 2]), "") if is_list else _path(text[start + 1 : end - 1])
        return Statement(header, True, start, end, end, position)
    value_start = _SPACE.match(text, equals + 1)
    assert value_start is not None
    return Statement((*table, *_path(text[start:equals])), False, start, value_start.end(), end, position)


def _path(text: str) -> tuple[str, ...]:
    keys: list[str] = []
    value: Any = tomllib.loads(f"{text.strip()} = 0")
    while isinstance(value, dict):
        ((key, value),) = value.items()
        keys.append(key)
    return tuple(keys)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _render(key)


def _render(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        members = ", ".join(f"{_key(str(key))} = {_render(one)}" for key, one in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_render(one) for one in value)}]"
    # Numbers and booleans have the same form as in JSON. Our entry never contains dates.
    return json.dumps(value)
