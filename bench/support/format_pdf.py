"""PDF files of pinned packages, compared with pdftotext and with their own outlines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from app.errors import WebRAGError
from app.extract import extract
from app.text.markdown_blocks import Kind, scan_blocks
from pdf import judged, read
from support.report import Row, median

FILES: Final = 60
LEAST_BYTES: Final = 2_000
"""Smaller files are empty forms."""
_WORDS: Final = re.compile(r"[^\W\d_]+")
_NO_WORDS: Final = 95.0
"""Files with a smaller share of words are named."""


def pdf_rows(files: Sequence[Path], number: int) -> Iterator[Row]:
    """Yield the figures of each package, and of all."""
    chosen = [file for file in files if file.suffix == ".pdf" and file.stat().st_size >= LEAST_BYTES][:number]
    rows = []
    for package in sorted({file.parent for file in chosen}):
        own = [_file_row(file) for file in chosen if file.parent == package]
        rows += own
        yield {"package": package.name, **_summed(own)}
    if rows:
        yield {"package": "all", **_summed(rows)}


def _file_row(file: Path) -> dict[str, float]:
    """Return the pages, the shares of words and of titles of the outline (-1: none), the tables and the seconds of a file."""
    try:
        reading = read(file, 1)
        found = judged(file, reading)
    except WebRAGError as error:
        print(f"  {file.name}: {error.message}", file=sys.stderr)
        return {"not read": 1.0}
    page = extract(
        file.read_bytes(), url=f"https://a.example/{file.name}", content_type="application/pdf", charset=None
    )
    shown = {_plain(section.heading) for section in page.sections}
    titles = {_plain(title) for title in reading.contents.titles} - {""}
    met = 100.0 * sum(any(title in each for each in shown) for title in titles) / len(titles) if titles else -1.0
    words = float(found.get("kept or left out", 100.0))  # type: ignore[arg-type]
    if words < _NO_WORDS or 0 <= met < _NO_WORDS:
        print(f"  {file.name}: {words} % of the words, {met:.0f} % of the titles", file=sys.stderr)
    tables = sum(block.kind is Kind.TABLE for block in scan_blocks(page.text, ()))
    return {"pages": reading.contents.count, "words": words, "titles": met, "tables": tables, "s": reading.seconds}


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))


def _summed(rows: Sequence[dict[str, float]]) -> dict[str, object]:
    told = [row for row in rows if "words" in row]
    titles = [row["titles"] for row in told if row["titles"] >= 0]
    return {
        "files": len(rows),
        "not read": len(rows) - len(told),
        "pages": int(sum(row["pages"] for row in told)),
        "words": f"{sum(row['words'] for row in told) / len(told):.2f}" if told else "–",
        "lowest": min((row["words"] for row in told), default=0.0),
        "headings": f"{sum(titles) / len(titles):.1f}" if titles else "–",
        "tables": int(sum(row["tables"] for row in told)),
        "ms a page": median([1000 * row["s"] / max(row["pages"], 1) for row in told] or [0.0]),
    }
