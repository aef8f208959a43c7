"""Watches the entries of assistants from the window: what is found comes to the Qt thread, and is repaired when asked to."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.clients.monitor import ConfigDrift, ConfigMonitor
from app.desktop.engine_thread import EngineThread
from app.desktop.settings_store import SettingsStore

log = logging.getLogger(__name__)

MAX_OWN_REPAIRS: Final = 3
"""Entries of one assistant that are written again without asking, in one run of the application."""


Report = Callable[[tuple[ConfigDrift, ...]], None]
MakeMonitor = Callable[[Report], ConfigMonitor]
"""Makes the monitor; what it is given is called with everything that is not as it should be, on any thread."""


def real_monitor(data_dir: Path) -> MakeMonitor:
    """The monitor of the assistants on this computer."""

    def make(report: Report) -> ConfigMonitor:
        from app.clients import CLIENTS, Machine, server_command

        return ConfigMonitor(server_command(data_dir), CLIENTS, Machine.here(), data_dir, report)

    return make


def _key(finding: ConfigDrift) -> tuple[str, str, str, str]:
    return finding.client, finding.kind, str(finding.path), finding.message


class ConfigWatch(QObject):
    """Without `make` nothing is watched. `found` follows each new finding once, `repaired` each repair, `changed` every difference."""

    changed = Signal()
    found = Signal(object)
    repaired = Signal(object)
    failed = Signal(object)
    _reported = Signal(object)

    def __init__(
        self,
        thread: EngineThread,
        settings: SettingsStore,
        make: MakeMonitor | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._thread = thread
        self._settings = settings
        self._make = make
        self._monitor: ConfigMonitor | None = None
        self._is_over = False
        self.findings: tuple[ConfigDrift, ...] = ()
        """What is not as it should be now."""
        self._told: set[tuple[str, str, str, str]] = set()
        self._own_repairs: Counter[str] = Counter()
        self._reported.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def finding_of(self, client: str) -> ConfigDrift | None:
        return next((finding for finding in self.findings if finding.client == client), None)

    def start(self) -> None:
        """Begin to watch, where there is a monitor and it does not watch yet."""
        make, self._make = self._make, None
        if make is None:
            return

        def work() -> ConfigMonitor:
            made = make(self._reported.emit)
            made.start()
            return made

        def started(monitor: ConfigMonitor) -> None:
            self._monitor = monitor
            if self._is_over:
                self.stop()

        self._thread.run_blocking(work, started, self.failed.emit, owner=self)

    def stop(self) -> None:
        """End watching."""
        self._is_over = True
        monitor, self._monitor = self._monitor, None
        if monitor is not None:
            monitor.stop()

    def check_now(self) -> None:
        """Look at every file again."""
        self._with_monitor(lambda monitor: monitor.check_now())

    def remember(self, client: str) -> None:
        """An entry was written: it should stay as it is, and what was wrong with the one before is over."""
        rest = tuple(each for each in self.findings if each.client != client)
        if rest != self.findings:
            self.findings = rest
            # Found once more it is news.
            self._told = {key for key in self._told if key[0] != client}
            self.changed.emit()
        self._with_monitor(lambda monitor: monitor.remember(client))
        self.check_now()

    def forget(self, client: str) -> None:
        """An entry was taken out: it need not come back."""
        self._with_monitor(lambda monitor: monitor.forget(client))

    def repair(self, finding: ConfigDrift) -> None:
        """Write the entry again."""
        monitor = self._monitor
        if monitor is None:
            return
        self._thread.run_blocking(
            lambda: monitor.repair(finding), lambda _done: self._after_repair(finding), self.failed.emit, owner=self
        )

    def _with_monitor(self, work: Callable[[ConfigMonitor], object]) -> None:
        monitor = self._monitor
        if monitor is not None:
            self._thread.run_blocking(lambda: work(monitor), owner=self)

    @Slot(object)
    def _take(self, findings: tuple[ConfigDrift, ...]) -> None:
        before = {_key(finding) for finding in self.findings}
        self.findings = findings
        now = {_key(finding) for finding in self.findings}
        # What was mended and is broken again is news.
        self._told &= now
        for finding in self.findings:
            if _key(finding) not in self._told:
                self._told.add(_key(finding))
                self._meet(finding)
        if now != before:
            self.changed.emit()

    def _meet(self, finding: ConfigDrift) -> None:
        if not (finding.by_itself and bool(self._settings.value("repair_clients"))):
            self.found.emit(finding)
            return
        repairs = self._own_repairs[finding.client]
        if repairs < MAX_OWN_REPAIRS:
            self._own_repairs[finding.client] += 1
            hint = self.tr("WebRAG puts the entry back by itself.")
            self.repair(finding)
        else:
            # A program that takes the entry out again and again is not fought with.
            hint = self.tr("WebRAG has put it back {} times and leaves it now; put it back with Repair.")
            hint = hint.format(repairs)
        self.found.emit(replace(finding, hint=hint))

    def _after_repair(self, finding: ConfigDrift) -> None:
        log.info("the entry of %s was written again", finding.client)
        place = finding.client, finding.path
        self.findings = tuple(each for each in self.findings if (each.client, each.path) != place)
        # Found once more it is news, also when it was never seen to be gone.
        self._told.discard(_key(finding))
        self.repaired.emit(finding)
        self.changed.emit()
        self.check_now()
