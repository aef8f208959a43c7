"""What the doctor finds, as records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried. `detail` says what was found, `hint` what to do next, empty where nothing is to be done.

    `skipped`: it does not apply, which is no fault.
    """

    name: str
    ok: bool
    detail: str
    hint: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """One configuration file and the connection that it describes. Times are milliseconds."""

    path: str
    command: tuple[str, ...]
    checks: tuple[Check, ...]
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class ClientReport:
    """One client: each of its files."""

    name: str
    title: str
    found: bool
    files: tuple[FileReport, ...] = ()


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """This installation's own command, then every client, and this computer; `ok` when all that is there is well."""

    ok: bool
    clients: tuple[ClientReport, ...]
    machine: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """One check as it comes: of which client (`title`) and which of its files (`path`, empty without one)."""

    title: str
    path: str
    check: Check


Listener = Callable[[Heard], None]


def nobody(heard: Heard) -> None:
    """Listens to nothing."""


@dataclass(slots=True)
class Findings:
    """Collects the checks of one place and passes each on as it comes."""

    title: str
    path: str = ""
    listener: Listener = nobody
    checks: list[Check] = field(default_factory=list)
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    def add(self, name: str, ok: bool, detail: str, hint: str = "", *, skipped: bool = False) -> bool:
        """Note a check; the result is whether it is well."""
        check = Check(name, ok, detail, "" if ok and not skipped else hint, skipped)
        self.checks.append(check)
        self.listener(Heard(self.title, self.path, check))
        return ok

    def report(self, command: tuple[str, ...] = ()) -> FileReport:
        return FileReport(self.path, command, tuple(self.checks), self.tools, self.start_ms, self.list_ms)
