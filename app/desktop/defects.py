"""Errors nobody expected: from any thread into the log file, and once on the screen."""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QObject, Qt, Signal, qVersion

from app import __version__
from app.desktop.personal import impersonal

log = logging.getLogger(__name__)

CRASH_FILE = "crash.log"


class Defects(QObject):
    """Installs the hooks. `met` carries a redacted report, on the Qt thread."""

    met = Signal(str)
    _arrived = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived.connect(self.met.emit, Qt.ConnectionType.QueuedConnection)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file: IO[str] = (folder / CRASH_FILE).open("a", encoding="utf-8")

    def install(self) -> None:
        """Catch what Python and the system would otherwise only print."""
        faulthandler.enable(self._file)
        sys.excepthook = self._main_thread
        threading.excepthook = self._other_thread

    def uninstall(self) -> None:
        """Give the hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        faulthandler.disable()
        self._file.close()

    def report(self, error: BaseException) -> None:
        """Log an error and show it."""
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
    """What a developer needs, without secrets, home folders, user name and what addresses carry."""
    head = f"WebRAG Desktop {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    return impersonal(f"{head}\n\n{''.join(traceback.format_exception(error))}")
