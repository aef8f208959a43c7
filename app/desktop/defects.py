"""Unexpected errors from any thread: logs them, and shows a dialog with a report to copy."""

from __future__ import annotations

import faulthandler
import getpass
import logging
import platform
import re
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import IO, Final

from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app import __version__
from app.desktop.exports import open_local
from app.desktop.panels import Dialog
from app.desktop.theme import mono_font
from app.desktop.widgets import button, label, row
from app.logs import open_private, redact

_QUERY: Final = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>?#]*+)([?#][^\s\"'<>]*+)?", re.IGNORECASE)
_HOMES: Final = re.compile(r"(?i)(/home/|/Users/|\\Users\\|\\\\Users\\\\)[^/\\\s\"':]+")
LEAST_NAME_CHARS: Final = 3  # Minimum length of a user name to redact; shorter ones are part of too many words.

log = logging.getLogger(__name__)

CRASH_FILE = "crash.log"


def impersonal(text: str) -> str:
    """Redact secrets, home folders, user name and query strings."""
    home = str(Path.home())
    text = redact(text)
    if len(home) > 1:
        text = text.replace(home, "~").replace(home.replace("\\", "\\\\"), "~")
    text = _HOMES.sub(r"\1[user]", text)
    text = _QUERY.sub(lambda found: f"{found[1]}?[removed]" if found[2] else found[1], text)
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    if len(name) >= LEAST_NAME_CHARS:
        text = re.sub(rf"(?i)(?<![\w]){re.escape(name)}(?![\w])", "[user]", text)
    return text


class Defects(QObject):
    """Handles unexpected errors. Emits `met` with a redacted report on the Qt thread."""

    met = Signal(str)
    _arrived = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived.connect(self.met.emit, Qt.ConnectionType.QueuedConnection)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file: IO[str] = open_private(folder / CRASH_FILE)

    def install(self) -> None:
        """Install hooks for errors that Python and the system would only print."""
        faulthandler.enable(self._file)
        sys.excepthook = self._main_thread
        threading.excepthook = self._other_thread

    def uninstall(self) -> None:
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        faulthandler.disable()
        self._file.close()

    def report(self, error: BaseException) -> None:
        log.error("unexpected error", exc_info=error)
        self._arrived.emit(report_of(error))

    def _main_thread(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error.with_traceback(trace))

    def _other_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and arguments.exc_type is not SystemExit:
            self.report(arguments.exc_value)


def report_of(error: BaseException) -> str:
    head = f"WebRAG Desktop {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    return impersonal(f"{head}\n\n{''.join(traceback.format_exception(error))}")


class CrashDialog(Dialog):
    """A dialog that shows a redacted report."""

    def __init__(self, report: str, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent, self.tr("Something went wrong"), 600, 380)
        heading = label(self.tr("WebRAG ran into an unexpected error"), "heading")
        advice = self.tr(
            "You can continue working. If the error happens again, restart WebRAG and report the text below. WebRAG does not send it."
        )
        self.report = QPlainTextEdit(report, readOnly=True)
        self.report.setFont(mono_font(0.9))
        self.report.setAccessibleName(self.tr("Error report"))
        show_logs = button(self.tr("Open log folder"), lambda: open_local(logs))
        copy = button(self.tr("Copy report"), lambda: QGuiApplication.clipboard().setText(report))
        close = button(self.tr("Close"), self.accept, "primary", default=True)
        close.setFocus()
        self.lay_out(heading, label(advice, "muted", wrap=True), (self.report, 1), row(show_logs, copy, 1, close))
