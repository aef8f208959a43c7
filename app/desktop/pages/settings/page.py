"""The Settings page: a scrolled column of sections, a list of them on the left and a search box above. Changes are saved immediately."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.desktop.context import Context
from app.desktop.notices import BannerStack, Notice
from app.desktop.pages.page import FilterBox, Page
from app.desktop.pages.parts import Scrolled
from app.desktop.pages.settings.about import AboutSection
from app.desktop.pages.settings.layout import Column, Row, Section
from app.desktop.pages.settings.models import EmbedderSection
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.pages.settings.sections import BrowsersSection, GeneralSection, LibrariesSection, PrivacySection
from app.desktop.pages.settings.server import SecretsSection, ServerSection, ToolsSection
from app.desktop.pages.settings.storage import StorageSection
from app.desktop.panels import EmptyState
from app.desktop.qt import single_shot
from app.desktop.tokens import L, M
from app.desktop.widgets import button, column, row, set_up_view, take_focus
from app.desktop.wording import counted
from app.events import Event
from app.settings_schema import Group

ENTRY_HEIGHT = 34
LIST_WIDTH = 168
ENTRY_MARGINS = 28  # Horizontal margins of an entry in pixels.
FILTER_WIDTH = 260
MAX_WIDTH = 880  # Maximum width in pixels. Longer lines are hard to read, and controls end up far from their names.


SECTIONS: dict[str, Callable[[Context], Section] | None] = {
    "general": GeneralSection,
    "server": ServerSection,
    "tools_section": ToolsSection,
    "browsers": BrowsersSection,
    "crawling": None,
    "answers": None,
    "graph": None,
    "provider": None,
    "libraries": LibrariesSection,
    "embedder": EmbedderSection,
    "storage": StorageSection,
    "secrets": SecretsSection,
    "privacy": PrivacySection,
    "about": AboutSection,
}  # The sections in order, each an attribute of the page. Those without a class only have settings.


class SettingsPage(Page):
    """All settings. A mark shows changes that require a restart.

    Once the page is visible, each turn of the event loop builds one section; `complete` builds all of them. The section attributes and
    `named` are complete when `completed` has been emitted.
    """

    name = "settings"
    icon_name = "settings"
    completed = Signal()

    general: GeneralSection
    server: ServerSection
    tools_section: ToolsSection
    libraries: LibrariesSection
    browsers: BrowsersSection
    embedder: EmbedderSection
    storage: StorageSection
    secrets: SecretsSection
    privacy: PrivacySection
    about: AboutSection

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Settings"), self.tr("Changes are saved automatically."))
        self.banners = BannerStack()
        self.column.addWidget(self.banners)
        self._jumping = False
        self._held: QWidget | None = None
        self.sections: list[Section] = []
        self.named: dict[str, Section] = {}
        self.filter = FilterBox(self.tr("Find a setting"), width=FILTER_WIDTH)
        self.filter.textChanged.connect(self._narrow)
        self.header.add(self.filter)
        self.list = QListWidget()
        self.list.setProperty("role", "sections")
        set_up_view(self.list, self.tr("Sections of the settings"))
        self.list.setFixedWidth(LIST_WIDTH)
        self._build_area()
        self.column.addLayout(row(self.list, (self.area, 1), spacing=L), 1)
        self.area.verticalScrollBar().valueChanged.connect(self._follow_scroll)
        self._settled = single_shot(self, 0, self._hold)
        self.area.verticalScrollBar().rangeChanged.connect(self._settled.start)
        self._makers = iter(SECTIONS.items())
        self._next = single_shot(self, 0, self._make_next)
        self.is_complete = False
        context.settings.changed.connect(self._show_waiting)

    def complete(self) -> None:
        while not self.is_complete:
            self._make_next()

    def _make_next(self) -> None:
        """Build the next section in its final place, because a widget that moves is styled twice."""
        name, make = next(self._makers, ("", None))
        if name:
            if make is not None:
                section = make(self.context)
            else:
                section = plain = SettingsSection(name)
                plain.add_settings(self.context.settings, cast("Group", name))
            setattr(self, name, section)
            self.named[name] = section
            self._rows.insertWidget(len(self.sections), section)
            if self.isVisible():
                # A layout shows new widgets only in the next turn of the event loop.
                section.show()
            self.sections.append(section)
            entry = QListWidgetItem(section.title, self.list)
            entry.setSizeHint(QSize(0, ENTRY_HEIGHT))
            words = self.list.fontMetrics().horizontalAdvance(section.title) + ENTRY_MARGINS
            bar = self.list.verticalScrollBar().sizeHint().width()
            self.list.setFixedWidth(max(self.list.minimumWidth(), words + bar))
            self._next.start()
        elif not self.is_complete:
            self.is_complete = True
            self._next.stop()
            self.token, self.tools = self.server.token, self.tools_section.all
            if self.list.currentRow() < 0:
                self._mark(0)
            self.list.currentRowChanged.connect(self._scroll_to)
            self.completed.emit()
            if self.isVisible():
                self._reload()

    def rewrite_times(self) -> None:
        super().rewrite_times()
        if self.is_complete:
            self.about.update_row.show_feed()

    def activate(self) -> None:
        super().activate()
        if self.is_complete:
            self._reload()
        else:
            self._next.start()

    def on_events(self, events: list[Event]) -> None:
        if self.is_complete:
            self.libraries.on_events(events)

    def engine_ready(self) -> None:
        if not self.is_complete:
            return
        self.about.engine_ready()
        if self.isVisible():
            self._reload()

    def focus_filter(self) -> None:
        take_focus(self.filter)

    def show_section(self, section: Section) -> None:
        self.filter.clear()
        place = self.sections.index(section)
        self._mark(place)
        # The page may not have its final layout yet.
        QTimer.singleShot(0, self, lambda: self._scroll_to(place))

    def show_row(self, place: int, title: str, button: str = "") -> None:
        """Scroll to a row of a section and highlight it or one of its buttons."""
        self.complete()
        self.filter.clear()
        found = next(row for row in self.sections[place].rows if isinstance(row, Row) and row.title == title)
        self._mark(place)
        found.point_out(button)
        # The page may not have its final layout yet.
        QTimer.singleShot(0, self, lambda: self._hold_at(found))

    def show_setting(self, section: Section, name: str) -> None:
        """Scroll to the row of a setting and highlight it."""
        if isinstance(section, SettingsSection):
            self.show_row(self.sections.index(section), section.setting_rows[name].title)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.filter.text():
            self.filter.clear()
            return
        super().keyPressEvent(event)

    def _reload(self) -> None:
        """Reload everything that is not a setting."""
        sections = (self.libraries, self.browsers, self.general, self.embedder, self.storage, self.privacy)
        for part in (self.secrets, self.token, self.tools, *sections):
            part.reload()

    def _build_area(self) -> None:
        content = Column()
        content.setMaximumWidth(MAX_WIDTH)
        layout = column(spacing=0, margins=(0, 0, M, 0), parent=content)
        self._rows = layout
        words = self.tr("Try another word. Some settings are only in the settings file; its location is under About.")
        show_all = button(self.tr("Show all settings"), lambda: self.filter.clear())
        self.nothing = EmptyState("search", self.tr("No matching settings"), words, show_all)
        self.nothing.hide()
        layout.addWidget(self.nothing, 1)
        layout.addStretch(1)
        self.area = Scrolled("page", content)

    def _narrow(self, text: str) -> None:
        """Show the rows that contain all words, and their sections."""
        self.complete()
        self._held = None
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
        self._hold_at(self.sections[place])

    def _hold_at(self, widget: QWidget) -> None:
        self._held = widget
        self._hold()

    def _hold(self) -> None:
        """Keep the target of a jump at the top while the layout settles, until the user scrolls."""
        content = self.area.widget()
        if self._held is not None and content is not None:
            self._jumping = True
            above = 0 if isinstance(self._held, Section) else L
            self.area.verticalScrollBar().setValue(self._held.mapTo(content, QPoint()).y() - above)
            self._jumping = False

    def _follow_scroll(self, value: int) -> None:
        """Select the section that fills most of the view in the list; the upper one on a tie."""
        if not self._jumping:
            self._held = None
        shown = [place for place, section in enumerate(self.sections) if section.isVisible()]
        if shown and not self._jumping:
            self._mark(max(shown, key=lambda place: self._share(self.sections[place], value)))

    def _share(self, section: Section, top: int) -> int:
        """Return the visible height of a section in device-independent pixels if the page is scrolled to `top`."""
        bottom = top + self.area.viewport().height()
        return min(section.y() + section.height(), bottom) - max(section.y(), top)

    def _mark(self, place: int) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(place)

    def _show_waiting(self) -> None:
        waiting = self.context.settings.waiting
        if not waiting:
            self.banners.show_notices(())
            return
        one = self.tr("1 change takes effect after a restart")
        title = counted(len(waiting), one, self.tr("{} changes take effect after a restart"))
        text = self.tr("WebRAG uses the old values until then. Running calls get a moment to finish.")
        notice = Notice("restart", "info", title, text, self.tr("Restart now"), self.context.restart)
        self.banners.show_notices((notice,))
