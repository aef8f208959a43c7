"""Tests of the Settings page: saving, validation, restarts, environment, secrets, token and tools."""

from __future__ import annotations

import tomllib
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.layout import Section
from app.desktop.pages.settings.page import SettingsPage
from app.desktop.pages.settings.rows import SettingRow
from app.desktop.pages.settings.server import ClientToolsRow, ToolsRow
from app.desktop.settings_store import profile_set_for
from app.events import ClientsChanged, Event, ToolsChanged
from app.secrets import SecretName, SecretSource
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolOffers
from app.server.control.surface import choose_tools
from app.server.tools import build_registry
from app.settings import load_settings
from app.settings_schema import TOOL_PROFILES
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts

pytestmark = pytest.mark.shared_window


def row(desktop: DesktopApp, name: str) -> SettingRow:
    return next(made for made in desktop.window.settings.findChildren(SettingRow) if made.setting == name)


def saved(own_home: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads((own_home / "config.toml").read_text())


def test_a_changed_number_is_saved_and_offers_a_restart(
    desktop: DesktopApp, parts: FakeParts, own_home: Path, qtbot: QtBot
) -> None:
    control = row(desktop, "request_timeout_ms").control
    assert isinstance(control, QDoubleSpinBox)
    assert control.value() == 20
    control.setValue(7)
    assert saved(own_home)["crawling"]["request_timeout_ms"] == 7_000
    banners = desktop.window.settings.banners
    assert [notice.key for notice in banners.notices] == ["restart"]
    desktop.restart()
    qtbot.waitUntil(lambda: len(parts.engines) == 2 and bool(desktop.status.url))
    assert parts.engines[1].settings.request_timeout_ms == 7_000
    assert banners.notices == ()


def test_a_switch_that_cannot_be_saved_shows_its_value_and_the_reason(
    desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.settings.replace_file", Mock(side_effect=OSError(28, "No space left on device")))
    switch = row(desktop, "notifications")
    assert isinstance(switch.control, QAbstractButton)
    switch.control.click()
    assert switch.control.isChecked() and desktop.settings.value("notifications")
    assert "No space left on device" in switch.problem.text()


def test_a_reverted_change_does_not_need_a_restart(desktop: DesktopApp) -> None:
    control = row(desktop, "concurrency").control
    assert isinstance(control, QSpinBox)
    control.setValue(5)
    control.setValue(2)
    assert desktop.window.settings.banners.notices == ()


def test_an_invalid_value_is_explained_and_not_saved(desktop: DesktopApp, own_home: Path, qtbot: QtBot) -> None:
    made = row(desktop, "allow_networks")
    assert isinstance(made.control, QLineEdit)
    made.control.setText("10.0.0.0/8, nonsense")
    made.control.editingFinished.emit()
    assert "nonsense" in made.problem.text()
    assert not (own_home / "config.toml").exists()
    made.control.setText("10.0.0.0/8")
    made.control.editingFinished.emit()
    assert made.problem.text() == ""
    assert saved(own_home)["crawling"]["allow_networks"] == ["10.0.0.0/8"]


@pytest.mark.own_window
def test_a_setting_from_the_environment_cannot_be_changed(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTS_POLICY", "always")
    made = row(start(FakeParts()), "robots_policy")
    assert not made.control.isEnabled()
    assert "ROBOTS_POLICY" in made.text.text()


def test_a_secret_without_a_keyring_lasts_for_the_session(desktop: DesktopApp, qtbot: QtBot) -> None:
    section = desktop.window.settings.secrets
    desktop.window.go_to("settings")
    made = section._made[SecretName.EMBEDDING_SERVER_API_KEY]
    qtbot.waitUntil(lambda: made.badge.text() == "not set")
    made._run(lambda: desktop.context.secrets.set(SecretName.EMBEDDING_SERVER_API_KEY, "sk-1"))
    qtbot.waitUntil(lambda: made.badge.text() == "this session only")
    assert "this session only" in section._note.text.text()
    made._clear.click()
    qtbot.waitUntil(lambda: made.badge.text() == "not set")


@pytest.mark.own_window
def test_a_secret_from_the_environment_is_read_only(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_SERVER_API_KEY", "sk-env")
    desktop = start(FakeParts())
    desktop.window.go_to("settings")
    made = desktop.window.settings.secrets._made[SecretName.EMBEDDING_SERVER_API_KEY]
    qtbot.waitUntil(lambda: made.badge.text() == "environment variable")
    assert not made._set.isEnabled()
    assert "sk-env" not in made.badge.text() + made.text.text()


@pytest.mark.own_window
def test_a_token_from_the_environment_cannot_be_replaced(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_AUTH_TOKEN", "given")
    desktop = start(FakeParts())
    token = desktop.window.settings.token
    desktop.window.go_to("settings")
    qtbot.waitUntil(lambda: token.badge.text() == "environment variable")
    assert not token._rotate.isEnabled()


def test_a_replaced_token_is_stored_and_the_endpoint_restarted(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    from app.desktop.pages.settings.server import TokenRow

    old = desktop.context.secrets.server_token()
    desktop.window.settings.findChild(TokenRow).rotate()
    qtbot.waitUntil(lambda: len(parts.endpoints) == 2)
    assert desktop.context.secrets.server_token() != old
    assert desktop.context.secrets.get(SecretName.MCP_AUTH_TOKEN).source is SecretSource.SESSION


@pytest.fixture
def told(desktop: DesktopApp) -> list[Event]:
    """Collect the choices that the endpoint receives."""
    heard: list[Event] = []
    desktop.bus.subscribe(lambda event: heard.append(event) if isinstance(event, ToolsChanged) else None)
    return heard


def rows(desktop: DesktopApp) -> tuple[ToolsRow, ClientToolsRow]:
    settings = desktop.window.settings
    return settings.tools, settings.findChildren(ClientToolsRow)[0]


def enter(row: ClientToolsRow, text: str) -> None:
    row.line.setText(text)
    row.line.editingFinished.emit()


def test_every_profile_shows_its_purpose_and_size(desktop: DesktopApp, qtbot: QtBot) -> None:
    desktop.window.go_to("settings")
    choice = rows(desktop)[0].choice
    assert tuple(choice.buttons) == TOOL_PROFILES
    assert all(made.accessibleDescription() for made in choice.buttons.values())
    qtbot.waitUntil(lambda: choice.counts["simple"].text().startswith("3 tools, about "), timeout=10_000)
    listed = len(build_registry(desktop.settings.running, profile="research").listed())
    assert choice.counts["research"].text().startswith(f"{listed} tools, about ")


def test_a_choice_takes_effect_immediately(desktop: DesktopApp, told: list[Event], own_home: Path) -> None:
    settings = desktop.settings.running
    offers = ToolOffers(build_registry(settings), settings, desktop.bus)
    tools, clients = rows(desktop)
    tools.choice.buttons["simple"].click()
    enter(clients, "claude-code=research, cursor=docs")
    saved = tomllib.loads((own_home / "config.toml").read_text())["server"]
    assert saved == {"mcp_tool_profile": "simple", "mcp_client_tools": ["claude-code=research", "cursor=docs"]}
    assert told[-1] == ToolsChanged("simple", ("claude-code=research", "cursor=docs"))
    for name in ("Claude-Code", "cursor-vscode", "anything else"):
        assert offers.of(Caller(name)).profile == profile_set_for(desktop.settings.saved, name)
    assert offers.of(Caller("cursor-vscode")).profile == "docs"
    assert desktop.window.settings.banners.notices == (), "no restart needed"


def test_an_invalid_choice_is_explained_and_not_applied(desktop: DesktopApp, told: list[Event]) -> None:
    clients = rows(desktop)[1]
    enter(clients, "cursor=everything")
    assert "'cursor=everything' must be ASSISTANT=CHOICE with one of full" in clients.problem.text()
    enter(clients, "")
    assert clients.problem.text() == ""
    assert told == []


def test_connected_assistants_are_listed_with_their_profiles(desktop: DesktopApp, qtbot: QtBot) -> None:
    clients = rows(desktop)[1]
    assert clients.connected.text() == "Connected now: none"
    desktop.bus.publish(ClientsChanged(("cursor-vscode", "claude-ai", "claude-ai")))
    qtbot.waitUntil(lambda: clients.connected.text() == "Connected now: claude-ai (full), cursor-vscode (full)")
    enter(clients, "cursor=kb")
    assert clients.connected.text() == "Connected now: claude-ai (full), cursor-vscode (kb)"
    assert clients.marks is not None and clients.marks.undo.toolTip() == "Reset to default: empty"


def test_a_choice_from_the_command_line_is_shown(desktop: DesktopApp, told: list[Event], qtbot: QtBot) -> None:
    tools, clients = rows(desktop)
    for arguments in (("docs", None), ("simple", "lm-studio")):
        desktop.bus.publish(choose_tools(desktop.settings.running.data_dir, *arguments))
    qtbot.waitUntil(lambda: clients.line.text() == "lm-studio=simple")
    assert tools.choice.buttons["docs"].isChecked()
    assert len(told) == 2, "the window does not repeat it"


def test_a_restarted_endpoint_receives_the_choice(desktop: DesktopApp, told: list[Event], qtbot: QtBot) -> None:
    rows(desktop)[0].choice.buttons["kb"].click()
    told.clear()
    desktop.engine.listen_again()
    qtbot.waitUntil(lambda: told == [ToolsChanged("kb")])
    told.clear()
    desktop.restart()
    qtbot.waitUntil(lambda: bool(desktop.status.url) and desktop.settings.running.mcp_tool_profile == "kb")
    assert told == [], "a restarted engine knows it from its settings"


@pytest.mark.own_window
def test_a_choice_from_the_environment_cannot_be_changed(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_TOOL_PROFILE", "docs")
    tools = rows(start(FakeParts(), mcp_tool_profile=load_settings().mcp_tool_profile))[0]
    assert not tools.choice.isEnabled()
    assert tools.choice.buttons["docs"].isChecked()
    assert "MCP_TOOL_PROFILE" in tools.text.text()


def test_a_number_out_of_range_is_rejected_with_a_message(desktop: DesktopApp, own_home: Path, qtbot: QtBot) -> None:
    """Previously, 99999 was cut to port 9999."""
    made = row(desktop, "concurrency")
    control = made.control
    assert isinstance(control, QSpinBox)
    before, most = control.value(), control.maximum()
    control.selectAll()
    qtbot.keyClicks(control, "99999")  # type: ignore[no-untyped-call]
    typed = control.lineEdit().text()
    assert made.problem.text() == f"{typed} is out of range. Enter a number from {control.minimum()} to {most}."
    qtbot.keyClick(control, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert (control.value(), control.text()) == (before, str(before))
    assert not (own_home / "config.toml").exists()
    control.selectAll()
    qtbot.keyClicks(control, str(most))  # type: ignore[no-untyped-call]
    assert made.problem.text() == ""
    qtbot.keyClick(control, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert control.value() == most


def test_the_weekly_check_is_offered_only_with_an_update_address(desktop: DesktopApp) -> None:
    weekly = row(desktop, "update_check_weekly")
    assert not weekly.control.isEnabled()
    desktop.settings.save("update_feed", "https://a.example/releases.json")
    assert weekly.control.isEnabled()
    desktop.settings.save("update_feed", "")


class Windows(QObject):
    """Records separate windows."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


@pytest.mark.own_window
def test_the_page_is_built_on_opening_one_section_per_turn(start: Start, qtbot: QtBot) -> None:
    window = start(FakeParts()).window
    assert not window.findChildren(Section)
    title, icon = window.page_icons["settings"]
    windows = Windows()
    QApplication.instance().installEventFilter(windows)
    window.go_to("settings")
    page = window.current_page
    assert isinstance(page, SettingsPage)
    assert (page.title, page.icon_name) == (title, icon)
    assert len(page.sections) < 3
    qtbot.waitUntil(lambda: page.is_complete)
    QApplication.instance().removeEventFilter(windows)
    assert windows.shown == [], "a part without a parent would open a window and take the focus"
    assert page is window.settings
    assert [page.list.item(place).text() for place in range(page.list.count())] == [
        each.title for each in page.sections
    ]
    assert page.privacy in page.sections


@pytest.mark.own_window
def test_links_to_a_section_find_it_built(start: Start) -> None:
    window = start(FakeParts()).window
    window.show_settings("storage")
    assert window.settings.is_complete
    assert window.settings.list.currentItem().text() == window.settings.storage.title


@pytest.mark.own_window
def test_the_weekly_check_does_not_need_the_page(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts())
    assert not desktop.window.findChildren(Section)
    desktop.settings.save("update_check_weekly", True)
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(Section)))
