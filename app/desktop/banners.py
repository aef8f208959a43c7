"""Notices above every page: what is wrong or limited, why, and one thing to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.desktop.tokens import M, S
from app.desktop.widgets import ThemedIcon, button, icon_button, label

_ICONS = {"info": ("info", "accent_text"), "warning": ("alert", "warning"), "error": ("error", "danger")}


@dataclass(frozen=True, slots=True)
class Notice:
    """One banner. `key` identifies it, so that a dismissed one stays away while its text is the same."""

    key: str
    kind: str
    title: str
    text: str
    action: str = ""
    run: Callable[[], object] | None = field(default=None, compare=False)


class Banner(QFrame):
    """Icon, title, reason, action, close."""

    def __init__(self, notice: Notice, dismissed: Callable[[], object] | None = None) -> None:
        super().__init__()
        self.notice = notice
        self.setProperty("role", "banner")
        self.setProperty("kind", notice.kind)
        self.setAccessibleName(f"{notice.title}. {notice.text}")
        line = QHBoxLayout(self)
        line.setContentsMargins(M, S, S, S)
        line.setSpacing(M)
        line.addWidget(ThemedIcon(_ICONS[notice.kind][0], 20, _ICONS[notice.kind][1]), 0, Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(label(notice.title, "strong"))
        if notice.text:
            words.addWidget(label(notice.text, "", wrap=True, selectable=True))
        line.addLayout(words, 1)
        self.action: QPushButton | None = None
        if notice.run is not None:
            self.action = button(notice.action, notice.run)
            line.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)
        if dismissed is not None:
            line.addWidget(
                icon_button("close", self.tr("Dismiss this notice"), dismissed),
                0,
                Qt.AlignmentFlag.AlignVCenter,
            )


class BannerStack(QWidget):
    """The banners that apply now, under each other; takes no room while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self._offered: tuple[Notice, ...] = ()
        self._shown: tuple[Notice, ...] = ()
        self._dismissed: set[tuple[str, str]] = set()
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is on the screen."""
        return self._shown

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Replace the banners when they differ; a banner that no longer applies may come back later."""
        self._offered = notices
        self._dismissed &= {(notice.key, notice.text) for notice in notices}
        wanted = tuple(notice for notice in notices if (notice.key, notice.text) not in self._dismissed)
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for notice in wanted:
            dismissed = None if notice.kind == "error" else lambda notice=notice: self._dismiss(notice)
            self._column.addWidget(Banner(notice, dismissed))
        self.setVisible(bool(wanted))

    def _dismiss(self, notice: Notice) -> None:
        self._dismissed.add((notice.key, notice.text))
        self.show_notices(self._offered)
