"""Model of the Assistants page: configuration files, read on a worker thread if changed, and calls and connections from events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal

from app import caps
from app.client_limits import GENERIC, limits_of
from app.clients.addresses import names_address
from app.clients.config_file import installed_entry
from app.clients.hosts import CLIENTS
from app.clients.monitor import ConfigDrift, find_drift, running_since
from app.clients.profile import ClientProfile, Machine, ServerCommand, server_command
from app.clients.registrar import ClientState, client_state
from app.clients.snippets import SNIPPETS, Snippet
from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.models.assistants import OTHER, Assistant, Connecting, condition_mark, explanation, state_line
from app.desktop.models.rows import Column, Index, RowsModel
from app.desktop.settings_store import profile_set_for
from app.desktop.state_file import StateFile
from app.desktop.wording import spoken, translator
from app.errors import ClientConfigError
from app.events import CallFinished, CallStarted, Event

_tr = translator("ClientsModel")

Stamp = tuple[tuple[str, int, int], ...]

GROUP_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 10
"""The heading above the first row of each group. Empty for all other rows."""
OWN_CALLS: Final = "webrag"  # Client name used by the connection test. It is not an assistant.


@dataclass(frozen=True, slots=True)
class Looked:
    """Survey result of one assistant: the state of its files, the WebRAG entry in each, the places searched, the first problem."""

    profile: ClientProfile | None
    state: ClientState
    entries: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    finding: ConfigDrift | None = None
    snippet: Snippet | None = None
    by_address: bool = False  # Whether one of its entries contains the address of WebRAG, and therefore the token.
    stamp: Stamp = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """Survey of all known assistants, and the command that their files should contain."""

    command: ServerCommand
    looked: tuple[Looked, ...]


ATTACHED: Final = "clients/attached"
"""Key in the window's memory: names of the assistants that have ever started a session."""


def ever_attached(memory: StateFile) -> set[str]:
    """Return the assistants that have ever started a session."""
    return set(filter(None, memory.get(ATTACHED, "").split("\n")))


def survey(data_dir: Path, known: Survey | None = None) -> Survey:
    machine = Machine.here()
    before = {looked.state.name: looked for looked in known.looked} if known is not None else {}
    command = server_command(data_dir)
    known_ones = (_look(profile, command, machine, before.get(profile.name)) for profile in CLIENTS)
    others = (
        Looked(None, ClientState(snippet.name, snippet.title, False, ()), snippet=snippet) for snippet in SNIPPETS
    )
    return Survey(command, (*known_ones, *others))


def _look(profile: ClientProfile, command: ServerCommand, machine: Machine, before: Looked | None) -> Looked:
    locations = profile.locate(machine)
    stamp = tuple(each for location in locations for each in (_stamp(location.path), _stamp(location.sign)))
    if before is not None and before.stamp == stamp:
        return before
    state = client_state(profile, machine)
    entries = tuple(entry_text(profile, file.path) if file.registered else "" for file in state.files)
    used = [location for location in locations if location.is_used]
    # The first problem of a connected assistant counts, no matter how it was connected.
    problems = (find_drift(profile, location, command, machine, known=False) for location in used)
    is_connected = any(file.registered for file in state.files)
    found = next((problem for problem in problems if problem is not None), None) if is_connected else None
    by_address = False
    for location in used:
        # The state of the file reports an error.
        with suppress(ClientConfigError):
            by_address = by_address or names_address(profile, location.path)
    places = tuple(dict.fromkeys(str(location.sign) for location in locations))
    return Looked(profile, state, entries, places, found, by_address=by_address, stamp=stamp)


def entry_text(profile: ClientProfile, path: Path) -> str:
    """Return the WebRAG entry of a file in the file's format, or an empty string if it cannot be read."""
    # The state of the file reports the error, unless the file has just become unreadable.
    with suppress(ClientConfigError):
        found = installed_entry(profile, path)
        if isinstance(found.entry, Mapping):
            return found.config.language.set_member("", found.keys, found.entry).strip()
    return ""


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        found = path.stat()
    except OSError:
        return str(path), 0, -1
    # Folder contents change all the time and are irrelevant here.
    return (str(path), 0, 0) if path.is_dir() else (str(path), found.st_mtime_ns, found.st_size)


async def last_calls(engine: Engine) -> dict[str, float]:
    """Return the time of each assistant's last call. For older calls, only the day is known."""
    seen: dict[str, float] = {}
    for day in await engine.activity.usage(0.0):
        _keep_latest(seen, datetime.fromisoformat(day.day).astimezone().timestamp(), day.client)
    for call in await engine.activity.calls(caps.MAX_ACTIVITY_SHOWN):
        _keep_latest(seen, call.started_at, call.client)
    return seen


@lru_cache(maxsize=256)
def known_name(client: str) -> str:
    """Map the name that a client reports to the name of its profile, or to OTHER."""
    limits = limits_of(client)
    if limits is not GENERIC:
        return limits.name
    plain = _letters(client)
    return next((profile.name for profile in CLIENTS if _letters(profile.name) in plain), OTHER)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _keep_latest(seen: dict[str, float], moment: float, client: str) -> None:
    if client != OWN_CALLS:
        name = known_name(client)
        seen[name] = max(seen.get(name, 0.0), moment)


def group_of(assistant: Assistant) -> int:
    """Return the group: 0 for assistants on this computer, 1 for the row of all others, 2 for assistants not found here."""
    if assistant.profile is None:
        return 1
    return 0 if assistant.is_here else 2


