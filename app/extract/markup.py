"""Tools for the readers of text formats: the decoded source, and elements that the writer turns into code, formulas and notes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from lxml.html import HtmlElement

from app.extract.addresses import Resolver
from app.extract.characters import storable
from app.extract.office.elements import make
from app.extract.page import Metadata, Page
from app.extract.plain import extract_plain, read_text
from app.extract.writer.document import assemble, write
from app.text.sentence import joined, sentence

_LINE_CHARS: Final = 12
_FREE_CHARS: Final = 60_000
MAX_DEPTH: Final = 40
"""The limit for nested blocks and for nested formats; deeper ones are read as the text that they contain."""


class Source:
    """A file in a text format: its text with unified line ends, and the page that its tree becomes. Raises UnsupportedContentError."""

    def __init__(self, body: bytes, *, url: str, charset: str | None) -> None:
        self._body, self._charset, self.url = body, charset, url
        text = storable(read_text(body, url=url, charset=charset))
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.included = 0
        """The number of other files that the source includes, which are never read."""

    def is_data(self, marks: str = "") -> bool:
        """Whether the lines and the cells that the marks begin are so short that they are data or noise. Reading one takes 50 µs."""
        items = self.text.count("\n") + sum(map(self.text.count, marks))
        return _LINE_CHARS * items > len(self.text) + _FREE_CHARS

    def page(self, content: HtmlElement, *, title: str = "", language: str = "") -> Page:
        """Return the page of a tree; without readable content, the source as plain text. Raises EmptyPageError."""
        written = write([content], Resolver(self.url))
        if not written.length:
            return self.plain()
        notes = [sentence("Files that this one includes are not read: {}.", f"{self.included:,}")]
        metadata = Metadata(title, language, None, None)
        return assemble(written, url=self.url, metadata=metadata, notes=tuple(notes) if self.included else ())

    def as_written(self) -> Page:
        """Return the source as plain text with a note. Raises EmptyPageError."""
        return self.plain(sentence("This file is too large or damaged and is shown as source text."))

    def plain(self, note: str = "") -> Page:
        """Return the source as plain text. Raises EmptyPageError."""
        page = extract_plain(self._body, url=self.url, charset=self._charset)
        return replace(page, note=joined([note, page.note]))


def code_block(text: str, language: str = "") -> HtmlElement:
    """Return lines that keep their spaces."""
    return make("pre", text, **{"data-lang": language})


def formula(tex: str, *, is_display: bool) -> HtmlElement:
    """Return a formula in LaTeX without its delimiters."""
    note = make("annotation", tex, encoding="application/x-tex")
    return make("math", "", make("semantics", "", note), display="block" if is_display else "inline")


class Notes:
    """The footnotes of a file, which follow its text as a numbered list."""

    def __init__(self) -> None:
        self._list = make("ol")
        self._count = 0

    def add(self) -> tuple[HtmlElement, HtmlElement]:
        """Return the mark for the text and the element for a new note."""
        self._list.append(make("li"))
        self._count += 1
        return make("span", f"[{self._count}]"), self._list[-1]

    def append_to(self, content: HtmlElement) -> None:
        """Append a rule and the notes, if there are any."""
        if self._count:
            content.extend([make("hr"), self._list])
