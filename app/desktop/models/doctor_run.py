"""Connection test of an assistant: runs in the background and reports each check as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app.clients.checks import Check, CheckEvent, DoctorReport
from app.clients.hosts import CLIENTS
from app.clients.profile import ClientProfile, Machine, ServerCommand, server_command
from app.desktop.engine_thread import EngineThread, Job
from app.desktop.wording import spoken, translator
from app.errors import WebRAGError
from app.secrets import SecretStore

Examined = tuple[ServerCommand, Sequence[ClientProfile]]


_tr = translator("DoctorRun")


def check_name(name: str) -> str:
    """Return the title of a check, or its ID if it is unknown."""
    words = {
        "file": _tr("Configuration is readable"),
        "registered": _tr("Contains the WebRAG entry"),
        "command": _tr("Program to start exists"),
        "handshake": _tr("Responds in the current protocol"),
        "handshake end": _tr("Stops when the assistant quits"),
        "2026-07-28": _tr("Responds in the new protocol"),
        "2026-07-28 end": _tr("Stops when the assistant quits (new protocol)"),
        "tools": _tr("Offers tools"),
        "names": _tr("Tool names are accepted"),
        "descriptions": _tr("Tool descriptions are complete"),
        "schemas": _tr("Tool inputs are described"),
        "same tools": _tr("Same tools in both protocols"),
        "handshake instructions": _tr("Instructions are complete"),
        "2026-07-28 instructions": _tr("Instructions are complete (new protocol)"),
        "stdout": _tr("Writes protocol messages only"),
        "turned on": _tr("WebRAG is turned on"),
        "settings": _tr("Settings are readable"),
        "data directory": _tr("Enough disk space for the library"),
        "application": _tr("WebRAG responds"),
        "port": _tr("Port is available"),
        "library": _tr("Library check passed"),
        "embedding model": _tr("Search model works"),
        "keyring": _tr("Keyring is available"),
    }
    return words.get(name, name)


def place_name(title: str) -> str:
    """Return the subject of a check: this computer, this installation, or the name of an assistant."""
    return {"This computer": _tr("This computer"), "This installation": _tr("This installation")}.get(title, title)


def check_words(check: Check) -> str:
    """Return the finding and the next step, without repeating either."""
    detail = spoken(check.detail)
    if not check.hint or check.hint.removeprefix("Run: ") in check.detail:
        return detail
    return f"{detail.rstrip('.')}. {spoken(check.hint)}"


def report_text(checks: Sequence[CheckEvent]) -> str:
    """Return all checks as text for a message."""
    lines: list[str] = []
    place = ("", "")
    for tried in checks:
        if (tried.title, tried.path) != place:
            place = (tried.title, tried.path)
            lines += [*([""] if lines else []), ": ".join(filter(None, (place_name(place[0]), place[1])))]
        check = tried.check
        sign = "–" if check.skipped else "✓" if check.ok else "✗"
        lines.append(f"{sign} {check_name(check.name)}: {check_words(check)}")
    return "\n".join(lines)


class _GivenUpError(Exception):
    """Ends a canceled test before it starts the next program."""


class DoctorRun(QObject):
    """Tests one assistant, or this computer and all assistants. `tried` carries each check, `failed` a WebRAGError."""

    tried = Signal(object)
    ended = Signal()
    failed = Signal(object)
    _came = Signal(int, object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None, secrets: SecretStore | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._secrets = secrets
        self._job: Job | None = None
        self._number = 0
        self.name = ""
        self.checks: list[CheckEvent] = []
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, profile: ClientProfile, command: ServerCommand, data_dir: Path) -> None:
        """Test the connection of one assistant. Cancels a running test."""
        self._begin(profile.name, lambda: (command, (profile,)), data_dir)

    def start_all(self, data_dir: Path) -> None:
        """Check this computer and the connections of all assistants. Cancels a running test."""

        def everything() -> Examined:
            return server_command(data_dir), CLIENTS

        self._begin("", everything, data_dir)

    def _begin(self, name: str, examined: Callable[[], Examined], data_dir: Path) -> None:
        self.stop()
        self.name, self.checks = name, []
        number = self._number

        def hear(tried: CheckEvent) -> None:
            if number != self._number:
                raise _GivenUpError
            self._came.emit(number, tried)

        def work() -> DoctorReport:
            from app.clients.doctor import examine

            return examine(*examined(), Machine.here(), data_dir=data_dir, listener=hear, store=self._secrets)

        def end(_report: DoctorReport) -> None:
            self._job = None
            self.ended.emit()

        def fail(error: WebRAGError) -> None:
            self._job = None
            self.failed.emit(error)

        self._job = self._thread.run_blocking(work, end, fail, owner=self)

    def give_up(self) -> None:
        """Cancel the test at the user's request."""
        self.stop()
        self.ended.emit()

    def stop(self) -> None:
        """Drop the running test and ignore its further output."""
        self._number += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _take(self, number: int, tried: CheckEvent) -> None:
        if number == self._number:
            self.checks.append(tried)
            self.tried.emit(tried)
