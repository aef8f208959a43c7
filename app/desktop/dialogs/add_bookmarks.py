"""Exported bookmarks by their folders; any can be left out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTreeWidgetItem

from app.desktop.dialogs.add_ticks import TickTree, key_of
from app.desktop.wording import counted

if TYPE_CHECKING:
    from app.extract.bookmarks import BookmarkFolder

HERE = "."
"""The key of the row for the pages directly in a folder that has folders too."""


class BookmarkTree(TickTree):
    """A row for each folder with the number of pages in and below it."""

    def __init__(self) -> None:
        super().__init__(self.tr("Folders of the bookmarks"))
        self._urls: dict[str, tuple[str, ...]] = {}

    @property
    def urls(self) -> tuple[str, ...]:
        """The pages of the ticked folders, each once."""
        found = (url for key in self.kept() for url in self._urls.get(key, ()))
        return tuple(dict.fromkeys(found))

    def show_bookmarks(self, bookmarks: Mapping[Path, tuple[BookmarkFolder, ...]]) -> None:
        """Build the tree anew."""
        self.clear()
        self._urls = {}
        for path, folders in bookmarks.items():
            root = self.add(path.name, "", str(path)) if len(bookmarks) > 1 else None
            self._add_folders(folders, str(path), root)
        self.setRootIsDecorated(any(item.childCount() for item in self.rows()))
        if self.topLevelItemCount() == 1:
            self.expandAll()

    def _add_folders(self, folders: tuple[BookmarkFolder, ...], base: str, root: QTreeWidgetItem | None) -> None:
        items: dict[tuple[str, ...], QTreeWidgetItem | None] = {(): root}
        holding = {folder.path[:depth] for folder in folders for depth in range(len(folder.path))}
        for folder in folders:
            item = self._branch(folder.path, items, folders, base)
            if folder.path in holding or item is None:
                key = _key(base, (*folder.path, HERE))
                name = self.tr("Pages outside the folders") if not folder.path else self.tr("Pages directly in it")
                self.add(name, self._count(len(folder.urls)), key, item)
            else:
                key = key_of(item)
            self._urls[key] = folder.urls

    def _branch(
        self,
        path: tuple[str, ...],
        items: dict[tuple[str, ...], QTreeWidgetItem | None],
        folders: tuple[BookmarkFolder, ...],
        base: str,
    ) -> QTreeWidgetItem | None:
        if path not in items:
            above = self._branch(path[:-1], items, folders, base)
            pages = sum(len(each.urls) for each in folders if each.path[: len(path)] == path)
            items[path] = self.add(path[-1], self._count(pages), _key(base, path), above)
        return items[path]

    def _count(self, pages: int) -> str:
        return counted(pages, self.tr("1 page"), self.tr("{} pages"))


def _key(base: str, path: tuple[str, ...]) -> str:
    return "\n".join((base, *path))
