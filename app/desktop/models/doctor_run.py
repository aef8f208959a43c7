"""One test of a connection: run beside the window, its checks in plain words as they come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.wording import spoken, translator
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.clients import ClientProfile, ServerCommand
    from app.clients.checks import Check, CheckEvent, DoctorReport
    from app.desktop.engine_thread import EngineThread, Job
    from app.secrets import SecretStore

    Examined = tuple[ServerCommand, Sequence[ClientProfile]]

_tr = translator("DoctorRun")


def check_name(name: str) -> str:
    """A check of the doctor in plain words; its own name for one that is new."""
    words = {
        "file": _tr("Its configuration can be read"),
        "registered": _tr("WebRAG is in it"),
        "command": _tr("The program it starts is there"),
        "handshake": _tr("Answers in the usual protocol"),
        "handshake end": _tr("Ends when the assistant ends"),
        "2026-07-28": _tr("Answers in the new protocol"),
        "2026-07-28 end": _tr("Ends there too"),
        "tools": _tr("Offers tools"),
        "names": _tr("Names are accepted"),
        "descriptions": _tr("Descriptions arrive whole"),
        "schemas": _tr("Inputs are well described"),
        "same tools": _tr("The same tools in both"),
        "handshake instructions": _tr("Its instructions arrive whole"),
        "2026-07-28 instructions": _tr("Its instructions arrive whole"),
        "stdout": _tr("Only answers are written"),
        "switched on": _tr("It is switched on"),
        "settings": _tr("The settings can be read"),
        "data directory": _tr("There is room for the library"),
        "application": _tr("The application answers"),
        "port": _tr("Its port is free"),
        "library": _tr("The library is sound"),
        "embedding model": _tr("The model for search by meaning works"),
        "keyring": _tr("The keyring can be used"),
    }
    return words.get(name, name)


def place_name(title: str) -> str:
    """What was tried: this computer, this installation, or an assistant, which keeps its name."""
    return {"This computer": _tr("This computer"), "This installation": _tr("This installation")}.get(title, title)


def check_words(check: Check) -> str:
    """What was found and what to do next, unless the one says the other already."""
    detail = spoken(check.detail)
    if not check.hint or check.hint.removeprefix("Run: ") in check.detail:
        return detail
    return f"{detail.rstrip('.')}. {spoken(check.hint)}"


def report_text(checks: Sequence[CheckEvent]) -> str:
    """All checks as text to paste into a message."""
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
    """Ends a test that nobody listens to any more, before it starts the next program."""


class DoctorRun(QObject):
    """Tests one assistant at a time, or all with this computer. `tried` carries each check as it comes; `failed` carries a WebRAGError."""

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
        """Try the connection of this assistant; another test under way is given up."""
        self._begin(profile.name, lambda: (command, (profile,)), data_dir)

    def start_all(self, data_dir: Path) -> None:
        """Look at this computer and try the connection of every assistant; another test under way is given up."""

        def everything() -> Examined:
            from app.clients import CLIENTS, server_command

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
            from app.clients import Machine
            from app.clients.doctor import examine

            return examine(
                *examined(),
                Machine.here(),
                data_dir=data_dir,
                listener=hear,
                store=self._secrets,
            )

        self._job = self._thread.run_blocking(
            work, lambda _report: self._end(number), lambda error: self._fail(number, error), owner=self
        )

    def give_up(self) -> None:
        """End the test because the person wants it."""
        self.stop()
        self.ended.emit()

    def stop(self) -> None:
        """Forget the test that is under way; what its program still says is not listened to."""
        self._number += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _take(self, number: int, tried: CheckEvent) -> None:
        if number == self._number:
            self.checks.append(tried)
            self.tried.emit(tried)

    def _end(self, number: int) -> None:
        if number == self._number:
            self._job = None
            self.ended.emit()

    def _fail(self, number: int, error: WebRAGError) -> None:
        if number == self._number:
            self._job = None
            self.failed.emit(error)
