"""How JSON from outside is read, and results as plain JSON values, the same for `--json`, the control endpoint and files.

JSON can spell half a surrogate pair, which UTF-8 cannot. Both ways it becomes U+FFFD.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

REPLACEMENT: Final = "\ufffd"
_HALVES: Final = re.compile("[\ud800-\udfff]")
_SPELLED_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_SPELLED: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\xed[\xa0-\xbf][\x80-\xbf])|\\."
)
"""A whole pair, half of one as an escape or as bytes, or any other escape."""


def sound_json(data: bytes) -> bytes:
    """The JSON with U+FFFD for each half of a surrogate pair."""
    if not _SPELLED_HALF.search(data):
        return data
    return _SPELLED.sub(lambda found: rb"\ufffd" if found[1] else found[0], data)


def read_json(data: bytes | str, *, strict: bool = True) -> Any:
    """The value of UTF-8 JSON. Raises ValueError, and RecursionError for what is nested too deep."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return json.loads(sound_json(raw).decode("utf-8-sig"), strict=strict)


def sound_text(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair."""
    return text if text.isascii() else _HALVES.sub(REPLACEMENT, text)


def sound(value: Any) -> Any:
    """A JSON value, its texts and the names of its fields with U+FFFD for each half of a surrogate pair."""
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, dict):
        return {sound(name): sound(each) for name, each in value.items()}
    return [sound(each) for each in value] if isinstance(value, list) else value


def to_jsonable(value: Any) -> Any:
    """A dataclass tree as dictionaries, lists and scalars; enums by value, tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_jsonable(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): to_jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_jsonable(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return value


def from_jsonable(kind: type[T], value: Any) -> T:
    """What `to_jsonable` made of a dataclass tree, back as the tree. Raises ValueError for another shape."""
    return cast(T, _built(kind, value))


def _built(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None:
            return None
        return _built(next(argument for argument in arguments if argument is not type(None)), value)
    if origin in (tuple, list):
        if not isinstance(value, list):
            raise ValueError(f"a list was expected, not {type(value).__name__}")
        return origin(_built(arguments[0], item) for item in value)
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, dict):
            raise ValueError(f"an object was expected, not {type(value).__name__}")
        hints = get_type_hints(kind)
        try:
            return kind(**{name: _built(hints[name], item) for name, item in value.items()})
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a {kind.__name__}: {error}") from error
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return value
