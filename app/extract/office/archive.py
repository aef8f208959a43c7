"""Read a ZIP archive as a folder: each supported file in it is a section with the anchor `path=NAME`. Nothing is written to disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from app.containment import is_skipped
from app.errors import UnsupportedContentError, WebRAGError
from app.extract.addresses import file_name
from app.extract.members import INNER_MARK, Member, limited_time, read_member, with_members
from app.extract.office.package import Package
from app.extract.page import Page
from app.text.media_types import kind_of, left_out, suffix_of
from app.text.sentence import joined, sentence

MAX_MEMBERS: Final = 2_000
_LEVEL: Final = 1


def extract_zip(package: Package) -> Page:
    """Return the page of an archive. Raises UnsupportedContentError and ContentProtectedError."""
    reader = _Members(package)
    with limited_time():
        page, too_much = with_members(Page(package.url, file_name(package.url), ""), reader.members(), level=_LEVEL)
    if not page.text:
        raise UnsupportedContentError(
            sentence("{} does not contain files that WebRAG can read.", package.url), url=package.url
        )
    notes = []
    if reader.others:
        notes.append(left_out(reader.others))
    if unread := reader.failed + too_much:
        notes.append(sentence("Skipped damaged, empty or too large files in the archive: {}.", f"{unread:,}"))
    return Page(page.url, page.title, page.text, page.sections, page.links, note=joined(notes))


class _Members:
    """The files of an archive. `others` counts unsupported ones by suffix, `failed` those that cannot be read."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self.others: Counter[str] = Counter()
        self.failed = 0

    def members(self) -> Iterator[Member]:
        """Yield the page of each supported file in the order of their names."""
        is_inner = INNER_MARK in self._package.url
        names = [name for name in sorted(self._package.file_names()) if not name.endswith("/")]
        skipped = {name for name in names for part in name.split("/") if part in ("..", "__MACOSX") or is_skipped(part)}
        names = [name for name in names if name not in skipped]
        for name in names[:MAX_MEMBERS]:
            path = PurePosixPath(name)
            kind = kind_of(path)
            if kind is None or (is_inner and suffix_of(path) == ".zip"):
                self.others[suffix_of(path)] += 1
                continue
            url = f"{self._package.url}{INNER_MARK}{quote(name)}"
            try:
                page = read_member(self._package.read(name), url=url, content_type=kind.types[0])
            except WebRAGError:
                page = None
            if page is None:
                self.failed += 1
            else:
                yield Member(name, f"path={quote(name)}", page)
        self.failed += max(0, len(names) - MAX_MEMBERS)
