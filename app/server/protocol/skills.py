"""The skill that explains these tools to a model: `skills/list`, `skills/get` and the text of its only file."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final

import mcp.types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from app.paths import asset_text
from app.server.render.text import JsonObject

SKILL: Final = "skill://webrag/SKILL.md"
FILE: Final = "skill/SKILL.md"
CACHED: Final[JsonObject] = {"ttlMs": 3_600_000, "cacheScope": "public"}


async def listing(_ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams) -> JsonObject:
    return {"skills": [_entry()], **CACHED}


async def get(_ctx: ServerRequestContext[Any], params: types.ReadResourceRequestParams) -> JsonObject:
    """Return the entry of the skill. Raises MCPError for another address."""
    if params.uri != SKILL:
        raise MCPError(types.INVALID_PARAMS, "Skill not found")
    return {"skill": _entry(), **CACHED}


def read() -> types.ReadResourceResult:
    contents = types.TextResourceContents(uri=SKILL, mime_type="text/markdown", text=asset_text(FILE))
    return types.ReadResourceResult(contents=[contents], ttl_ms=CACHED["ttlMs"], cache_scope=CACHED["cacheScope"])


@cache
def _entry() -> JsonObject:
    """Return the name and description from the file, and the size and hash that clients check."""
    head = asset_text(FILE).split("---\n")[1]
    content = asset_text(FILE).encode()
    file = {"uri": SKILL, "digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}
    return {"uri": SKILL, "frontmatter": dict(line.split(": ", 1) for line in head.splitlines()), "resources": [file]}
