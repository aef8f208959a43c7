"""Build Markdown with the exact offset of everything written, and walk the tree that feeds it.

Requested white space, line breaks, emphasis marks and links are written with the next visible character, so that marks never enclose
white space and every recorded offset points at real text. The walk does not recurse, so depth does not matter.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Literal, TypeAlias

from lxml.html import HtmlElement

from app.extract.characters import visible
from app.extract.page import Image

MAX_DOM_DEPTH: Final = 400
MAX_PREFIX_DEPTH: Final = 8  # Lists and quotations nested deeper than this are written at this depth.
_LINE_HAZARDS: Final = ("#", "`", "~", "$$")
log = logging.getLogger(__name__)
Leave: TypeAlias = Callable[[], None]  # Called after the last child of an element was written.


def in_turn(*steps: Callable[[], object]) -> Leave:
    """Return a function that takes several steps."""

    def leave() -> None:
        for step in steps:
            step()

    return leave


@dataclass(slots=True, eq=False)
class Anchored:
    """A link or a section start that gets its offsets when text arrives; -1 until then."""

    target: str
    start: int = -1
    end: int = -1


@dataclass(slots=True, eq=False)
class Heading:
    """A section start: `mark` opens its line, `heading` is its plain text."""

    level: int
    anchor: str | None
    mark: str = ""
    heading: str = ""
    start: int = -1
    first_part: int = 0


@dataclass(slots=True, eq=False)
class Mark:
    sign: str
    is_open: bool = False


@dataclass(slots=True, eq=False)
class _Prefix:
    first: str
    rest: str
    used: bool = False


@dataclass(slots=True)
class ListState:
    """A list being written: the next item's `number`, None for bullets, and the `style` of HTML (`a`, `I`). Plain lists have no markers."""

    number: int | None
    step: int = 1
    style: str = ""
    is_plain: bool = False
    is_loose: bool = False
    has_items: bool = False


