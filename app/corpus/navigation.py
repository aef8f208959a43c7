"""The addresses that a page links to outside its main content, compressed."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

import apsw

from app import caps
from app.errors import CorpusError

HINT: Final = "Read the page again, or restore a backup."


def pack(urls: Iterable[str]) -> bytes:
    """One address a line, until MAX_NAVIGATION_BYTES; an address that holds a line break is none and is left out."""
    lines = [url.encode() for url in urls if url and "\n" not in url]
    ends = accumulate(len(line) + 1 for line in lines)
    kept = bisect_right(list(ends), caps.MAX_NAVIGATION_BYTES + 1)
    return zlib.compress(b"\n".join(lines[:kept]))


def unpack(blob: bytes) -> list[str]:
    """The addresses of a packed list. Raises CorpusError for one that is damaged or longer than any that `pack` makes."""
    inflater = zlib.decompressobj()
    try:
        # One byte more than is allowed, so that a list of just the greatest length comes to its end.
        lines = inflater.decompress(blob, caps.MAX_NAVIGATION_BYTES + 1)
        if len(lines) > caps.MAX_NAVIGATION_BYTES:
            raise CorpusError(f"A list of links is longer than {caps.MAX_NAVIGATION_BYTES // caps.MIB} MiB.", hint=HINT)
        if not inflater.eof:
            raise CorpusError("A list of links ends too early.", hint=HINT)
        return [url for url in lines.decode().split("\n") if url]
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorpusError(f"A list of links is damaged ({error}).", hint=HINT) from error


def write(con: apsw.Connection, document_id: int, urls: tuple[str, ...]) -> None:
    """Replace what was known of the document."""
    if not urls:
        con.execute("DELETE FROM navigation WHERE document_id = ?", (document_id,))
        return
    con.execute(
        "INSERT INTO navigation(document_id, urls) VALUES(?, ?)"
        " ON CONFLICT(document_id) DO UPDATE SET urls = excluded.urls WHERE urls <> excluded.urls",
        (document_id, pack(urls)),
    )


def read(con: apsw.Connection, document_id: int) -> list[str]:
    blob = con.execute("SELECT urls FROM navigation WHERE document_id = ?", (document_id,)).get
    return unpack(blob) if blob is not None else []
