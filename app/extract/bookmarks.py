"""Bookmarks as all browsers export them (the Netscape bookmark file)."""

from __future__ import annotations

from typing import Final

from app import caps
from app.extract.addresses import Resolver
from app.extract.decode import decode, parse

_MARKS: Final = (b"netscape-bookmark-file", b"<dl", b"<dt")
_NO_PLACE: Final = "about:blank"
"""Bookmarks are absolute; nothing relative resolves against this."""


def bookmark_urls(body: bytes) -> tuple[str, ...]:
    """The http(s) addresses of a bookmark file in its order, each once; none where the body is no such file."""
    if not any(mark in body.lower() for mark in _MARKS):
        return ()
    try:
        tree = parse(decode(body, None))
    except ValueError:
        return ()
    resolve = Resolver(_NO_PLACE)
    found = dict.fromkeys(target for link in tree.iter("a") if (target := resolve(link.get("href") or "")))
    return tuple(found)[: caps.MAX_IMPORTED_URLS]
