"""What the documentation tools are answered with."""

from __future__ import annotations

from dataclasses import dataclass

from app.errors import InvalidArgumentError


@dataclass(frozen=True, slots=True)
class DocHit:
    """A page found. `name` is its path as a caller may give it back, `score` counts points, `snippet` is text of the page."""

    name: str
    title: str
    score: int
    snippet: str


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
    """

    name: str
    url: str
    text: str
    sections: tuple[str, ...] = ()
    next_part: int | None = None
    following: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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
