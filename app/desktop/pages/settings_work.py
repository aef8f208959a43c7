"""A row whose button begins work of some time: progress and Cancel meanwhile, the outcome in words afterwards."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QSizePolicy

from app.desktop.long_work import LongWork
from app.desktop.pages.settings_layout import Row
from app.desktop.widgets import Badge, button
from app.errors import WebRAGError

BUTTON_WIDTH = 132
STEPS = 1000


class WorkRow(Row):
    """While its work runs the button ends it. All rows of a section share one LongWork, so one works at a time."""

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
        self.bar.setAccessibleName(self.tr("Progress of: {}").format(title))
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        self.bar.hide()
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self.bar)
        work.progressed.connect(self._progressed)
        work.ended.connect(self._ended)

    def running(self, text: str, *, share: bool = True) -> None:
        """The work of this row begins; without `share` nobody knows how far it is."""
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
        """How it ended; the text stays until the next time."""
        self.show_text(text)
        self.badge.show_text(word, kind)

    def fail(self, error: WebRAGError) -> None:
        """What went wrong, and what to do."""
        self.show_text(self._plain)
        self.badge.show_text(self.tr("failed"), "error")
        self.complain(f"{error.message} {error.hint}")

    def cancelled(self) -> None:
        """It was ended before its end."""
        self.tell(self.tr("Cancelled. Nothing was changed."))

    def forget(self) -> None:
        """What came of the last time is no longer told."""
        self.complain("")
        self.badge.show_text("")
        self.show_text(self._plain)

    def free(self, *, free: bool) -> None:
        """Whether other work leaves this row its button."""
        if not self.is_mine:
            self.button.setEnabled(free)

    def _pressed(self) -> None:
        if self.is_mine:
            self.button.setEnabled(False)
            self.show_text(self.tr("Ending…"))
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
