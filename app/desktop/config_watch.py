"""Watches the WebRAG entries of assistants, reports findings on the Qt thread and repairs them on request."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.clients.hosts import CLIENTS
from app.clients.monitor import ConfigDrift, ConfigMonitor
from app.clients.profile import Machine, server_command
from app.desktop.engine_thread import EngineThread
from app.desktop.settings_store import SettingsStore

log = logging.getLogger(__name__)

MAX_OWN_REPAIRS: Final = 3  # Maximum automatic repairs of an assistant's entries per run.

Report = Callable[[tuple[ConfigDrift, ...]], None]
MakeMonitor = Callable[[Report], ConfigMonitor]
"""Creates the monitor. Its argument is called with all findings, on any thread."""


def real_monitor(data_dir: Path) -> MakeMonitor:
    return lambda report: ConfigMonitor(server_command(data_dir), CLIENTS, Machine.here(), data_dir, report)


def _key(finding: ConfigDrift) -> tuple[str, str, str, str]:
    return finding.client, finding.kind, str(finding.path), finding.message


class ConfigWatch(QObject):
    """Watches entries unless `make` is None. Emits `found` once per new finding, `repaired` per repair, and `changed` on every change."""

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
        self.findings: tuple[ConfigDrift, ...] = ()  # The current findings.
        self._told: set[tuple[str, str, str, str]] = set()
        self._own_repairs: Counter[str] = Counter()
        self._reported.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def finding_of(self, client: str) -> ConfigDrift | None:
        return next((finding for finding in self.findings if finding.client == client), None)

    def start(self) -> None:
        """Start watching if there is a monitor and it is not running."""
        make, self._make = self._make, None
        if make is None:
            return

        def work() -> None:
            self._monitor = made = make(self._reported.emit)
            # The exit stops what it finds, and drops the result of this work.
            if not self._is_over:
                made.start()
            if self._is_over:
                made.stop()

        self._thread.run_blocking(work, None, self.failed.emit, owner=self)

    def stop(self) -> None:
        self._is_over = True
        monitor, self._monitor = self._monitor, None
        if monitor is not None:
            monitor.stop()

    def check_now(self) -> None:
        self._with_monitor(lambda monitor: monitor.check_now())

    def remember(self, client: str) -> None:
        """Remember a newly written entry and drop findings about the previous one."""
        rest = tuple(each for each in self.findings if each.client != client)
        if rest != self.findings:
            self.findings = rest
            # Report it again if it recurs.
            self._told = {key for key in self._told if key[0] != client}
            self.changed.emit()
        self._with_monitor(lambda monitor: monitor.remember(client))
        self.check_now()

    def forget(self, client: str) -> None:
        """Forget a removed entry, so that it is not restored."""
        self._with_monitor(lambda monitor: monitor.forget(client))

    def repair(self, finding: ConfigDrift) -> None:
        monitor = self._monitor
        if monitor is None:
            return

        def done(_done: object) -> None:
            log.info("restored the entry of %s", finding.client)
            place = finding.client, finding.path
            self.findings = tuple(each for each in self.findings if (each.client, each.path) != place)
            # Report it again if it recurs, even if its absence was never seen.
            self._told.discard(_key(finding))
            self.repaired.emit(finding)
            self.changed.emit()
            self.check_now()

        self._thread.run_blocking(lambda: monitor.repair(finding), done, self.failed.emit, owner=self)

    def _with_monitor(self, work: Callable[[ConfigMonitor], object]) -> None:
        monitor = self._monitor
        if monitor is not None:
            self._thread.run_blocking(lambda: work(monitor), owner=self)

    @Slot(object)
    def _take(self, findings: tuple[ConfigDrift, ...]) -> None:
        before, now = ({_key(finding) for finding in each} for each in (self.findings, findings))
        self.findings = findings
        # An entry that breaks again after a repair is a new finding.
        self._told &= now
        for finding in findings:
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
            hint = self.tr("WebRAG restores the entry automatically.")
            self.repair(finding)
        else:
            # Give up if another program keeps removing the entry.
            hint = self.tr("WebRAG restored the entry {} times and has stopped. Choose Repair to restore it again.")
            hint = hint.format(repairs)
        self.found.emit(replace(finding, hint=hint))
