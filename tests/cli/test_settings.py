"""`settings` and `secret` in a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path

import keyring.errors
import pytest

from app.cli import main
from app.secrets import SecretName, SecretSource, SecretStore


def run(*arguments: str, data: Path) -> int:
    return main([*arguments, "--data-dir", str(data)])


def test_a_setting_is_shown_changed_and_reset(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("settings", "concurrency", data=tmp_path) == 0
    assert capsys.readouterr().out == "2\n"
    assert run("settings", "concurrency", "3", data=tmp_path) == 0
    assert run("settings", "deny_hosts", "a.example, b.example", data=tmp_path) == 0
    capsys.readouterr()
    assert run("settings", "--json", data=tmp_path) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["concurrency"], told["deny_hosts"]) == (3, ["a.example", "b.example"])
    assert run("settings", "concurrency", "--default", data=tmp_path) == 0
    assert capsys.readouterr().out.split() == ["concurrency", "2"]


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [
        ("mcp_log_level", "debug", "DEBUG"),
        ("mcp_log_level", "Warning", "WARNING"),
        ("mcp_tool_profile", "FULL", "full"),
    ],
)
def test_a_choice_ignores_case(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, written: str, meant: str
) -> None:
    assert run("settings", name, written, data=tmp_path) == 0
    assert capsys.readouterr().out.split() == [name, meant]


@pytest.mark.parametrize(
    "arguments", [("concurrency", "none"), ("no_such_thing",), ("no_such_thing", "1"), ("--default",)]
)
def test_invalid_settings_are_refused(
    arguments: tuple[str, ...], own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("settings", *arguments, data=tmp_path) == 1
    assert capsys.readouterr().err


def test_an_invalid_value_comes_from_the_command_line(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("settings", "mcp_port", "abc", data=tmp_path) == 1
    assert "mcp_port from the command line: 'abc' is not a whole number" in capsys.readouterr().err


def test_the_name_of_an_assistant_is_checked_without_a_running_application(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("tools", "kb", "--client", "a=b", data=tmp_path) == 1
    said = capsys.readouterr().err
    assert said == "error: `client` has an invalid value: a=b.\nhint: Correct the value and try again.\n"
    assert run("tools", "kb", "--client", "cursor", data=tmp_path) == 0
    assert capsys.readouterr().out.endswith("cursor: kb\n")


def test_a_key_is_stored_and_never_shown(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, str] = {}
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    monkeypatch.setattr("keyring.set_password", lambda _service, name, value: kept.update({name: value}))
    monkeypatch.setattr("keyring.get_password", lambda _service, name: kept.get(name))
    monkeypatch.setattr("keyring.delete_password", lambda _service, name: kept.pop(name))
    monkeypatch.setattr("sys.stdin", io.StringIO("very-secret\n"))
    assert run("secret", "BRAVE_API_KEY", "--json", data=tmp_path) == 0
    out = capsys.readouterr()
    assert kept == {"BRAVE_API_KEY": "very-secret"} and "very-secret" not in out.out + out.err
    assert json.loads(out.out)["BRAVE_API_KEY"] == SecretSource.KEYRING
    assert run("secret", "BRAVE_API_KEY", "--delete", data=tmp_path) == 0
    assert not kept and SecretStore().get(SecretName.BRAVE_API_KEY).source is SecretSource.NONE


def test_a_key_that_cannot_be_stored_is_an_error(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: str) -> None:
        raise keyring.errors.KeyringLocked("locked")

    monkeypatch.setattr("keyring.set_password", refuse)
    monkeypatch.setattr("sys.stdin", io.StringIO("very-secret\n"))
    assert run("secret", "BRAVE_API_KEY", data=tmp_path) == 1
    assert "environment variable BRAVE_API_KEY" in capsys.readouterr().err
