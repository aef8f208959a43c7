"""Secrets on the clipboard, marked so that histories and synchronised clipboards leave them out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

MARKS: Final = {
    "x-kde-passwordManagerHint": b"secret",
    'application/x-qt-windows-mime;value="ExcludeClipboardContentFromMonitorProcessing"': b"\0\0\0\0",
    'application/x-qt-windows-mime;value="CanIncludeInClipboardHistory"': b"\0\0\0\0",
}
"""What the histories of Linux desktops and of Windows look for."""


def copy_secret(text: str) -> None:
    """Put a text on the clipboard that nobody should keep."""
    data = QMimeData()
    data.setText(text)
    for kind, mark in MARKS.items():
        data.setData(kind, mark)
    QGuiApplication.clipboard().setMimeData(data)
