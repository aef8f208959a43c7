"""Set or remove one member in the text of a JSON file; every byte that is not ours stays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from app.clients.jsonc import Member, Node, is_blank, parse
from app.clients.syntax import NotAnObjectError, newline_of

DEFAULT_INDENT: Final = "  "

_SAME_LINE = re.compile(r"(?:[ \t]+|/\*[^\r\n]*?\*/|//[^\r\n]*)*")


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """The text with the member set; objects on the way are made. Raises JsoncError, NotAnObjectError."""
    if is_blank(text):
        return _document(text, _nested(path, value))
    node = parse(text)
    if not node.is_object:
        raise NotAnObjectError("")
    for depth, key in enumerate(path):
        member = node.member(key)
        if member is None:
            return _insert(text, node, key, _nested(path[depth + 1 :], value))
        if depth == len(path) - 1:
            return _replace(text, node, member, value)
        if not member.value.is_object:
            raise NotAnObjectError(key)
        node = member.value
    raise ValueError("an empty path names no member")


def remove_member(text: str, path: Sequence[str]) -> str:
    """The text without the member and its duplicates. Raises JsoncError, NotAnObjectError."""
    while (found := find(text, path)) is not None:
        text = _remove(text, *found)
    return text


def find(text: str, path: Sequence[str]) -> tuple[Node, Member] | None:
    """The member at `path` and the object it is in. Raises JsoncError, NotAnObjectError."""
    if is_blank(text):
        return None
    node = parse(text)
    if not node.is_object:
        raise NotAnObjectError("")
    for depth, key in enumerate(path):
        member = node.member(key)
        if member is None:
            return None
        if depth == len(path) - 1:
            return node, member
        if not member.value.is_object:
            raise NotAnObjectError(key)
        node = member.value
    return None


def load(text: str) -> Any:
    """The whole text as data, an empty object for one without any. Raises JsoncError."""
    try:
        # Most files are plain JSON, and some are megabytes long.
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return {} if is_blank(text) else parse(text).value


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _document(text: str, value: Any) -> str:
    """A first value below the comments that are all there is."""
    newline = newline_of(text)
    comments = text.rstrip()
    return (comments + newline if comments else "") + _rendered(value, DEFAULT_INDENT, "", newline) + newline


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _replace(text: str, node: Node, member: Member, value: Any) -> str:
    if member.value.value == value:
        return text
    if _is_on_one_line(text, node):
        rendered = json.dumps(value, ensure_ascii=False)
        return text[: member.value.start] + rendered + text[member.value.end :]
    indent = _indent_of_line(text, member.key_start)
    rendered = _rendered(value, _unit(text), indent, newline_of(text))
    return text[: member.value.start] + rendered + text[member.value.end :]


def _insert(text: str, node: Node, key: str, value: Any) -> str:
    """Put a member at the end of an object, in the style of the members that are there."""
    if not node.members:
        return _insert_first(text, node, key, value)
    last = node.members[-1]
    if _is_on_one_line(text, node):
        member = f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        place = last.value.end if last.comma < 0 else last.comma + 1
    else:
        indent = _indent_of_members(text, node)
        member = _line(text, indent, key, value)
        place = _same_line_end(text, last.value.end if last.comma < 0 else last.comma + 1)
    if last.comma >= 0:
        return text[:place] + member + "," + text[place:]
    return text[: last.value.end] + "," + text[last.value.end : place] + member + text[place:]


def _insert_first(text: str, node: Node, key: str, value: Any) -> str:
    closing = _indent_of_line(text, node.start)
    member = _line(text, closing + _unit(text), key, value)
    place = _same_line_end(text, node.start + 1)
    rest = text[place:].lstrip(" \t")
    if rest.startswith("}"):
        return text[:place] + member + newline_of(text) + closing + rest
    return text[:place] + member + text[place:]


def _indent_of_members(text: str, node: Node) -> str:
    first = node.members[0].key_start
    if "\n" in text[node.start : first]:
        return _indent_of_line(text, first)
    return _indent_of_line(text, node.start) + _unit(text)


def _line(text: str, indent: str, key: str, value: Any) -> str:
    newline = newline_of(text)
    return f"{newline}{indent}{json.dumps(key)}: {_rendered(value, _unit(text), indent, newline)}"


def _remove(text: str, node: Node, member: Member) -> str:
    """Cut a member out with its line and the comma that nobody needs any more."""
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


def _rendered(value: Any, unit: str, indent: str, newline: str) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=unit)
    return text.replace("\n", newline + indent)


def _is_on_one_line(text: str, node: Node) -> bool:
    return "\n" not in text[node.start : node.end]


def _same_line_end(text: str, position: int) -> int:
    """The position after the comments that belong to the line."""
    found = _SAME_LINE.match(text, position)
    if found is None:
        return position
    ends = text[found.end() : found.end() + 1] in {"", "\n", "\r"}
    return found.end() if ends else position


def _indent_of_line(text: str, position: int) -> str:
    line_start = text.rfind("\n", 0, position) + 1
    found = re.match(r"[ \t]*", text[line_start:position])
    return found.group() if found else ""


def _unit(text: str) -> str:
    """One step of indentation: that of the first member of the file."""
    found = re.search(r"\{[^\S\n]*\r?\n(?:[ \t]*//[^\n]*\n)*([ \t]+)\"", text)
    return found.group(1) if found else DEFAULT_INDENT
