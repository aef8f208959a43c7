"""Start at login on the three systems, each in a synthetic home. The Windows registry is simulated."""

from __future__ import annotations

import json
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from app.autostart import (
    APPROVED_KEY,
    MAX_COMMAND,
    RUN_KEY,
    VALUE_NAME,
    Autostart,
    DesktopEntry,
    LaunchAgent,
    RunKey,
    autostart,
    exec_line,
    login_command,
)
from app.errors import AutostartError
from app.paths import default_data_dir

ROOT = Path(__file__).resolve().parents[2]
HERE = ["/opt/WebRAG Desktop/webrag-desktop", "--hidden"]
THERE = ["/old/webrag-desktop", "--hidden"]


class Registry:
    """The used functions of winreg, over a dictionary of keys."""

    HKEY_CURRENT_USER, REG_SZ, KEY_SET_VALUE = "HKCU", 1, 2

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, Any]] = {}
        self.refuses = False

    def OpenKey(self, _root: str, path: str, *_: int) -> Any:
        if path not in self.keys:
            raise FileNotFoundError(2, "no such key")
        return self._opened(path)

    def CreateKey(self, _root: str, path: str) -> Any:
        if self.refuses:
            raise PermissionError(5, "Access is denied")
        self.keys.setdefault(path, {})
        return self._opened(path)

    def QueryValueEx(self, key: dict[str, Any], name: str) -> tuple[Any, int]:
        if name not in key:
            raise FileNotFoundError(2, "no such value")
        return key[name], self.REG_SZ

    def SetValueEx(self, key: dict[str, Any], name: str, _reserved: int, _kind: int, value: str) -> None:
        key[name] = value

    def DeleteValue(self, key: dict[str, Any], name: str) -> None:
        if name not in key:
            raise FileNotFoundError(2, "no such value")
        del key[name]

    def _opened(self, path: str) -> Any:
        class Key(dict[str, Any]):
            def __enter__(key) -> dict[str, Any]:  # noqa: N805
                return self.keys[path]

            def __exit__(key, *_: object) -> None:  # noqa: N805
                return

        return Key()


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture(params=["linux", "macos", "windows"])
def made(request: pytest.FixtureRequest, tmp_path: Path, registry: Registry) -> Any:
    """Returns the entry of a system for a command."""
    return {
        "linux": lambda command: DesktopEntry(command, tmp_path / "autostart"),
        "macos": lambda command: LaunchAgent(command, tmp_path / "LaunchAgents"),
        "windows": lambda command: RunKey(command, cast("ModuleType", registry)),
    }[request.param]


def test_initially_off_then_on_and_off_again(made: Any) -> None:
    entry: Autostart = made(HERE)
    assert (entry.is_enabled, entry.needs_repair) == (False, False)
    entry.disable()
    entry.enable()
    assert (made(HERE).is_enabled, made(HERE).needs_repair) == (True, False)
    entry.disable()
    assert not made(HERE).is_enabled


def test_moved_program_is_detected_and_repaired(made: Any) -> None:
    made(THERE).enable()
    assert (made(HERE).is_enabled, made(HERE).needs_repair) == (True, True)
    made(HERE).enable()
    assert not made(HERE).needs_repair
    assert made(THERE).needs_repair


@pytest.mark.parametrize(
    "switch", ["Hidden=true", "Hidden=TRUE", "X-GNOME-Autostart-enabled=false"], ids=["hidden", "upper", "gnome"]
)
def test_entry_turned_off_by_the_desktop_counts_as_off(switch: str, tmp_path: Path) -> None:
    entry = DesktopEntry(HERE, tmp_path)
    entry.enable()
    text = entry.path.read_text().replace("X-GNOME-Autostart-enabled=true\n", "")
    entry.path.write_text(f"{text}{switch}\n")
    assert (entry.is_enabled, entry.needs_repair) == (False, False)
    entry.enable()
    assert entry.is_enabled


@pytest.mark.parametrize("damage", [b"", b"Exec=webrag\n", b"\xff\xfe[Desktop Entry]\n", b"[Desktop Entry]\nName=x\n"])
def test_damaged_desktop_entry_starts_nothing_and_is_replaced(damage: bytes, tmp_path: Path) -> None:
    entry = DesktopEntry(HERE, tmp_path)
    entry.path.write_bytes(damage)
    assert not entry.is_enabled
    entry.enable()
    assert entry.is_enabled


def test_words_of_a_desktop_entry_are_quoted() -> None:
    assert exec_line(["/usr/bin/webrag-desktop", "--hidden"]) == "/usr/bin/webrag-desktop --hidden"
    assert exec_line(["/opt/Web RAG/x"]) == '"/opt/Web RAG/x"'
    assert exec_line(["/opt/100%/x"]) == "/opt/100%%/x"
    assert exec_line(['/a"b$c']) == '"/a\\\\"b\\\\$c"'
    assert exec_line(["/a b\\c"]) == '"/a b\\\\\\\\c"'


