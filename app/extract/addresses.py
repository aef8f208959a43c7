"""Make absolute addresses from `href` and `src`."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

from app import caps
from app.text.refresh import with_slashes

_IS_RELATIVE: Final = re.compile(r"(?![a-z][a-z0-9+.-]*:|[/\\])", re.IGNORECASE)
_SIMPLE: Final = re.compile(r"((?:\.\./)*)([\w%~-][\w%~.-]*(?:/[\w%~-][\w%~.-]*)*/?(?:#[\w%~.:()-]+)?)", re.ASCII)
"""A relative path without anything that a join would have to resolve."""
_PLAIN: Final = re.compile(r"https?://[a-z0-9][a-z0-9.-]*(?::[0-9]+)?(?:/[^?#;\s]*)?(?:\?[^#;\s]+)?(?:#\S+)?", re.ASCII)
"""An absolute address that a join would not change."""
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


class Resolver:
    """Makes addresses absolute, by the page or its `<base href>`, and caches them. Relative ones of local files become file: addresses."""

    def __init__(self, url: str, base_href: str | None = None) -> None:
        base = _join(url, base_href) if base_href else url
        self._is_file = _scheme(base) == _scheme(url) == "file"
        self._base = base if self._is_file or _scheme(base) != "file" else ""
        self._page = self._base.partition("#")[0]
        self._folders = _folders(self._page)
        self._known: dict[str, str | None] = {}

    def __call__(self, href: str) -> str | None:
        """Return the absolute address with its fragment; None for other schemes and addresses that are too long."""
        if href not in self._known:
            self._known[href] = self._absolute(href)
        return self._known[href]

    def _absolute(self, href: str) -> str | None:
        simple = _SIMPLE.fullmatch(href)
        if simple and len(simple.group(1)) < 3 * len(self._folders):
            url = self._folders[len(simple.group(1)) // 3] + simple.group(2)
            return url if len(url) <= caps.MAX_URL_CHARS else None
        if _PLAIN.fullmatch(href):
            return href if len(href) <= caps.MAX_URL_CHARS else None
        reference = "".join(href.split("\n")).replace("\t", "").replace("\r", "").strip()
        if not self._is_file:
            reference = with_slashes(reference)
        url = self._page + reference if reference.startswith("#") else _join(self._base, reference)
        if len(url) > caps.MAX_URL_CHARS:
            return None
        if self._is_file and not is_web_address(url):
            return _file_address(url) if _IS_RELATIVE.match(reference) else None
        return with_lower_scheme(url).replace(" ", "%20") if is_web_address(url) and has_host(url) else None


def with_lower_scheme(url: str) -> str:
    """Return an address with a lowercase scheme (`https:` for `hTtps:`), as the rest of the program compares it."""
    scheme, colon, rest = url.partition(":")
    return f"{scheme.lower()}{colon}{rest}"


def is_web_address(url: str) -> bool:
    """Whether an absolute address is a web address."""
    return url.lower().startswith(("http://", "https://"))


def has_host(url: str) -> bool:
    """Whether the address is valid and has a host."""
    return bool(host_of(url))


def host_of(url: str) -> str:
    """Return the lowercase host of an address; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def file_name(url: str) -> str:
    """Return the last part of the path of an address."""
    return unquote(urlsplit(url).path.rpartition("/")[2])


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def _scheme(url: str) -> str:
    return url.partition(":")[0].lower()


def _file_address(url: str) -> str | None:
    """Return a file: address in the form of `Path.as_uri`, so that links between files match."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    drive = _DRIVE.match(parts.path)
    start = drive.end() if drive else 0
    path = parts.path[:start] + quote(unquote_to_bytes(parts.path[start:]))
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"file://{parts.netloc}{path}{fragment}"


def _folders(page: str) -> list[str]:
    """Return the folder of a web page and its parents, each with a trailing slash, or nothing if a join is not that simple."""
    path = page.partition("?")[0]
    match = _PLAIN.fullmatch(path)
    start = path.find("/", len("https://"))
    if match is None or start < 0 or "/." in path or "//" in path[start:]:
        return []
    return [path[: start + place + 1] for place in range(len(path) - start - 1, -1, -1) if path[start + place] == "/"]
