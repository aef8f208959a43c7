"""Registration and diagnosis from the command line, with a separate home and configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.clients.hosts import CLIENTS
from app.clients.profile import Machine, ServerCommand, server_command
from app.clients.registrar import apply_plan, client_state, plan_registration, read_registered
from app.paths import default_data_dir
from tests.bridge.fake_instance import FakeInstance


@pytest.fixture
def config(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own_home / ".config"))
    folder = own_home / ".config" / "Claude"
    folder.mkdir(parents=True)
    path = folder / "claude_desktop_config.json"
    path.write_text('{\n  "theme": "dark"\n}\n')
    return path


def test_a_dry_run_shows_the_change_and_writes_nothing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = config.read_bytes()
    assert main(["register", "--client", "claude-desktop", "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert '+    "webrag": {' in printed
    assert f"Would change {config}." in printed
    assert config.read_bytes() == before
    assert list(config.parent.iterdir()) == [config]


def test_register_and_unregister_restore_the_file(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = config.read_bytes()
    assert main(["register"]) == 0
    assert "Quit Claude Desktop" in capsys.readouterr().out
    entry = json.loads(config.read_text())["mcpServers"]["webrag"]
    assert Path(entry["command"]).is_absolute()
    assert main(["clients", "--json"]) == 0
    client = json.loads(capsys.readouterr().out)[0]
    assert (client["name"], client["found"], client["registered"]) == ("claude-desktop", True, True)
    assert main(["unregister", "--json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)
    assert (change["action"], change["applied"]) == ("remove", True)
    assert config.read_bytes() == before
    assert main(["clients"]) == 0
    assert "not registered" in capsys.readouterr().out


def test_an_assistant_is_named_with_or_without_the_option(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "claude-desktop"]) == 0
    assert "webrag" in config.read_text()
    assert main(["unregister", "claude-desktop"]) == 0
    assert main(["register", "netscape"]) == 2
    assert "claude-desktop" in capsys.readouterr().err


def test_an_invalid_file_is_named_with_its_line(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('{\n  "a": 1\n  "b": 2\n}\n')
    assert main(["register"]) == 1
    assert "line 3, column 3" in capsys.readouterr().err
    assert main(["register", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "INVALID_ARGUMENT"
    assert main(["clients"]) == 0
    assert "line 3, column 3" in capsys.readouterr().err


def test_without_the_client_register_gives_a_hint(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["unregister"]) == 0
    assert "Nothing was changed" in capsys.readouterr().out
    assert main(["clients"]) == 0
    assert "not found" in capsys.readouterr().out


def test_the_doctor_tests_the_bridge_and_the_entry_of_the_client(
    config: Path, instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--data-dir", str(instance.data_dir)]
    assert main(["doctor", *option]) == 1
    assert "✗  registered" in capsys.readouterr().out
    assert main(["register", *option]) == 0
    capsys.readouterr()
    assert main(["doctor", "--json", *option]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert [client["name"] for client in report["clients"] if client["found"]] == ["webrag", "claude-desktop"]
    assert {"data directory", "library", "embedding model"} <= {check["name"] for check in report["machine"]}
    assert all(check["ok"] for client in report["clients"] for file in client["files"] for check in file["checks"])


def test_a_broken_file_does_not_prevent_other_registrations(
    config: Path, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("{ oops")
    (own_home / ".codex").mkdir()
    assert main(["register", "--all"]) == 1
    printed = capsys.readouterr()
    assert "line 1, column 3" in printed.err and "Start a new Codex session" in printed.out
    assert "[mcp_servers.webrag]" in (own_home / ".codex" / "config.toml").read_text()
    assert config.read_text() == "{ oops"
    assert main(["unregister", "--json"]) == 1
    broken, codex = json.loads(capsys.readouterr().out)
    assert (broken["client"], broken["error"]["code"]) == ("claude-desktop", "INVALID_ARGUMENT")
    assert (codex["action"], codex["applied"]) == ("remove", True)
    assert not (own_home / ".codex" / "config.toml").exists()


@pytest.mark.parametrize("client", ["claude-code", "vscode", "codex", "goose", "zed", "opencode"])
def test_every_assistant_is_registered_and_removed_without_a_trace(
    own_home: Path, client: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(own_home.rglob("*"))
    assert main(["register", "--client", client, "--force", "--dry-run"]) == 0
    assert sorted(own_home.rglob("*")) == before
    assert "webrag" in capsys.readouterr().out
    assert main(["register", "--client", client, "--force", "--json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)
    assert client in read_registered(default_data_dir()).clients
    assert main(["unregister", "--client", client, "--delete-copies"]) == 0
    assert client not in read_registered(default_data_dir()).clients
    assert not Path(change["path"]).exists() or change["backup"]
    assert not list(own_home.rglob("*.webrag-bak-*"))


def test_the_manual_entry_is_shown(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clients", "--show", "codex"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("[mcp_servers.webrag]\n") and "codex mcp add" in printed.err
    assert main(["clients", "--show", "other"]) == 0
    assert "mcpServers" in json.loads(capsys.readouterr().out)
    assert main(["clients", "--show", "librechat", "--http"]) == 1
    assert "must be running" in capsys.readouterr().err
    assert main(["clients", "--show", "zed", "--http"]) == 1
    assert "Omit --http" in capsys.readouterr().err


def test_only_entries_that_start_this_installation_are_removed(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With any path and any options. Another installation keeps its entries and backups."""
    machine, own = Machine.here(), server_command()
    linked, other = tmp_path / "bin" / "webrag", tmp_path / "other" / "webrag"
    for made in (linked, other):
        made.parent.mkdir()
    linked.symlink_to(own.command)
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    commands = {
        "claude-desktop": ServerCommand(own.command, (*own.args, "--data-dir", "/else/where")),
        "cursor": ServerCommand(str(linked), own.args),
        "windsurf": ServerCommand(str(other), ("mcp",)),
        "zed": ServerCommand(str(tmp_path / "gone" / "webrag"), ("mcp",)),
    }
    profiles = {profile.name: profile for profile in CLIENTS}
    for name, command in commands.items():
        for plan in plan_registration(profiles[name], command, machine, force=True):
            apply_plan(plan)
    assert main(["unregister", "--own", "--dry-run", "--json"]) == 0
    assert [each["client"] for each in json.loads(capsys.readouterr().out)] == ["claude-desktop", "cursor"]
    assert main(["unregister", "--own"]) == 0
    left = [name for name in commands if client_state(profiles[name], machine).registered]
    assert left == ["windsurf", "zed"]
    capsys.readouterr()
    assert main(["unregister", "--own"]) == 0
    assert capsys.readouterr().out == "No assistant is set up to start this installation.\n"


