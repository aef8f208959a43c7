"""Tests of the tray icon as seen by a panel, with a real D-Bus session, X display and application."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.real, pytest.mark.desktop]


def story(name: str, display: str, folder: Path) -> dict[str, Any]:
    """Run a part of tray_host.py in a separate D-Bus session."""
    environment = {
        **os.environ,
        "DISPLAY": display,
        "QT_QPA_PLATFORM": "xcb",
        "XDG_CURRENT_DESKTOP": "KDE",
        "XDG_RUNTIME_DIR": str(folder),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "MCP_PORT": "0",
    }
    host = [sys.executable, str(ROOT / "tests" / "desktop" / "tray_host.py"), name, str(folder / "data")]
    result = subprocess.run(
        ["dbus-run-session", "--", *host], env=environment, capture_output=True, text=True, check=False, timeout=250
    )
    assert result.returncode == 0, result.stderr
    seen: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return seen


def test_tray_icon_menu_and_tooltip_as_a_panel_sees_them(display: str, tmp_path: Path) -> None:
    """With a panel that starts late, stops and restarts, the window must always be reachable."""
    seen = story("life", display, tmp_path)
    assert seen["id"] == "WebRAG"
    assert seen["title"] == "WebRAG"
    assert seen["tooltip"] == "WebRAG: Ready"
    assert seen["menu"] == [
        ["Ready", False],
        ["Open WebRAG", True],
        ["Add page from clipboard", True],
        ["Ask…", True],
        ["Pause", True],
        ["Copy server address", True],
        ["Settings", True],
        ["Quit", True],
    ]
    assert seen["separators"] == 3
    assert "Resume" in seen["paused menu"]
    assert "Pause" not in seen["paused menu"]
    assert seen["paused look"] != seen["idle look"] == seen["resumed look"]
    assert seen["notifications"] == []
    assert seen["second start"] == 0
    assert seen["exit status"] == 0


def test_a_failed_engine_start_shows_in_icon_and_notification(display: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corpus.db").write_bytes(b"this is no database, and it is long enough to be looked at" * 100)
    seen = story("failure", display, tmp_path)
    assert seen["notifications"] == ["Library damaged"]
    assert not seen["menu"]["Pause"]
    assert seen["menu"]["Open WebRAG"]
    assert seen["exit status"] == 0


def test_a_removed_entry_is_announced_by_the_tray_and_restored_by_a_click(display: str, tmp_path: Path) -> None:
    seen = story("wiped", display, tmp_path)
    assert seen["before"] == []
    assert seen["notifications"][0] == "Claude Desktop"
    assert "Another program removed WebRAG from the configuration of Claude Desktop." in seen["texts"][0]
    assert seen["noticed"] < 50
    assert "mcp" in seen["file"]["mcpServers"]["webrag"]["args"]
    assert seen["exit status"] == 0
