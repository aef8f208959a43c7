"""The renderer process: reads requests from stdin, writes pages to stdout, and exits at the end of input."""

from __future__ import annotations

import os
import sys
import threading
from typing import IO, NoReturn

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.rendering.messages import RenderRequest, Setup, read_message, write_error, write_page
from app.desktop.rendering.visit import Visit


class Requests(QObject):
    """Reads lines in a thread, so that the browser never blocks."""

    came = Signal(object)
    ended = Signal()

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream

    def start(self) -> None:
        threading.Thread(target=self._read, name="requests", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._stream:
                self.came.emit(read_message(RenderRequest, line))
        except ValueError as error:
            print(f"unreadable request: {error}", file=sys.stderr)  # noqa: T201
        self.ended.emit()


class Renderer(QObject):
    """Renders one page at a time."""

    def __init__(self, setup: Setup, answers: IO[bytes]) -> None:
        super().__init__()
        self._setup = setup
        self._answers = answers
        self._visit: Visit | None = None

    def render(self, request: RenderRequest) -> None:
        self._visit = Visit(
            self._setup,
            request,
            lambda url, html: write_page(self._answers, request.id, url, html),
            lambda reason: write_error(self._answers, request.id, reason),
        )
        self._visit.start()


def main() -> NoReturn:
    """Serve requests until the end of input."""
    # stdin and stdout are reserved for messages; output of libraries goes to stderr.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    setup = read_message(Setup, requests.readline())
    application = QApplication(["renderer"])
    application.setQuitOnLastWindowClosed(False)
    renderer, reader = Renderer(setup, answers), Requests(requests)
    reader.came.connect(renderer.render)
    reader.ended.connect(QCoreApplication.quit)
    reader.start()
    application.exec()
    # The browser engine has its own threads and processes, and there is nothing to save.
    os._exit(0)


if __name__ == "__main__":
    main()
