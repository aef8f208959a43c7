"""Absolute web addresses out of what stands in `href` and `src`."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from app import caps


class Resolver:
    """Makes addresses absolute against the page's address or its `<base href>`; answers are remembered."""

    def __init__(self, url: str, base_href: str | None = None) -> None:
        self._base = _join(url, base_href) if base_href else url
        self._page = self._base.partition("#")[0]
        self._known: dict[str, str | None] = {}

    def __call__(self, href: str) -> str | None:
        """The absolute http(s) address with its fragment; None for anything else or what is too long."""
        if href in self._known:
            return self._known[href]
        self._known[href] = url = self._absolute(href)
        return url

    def _absolute(self, href: str) -> str | None:
        reference = "".join(href.split("\n")).replace("\t", "").replace("\r", "").strip()
        is_local = reference.startswith("#")
        url = self._page + reference if is_local else _join(self._base, reference)
        if len(url) > caps.MAX_URL_CHARS or not url.lower().startswith(("http://", "https://")):
            return None
        return url.replace(" ", "%20") if has_host(url) else None


def has_host(url: str) -> bool:
    """Whether the address can be split and names a host."""
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Lower-case host of an address, empty when it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""