@dataclass(slots=True)
class Sink:
    """Receives text and block structure; `flat` keeps everything on one line, `tight` omits blank lines, cells escape pipes."""

    resolve: Callable[[str], str | None]
    flat: int = 0
    tight: int = 0
    is_cell: bool = False
    length: int = 0
    plain: int = 0
    quoted: int = 0
    level: int = 0
    term_end: int = -1
    term_levels: list[int] = field(default_factory=list)
    links: list[Anchored] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    pictures: list[Image] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    lists: list[ListState] = field(default_factory=list)
    prefixes: list[_Prefix] = field(default_factory=list)  # The marks of items and quotations that lines start with.
    is_fresh: bool = False  # Whether nothing has been written since the last item or quotation began.
    _parts: list[str] = field(default_factory=list)
    _pending: list[Mark | Anchored | Heading] = field(default_factory=list)
    _open: list[Mark | Anchored] = field(default_factory=list)
    _break: int = 0
    _space: bool = False
    _glue: bool = False
    _line_start: bool = True

    def getvalue(self) -> str:
        """Return everything written so far."""
        return "".join(self._parts)

    def text(self, raw: str) -> None:
        """Write running text: white space collapses as in a browser, invisible characters are dropped."""
        words = raw.split()
        if not words:
            self._space = True
            return
        content = " ".join(words)
        if not content.isprintable():
            content = " ".join(visible(content).split())
            if not content:
                return
        if raw[0].isspace():
            self._space = True
        if self.is_cell and "|" in content:
            content = content.replace("|", "\\|")
        self._begin()
        if self._line_start and not self.flat and content.startswith(_LINE_HAZARDS):
            # With the text that follows, it may become a heading, a fence or a formula.
            sign, rest = content[0], content.lstrip(content[0])
            is_fence = sign in "`~" and (not rest or len(content) - len(rest) > 2)
            is_formula = sign == "$" and content.endswith("$$") and content.count("$$") == 2 and len(content) > 4
            if (sign == "$" and not is_formula) or is_fence or (sign == "#" and rest[:1] in ("", " ")):
                content = "\\" + content
        self._write(content)
        if raw[-1].isspace():
            self._space = True

    def literal(self, content: str) -> int:
        """Write one-line content unchanged (code span, formula) and return its offset."""
        if self.is_cell and "|" in content:
            content = content.replace("|", "\\|")
        self._begin()
        start = self.length
        self._write(content)
        return start

    def lines(self, lines: list[str]) -> list[int]:
        """Write a block of finished lines (fence, table) after the current prefix and return the offset of each line's content. Emphasis
        and links around it wait for running text.
        """
        waiting = [item for item in self._pending if not isinstance(item, Heading)]
        self._pending = [item for item in self._pending if isinstance(item, Heading)]
        self._begin()
        blank, rest = "\n" + self._blank_prefix(), "\n" + self._line_prefix()
        offsets = []
        for number, line in enumerate(lines):
            if number:
                self._write(rest if line else blank)
            offsets.append(self.length)
            if line:
                self._write(line)
        self._pending.extend(waiting)
        return offsets

    def space(self) -> None:
        """Request white space before the next text."""
        self._space = True

    def newline(self) -> None:
        """Request a line break inside a paragraph."""
        if self.flat or self.is_fresh or not self.length:
            self._space = True
        else:
            self._break = max(self._break, 1)

    def block(self, blank: bool = True) -> None:
        """Start a new paragraph with the next text; ignored directly after the start of an item or a definition."""
        if self.flat or self._glue:
            self._space = True
        elif not self.is_fresh:
            self._settle()
            self._break = max(self._break, 2 if blank and not self.tight else 1)
            self._space = False

    def hard_block(self) -> None:
        """Start a block as `block` does, also directly after the colon of a definition."""
        self._glue = False
        self.block()

    def item_break(self, blank: bool) -> None:
        """Start a list item with the next text, with or without a blank line, regardless of earlier requests."""
        self._glue = False
        if self.flat:
            self._space = True
        elif not self.is_fresh:
            self._settle()
            self._break = 2 if blank else 1
            self._space = False

    def glue(self, sign: str) -> None:
        """Write `sign` directly after the last text and let the next paragraph continue in the same line."""
        self._settle()
        self._break, self._space = 0, False
        if sign:
            self._write(sign)
        self._space = self._glue = True

    def push(self, first: str, rest: str) -> None:
        """Start every following line with `rest`, the first one with `first`."""
        if len(self.prefixes) >= MAX_PREFIX_DEPTH:
            first = rest = ""
        self.prefixes.append(_Prefix(first, rest))
        self.is_fresh = True

    def pop(self) -> None:
        """Undo the last `push`."""
        self.prefixes.pop()
        self.is_fresh = False

    def mark(self, sign: str) -> Mark | None:
        """Open emphasis; None if marks would be noise (headings, terms, inside the same mark)."""
        if self.plain or any(isinstance(item, Mark) and item.sign == sign for item in self._pending + self._open):
            return None
        mark = Mark(sign)
        self._pending.append(mark)
        return mark

    def unmark(self, mark: Mark | None) -> None:
        """Close emphasis directly after the last visible character, or drop it if nothing was written."""
        if mark is None:
            return
        if mark in self._pending:
            self._pending.remove(mark)
        elif mark in self._open:
            self._write(mark.sign)
            self._open.remove(mark)

    def link(self, target: str) -> Anchored:
        """Open a link."""
        link = Anchored(target)
        self._pending.append(link)
        return link

    def unlink(self, link: Anchored) -> None:
        """Close a link; one without text is dropped."""
        if link in self._pending:
            self._pending.remove(link)
        elif link in self._open:
            link.end = self.length
            self._open.remove(link)
            self.links.append(link)

    def head(self, heading: Heading) -> None:
        """Open a section at the next text."""
        self.end_emphasis()
        self._pending.insert(0, heading)

    def end_emphasis(self) -> None:
        """Drop emphasis that is waiting to resume: the following line begins with its own mark."""
        self._pending = [item for item in self._pending if not isinstance(item, Mark)]

    def unhead(self, heading: Heading) -> None:
        """Close a heading: its text was written since."""
        if heading in self._pending:
            self._pending.remove(heading)
            return
        heading.heading = "".join(self._parts[heading.first_part :])
        self.headings.append(heading)

    def picture(self, url: str, alt: str, caption: str) -> None:
        """Record an image at its position."""
        self.pictures.append(Image(url, alt, caption, self.length))

    def adopt(self, links: list[Anchored], offset: int, text: str) -> None:
        """Add the links of a text that was written as a literal at `offset`."""
        if not (self.is_cell and "|" in text):
            self._take_links(links, offset)

    def absorb(self, cell: Sink, offset: int) -> None:
        """Add the links and images of a finished cell at `offset`."""
        self._take_links(cell.links, offset)
        self.pictures += (replace(picture, position=picture.position + offset) for picture in cell.pictures)

    def _take_links(self, links: list[Anchored], offset: int) -> None:
        for link in links:
            link.start += offset
            link.end += offset
        self.links += links

    def continues_word(self) -> bool:
        """Whether the next character would directly follow a letter, a digit or a closing bracket."""
        if self._space or self._break or not self._parts:
            return False
        last = self._parts[-1][-1]
        return last.isalnum() or last in ")]}"

    def _write(self, content: str) -> None:
        self._parts.append(content)
        self.length += len(content)
        self._line_start = False

    def _begin(self) -> None:
        if self._break and self.length:
            self._open_line()
        elif not self.length:
            if prefix := self._line_prefix():
                self._write(prefix)
            self._line_start = True
        elif self._space and not self.is_fresh:
            self._write(" ")
        elif self.is_fresh:
            self._open_line()
        self._break = 0
        self._space = self.is_fresh = self._glue = False
        for item in self._pending:
            if isinstance(item, Mark):
                self._write(item.sign)
                self._open.append(item)
                continue
            item.start = self.length
            if isinstance(item, Anchored):
                self._open.append(item)
                continue
            if item.mark:
                self._write(item.mark)
            item.first_part = len(self._parts)
        self._pending.clear()

    def _open_line(self) -> None:
        if self._break > 1:
            self._write("\n" + self._blank_prefix())
        self._write("\n" + self._line_prefix())
        self._line_start = True

    def _blank_prefix(self) -> str:
        return "".join(prefix.rest for prefix in self.prefixes if prefix.used).rstrip()

    def _line_prefix(self) -> str:
        parts = []
        for prefix in self.prefixes:
            parts.append(prefix.rest if prefix.used else prefix.first)
            prefix.used = True
        return "".join(parts)

    def _settle(self) -> None:
        """End links and interrupt emphasis before a line break; emphasis resumes with the next text."""
        for item in reversed(self._open):
            if isinstance(item, Mark):
                self._write(item.sign)
            else:
                item.end = self.length
                self.links.append(item)
        self._pending.extend(item for item in self._open if isinstance(item, Mark))
        self._open.clear()


