"""What can be added of the things that were dropped, pasted or typed, and in words, reading the names and heads of files; and sites that
an empty library may begin with.
"""

from __future__ import annotations

import configparser
import os
import plistlib
import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.parsers.expat import ExpatError

from PySide6.QtCore import QLocale, QMimeData, QUrl

from app import caps
from app.desktop.wording import counted, site_of, spoken, translator
from app.errors import FileAccessError, WebRAGError
from app.paths import assets_dir
from app.text.media_types import KIND_NAMES

MAX_PASTED_CHARS: Final = 1_000_000
"""Of a text that is searched for addresses."""
MAX_LINK_FILE_BYTES: Final = 64 * caps.KIB
"""Of a file that only holds the address of a page."""

_tr = translator("Offer")

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`{}|\\^]+", re.IGNORECASE)
_TRAILING: Final = ".,;:!?…»”’*_"
_PATH: Final = re.compile(r"(?:/(?!/)|~[/\\]|file:///(?!/)|[A-Za-z]:[\\/])")
"""Of this computer: to look at a path on another machine would show it who asks."""
_BRACKETS: Final = {")": "(", "]": "["}

_HOST_AND_PORT: Final = re.compile(r"[\w-]+:\d{1,5}")

SUFFIXES: Final = frozenset((".url", ".webloc", ".desktop"))
_SECTIONS: Final = {".url": "InternetShortcut", ".desktop": "Desktop Entry"}


@dataclass(frozen=True, slots=True)
class Things:
    """Addresses of pages and paths of this computer, each once and in order."""

    addresses: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.addresses or self.paths)


def addresses_in(text: str) -> tuple[str, ...]:
    """The web addresses in a text, at most MAX_IMPORTED_URLS; a full stop or bracket that ends the sentence is no part of them."""
    found = (_bare(match.group()) for match in _ADDRESS.finditer(text[:MAX_PASTED_CHARS]))
    usable = (address for address in found if address.split("://")[1] and len(address) < caps.MAX_URL_CHARS)
    return tuple(dict.fromkeys(usable))[: caps.MAX_IMPORTED_URLS]


def paths_in(text: str) -> tuple[Path, ...]:
    """The lines that are full paths or file:// addresses."""
    lines = (line.strip().strip("\"'") for line in text[:MAX_PASTED_CHARS].splitlines())
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
    local = (QUrl(line).toLocalFile() if line.startswith("file:") else line for line in lines)
    found = (Path(os.path.expanduser(each)) for each in local if each and "\0" not in each)  # noqa: PTH111
    return tuple(dict.fromkeys(found))[: caps.MAX_IMPORTED_FILES]


def _bare(address: str) -> str:
    """The address without the signs of the sentence behind it: also brackets that were not opened within it."""
    while address:
        last, opening = address[-1], _BRACKETS.get(address[-1], "")
        if last not in _TRAILING and not (opening and address.count(last) > address.count(opening)):
            break
        address = address[:-1]
    return address


def is_link_file(path: Path) -> bool:
    """Whether the name promises a file with an address."""
    return path.suffix.lower() in SUFFIXES


def linked_address(path: Path) -> str:
    """The web address that the file holds; empty when it holds none or cannot be read."""
    try:
        with path.open("rb") as stream:
            body = stream.read(MAX_LINK_FILE_BYTES + 1)
    except OSError:
        return ""
    if len(body) > MAX_LINK_FILE_BYTES:
        return ""
    suffix, named = path.suffix.lower(), ""
    if suffix == ".webloc":
        named = _of_property_list(body)
    else:
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        with suppress(configparser.Error):
            parser.read_string(body.decode("utf-8-sig", "replace"))
            named = parser.get(_SECTIONS[suffix], "URL", fallback="")
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


@dataclass(frozen=True, slots=True)
class Offer:
    """Pages by their addresses, files, folders, exported bookmarks; `refused` are paths of which nothing can be read."""

    addresses: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    bookmarks: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.addresses or self.paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All that lies on this computer and can be read."""
        return (*self.folders, *self.bookmarks, *self.files)


def offer_of(things: Things) -> Offer:
    """What can be added of these things. Blocks while it looks at the files."""
    from app.ingest.files import is_readable
    from app.server.control.files import is_bookmarks

    addresses = list(things.addresses)
    files, folders, bookmarks, refused = list[Path](), list[Path](), list[Path](), list[Path]()
    for path in things.paths:
        try:
            if path.is_dir():
                folders.append(path)
            elif is_link_file(path) and (address := linked_address(path)):
                addresses.append(address)
            elif not is_readable(path):
                refused.append(path)
            else:
                (bookmarks if is_bookmarks(path) else files).append(path)
        except (OSError, WebRAGError):
            refused.append(path)
    return Offer(tuple(dict.fromkeys(addresses)), tuple(files), tuple(folders), tuple(bookmarks), tuple(refused))


def offer_title(offer: Offer) -> str:
    """`Add 3 pages and 1 folder`; what cannot be done if there is nothing to add."""
    if not offer:
        return _tr("Nothing here can be added")
    parts = (
        (offer.addresses, _tr("1 page"), _tr("{} pages")),
        (offer.files, _tr("1 file"), _tr("{} files")),
        (offer.folders, _tr("1 folder"), _tr("{} folders")),
        (offer.bookmarks, _tr("the bookmarks of 1 file"), _tr("the bookmarks of {} files")),
    )
    named = [counted(len(things), one, many) for things, one, many in parts if things]
    return _tr("Add {}").format(QLocale().createSeparatedList(named))


def offer_text(offer: Offer) -> str:
    """What happens next, or why nothing does."""
    if not offer:
        why = refusal(offer)
        return f"{why.message} {why.hint}"
    if offer.refused:
        left = counted(len(offer.refused), _tr("1 file is left out: {}"), _tr("{} files are left out"))
        return left.format(offer.refused[0].name) if len(offer.refused) == 1 else left
    return _tr("You see what was understood before anything is stored.")


def refusal(offer: Offer) -> FileAccessError:
    """Why nothing of an offer can be added."""
    kinds = _tr("WebRAG reads web addresses, files ({}), folders of these, and bookmarks.").format(spoken(KIND_NAMES))
    if not offer.refused:
        return FileAccessError(_tr("There is no web address in it."), hint=kinds)
    first = offer.refused[0].name
    words = (
        _tr("“{}” is nothing that can be read.") if len(offer.refused) == 1 else _tr("“{}” and others cannot be read.")
    )
    return FileAccessError(words.format(first), hint=kinds)


# --- Sites to begin with ---

MAX_STARTERS: Final = 24
MAX_TITLE_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class Starter:
    """A site by its name. Nothing of it is read before a person asks for it."""

    title: str
    address: str


def starters(own: Sequence[str] = (), file: Path | None = None) -> tuple[Starter, ...]:
    """The person's own first, each address once, at most MAX_STARTERS. Raises FileAccessError."""
    path = file or assets_dir() / "starters.toml"
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("site", [])
        known = [Starter(str(each["title"])[:MAX_TITLE_CHARS], str(each["address"])) for each in listed]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileAccessError(f"The list of sites in {path} cannot be read: {error}.") from error
    added = [Starter(site_of(address)[:MAX_TITLE_CHARS], address) for address in own]
    usable = {each.address: each for each in (*added, *known) if each.address.startswith(("https://", "http://"))}
    return tuple(usable.values())[:MAX_STARTERS]
