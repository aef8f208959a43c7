"""Exports from the window: files and folders opened in other programs, saved files and copied secrets."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.desktop.engine_thread import Engine
from app.desktop.qt import SILENT_PLATFORMS
from app.errors import CorpusError, FileAccessError
from app.library.records import PassageIn
from app.paths import replace_file
from app.text.sentence import sentence

_UNUSABLE: Final = re.compile(r"[^\w.-]+")
_ENDINGS: Final = {"application/json": ".json", "text/html": ".html", "text/plain": ".txt"}
NAME_CHARS: Final = 80

MARKS: Final = {
    "x-kde-passwordManagerHint": b"secret",
    'application/x-qt-windows-mime;value="ExcludeClipboardContentFromMonitorProcessing"': b"\0\0\0\0",
    'application/x-qt-windows-mime;value="CanIncludeInClipboardHistory"': b"\0\0\0\0",
}  # Clipboard formats that keep a text out of the clipboard history on Linux and Windows.


def open_local(path: Path) -> None:
    """Open a file in its program, or show a folder. Never call this with a path from a page."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_folder_of(path: Path) -> None:
    """Show the folder of a file, or the nearest existing parent."""
    open_local(next((above for above in path.parents if above.is_dir()), path.parent))


async def save_markdown(engine: Engine, document_id: int, path: Path) -> Path:
    """Write the document like `webrag export`. Raises FileAccessError, or CorpusError if the document no longer exists."""
    from app.server.control.files import markdown_file

    document = await engine.documents.get(document_id)
    if document is None:
        raise CorpusError("This page is no longer stored.", hint="Refresh the page.")
    row = next(iter(await engine.documents.rows([document_id])), None)
    text = await asyncio.to_thread(markdown_file, document, await engine.documents.links(document_id), row)
    return await asyncio.to_thread(_write, text, path)


def file_name(content: PassageIn) -> str:
    """Suggest a file name from the title. Texts are Markdown by default."""
    ending = ".md" if content.document_id is not None else _ENDINGS.get(content.media_type, ".md")
    return usable_name(content.title, "passage") + ending


def usable_name(title: str, otherwise: str) -> str:
    """Convert a title to a file name without extension."""
    return _UNUSABLE.sub("-", title[: 2 * NAME_CHARS]).strip("-.")[:NAME_CHARS] or otherwise


def save_text(content: PassageIn, path: Path) -> Path:
    """Write the text unchanged. Blocking. Raises FileAccessError."""
    return _write(content.text, path)


def _write(text: str, path: Path) -> Path:
    try:
        replace_file(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise FileAccessError(
            sentence("Cannot write {}: {}.", path, error.strerror), hint="Choose another location."
        ) from error
    return path


def copy_secret(text: str) -> None:
    """Copy a secret, marked so that clipboard histories do not store it."""
    data = QMimeData()
    data.setText(text)
    for kind, mark in MARKS.items():
        data.setData(kind, mark)
    QGuiApplication.clipboard().setMimeData(data)


def leave_clipboard() -> None:
    """Clear the clipboard if no desktop takes it over. Otherwise, Qt deletes its content after Python has ended and crashes.

    On a desktop, the content stays available.
    """
    if QGuiApplication.platformName() in SILENT_PLATFORMS:
        QGuiApplication.clipboard().clear()