class Answer(Enum):
    """A handler's answer if it has written the element and everything in it."""

    DONE = "done"


Handler: TypeAlias = Callable[[HtmlElement, Sink], Leave | Literal[Answer.DONE] | None]
"""Writes the start of an element. None: not handled, its text and children follow."""
Render: TypeAlias = Callable[[HtmlElement, Sink], None]  # Writes the content of an element into a sink.


def walk(root: HtmlElement, out: Sink, handlers: Mapping[str, Handler]) -> None:
    """Write the content of `root` (not its tail) into `out`.

    If a handler fails, the element loses its structure, but not its text: a warning is logged and the text follows unconverted. Elements
    below MAX_DOM_DEPTH lose their structure as well.
    """
    if root.text:
        out.text(root.text)
    stack: list[tuple[Iterator[HtmlElement], Leave | None, str | None]] = [(iter(root), None, None)]
    while stack:
        children, leave, tail = stack[-1]
        if (child := next(children, None)) is None:
            stack.pop()
            if leave is not None:
                leave()
            if tail:
                out.text(tail)
            continue
        answer = _enter(child, out, handlers) if len(stack) < MAX_DOM_DEPTH else None
        if answer is Answer.DONE:
            if child.tail:
                out.text(child.tail)
            continue
        if child.text:
            out.text(child.text)
        stack.append((iter(child), answer, child.tail))


def _enter(element: HtmlElement, out: Sink, handlers: Mapping[str, Handler]) -> Leave | Literal[Answer.DONE] | None:
    tag = element.tag
    if not isinstance(tag, str):
        return Answer.DONE
    if (handler := handlers.get(tag)) is None:
        return None
    try:
        return handler(element, out)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        log.warning("<%s> could not be converted; its plain text is kept", tag, exc_info=True)
        out.block()
        return out.block
