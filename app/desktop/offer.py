"""What can be added from dropped, pasted or typed content, by names and beginnings of files; and suggested sites for an empty library."""

from __future__ import annotations

import configparser
import os
import plistlib
import re
import tomllib
from collections import Counter
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
from app.text.sentence import sentence

MAX_PASTED_CHARS: Final = 1_000_000  # Maximum length of a text that is searched for addresses.
MAX_LINK_FILE_BYTES: Final = 64 * caps.KIB  # Maximum size of a link file.

_tr = translator("Offer")

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`{}|\\^]+", re.IGNORECASE)
_TRAILING: Final = ".,;:!?…»”’*_"
_PATH: Final = re.compile(r"(?:/(?!/)|~[/\\]|file:///(?!/)|[A-Za-z]:[\\/])")
"""Local paths only, because opening a path on another computer would reveal this one."""
_BRACKETS: Final = {")": "(", "]": "["}

_HOST_AND_PORT: Final = re.compile(r"[\w-]+:\d{1,5}")

SUFFIXES: Final = frozenset((".url", ".webloc", ".desktop"))  # Endings of link files.
_SECTIONS: Final = {".url": "InternetShortcut", ".desktop": "Desktop Entry"}
_PLIST_ERRORS: Final = (ExpatError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Things:
    """Page addresses and local paths, without duplicates and in order."""

    addresses: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.addresses or self.paths)


def addresses_in(text: str) -> tuple[str, ...]:
    """Return the web addresses in a text, at most MAX_IMPORTED_URLS, without trailing punctuation."""
    found = (_bare(match.group()) for match in _ADDRESS.finditer(text[:MAX_PASTED_CHARS]))
    usable = (address for address in found if address.split("://")[1] and len(address) < caps.MAX_URL_CHARS)
    return tuple(dict.fromkeys(usable))[: caps.MAX_IMPORTED_URLS]


def paths_in(text: str) -> tuple[Path, ...]:
    """Return the lines that are absolute paths or file:// URLs."""
    lines = (line.strip().strip("\"'") for line in text[:MAX_PASTED_CHARS].splitlines())
    return _paths([line for line in lines if _PATH.match(line)])


def things_in_text(text: str) -> Things:
    """Return the addresses and paths in a text. A path among other words does not count."""
    return Things(addresses_in(text), paths_in(text))


def things_in(mime: QMimeData) -> Things:
    """Return the content of a drag or the clipboard: a list of URLs or, without one, the text."""
    urls = mime.urls()
    web = [
        url.toString(QUrl.ComponentFormattingOption.FullyEncoded) for url in urls if url.scheme() in ("http", "https")
    ]
    local = [url.toLocalFile() for url in urls if url.isLocalFile()]
    if web or local:
        return Things(tuple(dict.fromkeys(web))[: caps.MAX_IMPORTED_URLS], _paths(local))
    return things_in_text(mime.text()) if mime.hasText() else Things()


def looks_like_address(word: str) -> bool:
    """Whether a typed word can be a web address: it has a scheme, a dot or a slash, or is host:port."""
    bare = word.rstrip(_TRAILING)
    if "://" in bare:
        return not bare.endswith("://")
    named = "." in bare.strip(".") or "/" in bare.strip("/")
    return named or bare.casefold() == "localhost" or _HOST_AND_PORT.fullmatch(bare) is not None


def as_argument(given: str) -> str:
    """Convert a command-line argument to a URL without spaces: keep URLs, and convert existing paths to file:// URLs."""
    path = Path(given).expanduser()
    if "://" not in given and path.exists():
        return path.absolute().as_uri()
    return "%20".join(given.split())


def _paths(lines: Sequence[str]) -> tuple[Path, ...]:
    local = (QUrl(line).toLocalFile() if line.startswith("file:") else line for line in lines)
    found = (Path(os.path.expanduser(each)) for each in local if each and "\0" not in each)  # noqa: PTH111
    return tuple(dict.fromkeys(found))[: caps.MAX_IMPORTED_FILES]


def _bare(address: str) -> str:
    """Remove trailing punctuation of the sentence from an address, including unmatched brackets."""
    counts, end = Counter(address), len(address)
    while end:
        last = address[end - 1]
        if last not in _TRAILING and not (last in _BRACKETS and counts[last] > counts[_BRACKETS[last]]):
            break
        counts[last] -= 1
        end -= 1
    return address[:end]


def linked_address(path: Path) -> str:
    """Return the web address in a link file, or an empty string if there is none or the file is unreadable."""
    try:
        with path.open("rb") as stream:
            body = stream.read(MAX_LINK_FILE_BYTES + 1)
    except OSError:
        return ""
    if len(body) > MAX_LINK_FILE_BYTES:
        return ""
    suffix, named = path.suffix.lower(), ""
    if suffix == ".webloc":
        with suppress(*_PLIST_ERRORS):
            named = str(plistlib.loads(body)["URL"])
    else:
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        with suppress(configparser.Error):
            parser.read_string(body.decode("utf-8-sig", "replace"))
            named = parser.get(_SECTIONS[suffix], "URL", fallback="")
    return next(iter(addresses_in(named)), "")


@dataclass(frozen=True, slots=True)
class Offer:
    """Page addresses, files, folders and exported bookmarks that can be added. `refused` are unsupported paths."""

    addresses: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    bookmarks: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.addresses or self.paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All local paths that can be added."""
        return (*self.folders, *self.bookmarks, *self.files)


def offer_of(things: Things) -> Offer:
    """Find out what can be added from these things. Blocking."""
    from app.ingest.files import is_readable
    from app.server.control.files import is_bookmarks

    addresses = list(things.addresses)
    files, folders, bookmarks, refused = list[Path](), list[Path](), list[Path](), list[Path]()
    for path in things.paths:
        try:
            if path.is_dir():
                folders.append(path)
            elif path.suffix.lower() in SUFFIXES and (address := linked_address(path)):
                addresses.append(address)
            elif not is_readable(path):
                refused.append(path)
            else:
                (bookmarks if is_bookmarks(path) else files).append(path)
        except (OSError, WebRAGError):
            refused.append(path)
    return Offer(tuple(dict.fromkeys(addresses)), tuple(files), tuple(folders), tuple(bookmarks), tuple(refused))


def offer_title(offer: Offer) -> str:
    """Return a title such as `Add 3 pages and 1 folder`, or that nothing can be added."""
    if not offer:
        return _tr("Cannot add this")
    parts = (
        (offer.addresses, _tr("1 page"), _tr("{} pages")),
        (offer.files, _tr("1 file"), _tr("{} files")),
        (offer.folders, _tr("1 folder"), _tr("{} folders")),
        (offer.bookmarks, _tr("the bookmarks of 1 file"), _tr("the bookmarks of {} files")),
    )
    named = [counted(len(things), one, many) for things, one, many in parts if things]
    return _tr("Add {}").format(QLocale().createSeparatedList(named))


def offer_text(offer: Offer) -> str:
    """Return what happens next, or why nothing can be added."""
    if not offer:
        why = refusal(offer)
        return f"{why.message} {why.hint}"
    if offer.refused:
        left = counted(len(offer.refused), _tr("1 file skipped: {}"), _tr("{} files skipped"))
        return left.format(offer.refused[0].name) if len(offer.refused) == 1 else left
    return _tr("You can review everything before WebRAG saves it.")


def refusal(offer: Offer) -> FileAccessError:
    """Return the reason why nothing can be added."""
    kinds = _tr("You can add web addresses, files ({}), folders and bookmarks.").format(spoken(KIND_NAMES))
    if not offer.refused:
        return FileAccessError(_tr("The text does not contain a web address."), hint=kinds)
    first = offer.refused[0].name
    words = (
        _tr("WebRAG cannot read “{}”.") if len(offer.refused) == 1 else _tr("WebRAG cannot read “{}” and other items.")
    )
    return FileAccessError(words.format(first), hint=kinds)


# --- Suggested sites ---

MAX_STARTERS: Final = 24
MAX_TITLE_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class Starter:
    """A suggested site. It is only fetched on request."""

    title: str
    address: str


def starters(own: Sequence[str] = (), file: Path | None = None) -> tuple[Starter, ...]:
    """Return the suggested sites, the user's own first, without duplicates and at most MAX_STARTERS. Raises FileAccessError."""
    path = file or assets_dir() / "starters.toml"
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("site", [])
        known = [Starter(str(each["title"])[:MAX_TITLE_CHARS], str(each["address"])) for each in listed]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileAccessError(sentence("Cannot read the list of sites in {}: {}.", path, error)) from error
    added = [Starter(site_of(address)[:MAX_TITLE_CHARS], address) for address in own]
    usable = {each.address: each for each in (*added, *known) if each.address.startswith(("https://", "http://"))}
    return tuple(usable.values())[:MAX_STARTERS]
