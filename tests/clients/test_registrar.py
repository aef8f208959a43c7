"""Registration with Claude Desktop on three systems: planned, written, undone, or refused."""

from __future__ import annotations

import errno
import itertools
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.clients.config_file import MAX_CONFIG_BACKUPS, backups
from app.clients.hosts import CLIENTS
from app.clients.profile import EntryShape, Machine, ServerCommand, System, is_ours, server_command
from app.clients.registrar import PlanAction, apply_plan, client_state, plan_registration, plan_removal
from app.errors import ClientConfigError

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")


def register(machine: Machine, command: ServerCommand, *, force: bool = False) -> list[PlanAction]:
    plans = plan_registration(CLAUDE_DESKTOP, command, machine, force=force)
    return [apply_plan(plan).action for plan in plans]


def unregister(machine: Machine) -> list[PlanAction]:
    return [apply_plan(plan).action for plan in plan_removal(CLAUDE_DESKTOP, machine)]


def entries(path: Path) -> Any:
    return json.loads(path.read_text("utf-8-sig"))["mcpServers"]


def test_linux_honours_the_configuration_folder(tmp_path: Path, command: ServerCommand) -> None:
    machine = Machine(System.LINUX, tmp_path, {"XDG_CONFIG_HOME": str(tmp_path / "cfg")})
    (tmp_path / "cfg" / "Claude").mkdir(parents=True)
    assert register(machine, command) == [PlanAction.ADD]
    path = tmp_path / "cfg" / "Claude" / "claude_desktop_config.json"
    assert entries(path) == {"webrag": {"command": "/opt/webrag/webrag", "args": ["mcp"]}}


def test_macos_uses_application_support(tmp_path: Path, command: ServerCommand) -> None:
    folder = tmp_path / "Library" / "Application Support" / "Claude"
    folder.mkdir(parents=True)
    assert register(Machine(System.MACOS, tmp_path, {}), command) == [PlanAction.ADD]
    assert "webrag" in entries(folder / "claude_desktop_config.json")


def test_windows_writes_the_packaged_copy_and_the_usual_file(tmp_path: Path, command: ServerCommand) -> None:
    roaming, local = tmp_path / "Roaming", tmp_path / "Local"
    machine = Machine(System.WINDOWS, tmp_path, {"APPDATA": str(roaming), "LOCALAPPDATA": str(local)})
    packages = [local / "Packages" / name for name in ("Claude_pzs8sxrjxfjjc", "Claude_other")]
    for package in packages:
        package.mkdir(parents=True)
    (local / "Packages" / "Unrelated_x").mkdir()
    (roaming / "Claude").mkdir(parents=True)
    assert register(machine, command) == [PlanAction.ADD] * 3
    for folder in (*(package / "LocalCache" / "Roaming" for package in packages), roaming):
        assert "webrag" in entries(folder / "Claude" / "claude_desktop_config.json")
    assert client_state(CLAUDE_DESKTOP, machine).registered
    packaged_only = Machine(System.WINDOWS, tmp_path, {"APPDATA": str(tmp_path / "x"), "LOCALAPPDATA": str(local)})
    assert len(plan_registration(CLAUDE_DESKTOP, command, packaged_only)) == 2


def test_a_missing_client_is_refused_unless_forced(linux: Machine, command: ServerCommand) -> None:
    with pytest.raises(ClientConfigError, match="was not found"):
        plan_registration(CLAUDE_DESKTOP, command, linux)
    assert not client_state(CLAUDE_DESKTOP, linux).found
    assert not (linux.home / ".config").exists()
    assert register(linux, command, force=True) == [PlanAction.ADD]
    assert client_state(CLAUDE_DESKTOP, linux).registered


def test_planning_writes_nothing_and_shows_the_change(linux: Machine, config: Path, command: ServerCommand) -> None:
    config.write_text('{\n  "theme": "dark"\n}\n')
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    assert config.read_text() == '{\n  "theme": "dark"\n}\n'
    assert plan.action is PlanAction.ADD
    assert '+      "command": "/opt/webrag/webrag",' in plan.diff.splitlines()
    assert '-  "theme": "dark"' in plan.diff.splitlines()
    assert list(config.parent.iterdir()) == [config]


