"""Rows of Settings > Storage: long operations with progress, a bar of sizes with a legend, and automatic backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QProgressBar, QSizePolicy, QWidget

from app.desktop.engine_thread import LongWork
from app.desktop.pages.settings.layout import Row
from app.desktop.painting import fill_shape
from app.desktop.theme import colours, theme
from app.desktop.tokens import XL, XS, M
from app.desktop.widgets import Badge, ElidedLabel, button, column, label, row
from app.desktop.wording import counted, full_time, number, size
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine.maintenance import BackupFile, Storage

BAR_HEIGHT = 14
DOT = 9
COLUMNS = 2
LEAST_WIDTH = 3.0
"""Minimum width of a part in pixels, so that small ones stay visible."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the bar; `role` is its field in Colours."""

    title: str
    bytes: int
    role: str
    hint: str = ""


def widths(parts: Sequence[Part], width: float) -> list[float]:
    """Return the width of each part in pixels; their sum is at most `width`."""
    total = sum(part.bytes for part in parts)
    if not total:
        return [0.0] * len(parts)
    raw = [max(LEAST_WIDTH, width * part.bytes / total) if part.bytes else 0.0 for part in parts]
    return [each * width / sum(raw) for each in raw]


class Bar(QWidget):
    """The bar of parts, side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: tuple[Part, ...] = ()
        self.setFixedHeight(BAR_HEIGHT)
        theme().changed.connect(self.update)

    def show_parts(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.setAccessibleDescription(", ".join(f"{part.title} {size(part.bytes)}" for part in parts))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), QColor(scheme.sunken))
        left = 0.0
        for part, width in zip(self.parts, widths(self.parts, self.width()), strict=True):
            painter.fillRect(QRectF(left, 0, max(0.0, width - 1), BAR_HEIGHT), QColor(getattr(scheme, part.role)))
            left += width
        painter.end()


class Dot(QWidget):
    """The color of a part in the legend."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self.setFixedSize(DOT, DOT)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, edge = QRectF(0.5, 0.5, DOT - 1, DOT - 1), colours().strong_border
        fill_shape(painter, area, getattr(colours(), self._role), 3, edge=edge)
        painter.end()


class StorageBar(QWidget):
    """A bar with a legend, which reserves its space while the sizes are unknown."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.bar = Bar()
        self.bar.setAccessibleName(self.tr("Disk space by kind"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(XS)
        self.sizes = []
        for place, part in enumerate(parts):
            shown = label("–", "muted")
            name = ElidedLabel(part.title)
            name.setAccessibleDescription(part.hint)
            grid.addLayout(row(Dot(part.role), (name, 1), shown), place // COLUMNS, place % COLUMNS)
            shown.setToolTip(part.hint)
            self.sizes.append(shown)
        for place in range(COLUMNS):
            grid.setColumnStretch(place, 1)
        column(self.bar, grid, spacing=M, margins=(0, XS, 0, 0), parent=self)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Update the sizes of the parts."""
        self.bar.show_parts(parts)
        for shown, part in zip(self.sizes, parts, strict=True):
            shown.setText(size(part.bytes))


BUTTON_WIDTH = 132
STEPS = 1000


class WorkRow(Row):
    """A row that starts a long operation and turns its button into Cancel. Rows share one LongWork, so only one runs at a time."""

    def __init__(self, work: LongWork, title: str, text: str, action: str, begin: Callable[[], object]) -> None:
        self.button = button(action, self._pressed)
        self.button.setMinimumWidth(BUTTON_WIDTH)
        self.button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        super().__init__(title, text, self.button)
        self.button.setAccessibleName(title)
        self._plain, self._action, self._begin, self._work = text, action, begin, work
        self.is_mine = False
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress: {}").format(title))
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
        """Show the message and hint of an error."""
        self.show_text(self._plain)
        self.badge.show_text(self.tr("failed"), "error")
        super().fail(error)

    def cancelled(self) -> None:
        """Show that the operation was canceled."""
        self.tell(self.tr("Canceled. Nothing was changed."))

    def forget(self) -> None:
        """Clear the last result."""
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


class UseRow(Row):
    """The row with counts, bar and legend."""

    def __init__(self) -> None:
        self.bar = StorageBar(self._parts(None))
        super().__init__(self.tr("Storage use"), self.tr("Calculating…"), self.bar, below=True)

    def show_storage(self, found: Storage) -> None:
        """Show the current sizes."""
        pages = counted(found.totals.documents, self.tr("1 page"), self.tr("{} pages"))
        chunks = counted(found.totals.chunks, self.tr("1 passage"), self.tr("{} passages"))
        parts = self._parts(found)
        text = self.tr("{} with {}, {} in total. {} free on the disk.")
        self.show_text(text.format(pages, chunks, size(sum(part.bytes for part in parts)), size(found.free)))
        self.bar.show_parts(parts)

    def _parts(self, found: Storage | None) -> list[Part]:
        use = found.use if found is not None else None
        return [
            Part(self.tr("Texts"), use.texts if use else 0, "series_1", self.tr("Pages, passages and their links")),
            Part(
                self.tr("Semantic search"), use.vectors if use else 0, "series_2", self.tr("Data for semantic search")
            ),
            Part(self.tr("Search indexes"), use.indexes if use else 0, "series_4", self.tr("Keywords and the graph")),
            Part(self.tr("Pinned passages"), use.pins if use else 0, "series_5", self.tr("Passages that you pinned")),
            Part(self.tr("Images"), found.pictures if found else 0, "series_6", self.tr("Saved images of pages")),
            Part(
                self.tr("Activity and logs"),
                (use.records if use else 0) + (found.logs if found else 0),
                "series_3",
                self.tr("Recorded calls, jobs and log files"),
            ),
            Part(
                self.tr("Backups and previous libraries"),
                found.copies + sum(each.bytes for each in found.backups) if found else 0,
                "muted",
                self.tr("Daily backups, and libraries replaced by a restore"),
            ),
            Part(
                self.tr("Reclaimable"),
                (use.unused if use else 0) + (found.write_log if found else 0),
                "strong_border",
                self.tr("Space of deleted pages. Compact frees it."),
            ),
        ]


class AutomaticRow(WorkRow):
    """The automatic backups with their number, age and size, and buttons to restore the newest or delete all."""

    def __init__(self, work: LongWork, restore: Callable[[], object], forget: Callable[[], object]) -> None:
        super().__init__(work, self.tr("Automatic backups"), self.tr("None yet."), self.tr("Restore latest"), restore)
        self.forget_button = button(self.tr("Delete backups"), forget, "link")
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
        words = (
            self.tr("1 backup from {}, {} in total.").format(newest, total)
            if len(backups) == 1
            else self.tr("{} backups, the latest from {}, {} in total.").format(number(len(backups)), newest, total)
        )
        self.plain(f"{words} {self.tr('Deleted pages stay in backups for up to {} days.').format(BACKUP_DAYS)}")

    def free(self, *, free: bool) -> None:
        """Enable the buttons if there are backups and no other operation is running."""
        super().free(free=free and self._has_any)
        self.forget_button.setEnabled(free and self._has_any)

    def _ended(self) -> None:
        super()._ended()
        self.free(free=True)
