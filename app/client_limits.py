"""How each assistant handles a server's names, descriptions, results and time: one table for server, doctor and tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from app import caps

LISTED_NAME: Final = r"[a-zA-Z0-9_-]{1,64}"
"""Tool names that the strictest assistant accepts. A single invalid name costs it all tools of the server."""


class Reads(StrEnum):
    """The part of a result that an assistant passes to its model."""

    CONTENT = "content"
    STRUCTURED = "structured"
    BOTH = "both"
    """Both, one after the other. WebRAG sends only the text, so that the model does not read everything twice."""
    EITHER = "either"  # Unknown: each part must be complete.


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """An assistant. `pattern` is searched in the name with which it introduces itself.

    `full_name` is the name of a tool that its model sees, with at most `full_name_chars`. Larger results than the given sizes are cut;
    `result_tokens` are counted by our tokenizer. `call_seconds` is its timeout for a call. `resource_links`: links next to the text are
    useful to it. Other assistants convert them to text, show nothing, or refuse the whole result. `pictures`: it is known to pass the
    images of a result to its model.
    """

    name: str
    title: str
    pattern: re.Pattern[str]
    reads: Reads
    full_name: str = "{tool}"
    full_name_chars: int = 64
    tool_name: str = LISTED_NAME
    description_bytes: int = 2_048
    instructions_bytes: int = 2_048
    result_chars: int = caps.MAX_RESPONSE_CHARS
    result_bytes: int = caps.MAX_RESPONSE_BYTES
    result_tokens: int = caps.UNKNOWN_CLIENT_TOKENS
    start_seconds: float = 10.0
    call_seconds: float = 60.0
    resource_links: bool = False
    pictures: bool = False

    def accepts(self, tool: str, server: str = "webrag") -> bool:
        """Whether a tool with this name reaches the assistant's model."""
        full = self.full_name.format(server=server, tool=tool)
        return re.fullmatch(self.tool_name, tool) is not None and len(full) <= self.full_name_chars


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


GENERIC: Final = ClientLimits(
    name="generic",
    title="any other assistant",
    pattern=_named(""),
    reads=Reads.EITHER,
    full_name="mcp__{server}__{tool}",
    full_name_chars=60,
    resource_links=True,
)
"""An unknown assistant: the strictest limits, and links, which conforming clients can ignore."""

CLIENT_LIMITS: Final = (
    ClientLimits(
        name="claude-code",
        title="Claude Code",
        pattern=_named(r"claude.?code"),
        reads=Reads.STRUCTURED,
        full_name="mcp__{server}__{tool}",
        result_tokens=caps.CLAUDE_CODE_TOKENS,
        call_seconds=300.0,
        pictures=True,
    ),
    ClientLimits(
        name="claude-desktop",
        title="Claude Desktop",
        pattern=_named(r"^claude.?(?:ai|desktop)|^local-agent-mode"),
        reads=Reads.CONTENT,
        pictures=True,
    ),
    ClientLimits(
        name="vscode",
        title="VS Code",
        pattern=_named(r"^visual.studio.code|^vs.?code"),
        reads=Reads.STRUCTURED,
        full_name="mcp_{server}_{tool}",
        call_seconds=300.0,
        resource_links=True,
        pictures=True,
    ),
    ClientLimits(
        name="cursor",
        title="Cursor",
        pattern=_named(r"^cursor"),
        reads=Reads.CONTENT,
        tool_name=r"[a-zA-Z0-9_]{1,60}",
        full_name="{server}:{tool}",
        full_name_chars=60,
        pictures=True,
    ),
    ClientLimits(
        name="codex",
        title="Codex",
        pattern=_named(r"^codex"),
        reads=Reads.STRUCTURED,
        full_name="mcp__{server}__{tool}",
        # It gives the model 10,000 tokens, estimated as four bytes each, and removes the middle of longer results.
        result_chars=36_000,
        result_bytes=38_000,
        result_tokens=9_000,
    ),
    ClientLimits(
        name="gemini-cli",
        title="Gemini CLI",
        pattern=_named(r"^gemini.cli"),
        reads=Reads.CONTENT,
        full_name="mcp_{server}_{tool}",
        full_name_chars=63,
        # It keeps the first fifth and the end of results over 40,000 characters.
        result_chars=38_000,
        call_seconds=600.0,
        pictures=True,
    ),
    ClientLimits(
        name="qwen-code",
        title="Qwen Code",
        pattern=_named(r"^qwen"),
        reads=Reads.BOTH,
        full_name="mcp__{server}__{tool}",
        # It shows the first 2,000 characters and a file name for results over 25,000 characters.
        result_chars=24_000,
        call_seconds=600.0,
    ),
    ClientLimits(
        name="opencode",
        title="OpenCode",
        pattern=_named(r"^opencode"),
        reads=Reads.CONTENT,
        full_name="{server}_{tool}",
        # It shows the beginning and a file name for results over 50 KiB.
        result_bytes=50_000,
    ),
    ClientLimits(
        name="kilo-code",
        title="Kilo Code",
        pattern=_named(r"^kilo"),
        reads=Reads.CONTENT,
        full_name="{server}_{tool}",
        result_bytes=50_000,
    ),
    ClientLimits(
        name="copilot-cli",
        title="Copilot CLI",
        pattern=_named(r"^copilot.?cli|^github.copilot.cli"),
        reads=Reads.BOTH,
        full_name="{server}-{tool}",
        # It shows the first 500 characters and a file name for results over 20 KiB.
        result_chars=18_000,
        result_bytes=19_000,
    ),
    ClientLimits(name="continue", title="Continue", pattern=_named(r"^continue"), reads=Reads.CONTENT),
    ClientLimits(
        name="cline",
        title="Cline",
        pattern=_named(r"^@?cline(?![a-z])"),
        reads=Reads.BOTH,
        full_name="{server}__{tool}",
        # It passes the result to the model as JSON, and only both ends if that exceeds 8,000 characters.
        result_chars=7_000,
    ),
    ClientLimits(
        name="librechat",
        title="LibreChat",
        pattern=_named(r"librechat"),
        reads=Reads.CONTENT,
        full_name="{tool}_mcp_{server}",
        call_seconds=30.0,
    ),
    ClientLimits(
        name="open-webui",
        title="Open WebUI",
        pattern=_named(r"open.?webui"),
        reads=Reads.CONTENT,
        full_name="{server}_{tool}",
    ),
    ClientLimits(
        name="lm-studio",
        title="LM Studio",
        pattern=_named(r"^lm.?studio"),
        reads=Reads.CONTENT,
        # Models on the user's own computer rarely have space for more.
        result_chars=24_000,
        result_tokens=8_000,
    ),
    GENERIC,
)
"""The first match counts. The last one matches every name."""


@lru_cache(maxsize=256)
def limits_of(client: str) -> ClientLimits:
    """Return the limits of the assistant that introduces itself with this name."""
    return next(limits for limits in CLIENT_LIMITS if limits.pattern.search(client))


def limits_named(name: str) -> ClientLimits:
    """Return the limits of an assistant by its name in WebRAG, or the limits of an unknown assistant."""
    return next((limits for limits in CLIENT_LIMITS if limits.name == name), GENERIC)
