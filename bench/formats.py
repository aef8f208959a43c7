"""Measure the readers of documents with files of real programs, next to other readers in the same run.

    python bench/formats.py [--part PART]... [--cache FOLDER] [--offline] [--small] [--misses] [--json [FILE]]

`files`: pandoc, LibreOffice and XlsxWriter make files of texts with known words and structure (support/format_source.md and pages of the
documentation). The tables show the share of words, headings (with the heading above), list items (with depth and order), cells (with row
and column), lines of code and notes, and the processor time and memory. Goals: 99.5 % of the words of DOCX, 98 % of PPTX, every cell.
A DOCX file takes at most 50 ms and 64 MB in the median, 400,000 cells at most 3 s.
`real`: files from pinned packages (support/format_packages.toml) are compared with the words in their XML.
`pdf`: 60 files from pinned packages are compared with the words of pdftotext (poppler-utils), including the running lines that WebRAG
leaves out, and their headings with their outlines.
`exact`: every chunk and quote of all these files, and of a small file of each format, must be an exact part of the page.
`questions`: `answer` and `kb_retrieve_evidence` answer two questions about each of 20 files. Goals: 90 % have the answer in the first five
passages, and 95 % of these name the right place (chapter or rows; for quotes, the file).
`hostile`: WebRAG must refuse bombs, cycles and other attacks with a typed error, or show the readable words. Limits: 10 s of processor time
and 512 MB.
`folder`: the program reads a folder of 1,000 mixed files. What it stored, could not read and left out must add up, by reason.

The cache folder contains the environments of markitdown and kreuzberg. --offline installs and downloads nothing. A message names each
program or package that is not available. No file of other projects is in Git.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from app import errors
from support.format_checks import Reading, cells_met, judged, middle, own_python, raw_words, read_all
from support.format_exact import exact_rows
from support.format_facts import KINDS, kept, words
from support.format_files import (
    OTHERS,
    SOURCES,
    default_cache,
    environment,
    make_large_sheet,
    make_sheets,
    make_texts,
    real_files,
    table_rows,
)
from support.format_folder import folder_row
from support.format_hostile import HOSTILE, WORDS, make_hostile
from support.format_pdf import FILES as PDF_FILES
from support.format_pdf import pdf_rows
from support.format_questions import PLACES, asked_rows, make_places
from support.report import Report, add_json, print_report

OURS: Final = "webrag"
SHOWN_WORDS: Final = 12
HOSTILE_SECONDS: Final = 60
SMALL_HOSTILE: Final = 5
FOLDER: Final = 1_000
SMALL_FOLDER: Final = 100
SMALL_PDF: Final = 2
MAX_MS: Final = 10_000
MAX_MB: Final = 512
GOOD: Final = ("refused", "read")


def main() -> int:
    options = arguments()
    logging.disable(logging.WARNING)
    for part in options.part or PARTS:
        PARTS[part](options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only these parts (default: all)")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="FOLDER")
    parser.add_argument("--offline", action="store_true", help="install and download nothing")
    parser.add_argument("--small", action="store_true", help="one source, no large sheet")
    parser.add_argument("--misses", action="store_true", help="print the words that WebRAG lost")
    add_json(parser)
    return parser.parse_args()


def readers(options: argparse.Namespace) -> dict[str, Path]:
    """Return the available readers with the Python of their environments."""
    found = {OURS: own_python()}
    for name, wanted in OTHERS.items():
        python = environment(name, wanted, options.cache, may_install=not options.offline)
        if python is not None:
            found[name] = python
    return found


def report_files(options: argparse.Namespace) -> None:
    folder = options.cache / "made"
    made = make_texts(folder, SOURCES[:1] if options.small else SOURCES)
    sheets = make_sheets(folder)
    known = readers(options)
    if made:
        report = Report("Texts and slides, % of the source in the text", as_json=options.json)
        for name, python in known.items():
            readings = dict(zip(made, read_all(python, name, list(made)), strict=True))
            for kind in sorted({_kind(file) for file in made}):
                chosen = [file for file in made if _kind(file) == kind]
                report.add(_row(name, kind, chosen, made, readings))
                if name == OURS and options.misses:
                    _print_misses(chosen, made, readings)
        report.end()
    report = Report("Sheets, % of the cells in the right row and column", as_json=options.json)
    rows = table_rows()
    for name, python in known.items():
        for file, reading in zip(sheets, read_all(python, name, sheets), strict=True):
            share = f"{cells_met(rows, reading['text']):.2f}" if not reading["error"] else "not read"
            report.add({"reader": name, "file": file.suffix[1:], "cells": share, **_costs([reading])})
    large = None if options.small else make_large_sheet(folder, options.cache, may_install=not options.offline)
    for name, python in known.items() if large is not None else ():
        (reading,) = read_all(python, name, [large] if large is not None else [])
        count = "not read" if reading["error"] else f"{reading['text'].count(chr(10)):,} lines"
        report.add({"reader": name, "file": "400,000 cells", "cells": count, **_costs([reading])})
    report.end()


def _kind(file: Path) -> str:
    return f"{file.suffix[1:]} of {'LibreOffice' if '-office-' in file.name else 'pandoc'}"


def _row(
    name: str, kind: str, chosen: Sequence[Path], made: dict[Path, Path], readings: dict[Path, Reading]
) -> dict[str, object]:
    shares = [judged(made[file], file, readings[file]) for file in chosen]
    failed = sum(bool(readings[file]["error"]) for file in chosen)
    row: dict[str, object] = {"reader": name, "files": f"{len(chosen)} {kind}", "not read": failed}
    for each in ("words", *KINDS):
        values = [value for share in shares if (value := share[each]) is not None]
        row[each] = f"{sum(values) / len(values):.2f}" if values and failed < len(chosen) else "–"
    return {**row, **_costs([readings[file] for file in chosen])}


def _costs(found: Sequence[Reading]) -> dict[str, object]:
    return {"ms": middle(found, "ms"), "MB": middle(found, "mb")}


def _print_misses(chosen: Sequence[Path], made: dict[Path, Path], readings: dict[Path, Reading]) -> None:
    from support.format_checks import source_facts

    for file in chosen:
        lost = source_facts(made[file]).words - words(str(readings[file]["text"]))
        if lost or readings[file]["error"]:
            print(f"  {file.name}: {readings[file]['error']} {dict(lost.most_common(SHOWN_WORDS))}")


def report_real(options: argparse.Namespace) -> None:
    files = [
        (file, found)
        for file in real_files(options.cache, may_install=not options.offline)
        if (found := raw_words(file))
    ]
    report = Report("Files of packages, % of the words in their XML", as_json=options.json)
    for name, python in readers(options).items() if files else ():
        readings = read_all(python, name, [file for file, _ in files])
        for suffix in sorted({file.suffix for file, _ in files}):
            chosen = [
                (file, found, reading)
                for (file, found), reading in zip(files, readings, strict=True)
                if file.suffix == suffix
            ]
            shares = [(kept(found, words(reading["text"])), file, reading) for file, found, reading in chosen]
            told = [share for share, _, reading in shares if not reading["error"]]
            row = {"reader": name, "files": f"{len(chosen)} {suffix[1:]}", "not read": len(chosen) - len(told)}
            lowest = f"{min(told):.1f}" if told else "–"
            mean = f"{sum(told) / len(told):.2f}" if told else "–"
            report.add({**row, "words": mean, "lowest": lowest, **_costs([each for _, _, each in shares])})
            for share, file, reading in shares if name == OURS and options.misses else ():
                if share < 100:
                    lost = next(found for each, found in files if each == file) - words(reading["text"])
                    print(f"  {file.name}: {reading['error']} {share:.1f} {dict(lost.most_common(SHOWN_WORDS))}")
    report.end()


def report_pdf(options: argparse.Namespace) -> None:
    report = Report("PDF files of packages, % of the words of pdftotext and of the outline", as_json=options.json)
    files = list(real_files(options.cache, may_install=not options.offline))
    for row in pdf_rows(files, SMALL_PDF if options.small else PDF_FILES):
        report.add(row)
    report.end()


def report_exact(options: argparse.Namespace) -> None:
    report = Report("Chunks and quotes that are exact parts of the page", as_json=options.json)
    real = () if options.small else real_files(options.cache, may_install=not options.offline)
    made = () if options.small else sorted(file for file in (options.cache / "made").rglob("*") if file.is_file())
    for row in exact_rows([*made, *real]):
        report.add(row)
    report.end()


def report_questions(options: argparse.Namespace) -> None:
    folder = options.cache / "places"
    questions = make_places(folder, number=2 if options.small else len(PLACES))
    if questions:
        title = f"{len(questions)} questions about {len({each.file for each in questions})} files"
        print_report(asked_rows(folder, questions, is_shown=options.misses), as_json=options.json, title=title)


def report_hostile(options: argparse.Namespace) -> None:
    report = Report(f"{len(HOSTILE)} hostile files", as_json=options.json)
    counts: Counter[str] = Counter()
    for file in make_hostile(options.cache / "hostile", SMALL_HOSTILE if options.small else len(HOSTILE)):
        (reading,) = read_all(own_python(), OURS, [file], seconds=HOSTILE_SECONDS)
        outcome = outcome_of(reading)
        is_within = reading["ms"] <= MAX_MS and reading["mb"] <= MAX_MB
        counts["kept" if is_within and outcome in GOOD else "broken"] += 1
        report.add(
            {
                "file": file.name,
                "outcome": outcome,
                "s": f"{reading['ms'] / 1000:.2f}",
                "MB": reading["mb"],
                "error": reading["error"][:60],
            }
        )
    report.add({"file": "all", "outcome": f"{counts['kept']} as promised, {counts['broken']} not"})
    report.end()


def report_folder(options: argparse.Namespace) -> None:
    row = folder_row(options.cache / "folder", SMALL_FOLDER if options.small else FOLDER)
    print_report([row], as_json=options.json, title="A folder of mixed files through the program")


def outcome_of(reading: Reading) -> str:
    """Return what happened to a hostile file."""
    if reading["error"]:
        kind = getattr(errors, str(reading["error"]).partition(":")[0], None)
        return "refused" if kind is not None and issubclass(kind, errors.WebRAGError) else "failed"
    return "read" if WORDS in str(reading["text"]) else "read without the words"


PARTS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "files": report_files,
    "real": report_real,
    "pdf": report_pdf,
    "exact": report_exact,
    "questions": report_questions,
    "hostile": report_hostile,
    "folder": report_folder,
}

if __name__ == "__main__":
    sys.exit(main())
