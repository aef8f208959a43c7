"""The context menu of the library's table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.desktop.context import Context
from app.desktop.icons import icon
from app.desktop.language import translator
from app.desktop.models.library_facets import Facet, value_words
from app.desktop.pages.activity_sites import block_site, can_block
from app.desktop.pages.library_actions import LibraryActions, can_open
from app.desktop.wording import counted

if TYPE_CHECKING:
    from app.corpus.records import LibraryRow

_tr = translator("LibraryMenu")

Command = tuple[str, str, Callable[[], object], bool]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The selected pages, the site or folder of the one in detail, and what the page around the table does itself."""

    rows: Sequence[LibraryRow]
    place: str
    export: Callable[[], object]
    delete: Callable[[], object]
    show_site: Callable[[], object]
    delete_site: Callable[[], object]


def library_menu(parent: QWidget, context: Context, commands: LibraryActions, chosen: Chosen) -> QMenu:
    """What can be done with the selected pages, and with the site of one."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for group in (_for_pages(commands, chosen), _for_site(context, chosen), _for_deleting(chosen)):
        if group and not menu.isEmpty():
            menu.addSeparator()
        for text, picture, run, is_possible in group:
            action = menu.addAction(icon(picture), text)
            action.triggered.connect(lambda _checked=False, run=run: run())
            action.setEnabled(is_possible)
    return menu


def _for_pages(commands: LibraryActions, chosen: Chosen) -> list[Command]:
    rows = chosen.rows
    count = len(rows)
    has_open = any(map(can_open, rows))
    copy, save = _tr("Copy {} citations"), _tr("Save {} pages as Markdown…")
    addresses = counted(count, _tr("Copy address"), _tr("Copy {} addresses"))
    return [
        (
            counted(count, _tr("Open in the browser"), _tr("Open {} pages…")),
            "external",
            lambda: commands.open(rows),
            has_open,
        ),
        (
            counted(count, _tr("Read again"), _tr("Read {} pages again")) + "\tF5",
            "refresh",
            lambda: commands.refresh(rows),
            has_open,
        ),
        (
            counted(count, _tr("Copy citation"), copy) + "\tCtrl+C",
            "quote",
            lambda: commands.copy_citations(rows),
            True,
        ),
        (addresses, "copy", lambda: commands.copy_addresses(rows), True),
        (counted(count, _tr("Save as Markdown…"), save) + "\tCtrl+E", "export", chosen.export, True),
    ]


def _for_site(context: Context, chosen: Chosen) -> list[Command]:
    if len(chosen.rows) != 1 or not chosen.place:
        return []
    url, words = chosen.rows[0].url, value_words(Facet.PLACE, chosen.place)
    commands: list[Command] = [(_tr("Show only {}").format(words), "library", chosen.show_site, True)]
    if can_block(context, url):
        commands.append((_tr("Block {}").format(words), "close", lambda: block_site(context, url), True))
    commands.append((_tr("Delete all of {}").format(words), "trash", chosen.delete_site, True))
    return commands


def _for_deleting(chosen: Chosen) -> list[Command]:
    words = counted(len(chosen.rows), _tr("Delete"), _tr("Delete {} pages"))
    return [(f"{words}\t{_tr('Del')}", "trash", chosen.delete, True)]
