"""The evidence view (MCP Apps): its page, and tools that only the page calls. Clients without the extension see none of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import mcp.types as types
from pydantic import BaseModel, Field

from app import caps, extensions
from app.errors import WebRAGError
from app.events import PassageWanted
from app.paths import asset_text
from app.scratch.resources import Artifact
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller, rate_key
from app.server.calls.registry import Engine
from app.server.render.text import JsonObject

VIEW: Final = "ui://webrag/evidence"
META_KEY: Final = "webrag/evidence"
SHOWN_BY: Final = frozenset({"answer", "search", "kb.retrieve_evidence"})  # IDs of the tools whose results have a view.
CACHE_MS: Final = 3_600_000
KEPT_SECONDS: Final = 1_800.0
MOST_KEPT: Final = 20  # Results whose data is kept for clients that do not give metadata to the view.
MORE_CHARS: Final = 1_500
LINK: Final[JsonObject] = {"ui": {"resourceUri": VIEW}, "ui/resourceUri": VIEW}
"""Metadata of a tool with a view, also in the older form that some clients need."""

_PLACE: Final[JsonObject] = {
    "uri": {"type": "string"},
    "start": {"type": "integer", "minimum": 0},
    "end": {"type": "integer", "minimum": 0},
}


def _tool(name: str, title: str, properties: JsonObject) -> types.Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return types.Tool(
        name=name,
        title=title,
        description=f"For the evidence view: {title[:1].lower()}{title[1:]}.",
        input_schema=schema,
        annotations=types.ToolAnnotations(title=title, read_only_hint=True, open_world_hint=False),
        _meta={"ui": {"visibility": ["app"]}},
    )


TOOLS: Final = (
    _tool("evidence_of", "Data of an earlier result", {"asked": {"type": "string"}}),
    _tool("evidence_more", "Page text around a passage", _PLACE),
    _tool("evidence_open", "Open a passage in WebRAG", _PLACE),
)
NAMES: Final = frozenset(tool.name for tool in TOOLS)


class _Place(BaseModel):
    """A passage of a page: characters of its text."""

    uri: str = Field(max_length=caps.MAX_URL_CHARS)
    start: int = Field(ge=0, lt=2**31)
    end: int = Field(ge=0, lt=2**31)


class _Asked(BaseModel):
    """The arguments of an earlier call as JSON."""

    asked: str = Field(max_length=caps.MAX_REQUEST_BYTES)


class Views:
    """`opens`: a window is there in which a passage can be opened."""

    def __init__(self, engine: Engine, calls: Dispatcher, *, opens: bool) -> None:
        self._engine = engine
        self._calls = calls
        self._opens = opens
        self._kept: OrderedDict[tuple[str, str], tuple[float, JsonObject]] = OrderedDict()

    def listed(self, tools: list[types.Tool], caller: Caller) -> list[types.Tool]:
        """Return the tools of a caller, with the view and its own tools if the caller can show it."""
        if not self._shown_to(caller):
            return tools
        seen = (
            tool.model_copy(update={"meta": {**(tool.meta or {}), **LINK}}) if tool.title in SHOWN_BY else tool
            for tool in tools
        )
        return [*seen, *TOOLS]

    def with_data(
        self, result: types.CallToolResult, view: JsonObject | None, arguments: Mapping[str, Any] | None, caller: Caller
    ) -> types.CallToolResult:
        """Return a result with the data of its view, and keep the data for a view that does not get it."""
        if view is None or result.is_error:
            return result
        reads = self._calls.offers.of(caller).resolve("ingest") is not None
        data = {META_KEY: {**view, "opens": self._opens, "reads": reads}}
        key = caller.owner, _key(arguments)
        self._kept[key] = time.monotonic(), data
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return result.model_copy(update={"meta": data})

    async def call(self, name: str, arguments: Mapping[str, Any] | None, caller: Caller) -> types.CallToolResult | None:
        """Run a tool of the view; None for another one. Raises ValidationError for invalid arguments; other failures are results."""
        if name not in NAMES or not self._shown_to(caller):
            return None
        try:
            if not caller.charged:
                self._calls.rate.check(rate_key(caller))
            if name == "evidence_of":
                return self._of(_Asked.model_validate(arguments or {}), caller)
            place = _Place.model_validate(arguments or {})
            self._engine.check_not_paused()
            async with self._calls.slot(caller):
                artifact = await asyncio.to_thread(self._engine.artifacts.find, caller.owner, place.uri)
            if name == "evidence_more":
                return _more(artifact, place)
            document_id = artifact.content.document_id
            if not self._opens or document_id is None:
                return _said("WebRAG cannot open this page in its window.", is_error=True)
            self._engine.bus.publish(PassageWanted(document_id, place.start, place.end))
            return _said("Opened in WebRAG.")
        except WebRAGError as error:
            return _said(f"{error.message} {error.hint}".strip(), is_error=True)

    def _shown_to(self, caller: Caller) -> bool:
        return extensions.UI in caller.extensions and self._engine.node is None

    def _of(self, wanted: _Asked, caller: Caller) -> types.CallToolResult:
        try:
            key = _key(json.loads(wanted.asked))
        except (ValueError, RecursionError):
            key = ""
        kept_at, data = self._kept.get((caller.owner, key), (float("-inf"), {}))
        if time.monotonic() - kept_at > KEPT_SECONDS:
            return _said("The data of this result is no longer kept.", is_error=True)
        return _said("Evidence for the view.", data)


def read() -> types.ReadResourceResult:
    """Return the page. It loads nothing and connects to nothing."""
    meta = {"ui": {"csp": {}, "prefersBorder": True}}
    page = types.TextResourceContents(
        uri=VIEW, mime_type=extensions.VIEW_TYPE, text=asset_text("view/evidence.html"), _meta=meta
    )
    return types.ReadResourceResult(contents=[page], ttl_ms=CACHE_MS, cache_scope="public")


def _more(artifact: Artifact, place: _Place) -> types.CallToolResult:
    """Return the text before and after a passage, and whether there is more."""
    text = artifact.content.text
    start, end = max(0, place.start - MORE_CHARS), min(len(text), place.end + MORE_CHARS)
    data = {
        "before": text[start : place.start],
        "after": text[place.end : end],
        "start": start,
        "end": end,
        "isWhole": start == 0 and end == len(text),
    }
    return _said("More of the page for the view.", {META_KEY: data})


def _said(text: str, meta: JsonObject | None = None, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error, _meta=meta)


def _key(arguments: object) -> str:
    return json.dumps(arguments or {}, sort_keys=True)
