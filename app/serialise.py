"""Read JSON and TOML from outside, and convert results to plain JSON values, for `--json`, the control endpoint and files.

JSON can contain half a surrogate pair, which UTF-8 cannot. Both directions replace it with U+FFFD.
"""

from __future__ import annotations

import functools
import json
import re
import sys
import tomllib
from codecs import BOM_UTF8
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

_LONG_KEY: Final = re.compile(r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){60}""")
"""The time and the memory of the parser of TOML are quadratic in the parts of a key."""

REPLACEMENT: Final = "\ufffd"
_MAX_NUMBER: Final = 1 << 62
_HALVES: Final = re.compile("[\ud800-\udfff]")
_SPELLED_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_SPELLED: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\xed[\xa0-\xbf][\x80-\xbf])|\\."
)
"""A whole surrogate pair, half of one as an escape or as bytes, or any other escape."""


def sound_json(data: bytes) -> bytes:
    """Return the JSON without a byte order mark, and with U+FFFD for each half of a surrogate pair."""
    data = data.removeprefix(BOM_UTF8)
    if not _SPELLED_HALF.search(data):
        return data
    return _SPELLED.sub(lambda found: rb"\ufffd" if found[1] else found[0], data)


def read_json(data: bytes | str, *, strict: bool = True) -> Any:
    """Return the value of UTF-8 JSON. Raises ValueError, and RecursionError for deeply nested input."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return json.loads(sound_json(raw).decode(), strict=strict)


def read_toml(text: str) -> dict[str, Any]:
    """Return the data of a TOML text. Raises ValueError."""
    if _LONG_KEY.search(text):
        raise ValueError("a key has too many parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("brackets are nested too deeply") from error


def sound_text(text: str) -> str:
    """Return the text with U+FFFD for each half of a surrogate pair."""
    return text if text.isascii() else _HALVES.sub(REPLACEMENT, text)


def sound(value: Any) -> Any:
    """Return a JSON value with U+FFFD for each half of a surrogate pair in texts and names."""
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, dict):
        return {sound(name): sound(each) for name, each in value.items()}
    return [sound(each) for each in value] if isinstance(value, list) else value


def to_jsonable(value: Any) -> Any:
    """Convert a dataclass tree to dictionaries, lists and scalars, with the values of enums and lists for tuples."""
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


def from_jsonable(kind: type[T], value: Any, *, most: int = sys.maxsize) -> T:
    """Return the tree of dataclasses from which `to_jsonable` made this JSON value.

    Ignores unknown fields, so that both sides can add some. Raises ValueError for missing fields, wrong types, lists with more than `most`
    entries, and numbers that are not finite or have more than 62 bits.
    """
    return cast(T, _read(kind, value, getattr(kind, "__name__", str(kind)), most))


_hints: Final = functools.cache(get_type_hints)


def _read(kind: Any, value: Any, place: str, most: int) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        given = next(each for each in arguments if each is not type(None))
        return None if value is None else _read(given, value, place, most)
    if origin in (tuple, list):
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"{place} is not a list, or has more than {most:,} entries.")
        if origin is list or arguments[-1] is Ellipsis:
            return origin(_read(arguments[0], each, place, most) for each in value)
        if len(value) != len(arguments):
            raise ValueError(f"{place} has {len(value)} entries, not {len(arguments)}.")
        return tuple(_read(each, entry, place, most) for each, entry in zip(arguments, value, strict=True))
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, dict):
            raise ValueError(f"{place} is not an object.")
        taken = {}
        for field in fields(kind):
            if field.name in value:
                taken[field.name] = _read(_hints(kind)[field.name], value[field.name], f"{place}.{field.name}", most)
            elif field.default is MISSING and field.default_factory is MISSING:
                raise ValueError(f"{place} has no {field.name}.")
        return kind(**taken)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return _read_scalar(origin or kind, value, place)


def _read_scalar(kind: Any, value: Any, place: str) -> Any:
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise ValueError(f"{place} has type {type(value).__name__}, not {kind.__name__}.")
    if kind in (int, float):
        if not abs(value) < _MAX_NUMBER:
            raise ValueError(f"{place} is not a usable number.")
        return kind(value)
    return sound_text(value).replace("\0", REPLACEMENT) if kind is str else value
