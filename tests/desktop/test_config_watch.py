"""Tests of the monitor: findings are announced once and repaired by click or automatically, a limited number of times."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.clients.hosts import CLIENTS
from app.clients.monitor import ConfigDrift, DriftKind
from app.clients.profile import Machine, server_command
from app.clients.registrar import apply_plan, plan_registration
from app.desktop.application import DesktopApp
from app.desktop.config_watch import MAX_OWN_REPAIRS, ConfigWatch, Report, real_monitor
from app.desktop.engine_thread import EngineThread
from app.desktop.settings_store import SettingsStore
from app.events import EventBus
from app.settings import load_settings
from tests.desktop.fake_engine import FakeParts
from tests.desktop.window import take_away

WIPED = ConfigDrift(
    "claude-desktop",
    "Claude Desktop",
    DriftKind.WIPED,
    Path("/home/ada/claude_desktop_config.json"),
    "Another program removed WebRAG from the configuration of Claude Desktop.",
    "Restore the entry.",
    by_itself=True,
)

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")


@dataclass
class FakeWatch:
    """Reports the findings of the test from a separate thread. Repairs can be ineffective."""

    report: Report
    asked: list[tuple[str, object]] = field(default_factory=list)
    findings: tuple[ConfigDrift, ...] = ()
    repair_helps: bool = True
    running: bool = False

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def check_now(self) -> None:
        self.report(self.findings)

    def remember(self, client: str) -> None:
        self.asked.append(("remember", client))

    def forget(self, client: str) -> None:
        self.asked.append(("forget", client))

    def repair(self, finding: ConfigDrift) -> None:
        self.asked.append(("repair", finding))
        if self.repair_helps:
            self.findings = ()

    def find(self, *findings: ConfigDrift) -> None:
        """Report findings from another thread, like the monitor."""
        self.findings = findings
        thread = threading.Thread(target=self.check_now)
        thread.start()
        thread.join()

    @property
    def repairs(self) -> int:
        return sum(what == "repair" for what, _ in self.asked)


Guarded = Callable[[], tuple[DesktopApp, FakeWatch]]
Alone = tuple[ConfigWatch, FakeWatch, SettingsStore]


@pytest.fixture
def alone(tmp_path: Path, qtbot: QtBot) -> Iterator[Alone]:
    """Only ConfigWatch with a thread."""
    settings = load_settings({}, data_dir=tmp_path / "data")
    store, thread = SettingsStore(settings), EngineThread(settings, EventBus(), FakeParts())
    watches: list[FakeWatch] = []
    config_watch = ConfigWatch(thread, store, lambda report: keep(watches, report))
    thread.start()
    config_watch.start()
    qtbot.waitUntil(lambda: config_watch._monitor is not None)
    yield config_watch, watches[0], store
    config_watch.stop()
    thread.stop()


def keep(watches: list[FakeWatch], report: Report) -> FakeWatch:
    watches.append(FakeWatch(report))
    return watches[-1]


@pytest.fixture
def guarded(qtbot: QtBot, tmp_path: Path) -> Iterator[Guarded]:
    """Start the application with a fake monitor."""
    from PySide6.QtWidgets import QApplication

    started: list[DesktopApp] = []

    def run() -> tuple[DesktopApp, FakeWatch]:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        settings = load_settings({}, data_dir=tmp_path / "data")
        watches: list[FakeWatch] = []
        desktop = DesktopApp(
            application, settings, parts=FakeParts(), make_monitor=lambda report: keep(watches, report)
        )
        started.append(desktop)
        desktop.start()
        qtbot.waitUntil(lambda: desktop.config_watch._monitor is not None)
        return desktop, watches[-1]

    yield run
    for desktop in started:
        take_away(desktop)


def told(desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the titles of notifications from now on."""
    titles: list[str] = []
    monkeypatch.setattr(desktop.tray, "tell", lambda title, *_rest: titles.append(title))
    monkeypatch.setattr(desktop.window, "isActiveWindow", lambda: False)
    return titles


def test_an_application_without_a_monitor_watches_nothing(desktop: DesktopApp) -> None:
    assert desktop.config_watch._monitor is None
    desktop.config_watch.remember("claude-desktop")
    desktop.config_watch.repair(WIPED)


def test_a_monitor_that_is_created_during_the_exit_is_not_started(tmp_path: Path, qtbot: QtBot) -> None:
    store, bus = SettingsStore(load_settings({}, data_dir=tmp_path / "data")), EventBus()
    thread = EngineThread(store.saved, bus, FakeParts())
    watches: list[FakeWatch] = []
    begun, go_on = threading.Event(), threading.Event()

    def slowly(report: Report) -> FakeWatch:
        begun.set()
        assert go_on.wait(60)
        return keep(watches, report)

    config_watch = ConfigWatch(thread, store, slowly)
    thread.start()
    config_watch.start()
    qtbot.waitUntil(begun.is_set)
    config_watch.stop()
    go_on.set()
    assert thread.stop()
    assert [each.running for each in watches] == [False]


