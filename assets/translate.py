"""Update the catalogs of the window's languages, assets/translations/webrag_*.ts, and compile them.

    python assets/translate.py                       copy the texts of the sources to the catalogs, and compile these
    python assets/translate.py --build               only compile catalogs that changed
    python assets/translate.py --check               list problems (exit status 1 if there are any)
    python assets/translate.py --export FILE.json    export unfinished entries; --part 2/4 exports the second quarter
    python assets/translate.py --import FILE.json    import translations, except unsuitable ones

Only compiling needs a package: lrelease, which is part of PySide6.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from catalogue_file import Catalogue, faults, key_of, misfits, read_catalogue, write_catalogue
from catalogue_strings import NOTES, StringError, messages

FOLDER: Final = Path(__file__).resolve().parent / "translations"
LANGUAGES: Final = {"de": "de_DE"}


def main() -> int:
    """Run one of the steps and return the exit status."""
    options = _parser().parse_args()
    source = FOLDER / f"webrag_{options.language}.ts"
    try:
        if options.check:
            return _check(source)
        if options.export:
            return _export(source, options.export, options.part)
        if options.take:
            return _import(source, options.language, options.take)
        if not options.build:
            update(source, options.language)
    except StringError as error:
        print(error, file=sys.stderr)
        return 1
    build()
    return 0


def update(source: Path, language: str) -> None:
    """Update a catalog from the sources."""
    texts, old = messages(), read_catalogue(source)
    write_catalogue(source, LANGUAGES[language], texts, old)
    unfinished = sum(not old.get(key_of(message)) for message in texts)
    print(f"{source.name}: {len(texts)} texts, {unfinished} unfinished")


def build() -> None:
    """Compile changed catalogs and write their lists of templates. Unfinished texts remain in English."""
    for source in FOLDER.glob("webrag_*.ts"):
        built = [source.with_suffix(suffix) for suffix in (".qm", ".json")]
        if any(not target.exists() or target.stat().st_mtime < source.stat().st_mtime for target in built):
            build_catalogue(source)


def build_catalogue(source: Path) -> None:
    """Compile a catalog, and write the list of its templates whose values keep their order.

    The window uses the list to recognize the template of a recorded sentence.
    """
    templates = []
    for context, template, _ in read_catalogue(source):
        places = re.findall(r"\{(\d*)\}", template)
        if (
            context == NOTES
            and places
            and (not any(places) or places == [str(number) for number in range(len(places))])
        ):
            templates.append(template)
    source.with_suffix(".json").write_text(json.dumps(templates, ensure_ascii=False, indent=0) + "\n", "utf-8")
    program = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run([program, "-silent", source, "-qm", source.with_suffix(".qm")], check=True, timeout=60)


def _check(source: Path) -> int:
    found = list(faults(messages(), read_catalogue(source)))
    for fault in found:
        print(fault)
    return 1 if found else 0


def _export(source: Path, target: Path, part: tuple[int, int]) -> int:
    catalogue = read_catalogue(source)
    open_ones = [message for message in messages() if not catalogue.get(key_of(message))]
    place, parts = part
    size = -(-len(open_ones) // parts)
    chosen = open_ones[(place - 1) * size : place * size]
    entries = [
        {
            "context": message.context,
            "file": message.file,
            "comment": message.comment,
            "source": message.source,
            "translation": "",
        }
        for message in chosen
    ]
    target.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(entries)} of {len(open_ones)} unfinished texts")
    return 0


def _import(source: Path, language: str, given: Path) -> int:
    entries: list[dict[str, Any]] = json.loads(given.read_text(encoding="utf-8"))
    texts, catalogue = messages(), read_catalogue(source)
    known = {key_of(message) for message in texts}
    taken: Catalogue = {}
    refused: list[str] = []
    for entry in entries:
        key = entry["context"], entry["source"], entry.get("comment", "")
        words = entry.get("translation", "")
        if key not in known:
            refused.append(f"{key[0]}: {key[1]!r}: this text is not in the sources")
        elif words:
            wrong = [str(fault) for fault in misfits(key, words)]
            refused += wrong
            if not wrong:
                taken[key] = words
    write_catalogue(source, LANGUAGES[language], texts, {**catalogue, **taken})
    build()
    print(*refused, f"{len(taken)} translations imported, {len(refused)} refused", sep="\n")
    return 1 if refused else 0


def _part(text: str) -> tuple[int, int]:
    place, _, parts = text.partition("/")
    if not (place.isdigit() and parts.isdigit() and 1 <= int(place) <= int(parts)):
        raise argparse.ArgumentTypeError("use the form 2/4")
    return int(place), int(parts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Update the catalogs of the window's languages.")
    parser.add_argument("--language", choices=LANGUAGES, default="de")
    parser.add_argument("--part", type=_part, default=(1, 1), metavar="N/M", help="part of the entries for --export")
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--build", action="store_true", help="only compile changed catalogs")
    steps.add_argument("--check", action="store_true", help="list problems")
    steps.add_argument("--export", type=Path, metavar="FILE", help="export unfinished entries as JSON")
    steps.add_argument("--import", dest="take", type=Path, metavar="FILE", help="import translations")
    return parser


if __name__ == "__main__":
    sys.exit(main())
