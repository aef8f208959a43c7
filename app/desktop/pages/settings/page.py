"""Settings: sections in one scrolled column, a list of them at the left, a filter above; written at once."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout

from app.desktop.context import Context
from app.desktop.notices import BannerStack, Notice
from app.desktop.pages.page import Page
from app.desktop.pages.settings.about import AboutSection
from app.desktop.pages.settings.browsers import BrowsersSection
from app.desktop.pages.settings.embedder import EmbedderSection
from app.desktop.pages.settings.general import (
    AnswersSection,
    CrawlingSection,
    GeneralSection,
    GraphSection,
    ProviderSection,
)
from app.desktop.pages.settings.layout import Column, Section
from app.desktop.pages.settings.privacy import PrivacySection
from app.desktop.pages.settings.secrets import SecretsSection
from app.desktop.pages.settings.server import ServerSection, ToolsSection
from app.desktop.pages.settings.storage import StorageSection
from app.desktop.panels import EmptyState
from app.desktop.tokens import L, M
from app.desktop.widgets import button
from app.desktop.wording import counted

S = TypeVar("S", bound=Section)
ENTRY_HEIGHT = 34
LIST_WIDTH = 168
FILTER_WIDTH = 260
MAX_WIDTH = 880
"""Longer lines are hard to read, and a control too far from its name."""


class SettingsPage(Page):
    """All settings, each with a mark when it takes effect only after a restart."""

    name = "settings"
    icon_name = "settings"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Settings"), self.tr("Changes are saved at once."))
        self.banners = BannerStack()
        self.column.addWidget(self.banners)
        self._jumping = False
        self.sections: list[Section] = []
        self._build()
        self._make_sections()
        self._fill_list()
        context.settings.changed.connect(self._show_waiting)

    def _make_sections(self) -> None:
        """Make each section and insert it at once: a widget that is moved is styled twice."""
        context = self.context
        self.general = self._add(GeneralSection(context))
        self.server = self._add(ServerSection(context))
        self.tools_section = self._add(ToolsSection(context))
        self.browsers = self._add(BrowsersSection(context))
        self._add(CrawlingSection(context))
        self._add(AnswersSection(context))
        self._add(GraphSection(context))
        self._add(ProviderSection(context))
        self.embedder = self._add(EmbedderSection(context))
        self.storage = self._add(StorageSection(context))
        self.secrets = self._add(SecretsSection(context))
        self.privacy = self._add(PrivacySection(context))
        self.about = self._add(AboutSection(context))
        self.token, self.tools = self.server.token, self.tools_section.all
        self.named: dict[str, Section] = {
            "server": self.server,
            "browsers": self.browsers,
            "embedder": self.embedder,
            "storage": self.storage,
            "secrets": self.secrets,
        }
        """The sections that notices lead to."""

    def _add(self, section: S) -> S:
        self._rows.insertWidget(len(self.sections), section)
        self.sections.append(section)
        return section

    def rewrite_times(self) -> None:
        super().rewrite_times()
        self.about.update_row.show_feed()

    def activate(self) -> None:
        super().activate()
        self._reload()

    def engine_ready(self) -> None:
        self.about.engine_ready()
        if self.isVisible():
            self._reload()

    def focus_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def show_section(self, section: Section) -> None:
        """Bring a section to the top."""
        self.filter.clear()
        place = self.sections.index(section)
        self._mark(place)
        # The page may not be laid out yet.
        QTimer.singleShot(0, self, lambda: self._scroll_to(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.filter.text():
            self.filter.clear()
            return
        super().keyPressEvent(event)

    def _reload(self) -> None:
        """Reload what is not part of the settings."""
        self.secrets.reload()
        self.token.reload()
        self.tools.reload()
        self.browsers.reload()
        self.general.reload()
        self.embedder.reload()
        self.storage.reload()
        self.privacy.reload()

    def _build(self) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Find a setting"))
        self.filter.setAccessibleName(self.tr("Find a setting"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(FILTER_WIDTH)
        self.filter.textChanged.connect(self._narrow)
        self.header.add(self.filter)
        self._build_list()
        self._build_area()
        line = QHBoxLayout()
        line.setSpacing(L)
        line.addWidget(self.list)
        line.addWidget(self.area, 1)
        self.column.addLayout(line, 1)
        self.area.verticalScrollBar().valueChanged.connect(self._follow_scroll)

    def _build_list(self) -> None:
        self.list = QListWidget()
        self.list.setProperty("role", "sections")
        self.list.setAccessibleName(self.tr("Sections of the settings"))
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _fill_list(self) -> None:
        for section in self.sections:
            entry = QListWidgetItem(section.title, self.list)
            entry.setSizeHint(QSize(0, ENTRY_HEIGHT))
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._scroll_to)

    def _build_area(self) -> None:
        content = Column()
        content.setMaximumWidth(MAX_WIDTH)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, M, 0)
        column.setSpacing(0)
        self._rows = column
        self.nothing = EmptyState(
            "search",
            self.tr("No setting has these words"),
            self.tr("Try another word. Rare settings are only in the settings file; About says where it is."),
            button(self.tr("Show all settings"), lambda: self.filter.clear()),
        )
        self.nothing.hide()
        column.addWidget(self.nothing, 1)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setProperty("role", "page")
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(content)

    def _narrow(self, text: str) -> None:
        """Show the rows with all words, and the sections that have any."""
        wanted = text.casefold().split()
        found = 0
        for place, section in enumerate(self.sections):
            shown = section.show_matching(wanted)
            self.list.item(place).setHidden(not shown)
            found += shown
        self.nothing.setVisible(not found)
        self.area.verticalScrollBar().setValue(0)
        first = next((place for place in range(self.list.count()) if not self.list.item(place).isHidden()), 0)
        self._mark(first)

    def _scroll_to(self, place: int) -> None:
        if self.list.item(place) is not None and self.list.item(place).isHidden():
            self.filter.clear()
        if place >= 0:
            self._jumping = True
            self.area.verticalScrollBar().setValue(self.sections[place].y())
            self._jumping = False

    def _follow_scroll(self, value: int) -> None:
        """Mark the section that fills most of the view in the list; of two alike the upper one."""
        shown = [place for place, section in enumerate(self.sections) if section.isVisible()]
        if shown and not self._jumping:
            self._mark(max(shown, key=lambda place: self._share(self.sections[place], value)))

    def _share(self, section: Section, top: int) -> int:
        """How much of a section is in view when the page is scrolled to `top`, in device-independent pixels."""
        bottom = top + self.area.viewport().height()
        return min(section.y() + section.height(), bottom) - max(section.y(), top)

    def _mark(self, place: int) -> None:
        blocker = QSignalBlocker(self.list)
        self.list.setCurrentRow(place)
        blocker.unblock()

    def _show_waiting(self) -> None:
        waiting = self.context.settings.waiting
        if not waiting:
            self.banners.show_notices(())
            return
        title = counted(
            len(waiting),
            self.tr("1 change is used after a restart"),
            self.tr("{} changes are used after a restart"),
        )
        text = self.tr("WebRAG's engine still uses the old values. Calls under way get a moment to finish.")
        notice = Notice("restart", "info", title, text, self.tr("Restart now"), self.context.restart)
        self.banners.show_notices((notice,))