@pytest.mark.skipif(shutil.which("gio") is None, reason="needs gio")
@pytest.mark.parametrize("name", ["plain", "two words", "100% sure", 'quo"te $HOME `x`', "back\\slash", "ü'é"])
def test_desktop_library_starts_exactly_the_command(name: str, tmp_path: Path) -> None:
    """GLib, with which GNOME and Xfce start sessions, reads the same words from the entry."""
    # GLib does not accept percent signs in the name of the program itself.
    program, seen = tmp_path / name.replace("%", ""), tmp_path / "seen"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{seen}.new"\nmv "{seen}.new" "{seen}"\n')
    program.chmod(0o755)
    entry = DesktopEntry([str(program), "--hidden", "--data-dir", f"/x/{name}"], tmp_path / "autostart")
    entry.enable()
    subprocess.run(["gio", "launch", str(entry.path)], check=True, timeout=20)
    for _ in range(400):
        if seen.exists():
            break
        subprocess.run(["sleep", "0.05"], check=True)
    assert seen.read_text().splitlines() == ["--hidden", "--data-dir", f"/x/{name}"]


def test_launch_agent_runs_at_load_in_the_user_s_session(tmp_path: Path) -> None:
    entry = LaunchAgent(HERE, tmp_path)
    entry.enable()
    agent = plistlib.loads(entry.path.read_bytes())
    assert agent["ProgramArguments"] == HERE
    assert agent["RunAtLoad"] is True
    assert agent["Label"] == entry.path.stem
    assert "KeepAlive" not in agent
    entry.path.write_bytes(plistlib.dumps({**agent, "Disabled": True}))
    assert not entry.is_enabled


@pytest.mark.parametrize(
    "damage",
    [
        b"<plist>broken",
        b"<plist></plist></dict>",
        b"<plist><dict></array></dict></plist>",
        b"<plist><date>soon</date></plist>",
        b'<?xml version="1.0" encoding="UTF-9"?><plist><dict/></plist>',
        b"bplist00",
        b"",
    ],
)
def test_damaged_launch_agent_starts_nothing_and_is_replaced(damage: bytes, tmp_path: Path) -> None:
    entry = LaunchAgent(HERE, tmp_path)
    entry.path.write_bytes(damage)
    assert not entry.is_enabled
    entry.enable()
    assert entry.is_enabled


def test_entry_turned_off_in_the_task_manager_is_off_until_turned_on_here(registry: Registry) -> None:
    entry = RunKey(HERE, cast("ModuleType", registry))
    entry.enable()
    assert registry.keys[RUN_KEY][VALUE_NAME] == '"/opt/WebRAG Desktop/webrag-desktop" --hidden'
    registry.keys[APPROVED_KEY] = {VALUE_NAME: b"\x02" + bytes(11)}
    assert entry.is_enabled
    registry.keys[APPROVED_KEY][VALUE_NAME] = b"\x03" + bytes(11)
    assert not entry.is_enabled
    entry.enable()
    assert entry.is_enabled
    assert VALUE_NAME not in registry.keys[APPROVED_KEY]


def test_command_that_windows_would_ignore_is_refused(registry: Registry) -> None:
    with pytest.raises(AutostartError) as refused:
        RunKey(["C:\\" + "x" * MAX_COMMAND, "--hidden"], cast("ModuleType", registry)).enable()
    assert "shorter" in refused.value.hint
    assert not registry.keys


def test_registry_error_is_reported(registry: Registry) -> None:
    registry.refuses = True
    with pytest.raises(AutostartError, match="Access is denied"):
        RunKey(HERE, cast("ModuleType", registry)).enable()


@pytest.mark.parametrize("kind", [DesktopEntry, LaunchAgent])
def test_unwritable_folder_is_reported(kind: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    entry = kind(HERE, tmp_path / "file" / "below")
    with pytest.raises(AutostartError) as refused:
        entry.enable()
    assert "permissions" in refused.value.hint
    assert not entry.is_enabled
    other = kind(HERE, tmp_path)
    other.path.mkdir()
    with pytest.raises(AutostartError):
        other.enable()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["file", other.path.name])


def test_each_system_has_its_own_entry_and_an_unknown_one_none(
    monkeypatch: pytest.MonkeyPatch, own_home: Path, registry: Registry
) -> None:
    monkeypatch.setitem(sys.modules, "winreg", cast("ModuleType", SimpleNamespace()))
    for system, kind in {"linux": DesktopEntry, "darwin": LaunchAgent, "win32": RunKey, "haiku1": type(None)}.items():
        monkeypatch.setattr("app.autostart.sys.platform", system)
        assert isinstance(autostart(), kind)


def test_another_data_directory_is_named_in_the_command(tmp_path: Path, own_home: Path) -> None:
    assert login_command(default_data_dir({}))[-1] == "--hidden"
    assert login_command(tmp_path)[-3:] == ["--hidden", "--data-dir", str(tmp_path)]


@pytest.mark.real
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="writes to the system's real location")
def test_command_line_changes_it_without_loading_qt(own_home: Path) -> None:
    code = "import sys; from app.cli import main; main(sys.argv[1:]); assert 'PySide6' not in sys.modules"

    def told(*words: str) -> Any:
        command = [sys.executable, "-c", code, "autostart", *words, "--json"]
        return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=30).stdout)

    assert told() == {"enabled": False, "needsRepair": False}
    assert told("on") == {"enabled": True, "needsRepair": False}
    assert (own_home / "xdg_config_home" / "autostart" / "webrag.desktop").is_file()
    assert told("off") == {"enabled": False, "needsRepair": False}
