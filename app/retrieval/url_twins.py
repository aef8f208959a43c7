"""Near-duplicate addresses: other versions, languages and views of a page that was read already."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

_CODES: Final = """ar be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky
    lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh"""
LANGUAGES: Final = frozenset(_CODES.split())
_REGION: Final = re.compile(r"^([a-z]{2,3})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$", re.IGNORECASE)
_FILE_LANGUAGE: Final = re.compile(
    r"^(?P<stem>.+?)(?:\.(?P<before>[a-z]{2}(?:[-_][a-z]{2})?)(?P<ending>\.x?html?)"
    r"|(?P<ending2>\.x?html?)\.(?P<after>[a-z]{2}(?:[-_][a-z]{2})?)(?:\.utf-?8)?)$",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"^(?:v?\d+(?:\.\d+)+(?:[-.]?(?:x|a|b|rc|dev|alpha|beta)[-.\d]*)?|v\d+|\d+\.x|stable|latest|current|dev|devel|development|"
    r"master|main|nightly|next|canary|edge|trunk|head|unstable)$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"^\d{1,2}$")
_VERSIONED: Final = frozenset({"doc", "docs", "documentation", "manual", "version", "versions"})
"""Folders below which a plain number is a version, as it is in the first folder."""
_TWIN_FIELDS: Final = frozenset({"lang", "hl", "language", "locale", "version", "theme", "ref", "source", "from"})
_VIEW_FIELDS: Final = frozenset(
    {"replytocom", "print", "printable", "share", "oldid", "diff", "redirect_to", "returnto"}
)
_VIEW_ACTIONS: Final = frozenset(
    {"edit", "history", "print", "login", "raw", "source", "share", "diff", "info", "signup"}
)
_VIEW_FOLDERS: Final = frozenset({"_sources", "_modules", "wp-admin"})
_REPOSITORY_FOLDERS: Final = frozenset({"blob", "tree", "raw", "edit", "blame", "commits"})
_VIEW_PAGES: Final = re.compile(
    r"^(?:print\.html?|(?:gen|py-mod|mod)index(?:\.html?)?|(?:wp-)?(?:login|signin|signup|logout|sharer|share)(?:\.(?:php|aspx?))?"
    r"|special:.*)$",
    re.IGNORECASE,
)
"""Names of pages without text; those that may be a subject of documentation (search, history) are not among them."""


def is_side_view(url: str, source_url: str) -> bool:
    """Whether the address shows no text of its own: editing, history, login, sharing, printing, an index of words, source code
    beside a page of documentation, or the same site in another language than the page that links to it."""
    parts = urlsplit(url)
    segments = [segment.lower() for segment in parts.path.split("/") if segment]
    if _VIEW_FOLDERS.intersection(segments) or (segments and _VIEW_PAGES.match(segments[-1])):
        return True
    if _REPOSITORY_FOLDERS.intersection(segments[2:]) and parts.netloc != urlsplit(source_url).netloc:
        return True
    fields = dict(parse_qsl(parts.query.lower(), keep_blank_values=True))
    if _VIEW_FIELDS.intersection(fields) or _VIEW_ACTIONS.intersection(
        fields.get(name, "") for name in ("action", "view", "do")
    ):
        return True
    wanted, found = _language(source_url), _language(url)
    return bool(wanted and found and wanted != found)


@lru_cache(maxsize=16_384)
def page_key(url: str) -> str:
    """The same for all versions and languages of a page: its address without what tells them apart."""
    parts = urlsplit(url)
    folders, name = _path(parts)
    kept = _without_version(_without_language(folders), name)
    query = sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _is_twin_field(k))
    return f"{_site(parts)}/{'/'.join(kept)}/{_plain_name(name)}?{query}"


def _path(parts: SplitResult) -> tuple[list[str], str]:
    segments = [segment for segment in unquote(parts.path).split("/") if segment]
    if segments and not parts.path.endswith("/"):
        return segments[:-1], segments[-1]
    return segments, ""


def _site(parts: SplitResult) -> str:
    labels = (parts.hostname or "").split(".")
    while len(labels) > 2 and (labels[0] in {"www", "m"} or labels[0] in LANGUAGES):
        labels = labels[1:]
    return f"{'.'.join(labels)}:{parts.port or ''}"


def _plain_name(name: str) -> str:
    match = _FILE_LANGUAGE.match(name)
    if match and (match["before"] or match["after"])[:2].lower() in LANGUAGES:
        name = match["stem"] + (match["ending"] or match["ending2"])
    return "" if re.fullmatch(r"(?:index\.(?:x?html?|php|aspx?)|default\.aspx?)", name, re.IGNORECASE) else name


def _without_language(folders: list[str]) -> list[str]:
    place = next((i for i, folder in enumerate(folders[:3]) if _code(folder)), None)
    return folders if place is None else folders[:place] + folders[place + 1 :]


def _without_version(folders: list[str], name: str) -> list[str]:
    """Only the first folder that names a version goes; the last one stays where it may be the page, as in /releases/4.2/."""
    for i, folder in enumerate(folders):
        is_place = i == 0 or folders[i - 1].lower() in _VERSIONED
        if is_place and _NUMBER.match(folder):
            return folders[:i] + folders[i + 1 :]
        is_page = not name and i + 1 == len(folders)
        if _VERSION.match(folder) and (is_place or not is_page or folder.isalpha()):
            return folders[:i] + folders[i + 1 :]
    return folders


def _language(url: str) -> str:
    """The language that an address names, as a code; empty when it names none."""
    parts = urlsplit(url)
    fields = dict(parse_qsl(parts.query.lower()))
    asked = next((fields[name] for name in ("lang", "hl", "language", "locale") if fields.get(name)), "")
    folders, name = _path(parts)
    match = _FILE_LANGUAGE.match(name)
    file_code = _code(match["before"] or match["after"]) if match else ""
    host = (parts.hostname or "").split(".")
    host_code = host[0] if len(host) > 2 and host[0] in LANGUAGES else ""
    return _code(asked) or file_code or next((code for f in folders[:3] if (code := _code(f))), "") or host_code


def _code(text: str) -> str:
    match = _REGION.match(text)
    code = match[1].lower() if match else ""
    return code if code in LANGUAGES else ""


def _is_twin_field(name: str) -> bool:
    return name.lower() in _TWIN_FIELDS or name.lower().startswith("utm_")
