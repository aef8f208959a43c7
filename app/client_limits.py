"""How each assistant handles a server's names, descriptions, results and time: one table (in assets) for server, doctor and tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from app import caps
from app.paths import asset_table

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
    useful to it. Other assistants convert them to text, show nothing, or refuse the whole result. `pictures`: its model sees images.
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


def _limits(name: str, *, pattern: str, reads: str, **others: Any) -> ClientLimits:
    return ClientLimits(name, pattern=re.compile(pattern, re.IGNORECASE), reads=Reads(reads), **others)


GENERIC: Final = _limits(
    "generic",
    title="any other assistant",
    pattern="",
    reads=Reads.EITHER,
    full_name="mcp__{server}__{tool}",
    full_name_chars=60,
    resource_links=True,
)
"""An unknown assistant: the strictest limits, and links, which conforming clients can ignore."""

ASSISTANTS: Final[Mapping[str, Mapping[str, Any]]] = asset_table("assistants.toml")
CLIENT_LIMITS: Final = (
    *(_limits(name, **row["limits"], title=row["title"]) for name, row in ASSISTANTS.items() if "limits" in row),
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
