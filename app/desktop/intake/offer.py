"""What can be added of the things that were dropped or pasted, and in words; reads the names and heads of files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QLocale

from app.desktop.intake.link_files import is_link_file, linked_address
from app.desktop.intake.texts import Things
from app.desktop.language import translator
from app.desktop.wording import counted
from app.errors import FileAccessError, WebRAGError

_tr = translator("Offer")


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


@dataclass(slots=True)
class _Sorted:
    addresses: list[str]
    files: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    bookmarks: list[Path] = field(default_factory=list)
    refused: list[Path] = field(default_factory=list)

    def put(self, path: Path) -> None:
        from app.ingest.folders.scan import SUFFIXES
        from app.server.control.importing import is_bookmarks

        if path.is_dir():
            self.folders.append(path)
        elif is_link_file(path) and (address := linked_address(path)):
            self.addresses.append(address)
        elif path.suffix.lower() not in SUFFIXES or not path.is_file():
            self.refused.append(path)
        elif is_bookmarks(path):
            self.bookmarks.append(path)
        else:
            self.files.append(path)


def offer_of(things: Things) -> Offer:
    """What can be added of these things. Blocks while it looks at the files."""
    found = _Sorted(list(things.addresses))
    for path in things.paths:
        try:
            found.put(path)
        except (OSError, WebRAGError):
            found.refused.append(path)
    return Offer(
        tuple(dict.fromkeys(found.addresses)),
        tuple(found.files),
        tuple(found.folders),
        tuple(found.bookmarks),
        tuple(found.refused),
    )


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
    kinds = _tr(
        "WebRAG reads web addresses, Markdown, HTML, MHTML, PDF and text files, folders of these, and bookmarks."
    )
    if not offer.refused:
        return FileAccessError(_tr("There is no web address in it."), hint=kinds)
    first = offer.refused[0].name
    words = (
        _tr("“{}” is nothing that can be read.") if len(offer.refused) == 1 else _tr("“{}” and others cannot be read.")
    )
    return FileAccessError(words.format(first), hint=kinds)
