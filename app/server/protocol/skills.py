"""The skill that explains these tools to a model: `skills/list`, `skills/get` and the text of its only file."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final

import mcp.types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from app.paths import assets_dir
from app.server.render.text import JsonObject

SKILL: Final = "skill://webrag/SKILL.md"
CACHED: Final[JsonObject] = {"ttlMs": 3_600_000, "cacheScope": "public"}


async def listing(_ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams) -> JsonObject:
    return {"skills": [_entry()], **CACHED}


async def get(_ctx: ServerRequestContext[Any], params: types.ReadResourceRequestParams) -> JsonObject:
    """Return the entry of the skill. Raises MCPError for another address."""
    if params.uri != SKILL:
        raise MCPError(types.INVALID_PARAMS, "Skill not found")
    return {"skill": _entry(), **CACHED}


def read() -> types.ReadResourceResult:
    contents = types.TextResourceContents(uri=SKILL, mime_type="text/markdown", text=_text())
    return types.ReadResourceResult(contents=[contents], ttl_ms=CACHED["ttlMs"], cache_scope=CACHED["cacheScope"])


@cache
def _text() -> str:
    return (assets_dir() / "skill" / "SKILL.md").read_text("utf-8")


@cache
def _entry() -> JsonObject:
    """Return the name and description from the file, and the size and hash that clients check."""
    head = _text().split("---\n")[1]
    content = _text().encode()
    file = {"uri": SKILL, "digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}
    return {"uri": SKILL, "frontmatter": dict(line.split(": ", 1) for line in head.splitlines()), "resources": [file]}
