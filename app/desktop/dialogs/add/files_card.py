"""Preview of files and folders: counts by kind, skipped files, and bookmarks by folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTreeWidgetItem

from app import caps
from app.desktop.dialogs.add.panel import TickTree, key_of
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, Gap, column, label, show_words
from app.desktop.wording import counted, number, plain_tip, spoken
from app.errors import WebRAGError
from app.text.media_types import KINDS, TEXT, FileKind, kind_of, left_out, suffix_of

if TYPE_CHECKING:
    from app.extract.discovery import BookmarkFolder

HERE = "."  # Key of the row for pages directly in a folder that also has subfolders.

LEAST_HEIGHT = 96
MAX_NAMES = 200


class BookmarkTree(TickTree):
    """A row for each folder with the number of pages in it and its subfolders."""

    def __init__(self) -> None:
        super().__init__(self.tr("Bookmark folders"))
        self._urls: dict[str, tuple[str, ...]] = {}

    @property
    def urls(self) -> tuple[str, ...]:
        """The pages of the selected folders, without duplicates."""
        found = (url for key in self.kept() for url in self._urls.get(key, ()))
        return tuple(dict.fromkeys(found))

    def show_bookmarks(self, bookmarks: Mapping[Path, tuple[BookmarkFolder, ...]]) -> None:
        self.clear()
        self._urls = {}
        for path, folders in bookmarks.items():
            base = str(path)
            root = self.add(path.name, "", base) if len(bookmarks) > 1 else None
            items: dict[tuple[str, ...], QTreeWidgetItem | None] = {(): root}
            totals: Counter[tuple[str, ...]] = Counter()
            for folder in folders:
                totals.update({part: len(folder.urls) for part in _down_to(folder.path)})
            holding = {path[:-1] for path in totals}
            for folder in folders:
                for part in _down_to(folder.path):
                    if part not in items:
                        items[part] = self.add(part[-1], self._count(totals[part]), _key(base, part), items[part[:-1]])
                item = items[folder.path]
                if folder.path in holding or item is None:
                    key = _key(base, (*folder.path, HERE))
                    inside = self.tr("Pages directly in this folder")
                    name = inside if folder.path else self.tr("Pages outside folders")
                    self.add(name, self._count(len(folder.urls)), key, item)
                else:
                    key = key_of(item)
                self._urls[key] = folder.urls
        self.setRootIsDecorated(any(item.childCount() for item in self.rows()))
        if self.topLevelItemCount() == 1:
            self.expandAll()

    def _count(self, pages: int) -> str:
        return counted(pages, self.tr("1 page"), self.tr("{} pages"))


def _down_to(path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the paths of the folders down to this one, without the outermost."""
    return [path[:depth] for depth in range(1, len(path) + 1)]


def _key(base: str, path: tuple[str, ...]) -> str:
    return "\n".join((base, *path))


