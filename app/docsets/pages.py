"""The pages of all folders in memory, how they are called, and the records that the documentation tools return.

A page is called by its path, behind the name of its folder where there are several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from app.containment import contained
from app.corpus.docsets import DocPageHead, Docset
from app.docsets.outline import is_sidebar
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
    ordered = sorted(heads, key=lambda head: (not _is_first(head.path), head.path))
    return DocFolder(docset, tuple(map(Page, ordered)))


def folded(text: str) -> str:
    """The words of a text in lower case, each between spaces, so that phrases can be looked for."""
    return f" {' '.join(words(text))} "


def _is_first(path: str) -> bool:
    return path.casefold() in ("index.md", "index.mdx", "readme.md")


def page_name(folder: DocFolder, path: str, folders: Sequence[DocFolder]) -> str:
    """The path as it is listed. The pages of the only folder have none before it, those of the guide always do."""
    own = [each for each in folders if each.docset.root]
    return path if len(own) == 1 and folder is own[0] else f"{folder.docset.name}/{path}"


def find_page(name: str, folders: Sequence[DocFolder]) -> tuple[DocFolder, DocPageHead]:
    """The page that a caller means, with or without the name of its folder. Raises DocsError where it is none, or one of several."""
    wanted = _checked(name)
    found = list(_meant(wanted, folders))
    if not found:
        near = _near(wanted, folders)
        raise DocsError(f"There is no documentation page {wanted}.", path=wanted, what="Similar pages", choices=near)
    if len(found) > 1:
        choices = tuple(f"{folder.docset.name}/{head.path}" for folder, head in found)
        message = f"Several folders hold a page {wanted}."
        raise DocsError(message, path=wanted, what="Pages", choices=choices, hint="Name the folder too.")
    return found[0]


def _checked(name: str) -> str:
    """The path, if it is a plain one: no "..", no absolute path, no drive, stream or device of any system. Raises DocsError."""
    wanted = name.strip()
    try:
        contained(assets_dir(), wanted)
    except FileAccessError as error:
        shown = error.message.partition(" leads out")[0]
        raise DocsError(shown, path=name, hint=error.hint) from error
    return wanted


def _meant(wanted: str, folders: Sequence[DocFolder]) -> list[tuple[DocFolder, DocPageHead]]:
    """The page that is listed under this very name; else those that may be called so, in any case of letters, without an ending."""
    for folder in folders:
        for page in folder.pages:
            if page_name(folder, page.head.path, folders) == wanted:
                return [(folder, page.head)]
    for ending in _ENDINGS:
        for fold in (str, str.casefold):
            target = fold(wanted + ending)
            found = [each for each, path in _called(folders) if fold(path) == target]
            if found:
                return found
    return []


def _called(folders: Sequence[DocFolder]) -> Iterator[tuple[tuple[DocFolder, DocPageHead], str]]:
    """Every page under its path, and under that behind the name of its folder."""
    for folder in folders:
        for page in folder.pages:
            yield (folder, page.head), page.head.path
            yield (folder, page.head), f"{folder.docset.name}/{page.head.path}"


def _near(wanted: str, folders: Sequence[DocFolder]) -> tuple[str, ...]:
    """Pages with the same file name, else those whose path is spelt much alike."""
    names = [page_name(folder, page.head.path, folders) for folder in folders for page in folder.listed]
    last = wanted.rpartition("/")[2].casefold()
    same = [name for name in names if name.rpartition("/")[2].casefold() in (last, f"{last}.md")]
    return tuple(same[:_SUGGESTED] or get_close_matches(wanted, names, _SUGGESTED, cutoff=0.6))
