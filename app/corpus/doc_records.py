"""The pages of documentation folders, as every other room sees them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DocSection:
    """A heading of a page. Lines count from 1; `last_line` is that before the next heading of the same or a higher level.

    `anchor` is the id that the source gives to the heading, empty for none.
    """

    level: int
    heading: str
    first_line: int
    last_line: int
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class DocStamp:
    """What tells whether a file is still the one that was read."""

    mtime_ns: int
    bytes: int
    hash: str


@dataclass(frozen=True, slots=True)
class DocPageIn:
    """A page to store; `path` is relative to its folder, with "/". `identifiers` are the words inside names of code."""

    path: str
    url: str
    title: str
    category: str
    content: str
    sections: tuple[DocSection, ...]
    identifiers: str
    words: int
    stamp: DocStamp


@dataclass(frozen=True, slots=True)
class DocChanges:
    """What differs between a folder and its index. `stamps` are of files whose content is the same, `categories` of pages kept."""

    pages: tuple[DocPageIn, ...] = ()
    removed: tuple[str, ...] = ()
    stamps: tuple[tuple[str, DocStamp], ...] = ()
    categories: tuple[tuple[str, str], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Docset:
    """A folder as a tree of pages. `root` is its path, empty for the bundled guide; `revision` rises with every change."""

    id: int
    name: str
    root: str
    version: str
    revision: int
    built_at: float
    note: str


@dataclass(frozen=True, slots=True)
class DocPageHead:
    """A page without its text."""

    id: int
    docset_id: int
    path: str
    title: str
    category: str
    sections: tuple[DocSection, ...]
    words: int


@dataclass(frozen=True, slots=True)
class DocPage:
    """A page with its text, as it is in the file."""

    head: DocPageHead
    url: str
    content: str
    stamp: DocStamp


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often a word stands in the parts of a page."""

    title: int = 0
    headings: int = 0
    content: int = 0
    path: int = 0
    identifiers: int = 0


@dataclass(frozen=True, slots=True)
class PageChunks:
    """The chunks of the document that holds the same page: how many have vectors, and a mark that tells which."""

    page_id: int
    document_id: int
    chunks: int
    embedded: int
    mark: int


Centre = NDArray[np.float32]
