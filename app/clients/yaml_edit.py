"""Set or remove one member in the text of a YAML file. All other bytes are unchanged.

ruamel.yaml provides the position of every node. The changed lines are inserted into the text at these positions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from app import caps
from app.clients.syntax import NotAnObjectError, SyntaxProblem, find_value, nest, newline_of, position_in

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

Pair: TypeAlias = "tuple[Node, Node]"
Change: TypeAlias = tuple[int, int, str]
STEP: Final = 2
_COLON: Final = re.compile(r"\s*:")
_ALIAS: Final = re.compile(r"\s*\*[^\s,\[\]{}]+")
_ALIAS_ITEM: Final = re.compile(r"-[ \t]+\*[^\s,\[\]{}]+")
MAX_VALUES: Final = 200_000
"""Limit for the nodes of a file with all aliases expanded. Aliases of aliases grow exponentially."""


def load(text: str) -> Any:
    """Return the whole text as data, or an empty mapping for an empty text. Raises SyntaxProblem."""
    from ruamel.yaml import YAML

    with _explain_errors(text):
        value = YAML(typ="safe", pure=True).load(text)
        _demand_finite(value)
    return {} if value is None else value


def _demand_finite(value: Any) -> None:
    """Raise ValueError if aliases make the data contain itself or too many nodes."""
    opened: set[int] = set()
    stack: list[tuple[Any, bool]] = [(value, False)]
    values = 0
    while stack:
        each, is_done = stack.pop()
        if is_done:
            opened.discard(id(each))
            continue
        values += 1
        if id(each) in opened or values > MAX_VALUES:
            raise ValueError("an alias contains itself, or the aliases expand to too much data")
        if isinstance(each, Mapping | list | tuple | set):
            opened.add(id(each))
            stack.append((each, True))
            stack += [(one, False) for one in (each.values() if isinstance(each, Mapping) else each)]


def set_member(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """Return the text with the member set. Creates missing mappings on the path. Raises SyntaxProblem, NotAnObjectError."""
    load(text)
    node = _root(text)
    if node is None:
        newline = newline_of(text)
        lines = member_lines(path[0], nest(path[1:], value), 0)
        return text + ("" if not text or text.endswith("\n") else newline) + newline.join(lines) + newline
    _demand_mapping(node, "")
    above: Pair | None = None
    for depth, key in enumerate(path):
        pair = _pair(node, key)
        if pair is None:
            return _insert(text, node, above, key, nest(path[depth + 1 :], value))
        if depth == len(path) - 1:
            return _replace(text, node, path, pair, value)
        if _is_empty(pair[1]):
            return _fill(text, pair, path[depth + 1], nest(path[depth + 2 :], value))
        _demand_mapping(pair[1], key)
        above, node = pair, pair[1]
    raise ValueError("the path is empty")


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member. Raises SyntaxProblem, NotAnObjectError."""
    load(text)
    node = _root(text)
    above: Pair | None = None
    for depth, key in enumerate(path):
        if node is None or _is_empty(node):
            return text
        _demand_mapping(node, path[depth - 1] if depth else "")
        pair = _pair(node, key)
        if pair is None:
            return text
        if depth == len(path) - 1:
            return _remove(text, node, above, pair)
        above, node = pair, pair[1]
    return text


def _replace(text: str, node: Node, path: Sequence[str], pair: Pair, value: Mapping[str, Any]) -> str:
    """Change different values in place. An entry with other keys than ours is rewritten."""
    current = find_value(load(text), path)
    if current == value:
        return text
    inner = pair[1]
    if not isinstance(current, Mapping) or not current.keys() <= value.keys() or not inner.value or _is_flow(inner):
        start, (_, end) = pair[0].start_mark.index, _span(text, pair)
        if _is_flow(node):
            return text[:start] + f"{flow(path[-1])}: {flow(value, inside=True)}" + text[end:]
        lines = member_lines(path[-1], value, pair[0].start_mark.column)
        return text[:start] + newline_of(text).join(lines).lstrip(" ") + text[end:]
    changes: list[Change] = []
    for key, wanted in value.items():
        existing = _pair(inner, key)
        if existing is None:
            changes.append(_lines_after(text, inner, member_lines(key, wanted, inner.value[0][0].start_mark.column)))
        elif current[key] != wanted:
            changes.append(_value_change(text, existing, wanted))
    return _apply_changes(text, changes)


def _value_change(text: str, pair: Pair, value: Any) -> Change:
    """Keep the style of a list."""
    node = pair[1]
    start, end = _span(text, pair)
    if isinstance(node.value, list) and not _is_flow(node) and isinstance(value, list) and value:
        indent = " " * node.start_mark.column
        return start, end, (newline_of(text) + indent).join(f"- {flow(one)}" for one in value)
    return start, end, flow(value) if end > start else f" {flow(value)}"


def _insert(text: str, node: Node, above: Pair | None, key: str, value: Any) -> str:
    """Add a member at the end of a mapping, in the style of its other members."""
    if _is_flow(node) and not node.value and above is not None:
        # A member is in brackets if more than indentation precedes it.
        start = above[0].start_mark.index
        if not text[text.rfind("\n", 0, start) + 1 : start].strip():
            return _fill(text, above, key, value)
    if _is_flow(node):
        place = _span(text, node.value[-1])[1] if node.value else node.start_mark.index + 1
        comma = ", " if node.value else ""
        return text[:place] + f"{comma}{flow(key, inside=True)}: {flow(value, inside=True)}" + text[place:]
    return _apply_changes(
        text, [_lines_after(text, node, member_lines(key, value, node.value[0][0].start_mark.column))]
    )


