"""What leaves the window: files and addresses opened in other programs, saved files and copied secrets."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QProcess, QProcessEnvironment, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QWidget

from app.desktop.engine_thread import Engine
from app.desktop.flags import flagged, url_flags
from app.desktop.panels import Dialog
from app.desktop.qt import SILENT_PLATFORMS, Act
from app.desktop.tokens import XL, M, S
from app.desktop.widgets import Gap, button, label, row
from app.desktop.wording import site_of
from app.errors import CorpusError, FileAccessError
from app.library.records import PassageIn
from app.paths import replace_file
from app.text.page_text import tame
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
    return await asyncio.to_thread(save_text, text, path)


def file_name(content: PassageIn) -> str:
    """Suggest a file name from the title. Texts are Markdown by default."""
    ending = ".md" if content.document_id is not None else _ENDINGS.get(content.media_type, ".md")
    return usable_name(content.title, "passage") + ending


def usable_name(title: str, otherwise: str) -> str:
    return _UNUSABLE.sub("-", title[: 2 * NAME_CHARS]).strip("-.")[:NAME_CHARS] or otherwise


def save_text(text: str, path: Path) -> Path:
    """Write the text unchanged. Blocking. Raises FileAccessError."""
    try:
        replace_file(path, text.encode("utf-8", "replace"), makes_folder=False)
    except OSError as error:
        message = sentence("Cannot write {}: {}.", path, error.strerror)
        raise FileAccessError(message, hint="Choose another location.") from error
    return path


def copy_secret(text: str) -> None:
    """Copy a secret, marked so that clipboard histories do not store it."""
    data = QMimeData()
    data.setText(text)
    for kind, mark in MARKS.items():
        data.setData(kind, mark)
    QGuiApplication.clipboard().setMimeData(data)


def leave_clipboard() -> None:
    """Clear the clipboard if no desktop takes it over. Otherwise, Qt deletes its content after Python has ended, and crashes."""
    if QGuiApplication.platformName() in SILENT_PLATFORMS:
        QGuiApplication.clipboard().clear()


WIDTH = 580
MAX_WORD_CHARS: Final = 40
_LONG: Final = re.compile(rf"\S{{{MAX_WORD_CHARS},}}")
_SIGNS: Final = re.compile(r"[/?&=._%-]")
_VIEWERS: Final = {"evince": "--page-index=", "atril": "--page-index=", "okular": "--page=", "zathura": "--page="}
"""PDF viewers of Linux with their option for a page. Other systems do not tell a viewer where to open a file."""
_ASK_MS: Final = 1_000
_LIBRARIES: Final = "LD_LIBRARY_PATH"
trusted: set[str] = set()  # Sites opened without asking until WebRAG quits.


def open_outside(url: QUrl) -> None:
    """Open a web address in the browser. Other schemes are ignored."""
    if is_web(url):
        QDesktopServices.openUrl(url)


def open_document(address: str, page: str = "") -> None:
    """Open the source of a stored document, a PDF file at its page if possible. Only sources can be files, never links on pages.

    Files on other computers are not opened, because the system would send the user's name and credentials there.
    """
    url = QUrl(address)
    if url.isLocalFile() and not url.host() and not url.toLocalFile().startswith(("//", "\\\\")):
        if not page or not _opened_at(url.toLocalFile(), page):
            QDesktopServices.openUrl(url)
    else:
        open_outside(url)


def _opened_at(path: str, page: str) -> bool:
    """Open a PDF file at a page if the usual viewer of this computer can, and return whether it does."""
    asked = QProcess()
    asked.start("xdg-mime", ["query", "default", "application/pdf"])
    is_told = sys.platform.startswith("linux") and asked.waitForFinished(_ASK_MS)
    told = bytes(asked.readAllStandardOutput().data()).decode(errors="replace").lower() if is_told else ""
    viewer = next((name for name in _VIEWERS if name in told), "")
    started = QProcess()
    started.setProgram(viewer)
    started.setArguments([f"{_VIEWERS.get(viewer, '')}{page}", path])
    if getattr(sys, "frozen", False):
        # Other programs do not use the libraries of the frozen one, which keeps the former path under this name.
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(_LIBRARIES, environment.value(f"{_LIBRARIES}_ORIG"))
        started.setProcessEnvironment(environment)
    return bool(viewer) and bool(started.startDetached())


def is_web(url: QUrl) -> bool:
    return url.scheme() in ("http", "https") and bool(url.host())


def clear_address(url: QUrl) -> str:
    """Return an address as text, encoded if its host could pass for another one, or if it contains characters that reverse letters."""
    text = url.toString()
    # Letters of other scripts can look like Latin ones.
    is_clear = url.host().isascii() and tame(text) == text
    return text if is_clear else url.toString(QUrl.ComponentFormattingOption.FullyEncoded)


class OpenLinkDialog(Dialog):
    """Shows a full address before opening it. `show_stored` offers to read the page in the Library instead."""

    def __init__(self, url: QUrl, parent: QWidget, show_stored: Act | None = None) -> None:
        super().__init__(parent, self.tr("Open link"), WIDTH)
        self.url = url
        self._show_stored = show_stored
        shown = clear_address(url)
        self.trust = QCheckBox(self.tr("Do not ask again for {} until you quit WebRAG").format(site_of(shown)))
        self.open_button = button(self.tr("Open in browser"), self._open, "primary", "external")
        self.stored_button = button(self.tr("Read stored page"), self._read, "", "library")
        self.stored_button.setVisible(show_stored is not None)
        address = label(breakable(shown), "address", wrap=True, selectable=True)
        address.setAccessibleName(self.tr("Link address"))
        words = self.tr("Your browser will open this address:")
        warning = label(flagged(url_flags(self.url.toString())), "warning", wrap=True, margins=(M, S, M, S))
        warning.setVisible(bool(warning.text()))
        self.trust.setVisible(not warning.text())
        heading = label(self.tr("Open this link?"), "heading")
        buttons = row(self.stored_button, 1, button(self.tr("Cancel"), self.reject), self.open_button)
        parts = (heading, label(words, "muted", wrap=True), address, warning, self.trust, Gap(S), buttons)
        self.lay_out(*parts, margins=(XL, XL, XL, XL))
        self.open_button.setDefault(True)

    def _open(self) -> None:
        if self.trust.isChecked():
            trusted.add(self.url.host())
        self.accept()
        open_outside(self.url)

    def _read(self) -> None:
        self.accept()
        if self._show_stored is not None:
            self._show_stored()


def ask_and_open(url: QUrl, parent: QWidget, show_stored: Act | None = None) -> OpenLinkDialog | None:
    """Ask before opening, unless the site is trusted. Return the open dialog. Addresses outside the web are ignored."""
    if not is_web(url):
        return None
    # An address that could leak data is never trusted.
    if url.host() in trusted and not url_flags(url.toString()):
        open_outside(url)
        return None
    dialog = OpenLinkDialog(url, parent, show_stored)
    dialog.open_once()
    return dialog


def breakable(address: str) -> str:
    """Insert line break opportunities after the signs of an address, or anywhere in a very long word."""
    is_tame = max(map(len, _SIGNS.split(address))) <= MAX_WORD_CHARS
    return _SIGNS.sub("\\g<0>\u200b", address) if is_tame else "\u200b".join(address)


def wrapped(text: str) -> str:
    """Insert line break opportunities into words that are wider than a label can be."""
    return _LONG.sub(lambda word: breakable(word.group()), text)
