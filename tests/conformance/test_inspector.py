"""The Inspector's command line as another client, over standard input and output, the bridge, and HTTP with the token, in both eras."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conformance import tools
from tests.integration.application import WEBRAG, running

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(400),
    pytest.mark.skipif(bool(tools.missing()), reason=tools.missing()),
]

ERAS: Final = ("legacy", "modern")
WAYS: Final = ("stdio", "bridge", "http")
TOOL_FAILED: Final = 5
UNAUTHORISED: Final = 3
QUESTION: Final = "How do I connect an assistant?"
"""A question that the user guide answers, which is in every corpus."""

CALLS: Final[dict[str, dict[str, Any]]] = {
    "status": {},
    "search": {"query": QUESTION},
    "kb_retrieve_evidence": {"question": QUESTION},
    "list_doc_pages": {},
    "graph_describe": {},
}

VALUES: Final = {
    "url": "https://example.org/",
    "urls": "https://example.org/one,https://example.org/two",
    "question": QUESTION,
}
"""Arguments of the prompts."""


@dataclass(frozen=True)
class Server:
    """The connection of the Inspector to a server, in one protocol era."""

    target: tuple[str, ...]
    era: str

    def ask(self, method: str, *more: str) -> tools.Done:
        options = ("--method", method, *more, "--protocol-era", self.era, "--stored-auth-only")
        return tools.inspect(*self.target, *options, environment=dict(os.environ))

    def result(self, method: str, *more: str) -> dict[str, Any]:
        """Return the result of a call that must succeed."""
        done = self.ask(method, *more)
        assert done.code == 0, (method, more, done.said[-2_000:])
        result: dict[str, Any] = done.out["result"]
        return result


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def target(way: str, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """Return the arguments for the connection. Two of the three join a running application."""
    data_dir = tmp_path / "data"
    if way == "stdio":
        yield _entry(tmp_path, "serve", "--transport", "stdio", "--data-dir", str(data_dir))
        return
    with running(data_dir) as application:
        if way == "bridge":
            yield _entry(tmp_path, "mcp", "--data-dir", str(data_dir))
        else:
            yield (application.url, "--transport", "http", "--header", "Authorization: Bearer test-token")


def _entry(folder: Path, *arguments: str) -> tuple[str, ...]:
    """Write a configuration file with the entry of assistants for a server on standard input and output."""
    passed_on = ("WEBRAG_CONFIG", "PYTHON_KEYRING_BACKEND", "PYTHONPATH")
    environment = {name: os.environ[name] for name in passed_on if name in os.environ}
    file = folder / "servers.json"
    entry = {"command": str(WEBRAG), "args": list(arguments), "env": environment}
    file.write_text(json.dumps({"mcpServers": {"webrag": entry}}))
    return ("--config", str(file), "--server", "webrag")


@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_can_use_everything(way: str, target: tuple[str, ...], era: str) -> None:
    server = Server(target, era)
    introduced = server.result("initialize")
    assert introduced["protocolVersion"] == ("2025-11-25" if era == "legacy" else "2026-07-28")
    listed = {tool["name"] for tool in server.result("tools/list", "--strict")["tools"]}
    for name, arguments in CALLS.items():
        assert name in listed
        called = server.result(
            "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments, ensure_ascii=False)
        )
        assert called["content"][0]["text"] and not called.get("isError")
    failed = server.ask("tools/call", "--tool-name", "search", "--tool-args-json", "{}")
    assert failed.code == TOOL_FAILED, failed.said
    _reads_resources(server)
    _gets_prompts(server)


def _reads_resources(server: Server) -> None:
    templates = server.result("resources/templates/list")["resourceTemplates"]
    assert any(template["uriTemplate"].startswith("webrag://scratch/") for template in templates)
    resources = server.result("resources/list")["resources"]
    if resources:
        read = server.result("resources/read", "--uri", resources[0]["uri"])
        assert read["contents"][0]["text"]


def _gets_prompts(server: Server) -> None:
    for prompt in server.result("prompts/list")["prompts"]:
        pairs = [f"{argument['name']}={VALUES[argument['name']]}" for argument in prompt.get("arguments", [])]
        got = server.result(
            "prompts/get", "--prompt-name", prompt["name"], *(["--prompt-args", *pairs] if pairs else [])
        )
        assert got["messages"]


@pytest.mark.parametrize("way", ["http"], indirect=True)
def test_without_the_token_the_inspector_is_refused(target: tuple[str, ...]) -> None:
    url = target[0]
    assert Server((url, "--transport", "http"), "legacy").ask("tools/list").code == UNAUTHORISED
