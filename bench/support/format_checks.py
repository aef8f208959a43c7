"""Compares what readers made of a file with the source of the file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any, Final

from lxml import etree

from support.format_facts import KINDS, Facts, facts_of, kept, structure, words
from support.report import median

WORKER: Final = Path(__file__).with_name("format_worker.py")
SECONDS: Final = 600
SLIDES: Final = (".pptx", ".odp")
_BAR: Final = re.compile(r"(?<!\\)\|")
_TEXTS: Final = {
    ".docx": (re.compile(r"word/(?:document|footnotes|endnotes)\.xml"), ("t",)),
    ".pptx": (re.compile(r"ppt/(?:slides|notesSlides)/[^/]+\.xml"), ("t",)),
    ".xlsx": (re.compile(r"xl/sharedStrings\.xml"), ("t",)),
    ".odt": (re.compile(r"content\.xml"), ("p", "h", "span", "a")),
    ".ods": (re.compile(r"content\.xml"), ("p", "span", "a")),
}
"""The parts and elements with the text of a file, for files without a source."""

Reading = dict[str, Any]


def read_all(python: Path, reader: str, files: Sequence[Path], *, seconds: float = SECONDS) -> list[Reading]:
    """Let a reader read files in a separate process. A file that ends the process, or for which the process is ended after this time, has
    an error, and a new process reads the rest."""
    readings: list[Reading] = []
    while len(readings) < len(files):
        command = [str(python), str(WORKER), reader, *map(str, files[len(readings) :])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            timer = threading.Timer(seconds, process.kill)
            timer.start()
            readings += [json.loads(line) for line in process.stdout if line.startswith(b"{")]
            timer.cancel()
        if len(readings) < len(files):
            readings.append({"text": "", "error": "the process ended", "ms": 0.0, "mb": 0.0})
    return readings


@cache
def source_facts(source: Path) -> Facts:
    return facts_of(source.read_text("utf-8"), "markdown")


def judged(source: Path, file: Path, reading: Reading) -> dict[str, float | None]:
    """Return the percentages of words and of each kind of structure of the source that the text has."""
    truth, text = source_facts(source), str(reading["text"])
    if reading["error"]:
        return {"words": 0.0, **dict.fromkeys(KINDS, 0.0)}
    try:
        found = facts_of(text, "gfm+footnotes")
    except CalledProcessError:
        found = Facts()
    shares = structure(truth, found, are_slides=file.suffix in SLIDES)
    return {"words": kept(truth.words, words(text)), **shares}


def raw_words(file: Path) -> Counter[str] | None:
    """Return the words in the XML or JSON of a file, without any rule of its format. None for other formats."""
    if file.suffix == ".ipynb":
        cells = json.loads(file.read_text("utf-8")).get("cells", [])
        return words("\n".join("".join(cell.get("source", "")) for cell in cells))
    if file.suffix not in _TEXTS or not zipfile.is_zipfile(file):
        return None
    parts, tags = _TEXTS[file.suffix]
    with zipfile.ZipFile(file) as packed:
        roots = [etree.fromstring(packed.read(name)) for name in packed.namelist() if parts.fullmatch(name)]
    return sum((words(" ".join(_strings(root, tags))) for root in roots), Counter())


def _strings(root: etree._Element, tags: Sequence[str]) -> Iterator[str]:
    """Yield the text of each paragraph, whose runs can divide a word. Fields such as numbers of slides are left out."""
    paragraphs = [*root.iter("{*}p", "{*}h", "{*}si")]
    for paragraph in paragraphs:
        if next(paragraph.iterancestors("{*}p", "{*}si", "{*}table-of-content"), None) is not None:
            continue  # a part of another one, or a list of the headings
        parts = []
        for each in paragraph.iter():
            name = str(each.tag).rpartition("}")[2]
            if name in ("br", "tab", "p", "s", "line-break"):
                parts.append(" ")
            if name in tags and next(each.iterancestors("{*}fld"), None) is None:
                parts.append(each.text or "")
            if tags[0] == "p" and each is not paragraph:
                parts.append(each.tail or "")
        yield "".join(parts)


def cells_met(rows: Sequence[Sequence[str]], text: str) -> float:
    """Return the percentage of cells that are in the row with the same first cell, at the same place."""
    tables: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [each.strip().replace("\\|", "|").replace("\\\\", "\\") for each in _BAR.split(line)[1:-1]]
            if cells:
                tables.setdefault(cells[0], cells)
    wanted = met = 0
    for row in rows:
        there = tables.get(row[0], [])
        for place, cell in enumerate(row):
            wanted += 1
            met += place < len(there) and same_value(cell, there[place])
    return 100.0 * met / max(wanted, 1)


def same_value(wanted: str, shown: str) -> bool:
    """Whether a reader shows a value: the same text or number, or the same day with a time."""
    try:
        return float(wanted) == float(shown)
    except ValueError:
        shown = " ".join(shown.split())
        return shown in (wanted, wanted or "NaN") or (bool(wanted) and shown == f"{wanted} 00:00:00")


def middle(readings: Sequence[Reading], name: str) -> float:
    return median([float(each[name]) for each in readings if not each["error"]] or [0.0])


def own_python() -> Path:
    return Path(sys.executable)
