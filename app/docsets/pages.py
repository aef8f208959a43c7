"""Keep the pages of all folders in memory, resolve page names and section names, and split long texts into parts.

A page is named by its path, prefixed with the name of its folder if there are several folders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from app import caps
from app.containment import contained
from app.corpus.docsets import DocPage, DocPageHead, DocSection, Docset
from app.docsets.outline import is_sidebar, plain
from app.errors import FileAccessError, InvalidArgumentError
from app.library.packages import CHANGES
from app.paths import assets_dir
from app.text.sentence import sentence
from app.text.terms import words

_SUGGESTED: Final = 3
_ENDINGS: Final = ("", ".md", ".mdx", "/index.md")


@dataclass(frozen=True, slots=True)
class DocHit:
    """A found page: the `name` to pass back, a `score` in points, and a `snippet` with its range in the stored document, 0 if unknown."""

    name: str
    title: str
    score: int
    snippet: str
    url: str = ""
    document_id: int = 0
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class DocSearch:
    """Pages by score, then path. `capped_at` is the setting that lowered the requested limit, `found` counts all matches."""

    hits: tuple[DocHit, ...]
    found: int
    pages: int
    capped_at: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocText:
    """The Markdown of a page or of some of its sections.

    If it is cut, `next_part` is the number of the following part, and `following` lists the highest-level headings from there on.
    `ranges` are the known ranges of the shown text in the stored document.
    """

    name: str
    url: str
    text: str
    sections: tuple[str, ...] = ()
    next_part: int | None = None
    following: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    title: str = ""
    document_id: int = 0
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DocList:
    """Pages in order, and all categories."""

    names: tuple[str, ...]
    categories: tuple[str, ...]
    notes: tuple[str, ...] = ()


class DocsError(InvalidArgumentError):
    """A page, section or category that is missing or ambiguous. `choices` lists the available ones."""

    title = "No such documentation page"
    default_hint = "Call `list_doc_pages` or `search_docs` to see the pages."

    def __init__(
        self, message: str, *, path: str = "", what: str = "", choices: tuple[str, ...] = (), hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint, details={"path": path} if path else None)
        self.what = what
        self.choices = choices


@dataclass(frozen=True, eq=False)
class Page:
    """A page with the text that questions are compared with: its title and its headings, one per line, folded."""

    head: DocPageHead

    @cached_property
    def title(self) -> str:
        return folded(self.head.title)

    @cached_property
    def headings(self) -> str:
        return "\n".join(folded(section.heading) for section in self.head.sections)


@dataclass(frozen=True, eq=False)
class DocFolder:
    """One folder at one revision. The sidebar can be read like any page, but is neither listed nor searched."""

    docset: Docset
    pages: tuple[Page, ...]

    @cached_property
    def listed(self) -> tuple[Page, ...]:
        return tuple(page for page in self.pages if not is_sidebar(page.head.path))

    @cached_property
    def without_changes(self) -> DocFolder:
        """The folder without the release notes of a package, unless it has nothing else."""
        is_package = self.docset.package_id
        pages = tuple(page for page in self.pages if not (is_package and page.head.path.startswith(f"{CHANGES}/")))
        return self if len(pages) in (0, len(self.pages)) else DocFolder(self.docset, pages)


def folder_of(docset: Docset, heads: Iterable[DocPageHead]) -> DocFolder:
    """Return the pages in order: the first page of the folder before all others, then by path."""
    first = ("index.md", "index.mdx", "readme.md")
    ordered = sorted(heads, key=lambda head: (head.path.casefold() not in first, head.path))
    return DocFolder(docset, tuple(map(Page, ordered)))


def folded(text: str) -> str:
    """Return the lowercase words of a text, each between spaces, for phrase search."""
    return f" {' '.join(words(text))} "


def page_name(folder: DocFolder, path: str, folders: Sequence[DocFolder]) -> str:
    """Return the path as listed. Pages of the only folder have no prefix, pages of the guide always do."""
    own = [each for each in folders if each.docset.root]
    return path if len(own) == 1 and folder is own[0] else f"{folder.docset.name}/{path}"


def find_page(name: str, folders: Sequence[DocFolder]) -> tuple[DocFolder, DocPageHead]:
    """Return the page that a caller means, with or without its folder's name. Raises DocsError if none or several match."""
    wanted = name.strip()
    try:
        # A plain path: no "..", no absolute path, no drive, stream or device on any system.
        contained(assets_dir(), wanted)
    except FileAccessError as error:
        raise DocsError(error.message.partition(" leads out")[0], path=name, hint=error.hint) from error
    found = _meant(wanted, folders)
    if not found:
        # Pages with the same file name, otherwise pages with a similarly spelled path.
        names = [page_name(folder, page.head.path, folders) for folder in folders for page in folder.listed]
        last = wanted.rpartition("/")[2].casefold()
        same = [name for name in names if name.rpartition("/")[2].casefold() in (last, f"{last}.md")]
        near = tuple(same[:_SUGGESTED] or get_close_matches(wanted, names, _SUGGESTED, cutoff=0.6))
        message = sentence("There is no documentation page {}.", wanted)
        raise DocsError(message, path=wanted, what="Similar pages", choices=near)
    if len(found) > 1:
        choices = tuple(f"{folder.docset.name}/{head.path}" for folder, head in found)
        message = sentence("Several folders have a page {}.", wanted)
        raise DocsError(message, path=wanted, what="Pages", choices=choices, hint="Include the folder in the path.")
    return found[0]


