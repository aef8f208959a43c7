"""The About section: version, updates, licenses, system details to copy, and folders."""

from __future__ import annotations

import logging
import os
import platform
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app import __version__
from app.desktop.context import Context
from app.desktop.defects import impersonal
from app.desktop.exports import open_outside
from app.desktop.pages.page import FilterBox
from app.desktop.pages.parts import text_box
from app.desktop.pages.settings.layout import OwnRow, PathRow, own_row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.panels import Dialog
from app.desktop.qt import repeating
from app.desktop.tokens import M
from app.desktop.widgets import button, column, held, label, row, set_up_view
from app.desktop.wording import ago, counted, plain_tip
from app.errors import WebRAGError
from app.paths import config_file

if TYPE_CHECKING:
    from app.engine.licences import Package
    from app.engine.maintenance import UpdateCheck

log = logging.getLogger(__name__)

UPDATE_DAYS: Final = 7  # Days between automatic update checks.

LOOK_MS = 3_600_000
DAY_SECONDS = 86_400.0
LAST = "updates/last_check"
LIST_WIDTH = 250
ENTRY_HEIGHT = 28


class LicencesDialog(Dialog):
    """A list of packages on the left and the license of the selected one on the right."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent, self.tr("Licenses"), size=(860, 560))
        self._packages: tuple[Package, ...] = ()
        self.count = label(self.tr("Loading licenses…"), "muted")
        heading = label(self.tr("Open-source packages in WebRAG"), "heading")
        close = row(1, button(self.tr("Close"), self.accept, default=True))
        self.filter = FilterBox(self.tr("Find a package or license"), width=LIST_WIDTH)
        self.filter.textChanged.connect(self._narrow)
        self.list = QListWidget()
        set_up_view(self.list, self.tr("Packages"))
        self.list.setProperty("role", "sections")
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.currentRowChanged.connect(self._show)
        self.text = text_box(self.tr("License"), mono=0.9, role="")
        panes = row(column(self.filter, (self.list, 1)), (self.text, 1), spacing=M)
        self.lay_out(heading, self.count, (panes, 1), close)
        data_dir = context.settings.running.data_dir

        def read() -> tuple[Package, ...]:
            from app.engine.licences import packages

            return packages(data_dir)

        context.run(self, read, self.show_packages)

    def show_packages(self, packages: Sequence[Package]) -> None:
        self._packages = tuple(packages)
        for each in packages:
            item = QListWidgetItem(f"{each.name} {each.version}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, each.name)
            item.setToolTip(plain_tip(each.licence))
            item.setSizeHint(QSize(0, ENTRY_HEIGHT))
        self.count.setText(counted(len(packages), self.tr("1 package"), self.tr("{} packages")))
        self.list.setCurrentRow(0)

    def _show(self, place: int) -> None:
        if not 0 <= place < len(self._packages):
            return
        each = self._packages[place]
        head = "\n".join(filter(None, (f"{each.name} {each.version}", each.licence, each.page)))
        self.text.setPlainText(f"{head}\n\n{each.text or self.tr('This package does not include a license text.')}")

    def _narrow(self, text: str) -> None:
        wanted = text.casefold().strip()
        for place, each in enumerate(self._packages):
            self.list.item(place).setHidden(wanted not in f"{each.name} {each.licence}".casefold())


class UpdateRow(OwnRow):
    """Checks for a newer version, weekly and on request, and opens its download page. Emits `found` with an UpdateCheck."""

    found = Signal(object)

    def __init__(self, context: Context) -> None:
        self.check = button(own_row("updates").buttons[0], self.ask, "", "refresh")
        self.open = button(self.tr("Open download page"), lambda: open_outside(QUrl(self._page)), "primary")
        self.open.hide()
        super().__init__("updates", held(row(self.open, self.check)))
        self._context, self._page = context, ""
        self._is_asking = self._is_wanted = False
        repeating(self, LOOK_MS, self.check_if_due).start()
        context.settings.changed.connect(self.show_feed)
        self.show_feed()

    @property
    def feed(self) -> str:
        """The address of the update feed, or an empty string if this build has none."""
        return str(self._context.settings.value("update_feed")).strip()

    @property
    def last(self) -> float:
        """Time of the last successful check in seconds since the epoch, or 0."""
        return self._context.memory.get(LAST, 0.0)

    @property
    def is_due(self) -> bool:
        """Whether an automatic check is due. A last check in the future means that the clock was wrong."""
        wanted = bool(self.feed) and bool(self._context.settings.value("update_check_weekly"))
        return wanted and abs(time.time() - self.last) >= UPDATE_DAYS * DAY_SECONDS

    def check_if_due(self) -> None:
        """Check for updates once a week, without reporting errors."""
        if self.is_due:
            self._ask()

    def show_feed(self) -> None:
        """Show the update address, if any, and the time of the last check."""
        feed = self.feed
        self.check.setEnabled(bool(feed) and not self._is_asking)
        if self.badge.text() or self._is_asking:
            return
        if not feed:
            self.show_text(self.tr("This build has no update address. Check the site where you downloaded WebRAG."))
            return
        last = self.tr("Last check: {}.").format(ago(self.last))
        self.show_text(f"{last} {self.tr('WebRAG only checks. It does not download or install anything.')}")

    def ask(self) -> None:
        self.begin(self.check, self.tr("Checking…"))
        self.open.hide()
        self._is_wanted = True
        self._ask()

    def _ask(self) -> None:
        if not self._is_asking:
            self._is_asking, feed = True, self.feed
            self._context.ask(self, lambda engine: engine.maintenance.check_update(feed), self._answered, self._refused)

    def _answered(self, found: UpdateCheck) -> None:
        """Show whether WebRAG is up to date."""
        self._is_asking = self._is_wanted = False
        self._context.memory.set(LAST, time.time())
        self.check.setEnabled(True)
        self._page = found.newest.page if found.is_newer else ""
        self.open.setVisible(bool(self._page))
        if found.is_newer:
            self.badge.show_text(self.tr("version {} available").format(found.newest.version), "accent")
            self.show_text(
                self.tr("You have version {}. Open the download page to see what is new.").format(found.current)
            )
        else:
            self.badge.show_text(self.tr("up to date"), "good")
            self.show_text(self.tr("You have the latest version, {}.").format(found.current))
        self.found.emit(found)

    def _refused(self, error: WebRAGError) -> None:
        is_wanted, self._is_asking, self._is_wanted = self._is_wanted, False, False
        self.show_feed()
        if is_wanted:
            self.fail(error)
        else:
            log.info("update check failed: %s", error.message)


class AboutSection(SettingsSection):
    """The section with version, updates, licenses and folders."""

    def __init__(self, context: Context) -> None:
        super().__init__("about")
        self._context = context
        said = self.tr("Details copied, without names or keys")
        copy = button(own_row("version").buttons[0], lambda: context.copy(self.details(), said), "", "copy")
        licences = button(own_row("licences").buttons[0], self.show_licences, name=self.tr("Show licenses"))
        self.update_row = UpdateRow(context)
        self.update_row.found.connect(self._tell)
        config = config_file()
        file = PathRow("settings_file", config, config.parent, self.tr("Open the folder of the settings file"))
        versions = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.release()}"
        version = OwnRow("version", copy)
        version.show_text(versions)
        self.add(version, self.update_row)
        self.add_settings(context.settings, "about")
        self.weekly = self.setting_rows["update_check_weekly"]
        context.settings.changed.connect(self._follow_feed)
        self._follow_feed()
        setup = button(own_row("setup").buttons[0], lambda: context.show_wizard())
        self.add(OwnRow("licences", licences), OwnRow("setup", setup), file)

    def engine_ready(self) -> None:
        """Run the weekly check if it is due, now that pages can be fetched."""
        self.update_row.check_if_due()

    def _follow_feed(self) -> None:
        """Disable the weekly check if there is no update address."""
        is_set = not self._context.settings.overridden_by("update_check_weekly")
        self.weekly.control.setEnabled(is_set and bool(self.update_row.feed))

    def show_licences(self) -> LicencesDialog:
        dialog = LicencesDialog(self._context, self.window())
        dialog.open_once()
        return dialog

    def details(self) -> str:
        """Describe this system without personal data."""
        status = self._context.status
        embedder = status.embedder
        facts = {
            "WebRAG Desktop": __version__,
            "Python": platform.python_version(),
            "Qt": f"{qVersion()} ({QGuiApplication.platformName()})",
            "System": platform.platform(),
            "Processor": f"{platform.machine()}, {os.cpu_count()}",
            "Data": str(self._context.settings.running.data_dir),
            "Server": status.summary(),
            "Search model": f"{embedder.name}, {embedder.waiting} waiting" if embedder is not None else "-",
            "Keyring": self._context.secrets.note or "usable",
        }
        return impersonal("\n".join(f"{name}: {value}" for name, value in facts.items()))

    def _tell(self, found: UpdateCheck) -> None:
        if found.is_newer and not self.isVisible():
            text = self.tr("WebRAG {} is available").format(found.newest.version)
            self._context.notifier.say(text, self.tr("Show"), lambda: self._context.go_to("settings"))
