"""The sidebar of the main window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QSizePolicy, QToolButton

from app.desktop.pages.page import Page
from app.desktop.theme import app_icon, icon
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import Gap, column, label, row
from app.desktop.wording import key_text, number

SIDEBAR_WIDTH = 196  # Minimum width in pixels; longer page names make it wider.
BESIDE = 84  # Width of the icon and the margins around a name, in pixels.
COLLAPSED_WIDTH = 64  # Width with icons only, in pixels.


class Sidebar(QFrame):
    """The list of pages. Emits `chosen` with the name of the page."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[Page]) -> None:
        super().__init__()
        self.setProperty("role", "sidebar")
        self.setAccessibleName(self.tr("Pages"))
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(QSize(30, 30), self.devicePixelRatioF()))
        self._name = label("WebRAG", "heading")
        brand = row(picture, (self._name, 1), spacing=S + 2, margins=(XS, 0, 0, 0))
        entries = column(brand, Gap(L), spacing=XS, margins=(M, L, M, M), parent=self)
        self._group = QButtonGroup(self)
        self._is_collapsed = False
        self.buttons: dict[str, QToolButton] = {}
        self._titles = {page.name: page.title for page in pages}
        bold = QFont(self.font())
        bold.setBold(True)
        widest = max(QFontMetrics(bold).horizontalAdvance(f"  {title}") for title in self._titles.values())
        self._width = max(SIDEBAR_WIDTH, widest + BESIDE)
        self.setFixedWidth(self._width)
        for place, page in enumerate(pages, 1):
            if page.name == "settings":
                entries.addStretch(1)
            made = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            made.setProperty("role", "nav")
            made.setText(f"  {page.title}")
            made.setAccessibleName(page.title)
            made.setIcon(icon(page.icon_name))
            made.setIconSize(QSize(19, 19))
            made.setCheckable(True)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            made.setToolTip(f"{page.title} ({key_text(f'Ctrl+{place}')})")
            made.clicked.connect(lambda _checked, name=page.name: self.chosen.emit(name))
            self._group.addButton(made)
            entries.addWidget(made)
            self.buttons[page.name] = made

    def select(self, name: str) -> None:
        self.buttons[name].setChecked(True)
        # Tab stops once in the group, at the current page; arrow keys move from there.
        for made in self.buttons.values():
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus if made.isChecked() else Qt.FocusPolicy.NoFocus)

    def set_count(self, name: str, count: int) -> None:
        """Show the number of active items next to a page title; nothing for 0."""
        made, title = self.buttons[name], self._titles[name]
        made.setText(f"  {title}  ({number(count)})" if count else f"  {title}")
        made.setAccessibleName(f"{title} ({number(count)})" if count else title)

    def set_collapsed(self, is_collapsed: bool) -> None:
        """Show only icons, or icons and names."""
        if is_collapsed == self._is_collapsed:
            return
        self._is_collapsed = is_collapsed
        self._name.setVisible(not is_collapsed)
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if is_collapsed else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for made in self.buttons.values():
            made.setToolButtonStyle(style)
        self.setFixedWidth(COLLAPSED_WIDTH if is_collapsed else self._width)
