"""Write what a reader of LaTeX finds as HTML: paragraphs, groups and environments, and the cells of tables.

Also names the commands and environments that are known, as assets/markups.toml declares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lxml.html import HtmlElement

from app.extract.office.elements import append_text, make
from app.paths import asset_table

_LATEX: Final[Mapping[str, Any]] = asset_table("markups.toml")["latex"]
SECTIONS: Final = tuple(_LATEX["sections"])
STYLES: Final[Mapping[str, str]] = _LATEX["styles"]
LISTS: Final[Mapping[str, str]] = _LATEX["lists"]
BLOCKS: Final[Mapping[str, str]] = _LATEX["blocks"]
TABLES: Final = frozenset(_LATEX["tables"])
FORMULAS: Final[Mapping[str, str]] = _LATEX["formulas"]
CODE_ENVIRONMENTS: Final = frozenset(_LATEX["code_environments"])
SKIPPED_ENVIRONMENTS: Final = frozenset(_LATEX["skipped_environments"])
CITATIONS: Final = frozenset(_LATEX["citations"])
REFERENCES: Final = frozenset(_LATEX["references"])
SKIPPED_ARGUMENTS: Final = {name: int(n) for n, names in _LATEX["skipped_arguments"].items() for name in names}
SYMBOLS: Final[Mapping[str, str]] = _LATEX["symbols"]
ACCENTS: Final[Mapping[str, str]] = _LATEX["accents"]
LETTER_ACCENTS: Final[Mapping[str, str]] = _LATEX["letter_accents"]
MAX_OPEN: Final = 120  # The limit for groups and environments inside each other; deeper ones have no format.


@dataclass(slots=True)
class Frame:
    """An open group or environment, and where the text after it is written. `count` and `mark` count the rows of a table."""

    name: str
    container: HtmlElement
    target: HtmlElement | None
    is_inline: bool
    made: HtmlElement | None = None
    count: int = 0
    mark: int = 0
    marks: int = 0


class TexWriter:
    """Writes text into a container. `target` is the element for text; None until a paragraph begins."""

    def __init__(self, out: HtmlElement, *, is_inline: bool) -> None:
        self._container = out
        self._target = out if is_inline else None
        self._is_inline = is_inline
        self._parts: list[str] = []
        self._frames: list[Frame] = []
        self._dropped = 0

    def _flush(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        if text.strip() or (text and self._target is not None):
            append_text(self._open_target(), text)

    def _open_target(self) -> HtmlElement:
        if self._target is None:
            self._target = make("p")
            self._container.append(self._target)
        return self._target

    def _append(self, element: HtmlElement) -> None:
        self._flush()
        self._open_target().append(element)

    def _append_block(self, element: HtmlElement) -> None:
        self._flush()
        if self._is_inline:
            self._open_target().append(element)
        else:
            self._target = None
            self._container.append(element)

    def _end_paragraph(self) -> None:
        if self._is_inline:
            self._parts.append("\n\n" if self._container.tag == "pre" else " ")
        else:
            self._flush()
            self._target = None

    def _open(self, name: str, container: HtmlElement | None = None, target: HtmlElement | None = None) -> Frame | None:
        """Open a group that writes into a container or, without paragraphs, into a target; without both as before."""
        self._flush()
        if len(self._frames) >= MAX_OPEN:
            self._dropped += name == "{"
            return None
        frame = Frame(name, self._container, self._target, self._is_inline)
        self._frames.append(frame)
        if container is not None:
            self._container, self._target, self._is_inline = container, None, False
        elif target is not None:
            self._target, self._is_inline = target, True
        return frame

    def _close(self) -> None:
        self._flush()
        frame = self._frames.pop()
        if frame.name in TABLES and frame.made is not None:
            for row in [row for row in frame.made if not row.text_content().strip()]:
                frame.made.remove(row)
            for cell in frame.made[0] if len(frame.made) > 1 else ():
                cell.tag = "th"
        if self._container is not frame.container or self._is_inline or frame.is_inline:
            self._container, self._target, self._is_inline = frame.container, frame.target, frame.is_inline

    def _environment(self, names: frozenset[str]) -> Frame | None:
        """Return the innermost environment if it has one of the names, with all groups in it closed."""
        at = next((at for at in range(len(self._frames) - 1, -1, -1) if self._frames[at].name != "{"), -1)
        if at < 0 or self._frames[at].name not in names:
            return None
        while len(self._frames) > at + 1:
            self._close()
        return self._frames[at]

    def _open_cell(self, row: HtmlElement) -> None:
        self._flush()
        row.append(make("td"))
        self._container, self._target, self._is_inline = row[-1], None, False

    def _open_row(self, frame: Frame) -> None:
        if frame.made is not None:
            frame.made.append(make("tr"))
            frame.count += 1
            self._open_cell(frame.made[-1])
