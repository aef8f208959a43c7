"""The pages of all folders in memory, how they are called, the records that the documentation tools return, sections by the names of their
headings, and long texts in parts.

A page is called by its path, behind the name of its folder where there are several.
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
from app.paths import assets_dir
from app.text.terms import words

_SUGGESTED: Final = 3
_ENDINGS: Final = ("", ".md", ".mdx", "/index.md")


@dataclass(frozen=True, slots=True)
class DocHit:
    """A page found. `name` is its path as a caller may give it back, `score` counts points, `snippet` is text of the page.

    `start` and `end` are the passage that the snippet is from, in the text of the stored document; both 0 where that is not known.
    """

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
    """Pages by score, then path. `capped_at` is the setting that lowered the limit asked for, `found` counts all that matched."""

    hits: tuple[DocHit, ...]
    found: int
    pages: int
    capped_at: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocText:
    """Markdown of a page or of some of its sections.

    Where it is cut, `next_part` is the number of the part that follows, and `following` are the highest headings from there on.
    `ranges` are the places of what is shown in the text of the stored document, as far as they are known.
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
    """Pages in order, and the categories there are."""

    names: tuple[str, ...]
    categories: tuple[str, ...]
    notes: tuple[str, ...] = ()


class DocsError(InvalidArgumentError):
    """A page, section or category that is not there or not the only one of its name. `choices` are those there are."""

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
    """A page and what questions are compared with: its title, and its headings a line each, folded."""

    head: DocPageHead

    @cached_property
    def title(self) -> str:
        return folded(self.head.title)

    @cached_property
    def headings(self) -> str:
        return "\n".join(folded(section.heading) for section in self.head.sections)


@dataclass(frozen=True, eq=False)
class DocFolder:
    """One folder at one revision. The sidebar is read like any page, but is neither listed nor found."""

    docset: Docset
    pages: tuple[Page, ...]

    @cached_property
    def listed(self) -> tuple[Page, ...]:
        return tuple(page for page in self.pages if not is_sidebar(page.head.path))


def folder_of(docset: Docset, heads: Iterable[DocPageHead]) -> DocFolder:
    """The pages in order: the first page of the folder before all others, then by path."""
    first = ("index.md", "index.mdx", "readme.md")
    ordered = sorted(heads, key=lambda head: (head.path.casefold() not in first, head.path))
    return DocFolder(docset, tuple(map(Page, ordered)))


def folded(text: str) -> str:
    """The words of a text in lower case, each between spaces, so that phrases can be looked for."""
    return f" {' '.join(words(text))} "


def page_name(folder: DocFolder, path: str, folders: Sequence[DocFolder]) -> str:
    """The path as it is listed. The pages of the only folder have none before it, those of the guide always do."""
    own = [each for each in folders if each.docset.root]
    return path if len(own) == 1 and folder is own[0] else f"{folder.docset.name}/{path}"


def find_page(name: str, folders: Sequence[DocFolder]) -> tuple[DocFolder, DocPageHead]:
    """The page that a caller means, with or without the name of its folder. Raises DocsError where it is none, or one of several."""
    wanted = name.strip()
    try:
        # A plain path: no "..", no absolute path, no drive, stream or device of any system.
        contained(assets_dir(), wanted)
    except FileAccessError as error:
        raise DocsError(error.message.partition(" leads out")[0], path=name, hint=error.hint) from error
    found = _meant(wanted, folders)
    if not found:
        # Pages with the same file name, else those whose path is spelt much alike.
        names = [page_name(folder, page.head.path, folders) for folder in folders for page in folder.listed]
        last = wanted.rpartition("/")[2].casefold()
        same = [name for name in names if name.rpartition("/")[2].casefold() in (last, f"{last}.md")]
        near = tuple(same[:_SUGGESTED] or get_close_matches(wanted, names, _SUGGESTED, cutoff=0.6))
        raise DocsError(f"There is no documentation page {wanted}.", path=wanted, what="Similar pages", choices=near)
    if len(found) > 1:
        choices = tuple(f"{folder.docset.name}/{head.path}" for folder, head in found)
        message = f"Several folders hold a page {wanted}."
        raise DocsError(message, path=wanted, what="Pages", choices=choices, hint="Name the folder too.")
    return found[0]


