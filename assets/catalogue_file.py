"""A catalog of translations in the format of Qt Linguist, and its checks."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from catalogue_strings import Message

Key = tuple[str, str, str]
Catalogue = dict[Key, str]
"""Translations by context, source and comment. An empty one is unfinished."""

HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
_EDGE: Final = re.compile(r"^(\s*).*?(\s*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem of one entry."""

    key: Key
    what: str

    def __str__(self) -> str:
        context, source, _ = self.key
        return f"{context}: {source!r}: {self.what}"


def key_of(message: Message) -> Key:
    """Return the key of a message."""
    return message.context, message.source, message.comment


def read_catalogue(path: Path) -> Catalogue:
    """Return all entries of a file, or none if it does not exist."""
    if not path.exists():
        return {}
    found: Catalogue = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for entry in context.iter("message"):
            translation = entry.find("translation")
            finished = translation is not None and translation.get("type") is None
            key = context.findtext("name", ""), entry.findtext("source", ""), entry.findtext("comment", "")
            found[key] = (translation.text or "") if translation is not None and finished else ""
    return found


def write_catalogue(path: Path, language: str, texts: Iterable[Message], translations: Mapping[Key, str]) -> None:
    """Write the texts of the sources with their translations, and drop other translations."""
    lines = [f'{HEAD}<TS version="2.1" language="{language}" sourcelanguage="en">\n']
    ordered = sorted(texts, key=lambda message: message.context)
    for context, entries in groupby(ordered, key=lambda message: message.context):
        lines.append(f"<context>\n    <name>{escape(context)}</name>\n")
        lines += [_entry(message, translations.get(key_of(message), "")) for message in entries]
        lines.append("</context>\n")
    lines.append("</TS>\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def faults(texts: Iterable[Message], catalogue: Mapping[Key, str]) -> Iterator[Fault]:
    """Yield missing, unfinished, unused and mismatched entries."""
    wanted = {key_of(message) for message in texts}
    for key in sorted(wanted):
        if key not in catalogue:
            yield Fault(key, "missing")
        elif not catalogue[key]:
            yield Fault(key, "unfinished")
        else:
            yield from misfits(key, catalogue[key])
    yield from (Fault(key, "no longer used") for key in sorted(catalogue.keys() - wanted))


def misfits(key: Key, translation: str) -> Iterator[Fault]:
    """Yield differences from the source that would break the text."""
    source = key[1]
    if _fields(source) != _fields(translation):
        yield Fault(key, f"different placeholders in {translation!r}")
    if _edges(source) != _edges(translation):
        yield Fault(key, f"different spaces at the ends of {translation!r}")
    if source.endswith("…") != translation.endswith("…"):
        yield Fault(key, f"different dots at the end of {translation!r}")


def _entry(message: Message, translation: str) -> str:
    comment = f"        <comment>{escape(message.comment)}</comment>\n" if message.comment else ""
    state = f">{escape(translation)}</translation>" if translation else ' type="unfinished"></translation>'
    return (
        f'    <message>\n        <location filename="../../{escape(message.file)}"/>\n'
        f"        <source>{escape(message.source)}</source>\n{comment}        <translation{state}\n    </message>\n"
    )


def _fields(text: str) -> list[str] | None:
    """Return the sorted placeholders, or None if the braces do not match."""
    try:
        return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
    except ValueError:
        return None


def _edges(text: str) -> tuple[str, ...]:
    found = _EDGE.match(text)
    return found.groups() if found else ()