def test_registering_twice_changes_nothing(linux: Machine, config: Path, command: ServerCommand) -> None:
    register(linux, command)
    before = config.read_bytes()
    assert register(linux, command) == [PlanAction.NOTHING]
    assert config.read_bytes() == before
    assert not backups(config)


def test_an_old_entry_of_ours_is_updated_and_keeps_additions(
    linux: Machine, config: Path, command: ServerCommand
) -> None:
    old = {
        "command": "C:\\Old\\webrag.exe",
        "args": ["mcp", "--data-dir", "x"],
        "env": {"DEBUG": "1"},
        "disabled": False,
    }
    config.write_text(json.dumps({"mcpServers": {"webrag": old}}))
    assert register(linux, command) == [PlanAction.UPDATE]
    assert entries(config)["webrag"] == {
        "command": "/opt/webrag/webrag",
        "args": ["mcp"],
        "env": {"DEBUG": "1"},
        "disabled": False,
    }


def test_a_foreign_entry_with_our_name_is_replaced_by_registering_but_not_removed(
    linux: Machine, config: Path, command: ServerCommand
) -> None:
    foreign = json.dumps({"mcpServers": {"webrag": {"command": "npx", "args": ["web-rag"], "url": "x"}}})
    config.write_text(foreign)
    assert unregister(linux) == [PlanAction.NOTHING]
    assert config.read_text() == foreign
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    assert "WebRAG replaces it" in plan.note
    assert register(linux, command) == [PlanAction.UPDATE]
    assert entries(config)["webrag"] == command.entry()
    assert unregister(linux) == [PlanAction.REMOVE]
    assert config.read_text() == foreign


def test_a_second_entry_of_ours_is_reported_when_the_first_is_removed(linux: Machine, config: Path) -> None:
    """It may belong to another installation or data directory."""
    first, second = ({"command": f"/opt/{name}/webrag", "args": ["mcp"]} for name in "ab")
    config.write_text(json.dumps({"mcpServers": {"webrag": first, "notes": second}}))
    (plan,) = plan_removal(CLAUDE_DESKTOP, linux)
    assert "notes" in plan.note
    apply_plan(plan)
    assert entries(config) == {"notes": second}
    (plan,) = plan_removal(CLAUDE_DESKTOP, linux)
    assert not plan.note
    apply_plan(plan)
    assert entries(config) == {}


