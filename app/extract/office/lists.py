"""Build nested lists from items that only have a depth."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml.html import HtmlElement

from app.extract.office.elements import append_text, make, nested


@dataclass(slots=True)
class OpenLists:
    """The lists that the next item may continue, from the outermost to the innermost, each with its depth.

    `code` is the block that the next line of code continues.
    """

    out: HtmlElement
    code: HtmlElement | None = None
    _open: list[tuple[int, HtmlElement]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def place(self) -> HtmlElement:
        """Return the open item, or the element around all lists."""
        return self._open[-1][1][-1] if self._open else self.out

    def add_item(self, depth: int, *, is_ordered: bool, count: int = 1) -> HtmlElement:
        """Append an item; `count` is its number if it begins a list."""
        tag = "ol" if is_ordered else "ul"
        while self._open and (
            self._open[-1][0] > depth or (self._open[-1][0] == depth and self._open[-1][1].tag != tag)
        ):
            self._open.pop()
        if not self._open or self._open[-1][0] < depth:
            opened = make(tag, start=str(count) if is_ordered and count != 1 else "")
            self.place.append(opened)
            self._open.append((depth, opened))
        return nested(self._open[-1][1], "li")

    def add_code(self, line: str) -> None:
        """Append a line of code, to the preceding line's block if possible."""
        if self.code is None:
            self.code = make("pre", line)
            self.place.append(self.code)
        else:
            append_text(self.code, f"\n{line}")

    def close(self) -> None:
        """Let the next item start a new list."""
        self._open.clear()
