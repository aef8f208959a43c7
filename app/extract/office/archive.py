"""Read a ZIP archive as a folder: each supported file in it is a section with the anchor `path=NAME`. Nothing is written to disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from app.containment import is_skipped
from app.errors import UnsupportedContentError
from app.extract.addresses import file_name
from app.extract.members import INNER_MARK, Member, read_member, with_members
from app.extract.office.package import Package
from app.extract.page import Page
from app.text.media_types import kind_of, left_out, suffix_of
from app.text.sentence import joined, sentence

MAX_MEMBERS: Final = 2_000
_LEVEL: Final = 1


def extract_zip(package: Package) -> Page:
    """Return the page of an archive. Raises UnsupportedContentError and ContentProtectedError."""
    others: Counter[str] = Counter()
    members = _members(package, others)
    page, unread = with_members(Page(package.url, file_name(package.url), ""), members, level=_LEVEL)
    if not page.text:
        raise UnsupportedContentError(
            sentence("{} does not contain files that WebRAG can read.", package.url), url=package.url
        )
    notes = [left_out(others)] if others else []
    if unread:
        notes.append(sentence("Skipped damaged, empty or too large files in the archive: {}.", f"{unread:,}"))
    return replace(page, note=joined(notes))


def _members(package: Package, others: Counter[str]) -> Iterator[Member | None]:
    """Yield each supported file in the order of their names, and count the others by suffix."""
    is_inner = INNER_MARK in package.url
    names = [name for name in sorted(package.file_names()) if not name.endswith("/")]
    skipped = {name for name in names for part in name.split("/") if part in ("..", "__MACOSX") or is_skipped(part)}
    for number, name in enumerate((name for name in names if name not in skipped), 1):
        path = PurePosixPath(name)
        kind = kind_of(path)
        if kind is None or (is_inner and suffix_of(path) == ".zip"):
            others[suffix_of(path)] += 1
            continue
        read, url = partial(package.read, name), f"{package.url}{INNER_MARK}{quote(name)}"
        page = read_member(read, url=url, content_type=kind.types[0]) if number <= MAX_MEMBERS else None
        yield Member(name, f"path={quote(name)}", page) if page is not None else None
