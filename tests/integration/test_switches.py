"""Settings of a running program: offered tools, and logging of calls."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from app.cli import main
from app.clients.probe import Session
from app.paths import log_dir
from tests.conftest import with_guide
from tests.integration.application import WEBRAG, environment, running

pytestmark = pytest.mark.real

ASKED = "quicksilver-asked-word"
SECONDS = 20.0


def log_of(data_dir: Path) -> str:
    return "\n".join(file.read_text("utf-8") for file in log_dir(data_dir).glob("webrag.log*"))


def names(session: Session) -> list[str]:
    return [tool["name"] for tool in session.request("tools/list", timeout=SECONDS)["tools"]]


def test_switches_work_on_the_running_program(
    tmp_path: Path, guide_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = with_guide(tmp_path / "data", guide_file)
    where = ["--data-dir", str(data)]
    asked = {"name": "search", "arguments": {"query": f"{ASKED} token=hidden-from-all"}}
    with running(data), closing(Session([str(WEBRAG), "mcp", *where], environment())) as session:
        session.initialize(timeout=SECONDS)
        assert "ingest" in names(session)
        session.request("tools/call", asked, timeout=SECONDS)
        assert ASKED not in log_of(data)

        assert main(["diagnostics", "on", *where]) == 0
        session.request("tools/call", asked, timeout=SECONDS)
        assert ASKED in log_of(data)
        assert "hidden-from-all" not in log_of(data)
        assert main(["diagnostics", "--json", *where]) == 0
        told = capsys.readouterr().out
        assert "Diagnostic logging is on for 60 more minutes." in told
        assert json.loads(told[told.index("{") :])["on"]
        assert main(["diagnostics", "off", *where]) == 0
        written = len(log_of(data))
        session.request("tools/call", asked, timeout=SECONDS)
        assert ASKED not in log_of(data)[written:]

        assert main(["tools", "simple", "--client", "webrag", *where]) == 0
        assert names(session) == ["answer", "search", "status"]
        assert main(["tools", "default", "--client", "webrag", *where]) == 0
        assert "ingest" in names(session)
        assert capsys.readouterr().out.endswith("All assistants: full\n")


def test_without_a_running_program_a_choice_is_saved_and_nothing_is_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--data-dir", str(tmp_path / "data")]
    assert main(["tools", "research", *where]) == 0
    assert main(["tools", "kb", "--client", "cursor", *where]) == 0
    assert capsys.readouterr().out.endswith("All assistants: research\ncursor: kb\n")
    assert main(["diagnostics", "on", *where]) == 1
    assert "none is running" in capsys.readouterr().err


@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
def test_a_server_that_is_switched_off_does_not_start(
    transport: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MCP_ENABLED", "false")
    assert main(["serve", "--transport", transport, "--port", "0", "--data-dir", str(tmp_path)]) == 1
    assert "turned off in the settings" in capsys.readouterr().err
