"""How values are bound and stored: lists as single SQL parameters, section paths as text, lists of addresses compressed."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app import caps
from app.errors import CorpusError

MAX_NAVIGATION_BYTES: Final = caps.MAX_NAVIGATION_LINKS * caps.MAX_URL_CHARS
"""The same links as one list in the corpus, unpacked."""

Ids = NDArray[np.int64]

SECTION_SEPARATOR: Final = " > "

HINT: Final = "Read the page again, or restore a backup."


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


def pack_urls(urls: Iterable[str]) -> bytes:
    """One address a line, until MAX_NAVIGATION_BYTES; an address that holds a line break is none and is left out."""
    lines = [url.encode() for url in urls if url and "\n" not in url]
    ends = accumulate(len(line) + 1 for line in lines)
    count = bisect_right(list(ends), MAX_NAVIGATION_BYTES + 1)
    return zlib.compress(b"\n".join(lines[:count]))


def unpack_urls(blob: bytes) -> list[str]:
    """The addresses of a packed list. Raises CorpusError for one that is damaged or longer than any that `pack_urls` makes."""
    inflater = zlib.decompressobj()
    try:
        # One byte more than is allowed, so that a list of just the greatest length comes to its end.
        lines = inflater.decompress(blob, MAX_NAVIGATION_BYTES + 1)
        if len(lines) > MAX_NAVIGATION_BYTES:
            raise CorpusError(f"A list of links is longer than {MAX_NAVIGATION_BYTES // caps.MIB} MiB.", hint=HINT)
        if not inflater.eof:
            raise CorpusError("A list of links ends too early.", hint=HINT)
        return [url for url in lines.decode().split("\n") if url]
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorpusError(f"A list of links is damaged ({error}).", hint=HINT) from error