def _fill(text: str, pair: Pair, key: str, value: Any) -> str:
    """Add the first member of an empty mapping."""
    start = _colon_end(text, pair)
    _, end = _span(text, pair)
    line_end = _line_end(text, end)
    newline = newline_of(text)
    lines = member_lines(key, value, pair[0].start_mark.column + STEP)
    rest = text[end:line_end].rstrip("\r\n")
    return text[:start] + rest + newline + newline.join(lines) + newline + text[line_end:]


def _remove(text: str, node: Node, above: Pair | None, pair: Pair) -> str:
    place = node.value.index(pair)
    if _is_flow(node):
        start, end = pair[0].start_mark.index, _end(text, pair[1])
        if place + 1 < len(node.value):
            end = node.value[place + 1][0].start_mark.index
        elif place:
            start = _end(text, node.value[place - 1][1])
        return text[:start] + text[end:]
    start = text.rfind("\n", 0, pair[0].start_mark.index) + 1
    text = text[:start] + text[_line_end(text, _span(text, pair)[1]) :]
    if len(node.value) > 1 or above is None:
        return text
    colon = _colon_end(text, above)
    return text[:colon] + " {}" + text[colon:]


def _lines_after(text: str, node: Node, lines: list[str]) -> Change:
    """Add lines below the last line of a mapping."""
    place = _line_end(text, _end(text, node))
    newline = newline_of(text)
    first = "" if text[:place].endswith("\n") else newline
    return place, place, first + newline.join(lines) + newline


def _apply_changes(text: str, changes: list[Change]) -> str:
    for start, end, new in sorted(changes, key=lambda change: change[0], reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _root(text: str) -> Node | None:
    from ruamel.yaml import YAML

    with _explain_errors(text):
        found: Node | None = YAML(pure=True).compose(text)
    return found


def _demand_mapping(node: Node, key: str) -> None:
    from ruamel.yaml.nodes import MappingNode

    if not isinstance(node, MappingNode):
        raise NotAnObjectError(key)


def _pair(node: Node, key: str) -> Pair | None:
    return next((pair for pair in node.value if pair[0].value == key), None)


def _is_empty(node: Node) -> bool:
    return str(node.tag).endswith(":null")


def _is_flow(node: Node) -> bool:
    """Whether a mapping or list uses brackets."""
    return bool(getattr(node, "flow_style", False))


def _end(text: str, node: Node) -> int:
    """Return the position after a value. The parser includes the comments after a block in it."""
    if isinstance(node.value, list) and node.value and not _is_flow(node):
        last = node.value[-1]
        if isinstance(last, tuple):
            return _span(text, last)[1]
        if last.start_mark.index >= node.start_mark.index:
            return _end(text, last)
        aliases = [*_ALIAS_ITEM.finditer(text, node.start_mark.index, node.end_mark.index)]
        return aliases[-1].end() if aliases else int(node.end_mark.index)
    if isinstance(node.value, str) and getattr(node, "style", None) in {"|", ">"}:
        return int(node.end_mark.index) - 1
    return int(node.end_mark.index)


def _span(text: str, pair: Pair) -> tuple[int, int]:
    """Return the position of a value. A missing value is right after its colon; the node of an alias is at its anchor."""
    colon = _colon_end(text, pair)
    if pair[1].start_mark.index < pair[0].start_mark.index and (alias := _ALIAS.match(text, colon)):
        return alias.end() - len(alias.group().lstrip()), alias.end()
    start, end = pair[1].start_mark.index, _end(text, pair[1])
    return (start, end) if text[max(colon, start) : end].strip() else (colon, colon)


def _colon_end(text: str, pair: Pair) -> int:
    """Return the position after the colon of a key, or after the key if it has no colon, as in brackets."""
    key_end = int(pair[0].end_mark.index)
    found = _COLON.match(text, key_end)
    return found.end() if found else key_end


def _line_end(text: str, position: int) -> int:
    """Return the beginning of the next line."""
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


@contextmanager
def _explain_errors(text: str) -> Iterator[None]:
    """Convert errors of the parser to a problem with line and column."""
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        yield
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else position_in(text, len(text))
        raise SyntaxProblem(line, column, str(error.problem or "not understood")) from error
    except (YAMLError, ValueError, RecursionError, AssertionError, LookupError, TypeError, AttributeError) as error:
        # The parser fails on some texts, such as an unknown YAML version, with errors of other types.
        first = next(iter(str(error).splitlines()), "not understood")
        raise SyntaxProblem(1, 1, first[: caps.MAX_LOG_LINE_CHARS]) from error


_PLAIN: Final = re.compile(r"[A-Za-z_/][\w./ +@,()-]*(?<! )")
_NOT_TEXT: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def member_lines(key: str, value: Any, column: int) -> list[str]:
    """Return the lines of a key with its value, as a block that begins at a column."""
    indent = " " * column
    if isinstance(value, Mapping) and value:
        lines = [line for name, one in value.items() for line in member_lines(str(name), one, column + 2)]
        return [f"{indent}{flow(key)}:", *lines]
    if isinstance(value, list | tuple) and value:
        return [f"{indent}{flow(key)}:", *(f"{indent}  - {flow(one)}" for one in value)]
    return [f"{indent}{flow(key)}: {flow(value)}"]


def flow(value: Any, *, inside: bool = False) -> str:
    """Return a value on one line. `inside` brackets, a comma would end a plain text."""
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT and not (inside and "," in value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        members = ", ".join(f"{flow(str(key), inside=True)}: {flow(one, inside=True)}" for key, one in value.items())
        return f"{{{members}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(one, inside=True) for one in value)}]"
    return json.dumps(value)
