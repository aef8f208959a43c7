"""Checks that every chunk and every quote of files of all formats is an exact part of the page's text."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from app.errors import WebRAGError
from app.extract import extract
from app.ingest.chunking import chunk_page
from app.ingest.files import content_type_of
from app.kb.spans import split_spans
from app.retrieval.citations import quotables
from app.text.tokens import token_counter
from support.fuzz_files import OFFICE, OLD_WORKBOOK, TEXTS
from support.report import Row

MAX_TOKENS: Final = 256
OFFICE_NAMES: Final = {
    "word": "a.docx", "slides": "a.pptx", "sheets": "a.xlsx", "opendocument": "a.odt", "book": "a.epub", "zip": "a.zip",
}  # fmt: skip


def exact_rows(files: Iterable[Path]) -> Iterator[Row]:
    """Yield the numbers of checked and wrong parts for each suffix, of these files and of a small file of each format."""
    with tempfile.TemporaryDirectory() as folder:
        small = {OFFICE_NAMES[name]: pack(seed) for name, (seed, pack) in OFFICE.items()}
        for name, body in {**small, "a.xls": OLD_WORKBOOK, **TEXTS}.items():
            (Path(folder) / name).write_bytes(body)
        by_suffix: dict[str, list[Path]] = {}
        for file in (*sorted(Path(folder).iterdir()), *files):
            by_suffix.setdefault(file.suffix, []).append(file)
        total: dict[str, int] = {}
        for suffix, chosen in sorted(by_suffix.items()):
            counts: dict[str, int] = {"files": len(chosen), "not read": 0, "chunks": 0, "quotes": 0, "not exact": 0}
            for file in chosen:
                _count(file, counts)
            total = {name: total.get(name, 0) + count for name, count in counts.items()}
            yield {"format": suffix[1:], **counts}
        yield {"format": "all", **total}


def _count(file: Path, counts: dict[str, int]) -> None:
    try:
        page = extract(file.read_bytes(), url=file.as_uri(), content_type=content_type_of(file), charset=None)
    except WebRAGError:
        counts["not read"] += 1
        return
    for chunk in chunk_page(page, url=file.as_uri(), count_tokens=token_counter(None), max_tokens=MAX_TOKENS):
        own = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        counts["chunks"] += 1
        counts["not exact"] += own != page.text[chunk.start : chunk.end]
        offset = chunk.start - chunk.prefix_length
        for span in (*split_spans(chunk.text), *(each.span for each in quotables(chunk.text))):
            start, end = max(span.start + offset, chunk.start), min(span.end + offset, chunk.end)
            if start < end:
                counts["quotes"] += 1
                counts["not exact"] += page.text[start:end] not in chunk.text[span.start : span.end]
