"""Window texts use words for users instead of the terms in the sources, in English and in German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from catalogue_file import read_catalogue
from catalogue_strings import ROOT

OUT: Final = re.compile(r"\b(chunk\w*|corpus|corpora|scratch|kb|clients?)\b", re.IGNORECASE)
"""Terms of the sources: users read passage, library and assistant instead."""
OUT_IN_GERMAN: Final = re.compile(
    r"\b(Chunk\w*|Korpus|Zwischenspeicher|Client\w*|Geheimnis\w*|Abschnitt\w*)\b", re.IGNORECASE
)
"""German: a passage is a Textstelle, and a credential is a Schlüssel."""
NAMES: Final = re.compile(r"`[^`]*`|\{[^}]*\}|\bkb\.\w+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b\w+_\w+\b|--[\w-]+|corpus\.db")
"""Commands, tools, settings and placeholders are written exactly."""
FIELD: Final = frozenset({"CorpusError", "CorpusBusyError", "FileAccessError", "DamagedCopyError", "ClientConfigError"})
"""Errors of the library and of assistants, whose messages the window shows unchanged."""


def out_of(text: str, words: re.Pattern[str] = OUT) -> list[str]:
    """Return the words of a text that users should not need to know."""
    return words.findall(NAMES.sub(" ", text))


def test_german_texts_use_words_for_users() -> None:
    catalogue = read_catalogue(ROOT / "assets" / "translations" / "webrag_de.ts")
    found = [
        f"{context}: {words}"
        for (context, _source, _comment), words in catalogue.items()
        if out_of(words, OUT_IN_GERMAN)
    ]
    assert not found, "\n".join(found)


def test_german_numbers_have_a_decimal_comma() -> None:
    catalogue = read_catalogue(ROOT / "assets" / "translations" / "webrag_de.ts")
    found = [words for words in catalogue.values() if re.search(r"(?<![\w.])\d+\.\d+(?![\d.])", words)]
    assert not found, "\n".join(found)


def test_messages_of_the_library_use_words_for_users() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted((ROOT / "app").rglob("*.py"))
        for line, text in _raised(path)
        if out_of(text)
    ]
    assert not found, "\n".join(found)


def test_the_guide_uses_words_for_users() -> None:
    """Commands, files and names of settings are exempt."""
    found = []
    for path in sorted((ROOT / "assets" / "guide").glob("*.md")):
        if path.name == "07-settings.md":
            continue  # Generated from the settings, with their names in files.
        for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.startswith(("webrag ", "    ", "|")) and re.search(
                r"\b(chunks?|corpus|Scratch|clients?|vectors?|keywords?(?! search))\b",
                NAMES.sub(" ", line),
                re.IGNORECASE,
            ):
                found.append(f"{path.name}:{place}: {line[:100]}")
    assert not found, "\n".join(found)


def _raised(path: Path) -> Iterator[tuple[int, str]]:
    """Return the texts of errors whose messages users read."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if any(f"{name}(" in source for name in FIELD) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FIELD:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                for part in ast.walk(argument):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.lineno, part.value
