"""Whether a newer version is out: a small feed is read and compared; nothing is downloaded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from packaging.version import InvalidVersion, Version

from app import caps
from app.errors import FetchError, InvalidArgumentError, UpdateCheckError
from app.web.body import PAGE_TYPES
from app.web.fetch import Fetcher

FEED_TYPES: Final = PAGE_TYPES | {"application/json", "application/feed+json", "text/json"}
_HINT: Final = "Try again later, or look at the project's page."
VERSION_KEYS: Final = ("version", "tag_name", "name")
PAGE_KEYS: Final = ("url", "html_url", "page")


@dataclass(frozen=True, slots=True)
class Release:
    """A version and the page that tells of it; the page is empty where the feed names none."""

    version: str
    page: str


@dataclass(frozen=True, slots=True)
class UpdateCheck:
    """The newest release of the feed, and whether it is newer than `current`."""

    current: str
    newest: Release
    is_newer: bool


async def check_for_update(fetcher: Fetcher, feed: str, current: str) -> UpdateCheck:
    """Read the feed: a JSON object or list of releases, or an Atom feed.

    Raises FetchError and its kin when it cannot be read, UpdateCheckError when it names no version.
    """
    if not feed.strip():
        raise InvalidArgumentError(
            "This build names no address to ask for updates.", hint="Look at the project's page."
        )
    result = await fetcher.fetch(feed.strip(), types=FEED_TYPES, seconds=caps.UPDATE_SECONDS)
    if result.status != 200:
        raise FetchError(f"The list of versions answered {result.status}.", url=feed, hint=_HINT)
    if len(result.body) > caps.MAX_UPDATE_FEED_BYTES:
        raise UpdateCheckError("The list of versions is far too long.", hint=_HINT)
    newest = newest_release(result.body, result.url)
    return UpdateCheck(current, newest, Version(newest.version) > Version(current))


def newest_release(body: bytes, url: str) -> Release:
    """The highest version of a feed that is no preview. Raises UpdateCheckError."""
    try:
        found = _of_json(json.loads(body))
    except (ValueError, RecursionError):
        found = _of_atom(body)
    known = [(version, page) for name, page in found if (version := _version(name)) is not None]
    finished = [entry for entry in known if not entry[0].is_prerelease]
    if not finished:
        raise UpdateCheckError("The list of versions names none.", hint=_HINT)
    version, page = max(finished, key=lambda entry: entry[0])
    return Release(str(version), page if _is_page(page) else "")


def _of_json(parsed: Any) -> list[tuple[str, str]]:
    entries = parsed if isinstance(parsed, list) else [parsed]
    kept = [entry for entry in entries[: caps.MAX_RELEASES] if isinstance(entry, dict) and not entry.get("prerelease")]
    return [(_first(entry, VERSION_KEYS), _first(entry, PAGE_KEYS)) for entry in kept]


def _first(entry: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((entry[key] for key in keys if isinstance(entry.get(key), str)), "")


def _of_atom(body: bytes) -> list[tuple[str, str]]:
    from app.extract.safe_xml import xml_root

    root = xml_root(body)
    if root is None:
        return []
    found: list[tuple[str, str]] = []
    for entry in root.iterfind("{*}entry"):
        title, link = entry.find("{*}title"), entry.find("{*}link")
        found.append(
            ((title.text or "") if title is not None else "", link.get("href", "") if link is not None else "")
        )
    return found[: caps.MAX_RELEASES]


def _version(name: str) -> Version | None:
    """The version in a name like "v1.2.0" or "WebRAG Desktop 1.2.0"."""
    for word in reversed(name[: caps.MAX_TITLE_CHARS].split()):
        try:
            return Version(word)
        except InvalidVersion:
            continue
    return None


def _is_page(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
