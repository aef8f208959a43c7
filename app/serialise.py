"""Results as plain JSON values, the same for `--json`, the control endpoint and files."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


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
