"""Files and folders of this computer, shown by the programs that the system has for them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_local(path: Path) -> None:
    """Open a file in its program, or show a folder; never for a path that a page names."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_folder_of(path: Path) -> None:
    """Show the folder of a file; the nearest one above it that is there."""
    open_local(next((above for above in path.parents if above.is_dir()), path.parent))
