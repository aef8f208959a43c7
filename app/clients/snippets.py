"""What to tell an assistant whose configuration is not written for the person: a text, and where it goes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from app.clients.config_file import LANGUAGES
from app.clients.profile import COMMON_SHAPE, SERVER_NAME, ClientProfile, ServerCommand
from app.clients.yaml_edit import member_lines
from app.text.sentence import sentence


@dataclass(frozen=True, slots=True)
class Snippet:
    """One assistant. `stdio` makes the text from our command, `http` from address and token; None where it cannot."""

    name: str
    title: str
    where: str
    stdio: Callable[[ServerCommand], str] | None = None
    http: Callable[[str, str], str] | None = None
    note: str = ""


def entry_text(profile: ClientProfile, command: ServerCommand) -> str:
    """The entry of an assistant as it would stand in an empty file, to be put in by hand."""
    keys = (*profile.place.keys, SERVER_NAME)
    return LANGUAGES[profile.format].set_member("", keys, profile.place.shape.write(command))


def own_command(profile: ClientProfile, command: ServerCommand) -> str:
    """The assistant's own command that registers us, for a terminal; empty where it has none."""
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
        sentence("In its MCP settings, among the servers."),
        lambda command: _as_json({"mcpServers": {SERVER_NAME: COMMON_SHAPE.write(command)}}),
        lambda url, token: _as_json(
            {"mcpServers": {SERVER_NAME: {"type": "http", "url": url, "headers": _headers(token)}}}
        ),
        sentence(
            "Most assistants take this form; some call the list differently, so compare with an entry that is there."
        ),
    ),
    Snippet(
        "continue",
        "Continue",
        sentence("In a new file webrag.yaml in the folder .continue/mcpServers of your home or project."),
        lambda command: _continue({"name": SERVER_NAME, **command.entry()}),
        _continue_address,
    ),
    Snippet(
        "librechat",
        "LibreChat",
        sentence("In librechat.yaml; then start LibreChat again."),
        lambda command: _as_yaml("mcpServers", {SERVER_NAME: {"type": "stdio", **command.entry()}}),
        _librechat_address,
        sentence(
            "By command only where LibreChat itself runs on this computer. In a container it reaches this computer by address; "
            "docs/connect.md says how to let it in."
        ),
    ),
    Snippet(
        "open-webui",
        "Open WebUI",
        sentence("In Admin Settings > External Tools: add a server of the type MCP (Streamable HTTP)."),
        None,
        lambda url, token: f"URL: {url}\nBearer token: {token}\n",
        sentence("In a container it reaches this computer under another name; docs/connect.md says how to let it in."),
    ),
    Snippet(
        "claude-web",
        sentence("Claude in the browser, ChatGPT"),
        sentence("Not possible: they reach servers on the internet only, and WebRAG answers on this computer only."),
        note=sentence("Use Claude Desktop, or another assistant that runs on this computer."),
    ),
)
