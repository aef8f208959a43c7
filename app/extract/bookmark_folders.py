"""The folders of exported bookmarks, each with the pages directly in it."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from app import caps
from app.extract.addresses import Resolver
from app.extract.characters import collapse
from app.extract.decode import decode, parse

_NO_PLACE = "about:blank"
_NAMES = ("h1", "h2", "h3", "h4")


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
    resolve = Resolver(_NO_PLACE)
    found: dict[tuple[str, ...], dict[str, None]] = {}
    seen: set[str] = set()
    for element in tree.iter("a"):
        url = resolve(element.get("href") or "")
        if not url or url in seen or len(seen) >= caps.MAX_IMPORTED_URLS:
            continue
        path = _path_of(element)
        if path in found or len(found) < caps.MAX_BOOKMARK_FOLDERS:
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
