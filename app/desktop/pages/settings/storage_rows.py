"""Rows of Settings > Storage: long operations with progress, a bar of sizes with a legend, and automatic backups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QProgressBar, QSizePolicy

from app.desktop.engine_thread import LongWork
from app.desktop.pages.parts import SharesBar
from app.desktop.pages.settings.layout import OwnRow, own_row
from app.desktop.qt import Act
from app.desktop.tokens import XL, XS, M
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, column, held, label, row
from app.desktop.wording import counted, full_time, number, size
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine.maintenance import BackupFile, Storage

BAR_HEIGHT = 14
DOT = 9
COLUMNS = 2


BUTTON_WIDTH = 132
STEPS = 1000


class WorkRow(OwnRow):
    """A row that starts a long operation and turns its button into Cancel. Rows share one LongWork, so only one runs at a time."""

    def __init__(self, work: LongWork, name: str, begin: Act) -> None:
        spec = own_row(name)
        self.button = button(spec.buttons[0], self._pressed, name=spec.title)
        self.button.setMinimumWidth(BUTTON_WIDTH)
        self.button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        super().__init__(name, self.button)
        self._plain, self._action, self._begin, self._work = spec.text, spec.buttons[0], begin, work
        self.is_mine = False
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress: {}").format(spec.title))
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        self.bar.hide()
        self.append(self.bar)
        work.progressed.connect(self._progressed)
        work.ended.connect(self._ended)

    def running(self, text: str, *, share: bool = True) -> None:
        """Show the progress of this row; without `share`, it is indeterminate."""
        self.is_mine = True
        self.complain("")
        self.badge.show_text("")
        self.show_text(text)
        self.bar.setRange(0, STEPS if share else 0)
        self.bar.setValue(0)
        self.bar.show()
        self.button.setText(self.tr("Cancel"))
        self.button.setEnabled(True)

    def tell(self, text: str, word: str = "", kind: str = "good") -> None:
        """Show the result, which stays until the next run."""
        self.show_text(text)
        self.badge.show_text(word, kind)

    def fail(self, error: WebRAGError) -> None:
        self.show_text(self._plain)
        self.badge.show_text(self.tr("failed"), "error")
        super().fail(error)

    def cancelled(self) -> None:
        self.tell(self.tr("Canceled. Nothing was changed."))

    def forget(self) -> None:
        self.complain("")
        self.badge.show_text("")
        self.show_text(self._plain)

    def plain(self, text: str) -> None:
        """Replace the explanation unless a result is shown."""
        if not self.badge.text():
            self.show_text(text)
        self._plain = text

    def free(self, *, free: bool) -> None:
        """Enable the button unless another operation is running."""
        if not self.is_mine:
            self.button.setEnabled(free)

    def _pressed(self) -> None:
        if self.is_mine:
            self.button.setEnabled(False)
            self.show_text(self.tr("Stopping…"))
            self._work.cancel()
        else:
            self.forget()
            self._begin()

    def _progressed(self, share: float) -> None:
        if self.is_mine and self.bar.maximum():
            self.bar.setValue(round(share * STEPS))

    def _ended(self) -> None:
        self.button.setEnabled(True)
        if self.is_mine:
            self.is_mine = False
            self.bar.hide()
            self.button.setText(self._action)
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)


class UseRow(OwnRow):
    """The row with counts, bar and legend."""

    def __init__(self) -> None:
        backups = self.tr("Daily backups, and libraries replaced by a restore")
        self._parts = (
            (self.tr("Texts"), "series_1", self.tr("Pages, passages and their links")),
            (self.tr("Semantic search"), "series_2", self.tr("Data for semantic search")),
            (self.tr("Search indexes"), "series_4", self.tr("Keywords and the graph")),
            (self.tr("Pinned passages"), "series_5", self.tr("Passages that you pinned")),
            (self.tr("Images"), "series_6", self.tr("Saved images of pages")),
            (self.tr("Activity and logs"), "series_3", self.tr("Recorded calls, jobs and log files")),
            (self.tr("Backups and previous libraries"), "muted", backups),
            (self.tr("Reclaimable"), "strong_border", self.tr("Space of deleted pages. Compact frees it.")),
        )
        self.bar = SharesBar(BAR_HEIGHT)
        self.bar.setAccessibleName(self.tr("Disk space by kind"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(XS)
        self.sizes = [label("–", "muted") for _ in self._parts]
        for place, ((title, role, hint), shown) in enumerate(zip(self._parts, self.sizes, strict=True)):
            name = ElidedLabel(title)
            name.setAccessibleDescription(hint)
            shown.setToolTip(hint)
            grid.addLayout(row(ThemedIcon("dot", DOT, role), (name, 1), shown), place // COLUMNS, place % COLUMNS)
        for place in range(COLUMNS):
            grid.setColumnStretch(place, 1)
        # The space is reserved while the sizes are unknown.
        holder = held(column(self.bar, grid, spacing=M, margins=(0, XS, 0, 0)))
        holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        super().__init__("storage_use", holder, below=True)

    def show_storage(self, found: Storage) -> None:
        self.complain("")
        use = found.use
        copies = found.copies + sum(each.bytes for each in found.backups)
        searched = use.texts, use.vectors, use.indexes, use.pins
        sizes = (*searched, found.pictures, use.records + found.logs, copies, use.unused + found.write_log)
        pages = counted(found.totals.documents, self.tr("1 page"), self.tr("{} pages"))
        chunks = counted(found.totals.chunks, self.tr("1 passage"), self.tr("{} passages"))
        text = self.tr("{} with {}, {} in total. {} free on the disk.")
        self.show_text(text.format(pages, chunks, size(sum(sizes)), size(found.free)))
        for shown, number_of_bytes in zip(self.sizes, sizes, strict=True):
            shown.setText(size(number_of_bytes))
        self.bar.show_parts([(each, role) for each, (_, role, _) in zip(sizes, self._parts, strict=True)])
        words = [f"{title} {shown.text()}" for (title, _, _), shown in zip(self._parts, self.sizes, strict=True)]
        self.bar.setAccessibleDescription(", ".join(words))


class AutomaticRow(WorkRow):
    """The automatic backups with their number, age and size, and buttons to restore the newest or delete all."""

    def __init__(self, work: LongWork, restore: Act, forget: Act) -> None:
        super().__init__(work, "automatic_backups", restore)
        self.forget_button = button(own_row("automatic_backups").buttons[1], forget, "link")
        self.head.insertWidget(self.head.indexOf(self.button), self.forget_button)
        self._has_any = False
        self.show_files(())

    def show_files(self, backups: Sequence[BackupFile]) -> None:
        """Show the current backups unless a result is shown."""
        from app.corpus.restore import BACKUP_DAYS

        self._has_any = bool(backups)
        self.forget_button.setVisible(self._has_any)
        self.free(free=True)
        if not backups:
            self.plain(self.tr("None yet."))
            return
        newest, total = full_time(backups[0].written_at), size(sum(each.bytes for each in backups))
        words = self.tr("1 backup from {}, {} in total.").format(newest, total)
        if len(backups) > 1:
            words = self.tr("{} backups, the latest from {}, {} in total.").format(number(len(backups)), newest, total)
        self.plain(f"{words} {self.tr('Deleted pages stay in backups for up to {} days.').format(BACKUP_DAYS)}")

    def free(self, *, free: bool) -> None:
        """Enable the buttons if there are backups and no other operation is running."""
        super().free(free=free and self._has_any)
        self.forget_button.setEnabled(free and self._has_any)

    def _ended(self) -> None:
        super()._ended()
        self.free(free=True)
