"""Manual instructions for assistants that WebRAG cannot configure: a text and where to put it.

Also plans the file that explains WebRAG's tools to assistants that read skills from disk.
"""

from __future__ import annotations

import functools
import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from app.clients.config_file import LANGUAGES, read_config
from app.clients.profile import COMMON_SHAPE, SERVER_NAME, ClientProfile, Machine, ServerCommand
from app.clients.registrar import PlanAction, RegistrationPlan, renewable
from app.clients.yaml_edit import member_lines
from app.paths import asset_text
from app.text.sentence import sentence


@dataclass(frozen=True, slots=True)
class Snippet:
    """An assistant. `stdio` creates the text from our command, `http` from URL and token; None if not supported."""

    name: str
    title: str
    where: str
    stdio: Callable[[ServerCommand], str] | None = None
    http: Callable[[str, str], str] | None = None
    note: str = ""


def entry_text(profile: ClientProfile, command: ServerCommand) -> str:
    """Return the entry of an assistant as in an empty file, for manual use."""
    keys = (*profile.place.keys, SERVER_NAME)
    return LANGUAGES[profile.format].set_member("", keys, profile.place.shape.write(command))


def own_command(profile: ClientProfile, command: ServerCommand) -> str:
    """Return the assistant's own command that adds our server, or an empty string."""
    line = shlex.join([command.command, *command.args])
    entry = json.dumps({"name": SERVER_NAME, **command.entry()}, ensure_ascii=False)
    return profile.by_hand.replace("{command}", line).replace("{json}", shlex.quote(entry))


def _continue_address(url: str, token: str) -> str:
    options = {"requestOptions": {"headers": _headers(token)}}
    return _continue({"name": SERVER_NAME, "type": "streamable-http", "url": url, **options})


def _continue(server: dict[str, Any]) -> str:
    head = {"name": "WebRAG", "version": "0.0.1", "schema": "v1"}
    lines = [line for key, value in head.items() for line in member_lines(key, value, 0)]
    inner = [line for key, value in server.items() for line in member_lines(key, value, 4)]
    inner[0] = f"  - {inner[0].lstrip()}"
    return "\n".join([*lines, "mcpServers:", *inner, ""])


def _librechat_address(url: str, token: str) -> str:
    server = {"type": "streamable-http", "url": url, "headers": _headers(token), "timeout": 120_000}
    allowed = {"allowedDomains": [url.removesuffix(urlsplit(url).path)]}
    return _as_yaml("mcpSettings", allowed) + _as_yaml("mcpServers", {SERVER_NAME: server})


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _as_yaml(key: str, value: Any) -> str:
    return "".join(f"{line}\n" for line in member_lines(key, value, 0))


SNIPPETS: Final[tuple[Snippet, ...]] = (
    Snippet(
        "other",
        sentence("Any other assistant"),
        sentence("In its MCP settings, in the list of servers."),
        lambda command: _as_json({"mcpServers": {SERVER_NAME: COMMON_SHAPE.write(command)}}),
        lambda url, token: _as_json(
            {"mcpServers": {SERVER_NAME: {"type": "http", "url": url, "headers": _headers(token)}}}
        ),
        sentence(
            "Most assistants use this format. Some use another name for the list; compare with an existing entry."
        ),
    ),
    Snippet(
        "continue",
        "Continue",
        sentence("In a new file webrag.yaml in the folder .continue/mcpServers of your home folder or project."),
        lambda command: _continue({"name": SERVER_NAME, **command.entry()}),
        _continue_address,
    ),
    Snippet(
        "librechat",
        "LibreChat",
        sentence("In librechat.yaml. Then restart LibreChat."),
        lambda command: _as_yaml("mcpServers", {SERVER_NAME: {"type": "stdio", **command.entry()}}),
        _librechat_address,
        sentence(
            "Use the command only if LibreChat runs directly on this computer. In a container, it connects by address; "
            "docs/connect.md explains how to allow that."
        ),
    ),
    Snippet(
        "open-webui",
        "Open WebUI",
        sentence("In Admin Settings > External Tools: add a server of type MCP (Streamable HTTP)."),
        None,
        lambda url, token: f"URL: {url}\nBearer token: {token}\n",
        sentence(
            "In a container, it reaches this computer under another name; docs/connect.md explains how to allow that."
        ),
    ),
    Snippet(
        "claude-web",
        sentence("Claude in the browser, ChatGPT"),
        sentence(
            "Not possible: they can only use servers on the internet, but WebRAG only accepts connections from this computer."
        ),
        note=sentence("Use Claude Desktop or another assistant that runs on this computer."),
    ),
)

SKILL_READERS: Final = ("claude-code", "codex", "cursor", "gemini-cli", "copilot-cli", "opencode")
"""Assistants that document a folder for the skills of a user."""

OUR_NAME: Final = "\nname: webrag\n"


def plan_skill(profile: ClientProfile, machine: Machine, *, remove: bool = False) -> RegistrationPlan:
    """Return the change that writes or removes the file. Raises ClientConfigError."""
    # Codex reads the folder that several assistants share, not its own.
    folder = machine.home / ".agents" if profile.name == "codex" else profile.locate(machine)[0].sign
    path = folder / "skills" / "webrag" / "SKILL.md"
    return renewable(functools.partial(_plan_removal if remove else _plan_file, profile.name, path))


def _plan_file(client: str, path: Path) -> RegistrationPlan:
    before, after = read_config(path), asset_text("skill/SKILL.md")
    action = PlanAction.ADD if before.content is None else PlanAction.UPDATE
    action = PlanAction.NOTHING if before.text == after else action
    return RegistrationPlan(client, path, action, before, after)


def _plan_removal(client: str, path: Path) -> RegistrationPlan:
    before = read_config(path)
    if OUR_NAME in before.text:
        return RegistrationPlan(client, path, PlanAction.REMOVE, before, "", deletes=True)
    note = "" if before.content is None else sentence("{} is not WebRAG's and is kept.", path)
    return RegistrationPlan(client, path, PlanAction.NOTHING, before, before.text, note)
