"""About: version, updates, licences, details of this system to copy, where things are kept."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, qVersion
from PySide6.QtGui import QGuiApplication

from app import __version__
from app.desktop.context import Context
from app.desktop.defects import impersonal
from app.desktop.dialogs.licences import LicencesDialog
from app.desktop.exports import open_local
from app.desktop.pages.settings.layout import PathRow, Row, side_by_side
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.preview.links import open_outside
from app.desktop.updates import Updates
from app.desktop.widgets import Badge, button
from app.desktop.wording import ago
from app.errors import WebRAGError
from app.paths import config_file

if TYPE_CHECKING:
    from app.engine.maintenance import UpdateCheck


class UpdateRow(Row):
    """Asks for a newer version on request, and opens its page."""

    def __init__(self, context: Context) -> None:
        self.updates = Updates(context)
        self.check = button(self.tr("Check now"), self.ask, "", "refresh")
        self.open = button(self.tr("Open its page"), self._open_page, "primary")
        self.open.hide()
        super().__init__(self.tr("Check for updates"), "", side_by_side(self.open, self.check))
        self.updates.setParent(self)
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)
        self._context, self._page = context, ""
        self.updates.found.connect(self.show_answer)
        self.updates.failed.connect(self._fail)
        context.settings.changed.connect(self.show_feed)
        self.show_feed()

    def show_feed(self) -> None:
        """Say whom this build asks, if anyone."""
        feed = self.updates.feed
        self.check.setEnabled(bool(feed) and not self.updates.is_asking)
        if self.badge.text() or self.updates.is_asking:
            return
        if not feed:
            self.show_text(self.tr("This build names no address to ask. Look at the page where you got WebRAG from."))
            return
        last = self.tr("Last check: {}.").format(ago(self.updates.last))
        self.show_text(f"{last} {self.tr('Nothing is downloaded or installed.')}")

    def ask(self) -> None:
        """Ask now."""
        self.complain("")
        self.badge.show_text("")
        self.open.hide()
        self.check.setEnabled(False)
        self.show_text(self.tr("Asking…"))
        self.updates.check()

    def show_answer(self, found: UpdateCheck) -> None:
        """Up to date, or what is there."""
        self.check.setEnabled(True)
        self._page = found.newest.page if found.is_newer else ""
        self.open.setVisible(bool(self._page))
        if found.is_newer:
            self.badge.show_text(self.tr("version {} is there").format(found.newest.version), "accent")
            self.show_text(self.tr("You have {}. Its page says what is new and how to get it.").format(found.current))
        else:
            self.badge.show_text(self.tr("up to date"), "good")
            self.show_text(self.tr("{} is the newest version.").format(found.current))

    def _fail(self, error: WebRAGError) -> None:
        self.check.setEnabled(True)
        self.show_feed()
        self.complain(f"{error.message} {error.hint}")

    def _open_page(self) -> None:
        open_outside(QUrl(self._page))


class AboutSection(SettingsSection):
    """Version, updates, licences, folders."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("About"))
        self._context = context
        copy = button(self.tr("Copy details"), self._copy, "", "copy")
        licences = button(self.tr("Show…"), self.show_licences)
        licences.setAccessibleName(self.tr("Show the licences"))
        self.update_row = UpdateRow(context)
        self.update_row.updates.found.connect(self._tell)
        config = config_file()
        show = button(self.tr("Open folder"), lambda: open_local(config.parent), "", "folder")
        show.setAccessibleName(self.tr("Open the folder of the settings file"))
        self.add(
            Row(self.tr("WebRAG Desktop {}").format(__version__), self._versions(), copy),
            self.update_row,
        )
        self.add_settings(context.settings, "about")
        self.add(
            Row(
                self.tr("Licences"),
                self.tr("WebRAG is free software under the MIT licence; it is made with other free software."),
                licences,
            ),
            Row(
                self.tr("Set-up"),
                self.tr("The steps of the first start: model test, assistants, first pages."),
                button(self.tr("Show again"), lambda: context.show_wizard()),
            ),
            PathRow(self.tr("Settings file"), str(config), show),
        )

    def engine_ready(self) -> None:
        """The fetcher is there: a weekly check may be due."""
        self.update_row.updates.check_if_due()

    def show_licences(self) -> LicencesDialog:
        """Open the list of packages."""
        dialog = LicencesDialog(self._context, self.window())
        dialog.open()
        return dialog

    def details(self) -> str:
        """This system in words that can be passed on."""
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
            "Embedder": f"{embedder.name}, {embedder.waiting} waiting" if embedder is not None else "-",
            "Keyring": self._context.secrets.note or "usable",
        }
        return impersonal("\n".join(f"{name}: {value}" for name, value in facts.items()))

    def _versions(self) -> str:
        return f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.release()}"

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details())
        self._context.notifier.say(self.tr("Details copied, without names and keys"))

    def _tell(self, found: UpdateCheck) -> None:
        if found.is_newer and not self.isVisible():
            text = self.tr("Version {} of WebRAG is there").format(found.newest.version)
            self._context.notifier.say(text, self.tr("Show"), lambda: self._context.go_to("settings"))