@dataclass(slots=True)
class Survey:
    """Content of some paths. `kinds` counts supported files by kind, `others` unsupported ones by suffix.

    `refused` contains paths with the reason; `is_cut`: there is more than was counted.
    """

    files: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    bookmarks: dict[Path, tuple[BookmarkFolder, ...]] = field(default_factory=dict)
    kinds: Counter[FileKind] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    too_large: int = 0
    refused: list[tuple[Path, str]] = field(default_factory=list)
    is_cut: bool = False
    in_folders: list[Path] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Number of files to read, without bookmarks."""
        return self.kinds.total()


def survey(paths: Sequence[Path]) -> Survey:
    """Check names and sizes, the beginnings of HTML files, and bookmarks. Blocks."""
    found = Survey()
    for path in paths:
        try:
            _look(path, found)
        except WebRAGError as error:
            found.refused.append((path, error.message))
        except OSError as error:
            found.refused.append((path, error.strerror or type(error).__name__))
    return found


def _look(path: Path, found: Survey) -> None:
    from app.ingest.files import file_path, is_readable
    from app.server.control.files import bookmark_folders_of, is_bookmarks

    if path.is_dir():
        from app.ingest.folders.scan import checked_folder, scan_folder

        scan = scan_folder(checked_folder(path))
        found.folders.append(path)
        for each in map(file_path, scan.files):
            found.kinds[kind_of(each) or TEXT] += 1
            found.in_folders.append(each)
        found.too_large += len(scan.too_large)
        found.is_cut = found.is_cut or scan.is_cut
        found.others.update(scan.others)
        return
    status = path.stat()
    if not is_readable(path):
        found.others[suffix_of(path)] += 1
    elif status.st_size > caps.MAX_FILE_BYTES:
        found.too_large += 1
    elif is_bookmarks(path):
        found.bookmarks[path] = bookmark_folders_of(path)
    else:
        found.kinds[kind_of(path) or TEXT] += 1
        found.files.append(path)


class FilesCard(QFrame):
    """As tall as there is room. `ticked` is emitted when the selection changes."""

    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMinimumHeight(LEAST_HEIGHT)
        self.found = ElidedLabel("", "strong")
        self.kinds = label("", "muted", wrap=True)
        self.left_out = label("", "muted", wrap=True)
        self.names = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.names.setProperty("role", "entry")
        self.names.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.names.document().setDocumentMargin(S)
        self.names.setAccessibleName(self.tr("Files to add"))
        self.hint = label("", "muted", wrap=True, align=Qt.AlignmentFlag.AlignCenter)
        self.bookmarks = BookmarkTree()
        self.bookmarks.ticked.connect(self.ticked)
        lists = ((self.bookmarks, 1), (self.names, 1), (self.hint, 1))
        facts = (self.found, self.kinds, self.left_out, Gap(XS))
        column(*facts, *lists, 0, spacing=XS, margins=(L, M, L, M), parent=self)
        self.show_hint(self.tr("Select files or a folder, or drop them here. Nothing is added until you click Add."))

    def show_hint(self, text: str) -> None:
        for widget in (self.found, self.kinds, self.left_out, self.bookmarks, self.names):
            widget.hide()
        self.hint.setText(text)
        self.hint.show()

    def show_survey(self, survey: Survey) -> None:
        self.hint.setText("")
        names = [file.name for file in survey.files[:MAX_NAMES]]
        for file in survey.in_folders[: MAX_NAMES - len(names)]:
            above = next((folder for folder in survey.folders if file.is_relative_to(folder)), file.parent)
            names.append(str(file.relative_to(above)))
        self.hint.setVisible(not survey.bookmarks and not names)
        self.names.setPlainText("\n".join(names))
        self.names.setVisible(bool(names) and not survey.bookmarks)
        self.bookmarks.setVisible(bool(survey.bookmarks))
        if survey.bookmarks:
            self.bookmarks.show_bookmarks(survey.bookmarks)
        self.found.show()
        parts = []
        if survey.total or not survey.bookmarks:
            words = counted(survey.total, self.tr("1 file to add"), self.tr("{} files to add"))
            parts.append(self.tr("At least {}").format(words) if survey.is_cut else words)
        if survey.bookmarks:
            pages = sum(len(folder.urls) for folders in survey.bookmarks.values() for folder in folders)
            parts.append(counted(pages, self.tr("1 bookmarked page"), self.tr("{} bookmarked pages")))
        self.found.show_text("  ·  ".join(parts))
        counts = ((number(survey.kinds[kind]), spoken(kind.label)) for kind in KINDS if survey.kinds[kind])
        show_words(self.kinds, "  ·  ".join(map(" ".join, counts)))
        reasons = [spoken(left_out(survey.others, survey.too_large))]
        if len(survey.refused) == 1:
            reasons.append(self.tr("{}: {}").format(survey.refused[0][0].name, survey.refused[0][1]))
        elif survey.refused:
            reasons.append(self.tr("Cannot read {} files.").format(number(len(survey.refused))))
        show_words(self.left_out, " ".join(filter(None, reasons)))
        self.left_out.setToolTip(plain_tip("\n".join(f"{path}: {reason}" for path, reason in survey.refused[:20])))