def test_the_skill_is_previewed_written_and_removed(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_home / ".claude" / "skills" / "webrag" / "SKILL.md"
    path.parent.parent.parent.mkdir()
    assert main(["skill", "install", "--dry-run"]) == 0
    assert f"Would change {path}." in capsys.readouterr().out
    assert not path.exists()
    assert main(["skill", "install"]) == 0
    assert path.read_text().startswith("---\nname: webrag\n")
    assert f"Added {path}." in capsys.readouterr().out
    path.write_text(path.read_text() + "mine\n")
    assert main(["skill", "install", "claude-code", "--json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)
    assert change["action"] == "update" and "-mine" in change["diff"]
    assert Path(change["backup"]).read_text().endswith("mine\n")
    assert main(["skill", "remove", "claude-code"]) == 0
    assert not path.exists()
    path.write_text("---\nname: other\n")
    assert main(["skill", "remove", "claude-code"]) == 0
    assert "is kept" in capsys.readouterr().out
    assert path.exists()


def test_without_an_assistant_that_reads_skills(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["skill", "install"]) == 1
    assert "claude-code" in capsys.readouterr().err
    assert main(["skill", "install", "codex"]) == 0
    assert (own_home / ".agents" / "skills" / "webrag" / "SKILL.md").is_file()