def _meant(wanted: str, folders: Sequence[DocFolder]) -> list[tuple[DocFolder, DocPageHead]]:
    """The page that is listed under this very name; else those that may be called so, in any case of letters, without an ending."""
    for folder in folders:
        for page in folder.pages:
            if page_name(folder, page.head.path, folders) == wanted:
                return [(folder, page.head)]
    # Every page under its path, and under that behind the name of its folder.
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

Fits = Callable[[str], bool]
"""Whether a text is small enough for one result."""

_SHRINKING: Final = 0.8
_PART: Final = re.compile(r"part[ _-]*(\d{1,4})", re.IGNORECASE)
_MARKS: Final = re.compile(r"^\s{0,3}#{1,6}\s+|(?<!\s)\s++#++\s*+$")
_NUMBER: Final = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*[.)]\s*(?=\D)|[A-Za-z](?:\.\d+)*[.)]\s+|\d+(?:\.\d+)+\s+|\d+\s+(?=\D))"
)
_ANCHOR_AT_END: Final = re.compile(r"\{\s*+#[^{}]*+\}\s*+$")


@dataclass(frozen=True, slots=True)
class Wish:
    """The requested sections of a page by name, none for all, and the part of their text, counted from 1."""

    sections: tuple[str, ...]
    part: int


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text; `end` is where it ends there, `is_last` says that nothing follows."""

    text: str
    end: int
    is_last: bool


def wish_of(sections: Sequence[str] | None) -> Wish:
    """A name like "part 2" means a part of what the other names ask for."""
    named = tuple(name for name in sections or () if not _PART.fullmatch(name.strip()))
    parts = [int(match.group(1)) for name in sections or () if (match := _PART.fullmatch(name.strip()))]
    return Wish(named, max(1, parts[0]) if parts else 1)


def chosen(page: DocPage, names: Sequence[str]) -> list[tuple[int, int]]:
    """First and last line of each section asked for, in the order of the names. Raises DocsError for a name that no heading has.

    All sections of a name are meant; one inside another that is asked for is not repeated. The title means what stands before the first
    section.
    """
    ranges: list[tuple[int, int]] = []
    for name in names:
        found = _named(page, name)
        if not found:
            headings = tuple(dict.fromkeys(section.heading for section in page.head.sections if section.heading))
            message = f"The page {page.head.path} has no section {plain(name)[: caps.MAX_ARGUMENT_CHARS_SHOWN]!r}."
            hint = "Name one of its headings, or leave out sections for the whole page."
            raise DocsError(message, path=page.head.path, what="Available headings", choices=headings, hint=hint)
        ranges += [each for each in found if each not in ranges]
    return [
        (first, last)
        for first, last in ranges
        if not any(other != (first, last) and other[0] <= first and last <= other[1] for other in ranges)
    ]


def text_of(content: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The lines of the ranges, a blank line between them."""
    lines = content.split("\n")
    return "\n\n".join("\n".join(lines[first - 1 : last]).rstrip() for first, last in ranges)


def part_of(text: str, number: int, fits: Fits) -> Part:
    """A part of a text, cut so that each fits. Raises DocsError for a number beyond the last."""
    start = 0
    for current in range(1, number + 1):
        length = _length(text, start, fits)
        if current == number and (length or number == 1):
            end = start + length
            return Part(text[start:end].strip("\n"), end, end >= len(text))
        start += length
        if start >= len(text):
            raise DocsError(f"There is no part {number}; the last is part {current}.", hint="Name an earlier part.")
    raise DocsError(f"There is no part {number}.", hint="Name an earlier part.")


def _named(page: DocPage, name: str) -> list[tuple[int, int]]:
    """The sections of a name: as it is written, else by anchor, else without case, numbers, emoji and signs."""
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
    """What two spellings of a heading have in common: its words without a leading number."""
    bare = _NUMBER.sub("", heading)
    return " ".join(words(bare) or words(heading)).casefold()


def _length(text: str, start: int, fits: Fits) -> int:
    """How much of the text from there on fits, cut before a heading or between lines where that is possible."""
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
