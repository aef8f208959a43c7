"""How pages are called: by their path, behind the name of their folder where there are several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from app.containment import contained
from app.corpus.doc_records import DocPageHead
from app.docsets.records import DocsError
from app.docsets.shelf import Shelf
from app.errors import FileAccessError
from app.paths import assets_dir

_SUGGESTED: Final = 3
_ENDINGS: Final = ("", ".md", ".mdx", "/index.md")


def page_name(shelf: Shelf, path: str, shelves: Sequence[Shelf]) -> str:
    """The path as it is listed. The pages of the only folder have none before it, those of the guide always do."""
    own = [each for each in shelves if each.docset.root]
    return path if len(own) == 1 and shelf is own[0] else f"{shelf.docset.name}/{path}"


def find_page(name: str, shelves: Sequence[Shelf]) -> tuple[Shelf, DocPageHead]:
    """The page that a caller means, with or without the name of its folder. Raises DocsError where it is none, or one of several."""
    wanted = _checked(name)
    found = list(_meant(wanted, shelves))
    if not found:
        near = _near(wanted, shelves)
        raise DocsError(f"There is no documentation page {wanted}.", path=wanted, what="Similar pages", choices=near)
    if len(found) > 1:
        choices = tuple(f"{shelf.docset.name}/{head.path}" for shelf, head in found)
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


def _meant(wanted: str, shelves: Sequence[Shelf]) -> list[tuple[Shelf, DocPageHead]]:
    """The page that is listed under this very name; else those that may be called so, in any case of letters, without an ending."""
    for shelf in shelves:
        for page in shelf.pages:
            if page_name(shelf, page.head.path, shelves) == wanted:
                return [(shelf, page.head)]
    for ending in _ENDINGS:
        for fold in (str, str.casefold):
            target = fold(wanted + ending)
            found = [each for each, path in _called(shelves) if fold(path) == target]
            if found:
                return found
    return []


def _called(shelves: Sequence[Shelf]) -> Iterator[tuple[tuple[Shelf, DocPageHead], str]]:
    """Every page under its path, and under that behind the name of its folder."""
    for shelf in shelves:
        for page in shelf.pages:
            yield (shelf, page.head), page.head.path
            yield (shelf, page.head), f"{shelf.docset.name}/{page.head.path}"


def _near(wanted: str, shelves: Sequence[Shelf]) -> tuple[str, ...]:
    """Pages with the same file name, else those whose path is spelt much alike."""
    names = [page_name(shelf, page.head.path, shelves) for shelf in shelves for page in shelf.listed]
    last = wanted.rpartition("/")[2].casefold()
    same = [name for name in names if name.rpartition("/")[2].casefold() in (last, f"{last}.md")]
    return tuple(same[:_SUGGESTED] or get_close_matches(wanted, names, _SUGGESTED, cutoff=0.6))
