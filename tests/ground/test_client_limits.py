"""The table of assistants: names are recognized, and no entry is more permissive than known for the assistant."""

from __future__ import annotations

import re

import pytest

from app import caps
from app.client_limits import CLIENT_LIMITS, GENERIC, ClientLimits, Reads, limits_named, limits_of
from app.server.calls.limits import CLIENT_MARGIN_SECONDS
from app.server.calls.registry import MAX_TOOL_DESCRIPTION_CHARS

every_assistant = pytest.mark.parametrize("limits", CLIENT_LIMITS, ids=lambda limits: limits.name)


@pytest.mark.parametrize(
    ("introduced", "name"),
    [
        ("claude-ai", "claude-desktop"),
        ("claude-ai (via mcp-remote 0.1.37)", "claude-desktop"),
        ("local-agent-mode-webrag", "claude-desktop"),
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("Visual Studio Code", "vscode"),
        ("Visual Studio Code - Insiders", "vscode"),
        ("cursor-vscode", "cursor"),
        ("Cursor", "cursor"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client-webrag", "gemini-cli"),
        ("qwen-cli-mcp-client-webrag", "qwen-code"),
        ("opencode", "opencode"),
        ("kilo", "kilo-code"),
        ("copilot-cli", "copilot-cli"),
        ("continue-cli-client", "continue"),
        ("@cline/core", "cline"),
        ("Cline 3.0", "cline"),
        ("clinepedia", "generic"),
        ("@librechat/api-client", "librechat"),
        ("open-webui", "open-webui"),
        ("LM Studio", "lm-studio"),
        ("lmstudio-mcp-bridge", "lm-studio"),
        ("mcp", "generic"),
        ("Zed", "generic"),
        ("my-claude-thing", "generic"),
        ("", "generic"),
    ],
)
def test_an_assistant_is_recognized_by_its_name(introduced: str, name: str) -> None:
    assert limits_of(introduced).name == name


@every_assistant
def test_every_entry_is_consistent(limits: ClientLimits) -> None:
    assert limits_named(limits.name) is limits
    assert 1_000 <= limits.result_chars <= caps.MAX_RESPONSE_CHARS
    assert limits.result_tokens <= caps.UNKNOWN_CLIENT_TOKENS
    assert limits.call_seconds > CLIENT_MARGIN_SECONDS
    assert limits.description_bytes >= MAX_TOOL_DESCRIPTION_CHARS
    assert limits.instructions_bytes >= caps.MAX_INSTRUCTION_BYTES
    assert limits.accepts("kb_search")
    assert not limits.accepts("kb.search")
    assert not limits.accepts("x" * 65)


def test_similar_names_are_distinguished() -> None:
    assert len({limits.name for limits in CLIENT_LIMITS}) == len(CLIENT_LIMITS)
    assert CLIENT_LIMITS[-1] is GENERIC
    assert limits_named("unheard of") is GENERIC


def test_images_are_sent_to_assistants_that_pass_them_to_their_model() -> None:
    assert {limits.name for limits in CLIENT_LIMITS if limits.pictures} == {
        *("claude-code", "claude-desktop", "vscode", "cursor", "gemini-cli")
    }


def test_an_unknown_assistant_gets_the_strictest_limits() -> None:
    assert GENERIC.reads is Reads.EITHER
    assert GENERIC.call_seconds <= 60
    assert all(len(limits.full_name.format(server="webrag", tool="x")) <= 20 for limits in CLIENT_LIMITS)
    assert re.fullmatch(GENERIC.tool_name, "graph_sections_for_entities")
