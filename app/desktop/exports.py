"""What leaves the window: files and folders that other programs open, files that are saved, secrets that are copied."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.desktop.qt import SILENT_PLATFORMS
from app.errors import CorpusError, FileAccessError

if TYPE_CHECKING:
    from app.engine import Engine
    from app.scratch.passage import PassageIn

_UNUSABLE: Final = re.compile(r"[^\w.-]+")
_ENDINGS: Final = {"application/json": ".json", "text/html": ".html", "text/plain": ".txt"}
NAME_CHARS: Final = 80

MARKS: Final = {
    "x-kde-passwordManagerHint": b"secret",
    'application/x-qt-windows-mime;value="ExcludeClipboardContentFromMonitorProcessing"': b"\0\0\0\0",
    'application/x-qt-windows-mime;value="CanIncludeInClipboardHistory"': b"\0\0\0\0",
}
"""What the histories of Linux desktops and of Windows look for."""


def open_local(path: Path) -> None:
    """Open a file in its program, or show a folder; never for a path that a page names."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_folder_of(path: Path) -> None:
    """Show the folder of a file; the nearest one above it that is there."""
    open_local(next((above for above in path.parents if above.is_dir()), path.parent))


async def save_markdown(engine: Engine, document_id: int, path: Path) -> Path:
    """Write the document as `webrag export` does. Raises FileAccessError, CorpusError when it is gone."""
    from app.server.control.files import markdown_file

    document = await engine.documents.get(document_id)
    if document is None:
        raise CorpusError("This page is no longer stored.", hint="Read it again.")
    row = next(iter(await engine.documents.rows([document_id])), None)
    text = await asyncio.to_thread(markdown_file, document, await engine.documents.links(document_id), row)
    return await asyncio.to_thread(_write, text, path, "\n")


def file_name(content: PassageIn) -> str:
    """A name to offer, made of the title; texts are Markdown unless they say otherwise."""
    ending = ".md" if content.document_id is not None else _ENDINGS.get(content.media_type, ".md")
    return usable_name(content.title, "passage") + ending


def usable_name(title: str, otherwise: str) -> str:
    """A title as a file name without its ending."""
    return _UNUSABLE.sub("-", title[: 2 * NAME_CHARS]).strip("-.")[:NAME_CHARS] or otherwise


def save_text(content: PassageIn, path: Path) -> Path:
    """Write the text as it is; blocking. Raises FileAccessError."""
    return _write(content.text, path, "")


def _write(text: str, path: Path, newline: str) -> Path:
    try:
        path.write_text(text, "utf-8", "replace", newline)
    except OSError as error:
        raise FileAccessError(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from error
    return path


def copy_secret(text: str) -> None:
    """Put a text on the clipboard that nobody should keep."""
    data = QMimeData()
    data.setText(text)
    for kind, mark in MARKS.items():
        data.setData(kind, mark)
    QGuiApplication.clipboard().setMimeData(data)


def leave_clipboard() -> None:
    """Give up what was copied where no desktop takes it over: Qt would delete it after Python has ended, which crashes.

    With a desktop it stays with the desktop as long as that wants it.
    """
    if QGuiApplication.platformName() in SILENT_PLATFORMS:
        QGuiApplication.clipboard().clear()