def test_another_project_with_a_package_app_is_not_ours(linux: Machine, config: Path, command: ServerCommand) -> None:
    theirs = {"command": "/srv/shop/.venv/bin/python", "args": ["-m", "app", "mcp"]}
    config.write_text(json.dumps({"mcpServers": {"shop": theirs}}))
    assert unregister(linux) == [PlanAction.NOTHING]
    register(linux, command)
    assert entries(config) == {"shop": theirs, "webrag": command.entry()}


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "/usr/bin/webrag", "args": ["mcp"]}, True),
        ({"command": "C:\\Programs\\WebRAG\\WebRAG.EXE", "args": ["mcp", "--data-dir", "d"]}, True),
        ({"command": "/v/bin/python", "args": ["-m", "app", "mcp"]}, True),
        ({"command": "/opt/WebRAG-1.2_x86_64.AppImage", "args": ["mcp"]}, True),
        ({"command": "/usr/bin/webrag", "args": ["--data-dir", "d", "mcp"]}, True),
        ({"command": "/usr/bin/webrag", "args": ["serve"]}, False),
        ({"command": "/usr/bin/webrag-tools", "args": ["mcp"]}, False),
        ({"command": "webrag"}, False),
        ({"url": "http://127.0.0.1:8765/mcp"}, False),
        ("webrag mcp", False),
        (None, False),
    ],
)
def test_our_entry_is_recognized_by_its_command(entry: object, ours: bool) -> None:
    assert is_ours(EntryShape().read(entry)) is ours


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    content=st.sampled_from(
        [
            b"{}",
            b"{ }\n",
            b"{\r\n}\r\n",
            b"",
            b"\n",
            b"\xef\xbb\xbf{}",
            b'{"mcpServers": {}}',
            b'{"mcpServers": {\n\n}}',
            b'\xef\xbb\xbf{\r\n\t"theme": "dark"\r\n}\r\n',
            b"{ // nothing\n}",
            '{"globalShortcut": "", "größe": [1,2 , 3], "mcpServers" : {"a":{"command":"x"} } }'.encode(),
        ]
    )
    | st.dictionaries(
        st.text(max_size=6).filter(lambda name: name != "mcpServers"),
        st.integers() | st.text(max_size=6) | st.lists(st.booleans(), max_size=2),
        max_size=3,
    ).map(lambda document: json.dumps(document, ensure_ascii=False).encode())
)
def test_registering_and_unregistering_restores_every_byte(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    machine = Machine(System.LINUX, home, {})
    path = home / ".config" / "Claude" / "claude_desktop_config.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    command = ServerCommand("/opt/webrag/webrag", ("mcp",))
    assert register(machine, command) == [PlanAction.ADD]
    assert b"/opt/webrag/webrag" in path.read_bytes()
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert unregister(machine) == [PlanAction.REMOVE]
    assert path.read_bytes() == content


def test_unregistering_keeps_later_changes(linux: Machine, config: Path, command: ServerCommand) -> None:
    config.write_text("{}")
    register(linux, command)
    document = json.loads(config.read_text())
    document["mcpServers"]["later"] = {"command": "y"}
    config.write_text(json.dumps(document))
    unregister(linux)
    assert json.loads(config.read_text()) == {"mcpServers": {"later": {"command": "y"}}}


@pytest.mark.parametrize("content", [b'{"a": 1,,}', b"{\n  oops\n}", b"\xff\xfe{\x00}\x00", b'{"mcpServers": []}'])
def test_an_invalid_file_is_unchanged(linux: Machine, config: Path, command: ServerCommand, content: bytes) -> None:
    config.write_bytes(content)
    with pytest.raises(ClientConfigError) as caught:
        plan_registration(CLAUDE_DESKTOP, command, linux)
    assert str(config) in caught.value.message
    with pytest.raises(ClientConfigError):
        plan_removal(CLAUDE_DESKTOP, linux)
    assert client_state(CLAUDE_DESKTOP, linux).files[0].problem == caught.value.message or content[:1] == b"{"
    assert config.read_bytes() == content
    assert list(config.parent.iterdir()) == [config]


def test_the_position_of_a_mistake_is_named(linux: Machine, config: Path, command: ServerCommand) -> None:
    config.write_text('{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n')
    with pytest.raises(ClientConfigError, match="line 4, column 5"):
        plan_registration(CLAUDE_DESKTOP, command, linux)


@pytest.mark.parametrize("later", [b'{"theme": "light"}', None])
def test_a_change_between_plan_and_write_is_detected(
    linux: Machine, config: Path, command: ServerCommand, later: bytes | None
) -> None:
    config.write_text('{"theme": "dark"}')
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    if later is None:
        config.unlink()
    else:
        config.write_bytes(later)
    with pytest.raises(ClientConfigError, match="changed by another program"):
        apply_plan(plan)
    assert (config.read_bytes() if config.exists() else None) == later
    assert [path.name for path in config.parent.iterdir()] == ([config.name] if later else [])


def test_a_file_that_appears_after_the_plan_is_not_overwritten(
    linux: Machine, config: Path, command: ServerCommand
) -> None:
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    config.write_text('{"new": 1}')
    with pytest.raises(ClientConfigError, match="changed by another program"):
        apply_plan(plan)
    assert config.read_text() == '{"new": 1}'


def test_a_file_that_is_written_constantly_is_changed_all_the_same(
    linux: Machine, config: Path, command: ServerCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as the same lines change. The last content of the other program is kept."""

    def write(number: int) -> None:
        config.write_text(json.dumps({"started": number, "theme": "dark"}, indent=2))

    write(1)
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    for number in (2, 3):
        write(number)
        change = apply_plan(plan)
        assert json.loads(config.read_text())["started"] == number
        assert change.backup is not None
        assert json.loads(change.backup.read_text())["started"] == number
        unregister(linux)
    look, numbers = Path.read_bytes, itertools.count(4)

    def look_late(path: Path) -> bytes:
        if path == config:
            write(next(numbers))
        return look(path)

    before = backups(config)
    monkeypatch.setattr(Path, "read_bytes", look_late)
    with pytest.raises(ClientConfigError, match="changed by another program"):
        apply_plan(plan)
    assert "webrag" not in config.read_text()
    assert backups(config) == before


def test_leftovers_of_an_interrupted_program_are_removed_with_the_next_change(
    linux: Machine, config: Path, command: ServerCommand
) -> None:
    config.write_text("{}")
    old, new, foreign = (
        config.with_name(f"{config.name}{mark}.tmp")
        for mark in (".webrag-bak-1.webrag-new-0", ".webrag-new-1", ".4711")
    )
    for left in (old, new, foreign):
        left.write_text('{"mcpS')
    os.utime(old, (0, 0))
    register(linux, command)
    assert [left.exists() for left in (old, new, foreign)] == [False, True, True]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change the owner of files")
def test_as_root_the_file_keeps_its_owner(linux: Machine, config: Path, command: ServerCommand) -> None:
    os.chown(config.parent, 12345, 12346)
    register(linux, command)
    assert (config.stat().st_uid, config.stat().st_gid) == (12345, 12346)
    register(linux, replace(command, args=("mcp", "--data-dir", "x")))
    assert {path.stat().st_uid for path in config.parent.iterdir()} == {12345}


def test_an_inaccessible_folder_is_reported(linux: Machine, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, read = Path.stat, Path.open

    def demand(path: Path) -> Path:
        if path == config:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return path

    monkeypatch.setattr(Path, "stat", lambda path, **options: ask(demand(path), **options))
    monkeypatch.setattr(Path, "open", lambda path, *options: read(demand(path), *options))
    state = client_state(CLAUDE_DESKTOP, linux)
    assert state.found
    assert state.files[0].problem == f"Cannot read {config} (Permission denied)."


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_mode_and_link_of_the_file_survive_and_backups_are_kept(
    linux: Machine, config: Path, command: ServerCommand, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"theme": "dark"}')
    real.chmod(0o640)
    config.symlink_to(real)
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    change = apply_plan(plan)
    assert config.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert change.backup is not None
    assert change.backup.read_text() == '{"theme": "dark"}'
    assert stat.S_IMODE(change.backup.stat().st_mode) == 0o640
    assert "webrag" in entries(real)


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_new_file_is_private(linux: Machine, config: Path, command: ServerCommand) -> None:
    register(linux, command)
    assert stat.S_IMODE(config.stat().st_mode) == 0o600


def test_the_newest_backups_are_kept(linux: Machine, config: Path, command: ServerCommand) -> None:
    config.write_text("{}")
    for number in range(MAX_CONFIG_BACKUPS + 3):
        register(linux, replace(command, args=("mcp", "--data-dir", f"d{number}")))
    kept = [json.loads(path.read_text())["mcpServers"]["webrag"]["args"][-1] for path in backups(config)]
    assert kept == [f"d{number}" for number in range(2, MAX_CONFIG_BACKUPS + 2)]


def test_comments_are_kept_and_noted(linux: Machine, config: Path, command: ServerCommand) -> None:
    config.write_text('{\n  "theme": "dark" // mine\n}\n')
    (plan,) = plan_registration(CLAUDE_DESKTOP, command, linux)
    assert '"theme": "dark", // mine' in plan.after
    assert "comments" in plan.note


@pytest.mark.skipif(os.name != "posix", reason="folders of POSIX systems")
def test_the_command_names_the_data_directory_only_if_the_client_would_not_find_it(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(System.LINUX, own_home, {"HOME": str(own_home)})
    monkeypatch.delenv("XDG_DATA_HOME")
    default = server_command(machine=machine)
    assert Path(default.command).is_absolute()
    assert default.args[-1] == "mcp"
    other = server_command(own_home / "corpus", machine=machine)
    assert other.args[-3:] == ("mcp", "--data-dir", str(own_home / "corpus"))
    monkeypatch.setenv("WEBRAG_DATA_DIR", str(own_home / "by variable"))
    assert server_command(machine=machine).args[-1] == str(own_home / "by variable")
    assert is_ours(default)
