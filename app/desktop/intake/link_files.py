"""Files that only hold the address of a page: .url of Windows, .webloc of macOS, .desktop of Linux."""

from __future__ import annotations

import configparser
import plistlib
from pathlib import Path
from typing import Final
from xml.parsers.expat import ExpatError

from app import caps
from app.desktop.intake.texts import addresses_in

SUFFIXES: Final = frozenset((".url", ".webloc", ".desktop"))
_SECTIONS: Final = {".url": "InternetShortcut", ".desktop": "Desktop Entry"}


def is_link_file(path: Path) -> bool:
    """Whether the name promises a file with an address."""
    return path.suffix.lower() in SUFFIXES


def linked_address(path: Path) -> str:
    """The web address that the file holds; empty when it holds none or cannot be read."""
    try:
        with path.open("rb") as stream:
            body = stream.read(caps.MAX_LINK_FILE_BYTES + 1)
    except OSError:
        return ""
    if len(body) > caps.MAX_LINK_FILE_BYTES:
        return ""
    named = _of_property_list(body) if path.suffix.lower() == ".webloc" else _of_sections(body, path.suffix.lower())
    return next(iter(addresses_in(named)), "")


def _of_property_list(body: bytes) -> str:
    try:
        held = plistlib.loads(body)
    except (
        plistlib.InvalidFileException,
        ExpatError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        RecursionError,
    ):
        return ""
    return str(held.get("URL", "")) if isinstance(held, dict) else ""


def _of_sections(body: bytes, suffix: str) -> str:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(body.decode("utf-8-sig", "replace"))
    except configparser.Error:
        return ""
    return parser.get(_SECTIONS[suffix], "URL", fallback="")
