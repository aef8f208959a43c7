"""The assistants of this computer as shown on the Assistants page: their files, findings and connections, and their test."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from app.clients.checks import Check, CheckEvent, DoctorReport
from app.clients.hosts import CLIENTS
from app.clients.monitor import ConfigDrift, DriftKind
from app.clients.profile import ClientProfile, Machine, ServerCommand, server_command
from app.clients.registrar import ClientState
from app.clients.snippets import Snippet
from app.desktop.engine_thread import EngineThread, Latest
from app.desktop.wording import ago, counted, spoken, translator, with_short_paths
from app.secrets import SecretStore

_tr = translator("Assistants")

OTHER: Final = "other"  # The row for all unknown assistants.


class Condition(StrEnum):
    """State of an assistant. The first that applies is used."""

    PROBLEM = "problem"
    CHANGED = "changed"
    REMOVED = "removed"
    OFF = "off"
    RESTART = "restart"
    WAITING = "waiting"
    CONNECTED = "connected"
    FOUND = "found"
    SEEN = "seen"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Connecting:
    """Progress since an entry was written. `attached_before` sessions were open then; `was_running`: its program was running."""

    attached_before: int
    was_running: bool = True
    attached: bool = False
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Assistant:
    """An assistant. Assistants without a configuration file that WebRAG can write have a `snippet` instead of a `profile`."""

    name: str
    title: str
    profile: ClientProfile | None
    state: ClientState
    command: ServerCommand  # How it should start the bridge.
    finding: ConfigDrift | None = None
    attached: int = 0
    last_seen: float = 0.0  # Seconds since the epoch, 0 for never.
    tools: str = ""  # Its tool profile.
    connecting: Connecting | None = None
    has_attached: bool = False  # Whether it has ever started a session, also in an earlier run.
    entries: tuple[str, ...] = ()  # The WebRAG entry in each of its files, empty if there is none.
    places: tuple[str, ...] = ()  # Where WebRAG looked for it.
    snippet: Snippet | None = None

    @property
    def is_here(self) -> bool:
        """Whether any trace of it was found on this computer."""
        return self.state.found or self.attached > 0 or self.last_seen > 0

    @property
    def has_entry(self) -> bool:
        """Whether any of its files starts the WebRAG bridge."""
        return any(file.registered for file in self.state.files)

    @property
    def broken_file(self) -> Path | None:
        return next((file.path for file in self.state.files if file.problem), None)

    @property
    def condition(self) -> Condition:
        kind = self.finding.kind if self.finding is not None else None
        broken = any(file.problem or (file.command is not None and not file.registered) for file in self.state.files)
        if broken or kind is DriftKind.BROKEN:
            return Condition.PROBLEM
        if kind is not None and kind.repairable:
            return Condition.REMOVED if kind is DriftKind.WIPED else Condition.CHANGED
        if any(file.switched_off for file in self.state.files):
            return Condition.OFF
        progress = self.connecting
        is_back = progress is not None and (progress.attached or bool(progress.tool))
        if kind is DriftKind.RESTART and not is_back:
            return Condition.RESTART
        if progress is not None and not is_back:
            reads_at_start = self.profile is not None and bool(self.profile.processes)
            return Condition.RESTART if reads_at_start and progress.was_running else Condition.WAITING
        if self.state.registered:
            # An entry alone does not count.
            was_here = self.has_attached or self.attached > 0 or self.last_seen > 0
            return Condition.CONNECTED if was_here else Condition.WAITING
        if self.state.found and not self.attached:
            return Condition.FOUND
        return Condition.SEEN if self.is_here else Condition.ABSENT


def _look(condition: Condition) -> tuple[str, str, tuple[str, str] | None]:
    """Return the text and color of the badge, and icon and color in the list."""
    return {
        Condition.PROBLEM: (_tr("Problem"), "error", ("error", "danger")),
        Condition.CHANGED: (_tr("Changed"), "warning", ("alert", "warning")),
        Condition.REMOVED: (_tr("Entry removed"), "warning", ("alert", "warning")),
        Condition.OFF: (_tr("Turned off"), "warning", ("pause", "warning")),
        Condition.RESTART: (_tr("Restart {}"), "accent", ("refresh", "accent_text")),
        Condition.WAITING: (_tr("Not started yet"), "accent", ("clock", "accent_text")),
        Condition.CONNECTED: (_tr("Connected"), "good", ("ok", "success")),
        Condition.FOUND: (_tr("Not connected"), "", None),
        Condition.SEEN: (_tr("Connected (other entry)"), "good", None),
        Condition.ABSENT: (_tr("Not found"), "", None),
    }[condition]


def condition_word(assistant: Assistant) -> str:
    return _look(assistant.condition)[0].format(assistant.title)


def condition_kind(condition: Condition) -> str:
    return _look(condition)[1]


def condition_mark(assistant: Assistant) -> tuple[str, str] | None:
    return _look(assistant.condition)[2]


def state_line(assistant: Assistant) -> str:
    """Return the second line of a row: the state and the time of last use."""
    snippet = assistant.snippet
    if snippet is not None and not assistant.is_here:
        return _tr("Manual setup") if snippet.stdio or snippet.http else _tr("Not supported")
    if assistant.attached and assistant.condition in (Condition.CONNECTED, Condition.SEEN):
        return _tr("Connected now")
    if assistant.last_seen and assistant.condition is Condition.CONNECTED:
        return _tr("Connected · used {}").format(ago(assistant.last_seen))
    if assistant.condition is Condition.SEEN:
        return _tr("Used {}").format(ago(assistant.last_seen))
    return condition_word(assistant)


def presence_text(assistant: Assistant) -> str:
    """Describe in one sentence whether it is connected now and when it last called."""
    last = _tr("Last used {}.").format(ago(assistant.last_seen)) if assistant.last_seen else ""
    if assistant.condition is Condition.SEEN:
        words = _tr("Uses WebRAG through an entry outside its usual files, for example in a project. {}")
        return words.format(last).strip()
    if assistant.attached:
        now = counted(assistant.attached, _tr("Open now."), _tr("Open now, {} times."))
        return f"{now} {last or _tr('No questions yet.')}"
    if assistant.condition is Condition.WAITING and assistant.connecting is None and assistant.profile is not None:
        return f"{_tr('Set up, but it has not started WebRAG yet.')} {spoken(assistant.profile.after_change)}".strip()
    return last or _tr("No questions yet.")


def explanation(assistant: Assistant) -> str:
    """Explain the problem of an assistant with shortened paths. Empty if there is none."""
    files, finding, words = assistant.state.files, assistant.finding, ""
    foreign = [(file.path, file.command) for file in files if file.command is not None and not file.registered]
    if broken := [file.problem for file in files if file.problem]:
        words = spoken(broken[0])
    elif finding is not None:
        words = f"{spoken(finding.message)} {spoken(finding.hint)}".strip()
    elif foreign:
        path, command = foreign[0]
        words = _tr("{} has a “webrag” entry that starts another program: {}").format(path, command_line(command))
    elif assistant.condition is Condition.OFF:
        words = _tr("The entry is turned off. Turn it on in the settings of {}.").format(assistant.title)
    return with_short_paths(words)


def command_line(command: ServerCommand) -> str:
    """Return a command as typed in a terminal of this system."""
    words = [command.command, *command.args]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


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
        self._secrets = secrets
        self._running = Latest(thread, self)
        self._number = 0
        self.name = ""
        self.checks: list[CheckEvent] = []
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._running.is_running

    def start(self, profile: ClientProfile, command: ServerCommand, data_dir: Path) -> None:
        """Test the connection of one assistant. Cancels a running test."""
        self._begin(profile.name, lambda: (command, (profile,)), data_dir)

    def start_all(self, data_dir: Path) -> None:
        """Check this computer and the connections of all assistants. Cancels a running test."""
        self._begin("", lambda: (server_command(data_dir), CLIENTS), data_dir)

    def _begin(
        self, name: str, examined: Callable[[], tuple[ServerCommand, Sequence[ClientProfile]]], data_dir: Path
    ) -> None:
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

        self._running.run(work, lambda _report: self.ended.emit(), self.failed.emit)

    def give_up(self) -> None:
        """Cancel the test at the user's request."""
        self.stop()
        self.ended.emit()

    def stop(self) -> None:
        """Drop the running test and ignore its further output."""
        self._number += 1
        self._running.cancel()

    def _take(self, number: int, tried: CheckEvent) -> None:
        if number == self._number:
            self.checks.append(tried)
            self.tried.emit(tried)
