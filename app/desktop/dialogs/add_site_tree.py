"""The folders and pages of a site as far as they are known; folders can be left out."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from PySide6.QtWidgets import QTreeWidgetItem

from app.desktop.dialogs.add_ticks import TickTree
from app.desktop.wording import counted, number
from app.ingest.crawling.options import CrawlPreview

OPEN_ROWS = 9
"""A tree with no more rows than these is shown unfolded."""


class SiteTree(TickTree):
    """Folders with a box and the number of pages in and below them; below each the pages that the preview names."""

    branches_hold = True

    def __init__(self) -> None:
        super().__init__(self.tr("Folders of the site"))
        self._counts: dict[str, int] = {}
        self._items: dict[str, QTreeWidgetItem] = {}

    @property
    def ticked_pages(self) -> int:
        """Known pages that are not left out."""
        out = tuple(self.left_out())
        return sum(count for folder, count in self._counts.items() if not (out and folder.startswith(out)))

    def show_preview(self, preview: CrawlPreview) -> None:
        """Build the tree anew."""
        self.clear()
        self._counts, self._items = dict(preview.folders), {}
        base = _common([folder for folder, _ in preview.folders])
        for folder, _count in preview.folders:
            self._folder(folder, base)
        for url in preview.urls:
            path = urlsplit(url).path
            folder, _, name = path.rpartition("/")
            self.add(
                _shown(name) or self.tr("(the folder's own page)"),
                "",
                "",
                self._items.get(folder + "/"),
                with_box=False,
            )
        unnamed = preview.known - len(preview.urls)
        if unnamed > 0:
            self.add(self.tr("… and {} more").format(number(unnamed)), "", "", with_box=False)
        if sum(1 for _ in self.rows()) <= OPEN_ROWS:
            self.expandAll()

    def _folder(self, folder: str, base: str) -> QTreeWidgetItem | None:
        """The row of a folder, with the rows of the folders around it; none for the one that holds all."""
        if folder == base or not folder.startswith(base):
            return None
        if folder not in self._items:
            above = folder[:-1].rpartition("/")[0] + "/"
            pages = sum(count for each, count in self._counts.items() if each.startswith(folder))
            fact = counted(pages, self.tr("1 page"), self.tr("{} pages"))
            name = _shown(folder[len(above) :])
            self._items[folder] = self.add(name, fact, folder, self._folder(above, base))
        return self._items[folder]

    def left_out(self) -> list[str]:
        return [folder for folder in super().left_out() if folder]


def _common(folders: list[str]) -> str:
    """The innermost folder that holds all of them."""
    if not folders:
        return "/"
    first, last = min(folders), max(folders)
    same = next((place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    shared = first[: len(min(first, last, key=len)) if same is None else same]
    return shared[: shared.rfind("/") + 1] or "/"


def _shown(name: str) -> str:
    return unquote(name)
