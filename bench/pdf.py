"""Text that PDF extraction keeps and leaves out, compared with pdftotext (poppler-utils), and the time.

    python bench/pdf.py --folder DIR [--left-out] [--repeat N] [--json]

A row is a file in DIR with its pages and the running lines left out. It shows how many of these lines differ, and how many have words that
occur only once in the file (should be zero). Then follow the share of pdftotext's words in the text, the share in the text or the running
lines, and the seconds of both. `--left-out` prints every line that was left out, with its count.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.errors import WebRAGError
from app.extract import extract
from app.extract.pdf.document import Contents, read_contents
from app.extract.pdf.lines import Line
from app.extract.pdf.running import without_running_lines
from app.extract.pdf.structure import line_distance
from support.report import Report, add_json

SECONDS: Final = 120
WORD: Final = re.compile(r"\w+")
BROKEN: Final = re.compile(r"(\w)[-\u00ad\u2010]\n(\w)")
LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
ROMAN: Final = re.compile(r"[ivxlc]+", re.IGNORECASE)
LIGATURES: Final = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"}
"""Codes of fonts of TeX, which pdftotext prints as they are."""
NO_WORDS: Final = frozenset(
    {"page", "seite", "página", "pagina", "of", "von", "de", "chapter", "part", "appendix", "section", "kapitel"}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file with its text and the lines left out of it."""

    text: str
    seconds: float
    contents: Contents
    left_out: list[Line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--left-out", action="store_true", help="print the lines that were left out")
    parser.add_argument("--repeat", type=int, default=1, help="number of runs, of which the fastest counts")
    add_json(parser)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    report = Report("PDF files", as_json=options.json)
    rows = []
    for path in sorted(options.folder.rglob("*.pdf")):
        try:
            reading = read(path, options.repeat)
        except WebRAGError as error:
            report.add({"file": path.name, "error": type(error).__name__})
            continue
        rows.append(judged(path, reading))
        report.add(rows[-1])
        if options.left_out:
            for text, count in Counter(line.text for line in reading.left_out).most_common():
                print(f"    {count:5} {text}")
    if rows:
        report.add(summed(rows))
    report.end()


def read(path: Path, repeat: int) -> Reading:
    """Read a file as the application does. Raises WebRAGError."""
    body = path.read_bytes()
    seconds = []
    for _ in range(repeat):
        started = time.process_time()
        page = extract(body, url=f"https://a.example/{path.name}", content_type="application/pdf", charset=None)
        seconds.append(time.process_time() - started)
    contents = read_contents(body, page.url)
    kept = {
        id(line)
        for each in without_running_lines(contents.pages, line_distance(contents.pages), contents.titles)
        for line in each.lines
    }
    left_out = [line for each in contents.pages for line in each.lines if id(line) not in kept]
    return Reading(page.text, min(seconds), contents, left_out)


def judged(path: Path, reading: Reading) -> dict[str, object]:
    """Return the figures of a file."""
    row: dict[str, object] = {
        "file": path.name,
        "pages": reading.contents.count,
        "left out": len(reading.left_out),
        "different": len({words_of(line.text) for line in reading.left_out}),
        "once": sum(1 for _ in held_once(reading)),
        "seconds": round(reading.seconds, 2),
    }
    other = pdftotext(path)
    if other is not None:
        text, seconds = other
        wanted = Counter(WORD.findall(text.lower()))
        found = Counter(WORD.findall(reading.text.lower()))
        gone = Counter(word for line in reading.left_out for word in WORD.findall(line.text.lower()))
        total = max(wanted.total(), 1)
        row |= {
            "kept": round(100 * (wanted & found).total() / total, 1),
            "kept or left out": round(100 * (wanted & (found + gone)).total() / total, 1),
            "seconds of pdftotext": round(seconds, 2),
        }
    return row


def held_once(reading: Reading) -> Iterator[str]:
    """Yield lines left out whose words are in no other line and no title of the file."""
    texts = [line.text for page in reading.contents.pages for line in page.lines] + reading.contents.titles
    counts = Counter(map(words_of, texts))
    for line in reading.left_out:
        words = words_of(line.text)
        if words and counts[words] < 2:
            yield line.text


def words_of(text: str) -> str:
    """Return the words of a line without numbers and labels of pages."""
    words = [word for word in LETTERS.findall(text.lower()) if word not in NO_WORDS]
    return " ".join(words) if not ROMAN.fullmatch(text.strip(" -–—.")) else ""


def pdftotext(path: Path) -> tuple[str, float] | None:
    """Return the text from pdftotext and its seconds, or None if it is not installed."""
    program = shutil.which("pdftotext")
    if program is None:
        return None
    before = os.times()
    done = subprocess.run([program, "-q", str(path), "-"], capture_output=True, timeout=SECONDS, check=False)
    after = os.times()
    text = BROKEN.sub(r"\1\2", done.stdout.decode("utf-8", "replace").translate(LIGATURES))
    return text, after.children_user + after.children_system - before.children_user - before.children_system


def summed(rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the sums over all files, and the mean of shares."""
    made: dict[str, object] = {"file": f"all {len(rows)}"}
    for name in list(rows[0])[1:]:
        values = [value for row in rows if isinstance(value := row.get(name), int | float)]
        made[name] = round(sum(values) / (len(values) if name.startswith("kept") else 1), 2)
    return made


if __name__ == "__main__":
    main()
