"""The command line as a whole: loaded modules, parsed options, and the end of a command."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app import __version__
from app.cli import main
from app.cli.parser import build_parser
from app.errors import InvalidArgumentError
from app.text.terms import estimate_tokens
from tests.bridge.fake_instance import FakeInstance

STATUS: dict[str, Any] = {
    "totals": {"documents": 3, "chunks": 1200, "tokens": 5, "chunks_embedded": 1200, "file_bytes": 9},
    "documents": [],
    "omitted": 0,
    "asked_url": None,
    "health": {"damage": "", "refusal": ""},
    "without_meaning": "",
    "is_english_only": False,
    "seconds_left": None,
    "unread": [],
    "left_out": [],
    "projects": [],
    "names": [],
    "reclaimable": 522_000_000,
}


@pytest.mark.parametrize(
    ("arguments", "data_dir", "tools"),
    [
        (["mcp"], None, ""),
        (["mcp", "--data-dir", "/d"], Path("/d"), ""),
        (["--data-dir", "/d", "mcp"], Path("/d"), ""),
        (["--data-dir=/d", "mcp"], Path("/d"), ""),
        (["mcp", "--data-dir", "relative"], Path.cwd() / "relative", ""),
        (["mcp", "--tools", "kb"], None, "kb"),
        (["mcp", "--tools=simple", "--data-dir=/d"], Path("/d"), "simple"),
    ],
)
def test_the_bridge_starts_without_the_rest_of_the_command_line(
    arguments: list[str], data_dir: Path | None, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Path | None, str]] = []
    monkeypatch.setattr("app.bridge.serve", lambda folder, profile: seen.append((folder, profile)) or 0)
    assert main(arguments) == 0
    assert seen == [(data_dir, tools)]


def test_a_bridge_for_an_unknown_tool_profile_does_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--tools", "everything"]) == 2
    assert "choose from 'full', 'standard', 'research'" in capsys.readouterr().err


def test_a_command_interrupted_while_loading_prints_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        """Raise Ctrl+C while Python searches for a module."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "app.cli.parser":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "app.cli.parser", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert main(["status"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_command_interrupted_while_creating_a_class_has_its_status(tmp_path: Path) -> None:
    """Python runs the methods of a dataclass from a string."""
    (tmp_path / "interrupted.py").write_text(
        "import sys, app.cli\n"
        "def making(arguments, **options): exec('raise KeyboardInterrupt')\n"
        "app.cli._run = making\n"
        "sys.exit(app.cli.main(['status']))\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(tmp_path)])}
    command = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (130, "")


def test_the_bridge_does_not_load_the_argument_parser() -> None:
    code = (
        "import sys, app.bridge; app.bridge.serve = lambda folder, tools: 0\n"
        "from app.cli import main; main(['mcp'])\n"
        "print('argparse' in sys.modules, 'app.cli.parser' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"webrag {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["answer", "https://example.org"],
        ["answer", "-q", "why"],
        ["mcp", "--nonsense"],
        ["mcp", "--data-dir"],
        ["serve", "--transport", "pigeon"],
        ["register", "--client", "nobody"],
        ["search", "x", "--top-k", "many"],
    ],
)
def test_a_wrong_command_line_is_status_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "usage: webrag" in printed.err


@pytest.mark.parametrize("before", [True, False])
def test_the_data_directory_may_precede_or_follow_the_command(
    before: bool, instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    instance.control["status"] = [{"result": STATUS}]
    option = ["--data-dir", str(instance.data_dir)]
    assert main([*option, "status"] if before else ["status", *option]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("[CORPUS STATUS]\nDocuments indexed: 3\nTotal chunks: 1,200\n")
    assert shown.endswith("Compacting frees about 522.0 MB: webrag compact\n")


TOO_SLOW = {
    "failure_code": "TIMEOUT",
    "failure_reason": "too slow",
    "url": "https://b.example",
    "note": "Try again.",
}


def test_a_running_instance_gets_the_given_parameters(
    instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    instance.control["ingest"] = [
        {"progress": {"phase": "ingestion", "detail": "Scraping…"}},
        {
            "result": [
                _page("stored"),
                _page(
                    "failed",
                    failure_code="TIMEOUT",
                    failure_reason="too slow",
                    url="https://b.example",
                    note="Try again.",
                ),
            ]
        },
    ]
    arguments = [
        "ingest",
        "https://a.example",
        "https://b.example",
        *("--refresh", "--collection", "notes"),
        "--data-dir",
        str(instance.data_dir),
    ]
    assert main(arguments) == 1
    given = {"urls": arguments[1:3], "refresh": True, "collection": "notes"}
    assert instance.controlled == [("/control/call", {"method": "ingest", "params": given})]
    printed = capsys.readouterr()
    assert printed.out.startswith('[INGESTED]\n- "A" — https://a.example\n')
    assert printed.err == "error: https://b.example: too slow (TIMEOUT)\nhint: Try again.\n"


def test_pages_that_all_failed_are_errors_in_a_terminal(
    instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = _page("failed", failure_code="TIMEOUT", failure_reason="too slow")
    instance.control["ingest"] = [{"result": [failed]}]
    assert main(["ingest", "https://a.example", "--data-dir", str(instance.data_dir)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "error: https://a.example: too slow (TIMEOUT)\n"


@pytest.mark.parametrize("source", ["file", "environment"])
def test_the_text_respects_the_budget_of_the_settings(
    source: str,
    instance: FakeInstance,
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if source == "file":
        (own_home / "config.toml").write_text("[server]\nmcp_response_token_budget = 500\n")
    else:
        monkeypatch.setenv("MCP_RESPONSE_TOKEN_BUDGET", "500")
    page = {"id": 1, "title": "T", "kind": "html", "language": "", "state": "ready", "chunks": 1, "chunks_embedded": 1}
    page |= {"tokens": 1, "last_crawled": 1.0, "changed_at": 1.0, "note": ""}
    documents = [{**page, "url": f"https://a.example/{number}"} for number in range(100)]
    instance.control["status"] = [{"result": {**STATUS, "documents": documents}}]
    assert main(["status", "--data-dir", str(instance.data_dir)]) == 0
    printed = capsys.readouterr().out
    assert "more (use source_url)" in printed
    assert estimate_tokens(printed) <= 501


def test_an_unresponsive_instance_is_given_up(
    instance: FakeInstance, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(instance, "control", Silence())
    monkeypatch.setattr("app.cli.calls.CONTROL_MARGIN_SECONDS", 0.1)
    monkeypatch.setenv("MCP_TOOL_TIMEOUT", "0.1")
    assert main(["search", "why", "--data-dir", str(instance.data_dir)]) == 1
    assert "did not respond in time" in capsys.readouterr().err


def test_a_search_names_collections_and_tags_as_sources(instance: FakeInstance) -> None:
    instance.control["search"] = [{"error": ERROR}]
    named = ["--url", "https://a.example", "--collection", "My thesis", "--tag", "draft"]
    assert main(["search", "why", *named, "--data-dir", str(instance.data_dir)]) == 1
    sources = ["https://a.example", "collection:My thesis", "tag:draft"]
    assert instance.controlled[0][1]["params"]["source_urls"] == sources


class Silence(dict[str, list[Any]]):
    """Send nothing for a while."""

    def get(self, key: str, default: Any = None) -> Any:
        time.sleep(1)
        return []


def _page(change: str, **more: str) -> dict[str, Any]:
    page = {
        "url": "https://a.example",
        "title": "A",
        "change": change,
        "document_id": 1,
        "chunks": 2,
        "tokens": 3,
    }
    return {**page, "note": "", "failure_code": "", "failure_reason": "", **more}


def test_the_result_as_json_is_the_instance_s_response(
    instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    instance.control["status"] = [{"result": STATUS}]
    assert main(["status", "https://a.example", "--json", "--data-dir", str(instance.data_dir)]) == 0
    assert json.loads(capsys.readouterr().out) == STATUS
    assert instance.controlled[0][1]["params"] == {"source_url": "https://a.example"}


ERROR = {"code": "TIMEOUT", "title": "Timed out", "message": "It took too long.", "hint": "Ask for less."}


def test_an_error_of_the_instance_is_an_error_here(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    instance.control["search"] = [{"progress": {"phase": "x", "detail": "y"}}, {"error": ERROR}]
    assert main(["search", "why", "--data-dir", str(instance.data_dir)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "error: It took too long.\nhint: Ask for less.\n"
    assert main(["search", "why", "--json", "--data-dir", str(instance.data_dir)]) == 1
    assert json.loads(capsys.readouterr().out) == {"error": ERROR}


@pytest.mark.parametrize("lines", [[], [{"progress": {"phase": "x", "detail": "y"}}], [{"result": {"odd": 1}}], [7]])
def test_an_interrupted_or_invalid_response_is_an_error(
    instance: FakeInstance, lines: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    instance.control["status"] = lines
    assert main(["status", "--data-dir", str(instance.data_dir)]) == 1
    assert "stopped during the call" in capsys.readouterr().err


def test_a_silent_holder_of_the_data_directory_is_named(
    instance: FakeInstance, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (instance.data_dir / "runtime.json").unlink()
    monkeypatch.setattr("app.cli.calls.INSTANCE_ANSWER_SECONDS", 0.2)
    assert main(["status", "--data-dir", str(instance.data_dir)]) == 1
    assert str(instance.data_dir) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (
            InvalidArgumentError("No such thing.", hint="Name another."),
            1,
            "error: No such thing.\nhint: Name another.",
        ),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("by zero"), 1, "error: Unexpected error (ZeroDivisionError: by zero)."),
    ],
)
def test_a_failing_command_gives_the_reason_without_a_traceback(
    error: BaseException,
    status: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr("app.cli.calls.find_instance", failing)
    assert main(["status", "--data-dir", str(tmp_path)]) == status
    assert text in capsys.readouterr().err


def test_an_unreadable_settings_file_is_an_error_with_its_path(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_home / "config.toml").write_text("[server]\nmcp_port = 'high'\n")
    assert main(["status", "--data-dir", str(tmp_path)]) == 1
    assert "mcp_port" in capsys.readouterr().err


@pytest.mark.parametrize("action", ["init", "migrate", "status"])
def test_a_database_in_the_wrong_option_is_refused(
    action: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise, another database than the intended one would be set up."""
    monkeypatch.setenv("WEBRAG_LIBRARY", "postgresql://127.0.0.1:1/other")
    assert main(["admin", action, "postgresql://127.0.0.1:1/meant"]) == 1
    told = capsys.readouterr().err
    assert f"`webrag admin {action}` does not accept values" in told and "--database" in told


def test_the_help_lists_every_command_on_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 44
    assert max(map(len, lines)) <= 100
    parser = build_parser()
    listed = set(re.findall(r"[\w-]+", "\n".join(lines)))
    commands = next(action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    assert {name for name, each in commands.items() if each.get_default("command") == name} <= listed


@pytest.mark.parametrize(("earlier", "now"), [("library", "admin"), ("libraries", "shared"), ("licences", "licenses")])
def test_an_earlier_name_of_a_command_still_works(earlier: str, now: str) -> None:
    values = ["status"] if now == "admin" else []
    assert build_parser().parse_args([earlier, *values]).command == now
