"""One test of a connection: run beside the window, its checks in plain words as they come in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.clients import ClientProfile, ServerCommand
    from app.clients.doctor import DoctorReport, Heard
    from app.desktop.engine_thread import EngineThread, Job


def _tr(text: str) -> str:
    return QCoreApplication.translate("DoctorRun", text)


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
    }
    return words.get(name, name)


def report_text(checks: Sequence[Heard]) -> str:
    """All checks as text to paste into a message."""
    lines: list[str] = []
    place = ("", "")
    for tried in checks:
        if (tried.title, tried.path) != place:
            place = (tried.title, tried.path)
            lines += [*([""] if lines else []), ": ".join(filter(None, place))]
        check = tried.check
        sign = "–" if check.skipped else "✓" if check.ok else "✗"
        lines.append(" ".join(filter(None, (sign, f"{check_name(check.name)}: {check.detail}", check.hint))))
    return "\n".join(lines)


class DoctorRun(QObject):
    """Tests one assistant at a time. `tried` carries each check as it comes; `failed` carries a WebRAGError."""

    tried = Signal(object)
    ended = Signal()
    failed = Signal(object)
    _came = Signal(int, object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._job: Job | None = None
        self._number = 0
        self.name = ""
        self.checks: list[Heard] = []
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, profile: ClientProfile, command: ServerCommand, data_dir: Path) -> None:
        """Try the connection of this assistant; another test under way is given up."""
        self.stop()
        self.name, self.checks = profile.name, []
        number = self._number

        def work() -> DoctorReport:
            from app.clients import Machine
            from app.clients.doctor import examine

            return examine(
                command,
                (profile,),
                Machine.here(),
                data_dir=data_dir,
                listener=lambda tried: self._came.emit(number, tried),
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

    def _take(self, number: int, tried: Heard) -> None:
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
