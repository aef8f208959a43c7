"""Settings of the tools: what each profile is, told to the endpoint at once, taken over when changed elsewhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.server import ClientToolsRow, ToolsRow
from app.desktop.settings_store import profile_set_for
from app.events import ClientsChanged, Event, ToolsChanged
from app.server.calls.offers import ToolOffers
from app.server.control.surface import choose_tools
from app.server.sessions import Caller
from app.server.tools import build_registry
from app.settings import load_settings
from app.settings_schema import TOOL_PROFILES
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts


@pytest.fixture
def told(desktop: DesktopApp) -> list[Event]:
    """The choices that the endpoint hears of."""
    heard: list[Event] = []
    desktop.bus.subscribe(lambda event: heard.append(event) if isinstance(event, ToolsChanged) else None)
    return heard


def rows(desktop: DesktopApp) -> tuple[ToolsRow, ClientToolsRow]:
    settings = desktop.window.settings
    return settings.tools, settings.findChildren(ClientToolsRow)[0]


def enter(row: ClientToolsRow, text: str) -> None:
    row.line.setText(text)
    row.line.editingFinished.emit()


def test_every_profile_says_what_it_is_for_and_how_large(desktop: DesktopApp, qtbot: QtBot) -> None:
    desktop.window.go_to("settings")
    choice = rows(desktop)[0].choice
    assert tuple(choice.buttons) == TOOL_PROFILES
    assert all(made.accessibleDescription() for made in choice.buttons.values())
    qtbot.waitUntil(lambda: choice.counts["simple"].text() == "3 tools", timeout=10_000)
    listed = len(build_registry(desktop.settings.running, profile="research").listed())
    assert choice.counts["research"].text() == f"{listed} tools"


def test_choice_is_in_force_at_once(desktop: DesktopApp, told: list[Event], own_home: Path) -> None:
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
    assert desktop.window.settings.banners.notices == (), "nothing has to be restarted"


def test_unusable_choice_is_explained_and_told_to_nobody(desktop: DesktopApp, told: list[Event]) -> None:
    clients = rows(desktop)[1]
    enter(clients, "cursor=everything")
    assert "'cursor=everything' is not an assistant and one of full" in clients.problem.text()
    enter(clients, "")
    assert clients.problem.text() == ""
    assert told == []


def test_connected_assistants_are_named_with_what_they_get(desktop: DesktopApp, qtbot: QtBot) -> None:
    clients = rows(desktop)[1]
    assert clients.connected.text() == "Open now: none"
    desktop.bus.publish(ClientsChanged(("cursor-vscode", "claude-ai", "claude-ai")))
    qtbot.waitUntil(lambda: clients.connected.text() == "Open now: claude-ai (full), cursor-vscode (full)")
    enter(clients, "cursor=kb")
    assert clients.connected.text() == "Open now: claude-ai (full), cursor-vscode (kb)"


def test_choice_made_on_the_command_line_is_shown(desktop: DesktopApp, told: list[Event], qtbot: QtBot) -> None:
    tools, clients = rows(desktop)
    for arguments in (("docs", None), ("simple", "lm-studio")):
        desktop.bus.publish(choose_tools(desktop.settings.running.data_dir, *arguments))
    qtbot.waitUntil(lambda: clients.line.text() == "lm-studio=simple")
    assert tools.choice.buttons["docs"].isChecked()
    assert len(told) == 2, "the window repeats nothing"


def test_endpoint_opened_anew_is_told_again(desktop: DesktopApp, told: list[Event], qtbot: QtBot) -> None:
    rows(desktop)[0].choice.buttons["kb"].click()
    told.clear()
    desktop.engine.listen_again()
    qtbot.waitUntil(lambda: told == [ToolsChanged("kb")])
    told.clear()
    desktop.restart()
    qtbot.waitUntil(lambda: bool(desktop.status.url) and desktop.settings.running.mcp_tool_profile == "kb")
    assert told == [], "a restarted engine knows it from its settings"


def test_choice_of_the_environment_cannot_be_changed_here(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_TOOL_PROFILE", "docs")
    tools = rows(start(FakeParts(), mcp_tool_profile=load_settings().mcp_tool_profile))[0]
    assert not tools.choice.isEnabled()
    assert tools.choice.buttons["docs"].isChecked()
    assert "MCP_TOOL_PROFILE" in tools.text.text()