def test_a_finding_is_announced_once_and_repaired_by_a_click(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    desktop, watch = guarded()
    titles = told(desktop, monkeypatch)
    watch.find(WIPED)
    banners = desktop.window.banners
    qtbot.waitUntil(
        lambda: [notice.title for notice in banners.notices][-1:] == ["Claude Desktop has lost its connection"]
    )
    watch.find(WIPED, replace(WIPED, client="cursor", title="Cursor"))
    qtbot.waitUntil(lambda: len(desktop.config_watch.findings) == 2)
    assert titles == ["Claude Desktop", "Cursor"]
    watch.find(WIPED)
    qtbot.waitUntil(lambda: len(desktop.config_watch.findings) == 1)
    assert watch.repairs == 0
    notice = banners.notices[-1]
    assert notice.action == "Restore entry"
    notice.run()
    qtbot.waitUntil(lambda: desktop.config_watch.findings == ())
    assert watch.repairs == 1
    assert not any("connection" in notice.title for notice in banners.notices)
    assert len(titles) == 2
    before = banners.notices
    watch.find(replace(WIPED, kind=DriftKind.RESTART))
    qtbot.waitUntil(lambda: bool(desktop.config_watch.findings))
    assert banners.notices == before
    watch.find(replace(WIPED, kind=DriftKind.BROKEN, message="line 3 is broken", by_itself=False))
    qtbot.waitUntil(lambda: banners.notices != before)
    assert "line 3 is broken" in banners.notices[-1].text
    banners.notices[-1].run()
    assert desktop.window.current_page.name == "clients"
    desktop.quit()
    assert not watch.running


def test_allowed_repairs_are_automatic_but_limited(alone: Alone, qtbot: QtBot) -> None:
    config_watch, watch, settings = alone
    settings.save("repair_clients", True)
    watch.repair_helps = False
    hints: list[str] = []
    config_watch.found.connect(lambda finding: hints.append(finding.hint))
    for _ in range(MAX_OWN_REPAIRS + 2):
        watch.find()
        qtbot.waitUntil(lambda: config_watch.findings == ())
        with qtbot.waitSignal(config_watch.found):
            watch.find(WIPED)
    qtbot.waitUntil(lambda: watch.repairs == MAX_OWN_REPAIRS)
    qtbot.waitUntil(lambda: config_watch.findings == (WIPED,))
    assert watch.repairs == MAX_OWN_REPAIRS
    assert "automatically" in hints[0]
    assert f"{MAX_OWN_REPAIRS} times" in hints[-1]


def test_a_possibly_intended_change_is_not_repaired_automatically(alone: Alone, qtbot: QtBot) -> None:
    config_watch, watch, settings = alone
    settings.save("repair_clients", True)
    with qtbot.waitSignal(config_watch.found):
        watch.find(replace(WIPED, by_itself=False))
    assert watch.repairs == 0


def test_a_removed_entry_of_a_real_file_is_restored_by_a_click(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    file = own_home / "xdg_config_home" / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    data = tmp_path / "data"
    for plan in plan_registration(CLAUDE_DESKTOP, server_command(data), Machine.here()):
        apply_plan(plan)
    settings = load_settings({}, data_dir=data)
    thread = EngineThread(settings, EventBus(), FakeParts())
    config_watch = ConfigWatch(thread, SettingsStore(settings), real_monitor(data))
    thread.start()
    try:
        config_watch.start()
        # The monitor has seen the entry.
        qtbot.waitUntil(lambda: (data / "clients.json").exists())
        file.write_text('{"theme": "dark"}')
        config_watch.check_now()
        qtbot.waitUntil(lambda: bool(config_watch.findings))
        config_watch.repair(config_watch.findings[0])
        qtbot.waitUntil(lambda: "webrag" in file.read_text())
        assert '"theme": "dark"' in file.read_text()
        qtbot.waitUntil(lambda: not any(found.kind.repairable for found in config_watch.findings))
    finally:
        config_watch.stop()
        thread.stop()


def test_a_new_entry_clears_its_findings_immediately(alone: Alone, qtbot: QtBot) -> None:
    config_watch, watch, _ = alone
    with qtbot.waitSignal(config_watch.found):
        watch.find(WIPED)
    watch.findings = ()
    with qtbot.waitSignal(config_watch.changed):
        config_watch.remember(WIPED.client)
    assert config_watch.finding_of(WIPED.client) is None
    qtbot.waitUntil(lambda: ("remember", WIPED.client) in watch.asked)
