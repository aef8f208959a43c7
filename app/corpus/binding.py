"""Lists as single SQL parameters, and the text form of a section path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

SECTION_SEPARATOR: Final = " > "


def ids_of(values: Iterable[int]) -> Ids:
    """The values as an array that can be bound."""
    return np.fromiter(values, np.int64)


def distinct(ids: Ids) -> Ids:
    """The values, ascending, each once. As `np.unique`, which loads a part of numpy that nothing else needs, for 10 ms."""
    ordered = np.sort(ids)
    first: NDArray[np.bool_] = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[first]


def id_list(ids: Ids) -> apsw.CArrayBinding:
    """Ids for `carray(?)`; never an empty array, which SQLite refuses."""
    return apsw.carray(np.ascontiguousarray(ids if len(ids) else (-1,), np.int64))


def text_list(texts: Iterable[str]) -> apsw.CArrayBinding:
    """Addresses for `carray(?)`, which takes no empty list and no NUL; no address is empty or holds one."""
    return apsw.carray(tuple(text for text in texts if "\0" not in text) or ("",))


def join_path(section_path: tuple[str, ...]) -> str:
    """The path as stored; a ">" inside a heading is escaped, so that `split_path` gives it back."""
    return SECTION_SEPARATOR.join(heading.replace("\\", "\\\\").replace(">", "\\>") for heading in section_path)


def split_path(stored: str) -> tuple[str, ...]:
    """The headings of a stored path."""
    if not stored:
        return ()
    return tuple(part.replace("\\>", ">").replace("\\\\", "\\") for part in stored.split(SECTION_SEPARATOR))
