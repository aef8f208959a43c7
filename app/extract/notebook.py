"""Read Jupyter notebooks (.ipynb): text and code with its outputs. A cell is a section with the anchor `cell=N`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from lxml.html import HtmlElement

from app.errors import DamagedFileError
from app.extract.characters import decode
from app.extract.clean import shown_body
from app.extract.markdown import AS_WRITTEN, MarkdownTrees
from app.extract.office.elements import make
from app.extract.page import Metadata, Page, Section, closed
from app.extract.tree import HEADINGS
from app.extract.writer.document import assemble, write_text
from app.text.sentence import sentence

MAX_CELLS: Final = 10_000
MAX_OUTPUT_CHARS: Final = 20_000  # The limit for one output of a cell.
_CONTROL_SEQUENCE: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NO_OUTPUT: Final = re.compile(r"\s*<[\w.]+(?: [^\n>]*)?>\s*")  # Outputs that name an object or a figure without text.


def extract_notebook(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a notebook. Raises UnsupportedContentError and EmptyPageError."""
    try:
        notebook = json.loads(decode(body, "utf-8", is_markup=False))
    except (ValueError, RecursionError) as error:
        raise _damaged(url) from error
    notebook = _dict(notebook)
    cells, sheets = notebook.get("cells"), notebook.get("worksheets")
    if "cells" not in notebook and isinstance(sheets, list):  # in version 3 of the format
        parts = (_dict(sheet).get("cells") for sheet in sheets)
        cells = [cell for part in parts if isinstance(part, list) for cell in part]
    if not isinstance(cells, list):
        raise _damaged(url)
    said = _dict(notebook.get("metadata"))
    language = _dict(said.get("language_info")).get("name") or _dict(said.get("kernelspec")).get("language")
    reader = _Cells(cells[:MAX_CELLS], language if isinstance(language, str) else "")
    starts: list[int] = []
    written = write_text(reader.trees(), url, starts=starts)
    notes = [AS_WRITTEN] if reader.markdown.are_as_written else []
    if len(cells) > MAX_CELLS:
        notes.append(sentence("Only the first {0} of {1} cells were read.", f"{MAX_CELLS:,}", f"{len(cells):,}"))
    if reader.is_cut:
        notes.append(sentence("Only the first {} characters of long outputs were read.", f"{MAX_OUTPUT_CHARS:,}"))
    title = said.get("title")
    metadata = Metadata(title if isinstance(title, str) else "", "", None, None)
    page = assemble(written, url=url, metadata=metadata, notes=tuple(notes))
    return replace(page, sections=_with_cells(page, dict(zip(starts, reader.numbers, strict=False))))


class _Cells:
    """The cells as trees. `numbers` contains the place of each tree in the notebook."""

    def __init__(self, cells: list[Any], language: str) -> None:
        self.numbers: list[int] = []
        self._cells = cells
        self._language = language
        self.markdown = MarkdownTrees()
        self.is_cut = False

    def trees(self) -> Iterator[HtmlElement]:
        """Yield the tree of each cell with text, lazily."""
        for number, cell in enumerate(self._cells, 1):
            cell = _dict(cell)
            kind, source = cell.get("cell_type"), _text(cell.get("source", cell.get("input")))
            if kind in ("markdown", "heading"):
                source = f"# {source}" if kind == "heading" else source
                tree = self.markdown.tree(source)
                for heading in tree.iter(*HEADINGS):
                    heading.set("id", f"cell={number}")
            elif kind == "code":
                code = make("code", source, **{"class": f"language-{self._language}" if self._language else ""})
                tree = make("body", "", *([make("pre", "", code)] if source.strip() else []), *self._outputs(cell))
            else:
                tree = make("body", "", *([make("pre", source)] if source.strip() else []))
            if tree.text_content().strip():
                self.numbers.append(number)
                yield tree

    def _outputs(self, cell: dict[str, Any]) -> Iterator[HtmlElement]:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            if not isinstance(output, dict):
                continue
            data = _dict(output.get("data"))
            html = _text(data.get("text/html")) or _text(output.get("html"))
            text = _text(data.get("text/plain")) or _text(output.get("text"))
            if output.get("output_type") in ("error", "pyerr"):
                text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
            if _NO_OUTPUT.fullmatch(text[:MAX_OUTPUT_CHARS]):
                text = ""
            markup = _text(data.get("text/markdown"))
            text = text or _text(data.get("text/latex")) * (not markup)
            if "<table" in html[:MAX_OUTPUT_CHARS]:
                yield from list(shown_body(html).iter("table"))
            elif text.strip():
                self.is_cut = self.is_cut or len(text) > MAX_OUTPUT_CHARS
                yield make("pre", _CONTROL_SEQUENCE.sub("", text[:MAX_OUTPUT_CHARS]))
            elif markup or html:
                shown = self.markdown.tree(markup) if markup else shown_body(html[:MAX_OUTPUT_CHARS])
                shown.tag = "div"
                yield shown


def _with_cells(page: Page, numbers: dict[int, int]) -> tuple[Section, ...]:
    """Return the sections of a page and one for each cell without a leading heading, below the preceding heading."""
    starts = {section.start: section for section in page.sections}
    level = 0
    sections: list[Section] = []
    for start, number in numbers.items():
        while start < len(page.text) and page.text[start] == "\n":
            start += 1
        if start < len(page.text) and start not in starts:
            starts[start] = Section(0, f"Cell {number}", f"cell={number}", start, start)
    for section in closed([starts[start] for start in sorted(starts)], len(page.text)):
        level = section.level or level
        sections.append(replace(section, level=section.level or min(level + 1, 6)))
    return tuple(sections)


def _text(value: object) -> str:
    """Return a text, which a notebook may store as a list of lines."""
    if isinstance(value, list):
        return "".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _damaged(url: str) -> DamagedFileError:
    hint = "Open the notebook in Jupyter and save it, then add it again."
    return DamagedFileError(sentence("{} is damaged.", url), url=url, hint=hint)
