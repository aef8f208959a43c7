"""The texts for manual setup are complete and valid in their language."""

from __future__ import annotations

import json
import shlex

import pytest
from ruamel.yaml import YAML

from app.clients.hosts import CLIENTS
from app.clients.profile import ClientProfile, Machine, ServerCommand
from app.clients.registrar import apply_plan, plan_registration
from app.clients.snippets import SNIPPETS, entry_text, own_command
from app.text.sentence import Sentence

COMMAND = ServerCommand("/opt/Web RAG/webrag", ("mcp", "--data-dir", "/srv/größe"))
URL = "http://127.0.0.1:8765/mcp"


def text_of(name: str, kind: str) -> str:
    snippet = next(snippet for snippet in SNIPPETS if snippet.name == name)
    if kind == "stdio":
        assert snippet.stdio is not None
        return snippet.stdio(COMMAND)
    assert snippet.http is not None
    return snippet.http(URL, "t0ken")


@pytest.mark.parametrize("profile", CLIENTS, ids=lambda profile: profile.name)
def test_the_manual_entry_is_the_registered_one(profile: ClientProfile, linux: Machine) -> None:
    (plan, *_) = plan_registration(profile, COMMAND, linux, force=True)
    apply_plan(plan)
    assert entry_text(profile, COMMAND) == plan.path.read_text("utf-8")


def test_an_assistants_own_command_is_one_line_for_a_shell() -> None:
    lines = {profile.name: shlex.split(own_command(profile, COMMAND)) for profile in CLIENTS if profile.by_hand}
    assert lines["claude-code"][-4:] == ["/opt/Web RAG/webrag", "mcp", "--data-dir", "/srv/größe"]
    assert lines["codex"][:5] == ["codex", "mcp", "add", "webrag", "--"]
    assert json.loads(lines["vscode"][2]) == {"name": "webrag", **COMMAND.entry()}


def test_any_other_assistant_gets_the_usual_form() -> None:
    assert json.loads(text_of("other", "stdio")) == {"mcpServers": {"webrag": COMMAND.entry()}}
    server = json.loads(text_of("other", "http"))["mcpServers"]["webrag"]
    assert server == {"type": "http", "url": URL, "headers": {"Authorization": "Bearer t0ken"}}


def test_yaml_texts_can_be_parsed() -> None:
    read = YAML(typ="safe", pure=True).load
    (server,) = read(text_of("continue", "stdio"))["mcpServers"]
    assert server == {"name": "webrag", **COMMAND.entry()}
    (server,) = read(text_of("continue", "http"))["mcpServers"]
    assert (server["url"], server["requestOptions"]["headers"]["Authorization"]) == (URL, "Bearer t0ken")
    libre = read(text_of("librechat", "http"))
    assert libre["mcpServers"]["webrag"]["url"] == URL
    assert libre["mcpSettings"] == {"allowedDomains": ["http://127.0.0.1:8765"]}
    assert read(text_of("librechat", "stdio"))["mcpServers"]["webrag"] == {"type": "stdio", **COMMAND.entry()}
    assert URL in text_of("open-webui", "http") and "t0ken" in text_of("open-webui", "http")


def test_each_text_has_a_location_and_names_are_unique() -> None:
    names = [*(profile.name for profile in CLIENTS), *(snippet.name for snippet in SNIPPETS)]
    assert len(set(names)) == len(names)
    for snippet in SNIPPETS:
        assert snippet.title and snippet.where.endswith(".")
        assert snippet.stdio or snippet.http or snippet.note
        assert isinstance(snippet.where, Sentence) and (not snippet.note or isinstance(snippet.note, Sentence))
