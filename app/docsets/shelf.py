"""The pages of all folders in memory, without their texts: what a search looks through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from app.corpus.doc_records import DocPageHead, Docset
from app.docsets.categories import is_sidebar
from app.text.terms import words


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
class Shelf:
    """One folder at one revision. The sidebar is read like any page, but is neither listed nor found."""

    docset: Docset
    pages: tuple[Page, ...]

    @cached_property
    def listed(self) -> tuple[Page, ...]:
        return tuple(page for page in self.pages if not is_sidebar(page.head.path))


def shelf_of(docset: Docset, heads: Iterable[DocPageHead]) -> Shelf:
    """The pages in order: the first page of the folder before all others, then by path."""
    ordered = sorted(heads, key=lambda head: (not _is_first(head.path), head.path))
    return Shelf(docset, tuple(map(Page, ordered)))


def folded(text: str) -> str:
    """The words of a text in lower case, each between spaces, so that phrases can be looked for."""
    return f" {' '.join(words(text))} "


def _is_first(path: str) -> bool:
    return path.casefold() in ("index.md", "index.mdx", "readme.md")
