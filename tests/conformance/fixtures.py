"""Tools, resources and prompts with the names that the external suite uses, added to our registry and server.

The tools use the product's registry, dispatcher, limits and rendering. A middleware of the protocol library adds content that our tools
never return (images, sound, embedded resources), and the resources and prompts.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import struct
import wave
import zlib
from collections.abc import Sequence
from typing import Any, Final

import mcp.types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from pydantic import BaseModel

from app.errors import WebRAGError
from app.events import ToolsChanged
from app.server.calls.registry import Handler, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.text import JsonObject
from tests.conformance.tasks import WORK, with_tasks

Context = ServerRequestContext[Any, Any]

NO_ARGUMENTS: Final[JsonObject] = {"type": "object", "properties": {}, "additionalProperties": False}
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PROGRESS_PAUSE_SECONDS: Final = 0.05


def _png() -> bytes:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def _wav() -> bytes:
    """A hundredth of a second of silence."""
    target = io.BytesIO()
    with wave.open(target, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8_000)
        sound.writeframes(b"\x80" * 80)
    return target.getvalue()


PNG: Final = base64.b64encode(_png()).decode()
WAV: Final = base64.b64encode(_wav()).decode()

IMAGE: Final = types.ImageContent(data=PNG, mime_type="image/png")
SOUND: Final = types.AudioContent(data=WAV, mime_type="audio/wav")


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=text))


OTHER_CONTENT: Final[dict[str, Sequence[types.ContentBlock]]] = {
    "test_image_content": [IMAGE],
    "test_audio_content": [SOUND],
    "test_embedded_resource": [_embedded("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        types.TextContent(text="Multiple content types test:"),
        IMAGE,
        _embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
}
"""Replacement for the text of these tools."""


async def _simple(_call: ToolCall) -> ToolOutput:
    return ToolOutput("This is a simple text response for testing.")


async def _greeting(call: ToolCall) -> ToolOutput:
    return ToolOutput(f"Hello, {call.arguments.get('name')}!")


async def _failing(_call: ToolCall) -> ToolOutput:
    raise WebRAGError("This tool intentionally returns an error for testing")


async def _reporting(call: ToolCall) -> ToolOutput:
    for part in range(3):
        await call.progress("test", f"Part {part + 1} of 3")
        await asyncio.sleep(PROGRESS_PAUSE_SECONDS)
    return ToolOutput("Three parts are done.")


async def _changing(call: ToolCall) -> ToolOutput:
    call.engine.bus.publish(ToolsChanged(call.engine.settings.mcp_tool_profile))
    return ToolOutput("The lists of tools and prompts have changed.")


def _tool(name: str, handler: Handler = _simple, schema: JsonObject = NO_ARGUMENTS) -> ToolSpec:
    return ToolSpec(
        id=name,
        title=name,
        description=f"Exists for the outside suite: {name}.",
        input_schema=schema,
        hints=Hints(read_only=True, open_world=False),
        handler=handler,
    )


SCHEMA_2020_12: Final[JsonObject] = {
    "$schema": DIALECT,
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
    "additionalProperties": False,
}

TOOLS: Final = (
    _tool("test_simple_text"),
    *(_tool(name) for name in OTHER_CONTENT),
    _tool("test_error_handling", _failing),
    _tool("test_tool_with_progress", _reporting),
    _tool("json_schema_2020_12_tool", schema=SCHEMA_2020_12),
    _tool("test_header_parameter", schema=HEADER_SCHEMA),
    # These two give the suite a stream to check: only progress and the result may be on it.
    _tool("test_streaming_elicitation", _reporting),
    _tool("test_logging_tool", _reporting),
    _tool("test_trigger_tool_change", _changing),
    *(_tool(name, schema={"type": "object"}) for name in WORK),
    _tool("greet", _greeting, {"type": "object", "properties": {"name": {"type": "string"}}}),
    _tool("test_trigger_prompt_change", _changing),
)

RESOURCES: Final = (
    types.Resource(uri="test://static-text", name="static-text", description="A text.", mime_type="text/plain"),
    types.Resource(uri="test://static-binary", name="static-binary", description="A picture.", mime_type="image/png"),
)
TEMPLATE: Final = types.ResourceTemplate(
    uri_template="test://template/{id}/data",
    name="template",
    description="A text per id.",
    mime_type="application/json",
)
PROMPTS: Final = (
    types.Prompt(name="test_simple_prompt", description="No arguments."),
    types.Prompt(
        name="test_prompt_with_arguments",
        description="Two arguments.",
        arguments=[types.PromptArgument(name=name, required=True) for name in ("arg1", "arg2")],
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource",
        description="A resource inside.",
        arguments=[types.PromptArgument(name="resourceUri", required=True)],
    ),
    types.Prompt(name="test_prompt_with_image", description="A picture inside."),
)

LISTED: Final[dict[str, dict[str, Sequence[BaseModel]]]] = {
    "resources/list": {"resources": RESOURCES},
    "resources/templates/list": {"resourceTemplates": (TEMPLATE,)},
    "prompts/list": {"prompts": PROMPTS},
}
"""Additional entries of lists, by method and the name of the list."""


def plug_in(server: Server[Any]) -> Server[Any]:
    """Return the server with the additional content, resources and prompts of this module."""
    server.middleware += [_with_fixtures, with_tasks]
    return server


async def _with_fixtures(ctx: Context, call_next: CallNext) -> HandlerResult:
    params = dict(ctx.params or {})
    name, uri = str(params.get("name", "")), str(params.get("uri", ""))
    if ctx.method == "resources/read" and (contents := _read(uri)) is not None:
        return types.ReadResourceResult(contents=[contents])
    if ctx.method == "prompts/get" and name.startswith("test_"):
        return types.GetPromptResult(messages=_messages(name, params.get("arguments") or {}))
    if ctx.method == "completion/complete" and str(dict(params.get("ref") or {}).get("name", "")).startswith("test_"):
        return types.CompleteResult(completion=types.Completion(values=["testing"], total=1, has_more=False))
    result = await call_next(ctx)
    # The result is already in its wire form: a dictionary with the names of the protocol.
    if isinstance(result, dict):
        if name in OTHER_CONTENT and ctx.method == "tools/call" and not result.get("isError"):
            result["content"] = [_wire(block) for block in OTHER_CONTENT[name]]
        for key, more in LISTED.get(ctx.method, {}).items():
            result[key] = [*result[key], *map(_wire, more)]
    return result


def _wire(value: BaseModel) -> JsonObject:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def _read(uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
    if uri == "test://static-text":
        text = "This is the content of the static text resource."
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
    if uri == "test://static-binary":
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    if uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.removeprefix("test://template/").removesuffix("/data")
        text = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    return None


def _messages(name: str, arguments: dict[str, str]) -> list[types.PromptMessage]:
    def says(*blocks: types.ContentBlock) -> list[types.PromptMessage]:
        return [types.PromptMessage(role="user", content=block) for block in blocks]

    if name == "test_prompt_with_arguments":
        text = f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
        return says(types.TextContent(text=text))
    if name == "test_prompt_with_embedded_resource":
        embedded = _embedded(arguments["resourceUri"], "Embedded resource content for testing.")
        return says(embedded, types.TextContent(text="Please process the embedded resource above."))
    if name == "test_prompt_with_image":
        return says(IMAGE, types.TextContent(text="Please analyze the image above."))
    return says(types.TextContent(text="This is a simple prompt for testing."))
