"""Handover from a second start to the running instance, over a local socket named after the data directory or the HTTP endpoint."""

from __future__ import annotations

import getpass
import hashlib
import http.client
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.instance import post, read_runtime

CONNECT_MS = 800
MAX_REQUEST_BYTES = 8 * 1024  # Maximum size of the request of a second start.
HTTP_SECONDS = 3.0
REPEAT_SECONDS = 1.0  # The same request within this time after the last one is ignored.

ASK = "ask:"  # Sent instead of an address to open the Ask window.


class Handover(StrEnum):
    """The result of a request to the other instance."""

    SHOWN = "shown"
    HEADLESS = "headless"
    SILENT = "silent"


class ShowListener(QObject):
    """Calls `show` with an address or an empty string when another start requests the window."""

    def __init__(self, data_dir: Path, show: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._show = show
        self._last = ("", 0.0)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        # This process holds the instance lock, so an existing socket file is left from a crash.
        QLocalServer.removeServer(socket_name(data_dir))
        self.is_listening = self._server.listen(socket_name(data_dir))

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            connection.readyRead.connect(partial(self._answer, connection))
            connection.disconnected.connect(connection.deleteLater)
            self._answer(connection)

    def _answer(self, connection: QLocalSocket) -> None:
        if connection.bytesAvailable() > MAX_REQUEST_BYTES:
            connection.abort()
            return
        if not connection.canReadLine():
            return
        address = bytes(connection.readLine().data()).decode("utf-8", "replace").strip()
        connection.write(b"shown\n")
        connection.flush()
        connection.disconnectFromServer()
        before, self._last = self._last, (address, time.monotonic())
        # A start repeats its request while the window hangs, and so does a user who sees nothing.
        if not address or before[0] != address or self._last[1] - before[1] > REPEAT_SECONDS:
            self._show(address)


def socket_name(data_dir: Path) -> str:
    digest = hashlib.sha256(f"{getpass.getuser()}\n{data_dir.resolve()}".encode()).hexdigest()
    return f"webrag-{digest[:20]}"


def is_reached(data_dir: Path, address: str | None = "") -> bool:
    """Whether a running window responds. It shows itself and offers to add the page at `address`, unless that is None."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name(data_dir))
    if not socket.waitForConnected(CONNECT_MS):
        return False
    if address is None:
        return True
    socket.write(f"{' '.join(address.split())}\n".encode()[:MAX_REQUEST_BYTES])
    return socket.waitForReadyRead(CONNECT_MS)


def ask_to_show(data_dir: Path, address: str = "") -> Handover:
    """Ask the running instance to show its window, over the local socket or its endpoint."""
    if is_reached(data_dir, address):
        return Handover.SHOWN
    return {200: Handover.SHOWN, 409: Handover.HEADLESS}.get(_post(data_dir, "/control/show"), Handover.SILENT)


def ask_to_stop(data_dir: Path) -> bool:
    """Ask the running instance to quit. Return whether it agreed."""
    return _post(data_dir, "/control/stop") == 200


def _post(data_dir: Path, path: str) -> int:
    try:
        info = read_runtime(data_dir)
        return post(info, path, timeout=HTTP_SECONDS) if info is not None else 0
    except (OSError, http.client.HTTPException):
        return 0
