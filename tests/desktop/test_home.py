"""Home: state, counts, latest calls, connecting an assistant."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.events import CallFinished, ClientsChanged


def test_counts_state_and_address(desktop: DesktopApp, qtbot: QtBot) -> None:
    home = desktop.window.home
    qtbot.waitUntil(lambda: home.tiles["documents"].value.text() == "6")
    assert home.tiles["file"].value.text() == "5.0 MB"
    assert home._state.full_text == "Ready for your assistants"
    assert home._address.text() == "http://127.0.0.1:8765/mcp"


def test_connected_assistants_and_calls_are_shown(desktop: DesktopApp, qtbot: QtBot) -> None:
    home = desktop.window.home
    desktop.bus.publish(ClientsChanged(("claude-ai", "cursor", "cursor")))
    desktop.bus.publish(CallFinished(1, "answer", "claude-ai", time.time(), 40.0, "ok", 1, 1, ("https://a.example/x",)))
    qtbot.waitUntil(lambda: home._text.full_text == "Connected: claude-ai, cursor")
    qtbot.waitUntil(lambda: home.calls._lines[0].isVisibleTo(home))
    assert home.calls._lines[0]._tool.text() == "answer"
    assert not home.calls._lines[1].isVisibleTo(home)


@pytest.fixture
def claude(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claude Desktop's configuration on Linux, with another server in it."""
    monkeypatch.setattr("sys.platform", "linux")
    folder = own_home / "xdg_config_home" / "Claude"
    folder.mkdir(parents=True)
    file = folder / "claude_desktop_config.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    return file


def test_change_is_shown_before_it_is_written(desktop: DesktopApp, claude: Path, qtbot: QtBot) -> None:
    card = desktop.window.home.connect_card
    before = claude.read_text()
    card.reload()
    qtbot.waitUntil(lambda: card.desktop.action.isEnabled())
    card.connect_claude()
    dialog = desktop.window.findChild(ConnectClientDialog)
    qtbot.waitUntil(lambda: dialog._write.isEnabled())
    assert (
        '+    "webrag"' in dialog.diff.toPlainText().replace('"other": {"command": "x"}, ', "")
        or '"webrag"' in dialog.diff.toPlainText()
    )
    assert claude.read_text() == before
    dialog.write()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    servers = json.loads(claude.read_text())["mcpServers"]
    assert servers["other"] == {"command": "x"}
    assert servers["webrag"]["args"][0] in ("mcp", "-m")
    qtbot.waitUntil(lambda: card.desktop.badge.text() == "registered")


def test_connected_client_can_be_disconnected(desktop: DesktopApp, claude: Path, qtbot: QtBot) -> None:
    card = desktop.window.home.connect_card
    card.connect_claude()
    first = desktop.window.findChildren(ConnectClientDialog)[-1]
    qtbot.waitUntil(lambda: first._write.isEnabled())
    first.write()
    qtbot.waitUntil(lambda: not first.isVisible())
    card.connect_claude()
    second = desktop.window.findChildren(ConnectClientDialog)[-1]
    qtbot.waitUntil(lambda: second._remove.isVisibleTo(second))
    assert not second._write.isEnabled()
    second.remove()
    qtbot.waitUntil(lambda: not second.isVisible())
    assert "webrag" not in json.loads(claude.read_text())["mcpServers"]


def test_damaged_configuration_is_explained_and_not_written(desktop: DesktopApp, claude: Path, qtbot: QtBot) -> None:
    claude.write_text("{ not json")
    card = desktop.window.home.connect_card
    card.reload()
    qtbot.waitUntil(lambda: card.desktop.badge.text() == "problem")
    card.connect_claude()
    dialog = desktop.window.findChild(ConnectClientDialog)
    qtbot.waitUntil(lambda: dialog._notices.count() > 0)
    assert not dialog._write.isEnabled()
    assert claude.read_text() == "{ not json"


def test_entry_for_other_assistants_can_be_pasted(desktop: DesktopApp) -> None:
    card = desktop.window.home.connect_card
    card._copy_entry()
    entry = json.loads(QGuiApplication.clipboard().text())["mcpServers"]["webrag"]
    assert "mcp" in entry["args"]
    card._copy_command()
    assert QGuiApplication.clipboard().text().startswith("claude mcp add webrag -- ")