class ClientsModel(RowsModel[Assistant]):
    """One row per assistant, those on this computer first. `failed` carries a WebRAGError."""

    loaded = Signal()
    failed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        column: Column[Assistant] = Column(
            _tr("Assistant"),
            lambda row: row.title,
            group_of,
            tip=lambda row: ". ".join(filter(None, (state_line(row), explanation(row)))),
            mark=condition_mark,
        )
        super().__init__([column], parent, attrgetter("name"))
        self._context = context
        self._survey: Survey | None = None
        self._seen: dict[str, float] = {}
        self._connecting: dict[str, Connecting] = {}
        self._sorted_by = 0
        self._ever = ever_attached(context.memory)
        context.status.changed.connect(self._follow_connections)
        context.settings.changed.connect(self.refresh)
        context.config_watch.changed.connect(self.read_again)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != GROUP_ROLE:
            return super().data(index, role)
        record = self.record_at(index)
        before = self.records[index.row() - 1] if index.row() else None
        if record is None or (before is not None and group_of(before) == group_of(record)):
            return ""
        return (_tr("On this computer"), _tr("Other assistants"), _tr("Not found on this computer"))[group_of(record)]

    @property
    def is_loaded(self) -> bool:
        return self._survey is not None

    @property
    def found_any(self) -> bool:
        """Whether any known assistant is on this computer."""
        return any(row.profile is not None and row.is_here for row in self.everything)

    @property
    def any_connected(self) -> bool:
        """Whether any assistant uses WebRAG or has an entry for it."""
        return any(row.has_entry or row.attached > 0 or row.last_seen > 0 for row in self.everything)

    def find(self, name: str) -> Assistant | None:
        return next((row for row in self.everything if row.name == name), None)

    def read_again(self) -> None:
        """Read all files again, also the seemingly unchanged ones."""
        self.reload(anew=True)

    def reload(self, *, anew: bool = False) -> None:
        """Read the changed files again."""
        data_dir = self._context.settings.running.data_dir
        known = None if anew else self._survey
        self._context.run(self, lambda: survey(data_dir, known), self._take_survey, self.failed.emit)

    def reload_calls(self) -> None:
        """Reload the time of the last calls. Without an engine, there are none."""
        self._context.ask(self, last_calls, self._take_calls, lambda _error: None)

    def forget_calls(self) -> None:
        """Forget the last calls after the record was erased."""
        self._seen.clear()
        self.refresh()

    def on_events(self, events: Sequence[Event]) -> None:
        changed = False
        for event in events:
            if isinstance(event, CallFinished) and event.client != OWN_CALLS:
                _keep_latest(self._seen, event.started_at, event.client)
                changed = True
            elif isinstance(event, CallStarted) and event.client != OWN_CALLS:
                progress = self._connecting.get(name := known_name(event.client))
                if progress is not None and not progress.tool:
                    self._connecting[name] = replace(progress, attached=True, tool=event.tool)
                    changed = True
        if changed:
            self.refresh()

    def begin(self, name: str) -> None:
        """Track the progress of an assistant whose entry was just written."""
        self._connecting[name] = Connecting(self._attached().get(name, 0))
        self.refresh()
        profile = next((each for each in CLIENTS if each.name == name and each.processes), None)
        if profile is not None:
            self._context.run(
                self, lambda: running_since(profile) is not None, lambda runs: self._note_running(name, runs)
            )

    def _note_running(self, name: str, runs: bool) -> None:
        """Store whether the assistant's program is running. Only then it must be restarted."""
        if (progress := self._connecting.get(name)) is not None:
            self._connecting[name] = replace(progress, was_running=runs)
            self.refresh()

    def end(self, name: str) -> None:
        if self._connecting.pop(name, None) is not None:
            self.refresh()

    def refresh(self) -> None:
        if self._survey is None:
            return
        attached, rows = self._attached(), list[Assistant]()
        for looked in self._survey.looked:
            state = looked.state
            row = Assistant(
                state.name,
                spoken(state.title),
                looked.profile,
                state,
                self._survey.command,
                self._context.config_watch.finding_of(state.name) or looked.finding,
                attached.get(state.name, 0),
                self._seen.get(state.name, 0.0),
                profile_set_for(self._context.settings.saved, state.name),
                self._connecting.get(state.name),
                state.name in self._ever,
                looked.entries,
                looked.places,
                looked.snippet,
            )
            rows.append(row)
        if rows != list(self.everything):
            self.replace(rows)

    def _take_survey(self, found: Survey) -> None:
        self._survey = found
        self._context.status.note_by_address(any(looked.by_address for looked in found.looked))
        self.refresh()
        self.loaded.emit()

    def _take_calls(self, seen: dict[str, float]) -> None:
        for name, moment in seen.items():
            self._seen[name] = max(moment, self._seen.get(name, 0.0))
        self.refresh()

    def _attached(self) -> dict[str, int]:
        return Counter(known_name(client) for client in self._context.status.clients if client != OWN_CALLS)

    def _follow_connections(self) -> None:
        attached = self._attached()
        if not self._ever.issuperset(attached):
            self._ever.update(attached)
            self._context.memory.set(ATTACHED, "\n".join(sorted(self._ever)))
        for name, progress in self._connecting.items():
            count = attached.get(name, 0)
            # Sessions that were open before the change end with the restart.
            before = min(progress.attached_before, count)
            is_attached = progress.attached or count > before
            self._connecting[name] = replace(progress, attached_before=before, attached=is_attached)
        self.refresh()
