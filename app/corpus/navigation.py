"""The addresses that a page links to outside its main content, compressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import apsw


def pack(urls: Iterable[str]) -> bytes:
    """One address a line; an address that holds a line break is none and is left out."""
    return zlib.compress("\n".join(url for url in urls if url and "\n" not in url).encode())


def unpack(blob: bytes) -> list[str]:
    """The addresses of a packed list; raises zlib.error or UnicodeDecodeError for a damaged one."""
    return [url for url in zlib.decompress(blob).decode().split("\n") if url]


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
