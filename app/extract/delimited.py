"""Read files with values separated by commas, semicolons or tabs (.csv, .tsv)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from app.extract.page import Page
from app.extract.plain import read_text
from app.extract.sheet_text import Row, SheetWriter

_SAMPLE_CHARS: Final = 20_000
_SEPARATORS: Final = ("\t", ";", ",", "|")
_MAX_FIELD_CHARS: Final = 1_000_000


def extract_delimited(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a file of separated values. Raises UnsupportedContentError and EmptyPageError."""
    text = read_text(body, url=url, charset=charset)
    writer = SheetWriter()
    writer.add_sheet("", _rows(text, _separator(text)))
    return writer.page(url, "")


def _rows(text: str, separator: str) -> Iterator[Row]:
    """Yield the rows with their numbers. If an unclosed quotation mark would take the rest of the file, split the lines without quotes."""
    csv.field_size_limit(_MAX_FIELD_CHARS)
    lines = io.StringIO(text, newline="")
    if text.count('"') % 2:
        reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=separator)
    number = 0
    while True:
        number += 1
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield number, []


def _separator(text: str) -> str:
    """Return the separator that occurs equally often in most of the first lines; a comma if there is none."""
    lines = [line for line in text[:_SAMPLE_CHARS].splitlines()[:200] if line.strip()]
    best, most = ",", 0
    for separator in _SEPARATORS:
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts), key=counts.count, default=0)
        agreeing = counts.count(usual) if usual else 0
        if agreeing > most:
            best, most = separator, agreeing
    return best
