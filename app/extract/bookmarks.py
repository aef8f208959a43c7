"""Bookmarks as all browsers export them (the Netscape bookmark file), with their folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app import caps
from app.extract.addresses import Resolver
from app.extract.characters import collapse, decode
from app.extract.tree import parse

MAX_BOOKMARK_FOLDERS: Final = 1_000
"""Files of one import; a folder takes more."""

_MARKS: Final = (b"netscape-bookmark-file", b"<dl", b"<dt")
_NO_BASE: Final = "about:blank"
"""Bookmarks are absolute; nothing relative resolves against this."""
_NAMES = ("h1", "h2", "h3", "h4")


def bookmark_urls(body: bytes) -> tuple[str, ...]:
    """The http(s) addresses of a bookmark file in its order, each once; none where the body is no such file."""
    if not any(mark in body.lower() for mark in _MARKS):
        return ()
    try:
        tree = parse(decode(body, None))
    except ValueError:
        return ()
    resolve = Resolver(_NO_BASE)
    found = dict.fromkeys(target for link in tree.iter("a") if (target := resolve(link.get("href") or "")))
    return tuple(found)[: caps.MAX_IMPORTED_URLS]


@dataclass(frozen=True, slots=True)
class BookmarkFolder:
    """`path` are the names of the folders down to this one, empty for the outermost; `urls` its http(s) addresses."""

    path: tuple[str, ...]
    urls: tuple[str, ...]


def bookmark_folders(body: bytes) -> tuple[BookmarkFolder, ...]:
    """The folders that hold pages, in the order of the file, each address once; none where the body is no bookmark file.

    A browser writes `<DT><H3>name</H3><DL>…</DL>` for a folder, so the name is the last heading before its list.
    """
    try:
        tree = parse(decode(body, None))
    except ValueError:
        return ()
    resolve = Resolver(_NO_BASE)
    found: dict[tuple[str, ...], dict[str, None]] = {}
    seen: set[str] = set()
    for element in tree.iter("a"):
        url = resolve(element.get("href") or "")
        if not url or url in seen or len(seen) >= caps.MAX_IMPORTED_URLS:
            continue
        path = _path_of(element)
        if path in found or len(found) < MAX_BOOKMARK_FOLDERS:
            seen.add(url)
            found.setdefault(path, {})[url] = None
    return tuple(BookmarkFolder(path, tuple(urls)) for path, urls in found.items())


def _path_of(element: HtmlElement) -> tuple[str, ...]:
    names: list[str] = []
    for above in element.iterancestors("dl"):
        name = _name_of(above)
        if name:
            names.append(name)
    return tuple(reversed(names))


def _name_of(listing: HtmlElement) -> str:
    """The heading that a list of bookmarks belongs to; empty for the outermost, whose heading names the whole file."""
    if next(listing.iterancestors("dl"), None) is None:
        return ""
    for before in listing.itersiblings(preceding=True):
        if before.tag in _NAMES:
            return collapse(before.text_content())
        nested = list(before.iter(*_NAMES)) if isinstance(before.tag, str) else []
        if nested:
            return collapse(nested[-1].text_content())
        if before.tag == "dl":
            break
    return ""
