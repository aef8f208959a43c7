"""Addresses and paths in what was typed, pasted or dropped; nothing is read for it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QUrl

from app import caps

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`{}|\\^]+", re.IGNORECASE)
_TRAILING: Final = ".,;:!?…»”’*_"
_PATH: Final = re.compile(r"(?:/(?!/)|~[/\\]|file:///(?!/)|[A-Za-z]:[\\/])")
"""Of this computer: to look at a path on another machine would show it who asks."""
_BRACKETS: Final = {")": "(", "]": "["}


_HOST_AND_PORT: Final = re.compile(r"[\w-]+:\d{1,5}")


@dataclass(frozen=True, slots=True)
class Things:
    """Addresses of pages and paths of this computer, each once and in order."""

    addresses: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.addresses or self.paths)


def addresses_in(text: str) -> tuple[str, ...]:
    """The web addresses in a text, at most MAX_IMPORTED_URLS; a full stop or bracket that ends the sentence is no part of them."""
    found = (_bare(match.group()) for match in _ADDRESS.finditer(text[: caps.MAX_PASTED_CHARS]))
    usable = (address for address in found if address.split("://")[1] and len(address) < caps.MAX_URL_CHARS)
    return tuple(dict.fromkeys(usable))[: caps.MAX_IMPORTED_URLS]


def paths_in(text: str) -> tuple[Path, ...]:
    """The lines that are full paths or file:// addresses."""
    lines = (line.strip().strip("\"'") for line in text[: caps.MAX_PASTED_CHARS].splitlines())
    return _paths([line for line in lines if _PATH.match(line)])


def things_in_text(text: str) -> Things:
    """What a text names. A text that only mentions a path among other words names none."""
    return Things(addresses_in(text), paths_in(text))


def things_in(mime: QMimeData) -> Things:
    """What is dragged or lies in the clipboard: a list of addresses, else the text."""
    urls = mime.urls()
    web = [
        url.toString(QUrl.ComponentFormattingOption.FullyEncoded) for url in urls if url.scheme() in ("http", "https")
    ]
    local = [url.toLocalFile() for url in urls if url.isLocalFile()]
    if web or local:
        return Things(tuple(dict.fromkeys(web))[: caps.MAX_IMPORTED_URLS], _paths(local))
    return things_in_text(mime.text()) if mime.hasText() else Things()


def looks_like_address(word: str) -> bool:
    """Whether a word that was typed can be meant as a web address: it has a scheme, a dot or a slash, or is host:port."""
    bare = word.rstrip(_TRAILING)
    if "://" in bare:
        return not bare.endswith("://")
    named = "." in bare.strip(".") or "/" in bare.strip("/")
    return named or bare.casefold() == "localhost" or _HOST_AND_PORT.fullmatch(bare) is not None


def as_argument(given: str) -> str:
    """An argument of the command line without white space: an address as it is, anything that is there as file:// address."""
    path = Path(given).expanduser()
    if "://" not in given and path.exists():
        return path.absolute().as_uri()
    return "%20".join(given.split())


def _paths(lines: Sequence[str]) -> tuple[Path, ...]:
    found = (_path(line) for line in lines)
    return tuple(dict.fromkeys(path for path in found if path is not None))[: caps.MAX_IMPORTED_FILES]


def _path(line: str) -> Path | None:
    local = QUrl(line).toLocalFile() if line.startswith("file:") else line
    return Path(os.path.expanduser(local)) if local and "\0" not in local else None  # noqa: PTH111


def _bare(address: str) -> str:
    while address and (address[-1] in _TRAILING or _closes_nothing(address)):
        address = address[:-1]
    return address


def _closes_nothing(address: str) -> bool:
    opening = _BRACKETS.get(address[-1], "")
    return bool(opening) and address.count(address[-1]) > address.count(opening)