def _meant(wanted: str, folders: Sequence[DocFolder]) -> list[tuple[DocFolder, DocPageHead]]:
    """Return the page listed under exactly this name, otherwise pages that match without case and file extension."""
    for folder in folders:
        for page in folder.pages:
            if page_name(folder, page.head.path, folders) == wanted:
                return [(folder, page.head)]
    # Each page by its path, with and without the name of its folder.
    called = [
        ((folder, page.head), path)
        for folder in folders
        for page in folder.pages
        for path in (page.head.path, f"{folder.docset.name}/{page.head.path}")
    ]
    for ending in _ENDINGS:
        for fold in (str, str.casefold):
            if found := [each for each, path in called if fold(path) == fold(wanted + ending)]:
                return found
    return []


# --- Sections and parts ---

Fits = Callable[[str], bool]  # Whether a text is small enough for one result.

_SHRINKING: Final = 0.8
_PART: Final = re.compile(r"part[ _-]*(\d{1,4})", re.IGNORECASE)
_MARKS: Final = re.compile(r"^\s{0,3}#{1,6}\s+|(?<!\s)\s++#++\s*+$")
_NUMBER: Final = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*[.)]\s*(?=\D)|[A-Za-z](?:\.\d+)*[.)]\s+|\d+(?:\.\d+)+\s+|\d+\s+(?=\D))"
)
_ANCHOR_AT_END: Final = re.compile(r"\{\s*+#[^{}]*+\}\s*+$")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text. `end` is its end in the text, `is_last`: nothing follows."""

    text: str
    end: int
    is_last: bool


def wish_of(sections: Sequence[str] | None) -> tuple[tuple[str, ...], int]:
    """Return the requested sections, none for all, and the part of their text, from 1, that a name like "part 2" requests."""
    named = tuple(name for name in sections or () if not _PART.fullmatch(name.strip()))
    parts = [int(match.group(1)) for name in sections or () if (match := _PART.fullmatch(name.strip()))]
    return named, max(1, parts[0]) if parts else 1


def chosen(page: DocPage, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and last line of each requested section, in the order of the names. Raises DocsError for an unknown name.

    A name selects all sections with this name; a section inside another requested one is not repeated. The title selects the text before
    the first section.
    """
    ranges: list[tuple[int, int]] = []
    for name in names:
        found = _named(page, name)
        if not found:
            headings = tuple(dict.fromkeys(section.heading for section in page.head.sections if section.heading))
            shown = repr(plain(name)[: caps.MAX_ARGUMENT_CHARS_SHOWN])
            message = sentence("The page {} has no section {}.", page.head.path, shown)
            hint = "Use one of its headings, or leave out sections for the whole page."
            raise DocsError(message, path=page.head.path, what="Available headings", choices=headings, hint=hint)
        ranges += [each for each in found if each not in ranges]
    return [
        (first, last)
        for first, last in ranges
        if not any(other != (first, last) and other[0] <= first and last <= other[1] for other in ranges)
    ]


def text_of(content: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Return the lines of the ranges, separated by blank lines."""
    lines = content.split("\n")
    return "\n\n".join("\n".join(lines[first - 1 : last]).rstrip() for first, last in ranges)


def part_of(text: str, number: int, fits: Fits) -> Part:
    """Return a part of a text, cut so that each part fits. Raises DocsError for a number beyond the last."""
    start = 0
    for current in range(1, number + 1):
        length = _length(text, start, fits)
        if current == number and (length or number == 1):
            end = start + length
            return Part(text[start:end].strip("\n"), end, end >= len(text))
        start += length
        if start >= len(text):
            message = sentence("There is no part {}. The last one is part {}.", number, current)
            raise DocsError(message, hint="Request an earlier part.")
    raise DocsError(sentence("There is no part {}.", number), hint="Request an earlier part.")


def _named(page: DocPage, name: str) -> list[tuple[int, int]]:
    """Return the sections with a name: as written, otherwise by anchor, otherwise without case, numbers, emoji and signs."""
    sections = page.head.sections
    asked = plain(_MARKS.sub("", _ANCHOR_AT_END.sub("", name)))
    anchor = name.strip().lstrip("#")
    tests: tuple[Callable[[DocSection], bool], ...] = (
        lambda section: section.heading.casefold() == asked.casefold(),
        lambda section: bool(section.anchor) and section.anchor.casefold() == anchor.casefold(),
        lambda section: bool(key(asked)) and key(section.heading) == key(asked),
    )
    for test in tests:
        if found := [(section.first_line, section.last_line) for section in sections if test(section)]:
            return found
    if key(asked) and key(asked) == key(page.head.title):
        first = sections[0].first_line - 1 if sections else page.content.count("\n") + 1
        return [(1, first)] if first else []
    return []


def key(heading: str) -> str:
    """Return the words of a heading without a leading number, the same for different spellings."""
    return " ".join(words(_NUMBER.sub("", heading)) or words(heading)).casefold()


def _length(text: str, start: int, fits: Fits) -> int:
    """Return how much of the text fits from there, cut before a heading or between lines if possible."""
    length = len(text) - start
    if fits(text[start:]):
        return length
    while length > 1 and not fits(text[start : start + length]):
        length = max(1, int(length * _SHRINKING))
    for mark in ("\n# ", "\n## ", "\n### ", "\n\n", "\n", " "):
        found = text.rfind(mark, start + length // 2, start + length)
        if found > start:
            return found + 1 - start
    return length
