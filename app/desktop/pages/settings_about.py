"""About: version, where things are kept, what it is made with."""

from __future__ import annotations

import platform
from pathlib import Path

from PySide6.QtCore import QUrl, qVersion
from PySide6.QtGui import QDesktopServices

from app import __version__
from app.desktop.context import Context
from app.desktop.pages.settings_rows import Row, Section
from app.desktop.widgets import button
from app.paths import config_file, log_dir


class AboutSection(Section):
    """Version and folders."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("About"))
        data_dir = context.settings.running.data_dir
        versions = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.release()}"
        self.add(Row(self.tr("WebRAG Desktop {}").format(__version__), versions))
        self.add(self._folder(self.tr("Data"), data_dir))
        self.add(self._folder(self.tr("Log files"), log_dir(data_dir)))
        self.add(self._folder(self.tr("Settings file"), config_file(), config_file().parent))

    def _folder(self, title: str, path: Path, folder: Path | None = None) -> Row:
        target = folder or path
        show = button(
            self.tr("Open folder"),
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))),
            "",
            "folder",
        )
        show.setAccessibleName(self.tr("Open the folder of: {}").format(title))
        return Row(title, str(path), show)
