"""The MCP server object: one for every transport and both protocol eras."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import anyio
import mcp.types as types
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from app import __version__, caps
from app.orchestration.progress import ProgressCallback
from app.server.arguments import nullable_optionals
from app.server.dispatch import Dispatcher, Reply, UnknownToolError
from app.server.instructions import instructions
from app.server.port import EnginePort
from app.server.registry import JsonObject, Registry, ToolSpec
from app.server.sessions import UNKNOWN, Caller, RunningCalls, caller_from_info
from app.settings import Settings

CALLER_KEY: Final = "webrag.caller"
"""Where the HTTP endpoint leaves the caller in the ASGI scope."""
REQUEST_CANCELLED: Final = -32800

Context = ServerRequestContext[Any]


def build_mcp_server(
    engine: EnginePort,
    registry: Registry,
    *,
    dispatcher: Dispatcher | None = None,
    running: RunningCalls | None = None,
) -> Server[Any]:
    """A server over the engine; the transports of one instance share `dispatcher` and `running`."""
    calls = dispatcher or Dispatcher(engine, registry)
    under_way = running or RunningCalls()
    tools = [described(spec, registry, engine.settings) for spec in registry.listed()]

    async def list_tools(_ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = caller_of(ctx)
        with under_way.cancellable(caller, ctx.request_id) as scope:
            try:
                reply = await calls.call(
                    params.name, params.arguments, caller, request_id=ctx.request_id, progress=_progress(ctx)
                )
            except UnknownToolError as error:
                raise MCPError(
                    types.INVALID_PARAMS, f"Unknown tool: {params.name[: caps.MAX_TOOL_NAME_CHARS]}"
                ) from error
        if scope.cancelled_caught:
            raise MCPError(REQUEST_CANCELLED, "Request cancelled")
        return _wire_result(reply, engine.settings)

    hint = CacheHint(ttl_ms=caps.TOOL_LIST_TTL_MS, scope="private")
    return Server(
        "webrag",
        version=__version__,
        title="WebRAG Desktop",
        instructions=instructions(registry),
        cache_hints={"tools/list": hint, "server/discover": hint},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def described(spec: ToolSpec, registry: Registry, settings: Settings) -> types.Tool:
    """The tool as hosts see it."""
    meta: JsonObject | None = None
    if spec.max_result_chars is not None:
        meta = {"anthropic/maxResultSizeChars": spec.max_result_chars}
    return types.Tool(
        name=registry.wire_name(spec),
        title=spec.id,
        description=spec.description,
        input_schema=nullable_optionals(spec.input_schema),
        output_schema=spec.output_schema if _is_structured(settings) else None,
        annotations=types.ToolAnnotations(
            title=spec.title,
            read_only_hint=spec.hints.read_only,
            destructive_hint=spec.hints.destructive,
            idempotent_hint=spec.hints.idempotent,
            open_world_hint=spec.hints.open_world,
        ),
        _meta=meta,
    )


def caller_of(ctx: Context) -> Caller:
    """Who calls: as the HTTP request says, else as the client introduced itself, else unknown."""
    request = ctx.request
    known = request.scope.get(CALLER_KEY) if isinstance(request, Request) else None
    caller = known if isinstance(known, Caller) else Caller()
    client = ctx.session.client_params
    if caller.name != UNKNOWN or client is None:
        return caller
    named = caller_from_info(client.client_info.name, client.client_info.version, key=caller.key)
    return Caller(named.name, named.version, caller.key, caller.charged)


def _progress(ctx: Context) -> ProgressCallback:
    """Sends each phase as a notification with a growing count, if the client asked for progress."""
    count = 0
    turn = asyncio.Lock()

    async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        nonlocal count
        async with turn:
            count += 1
            with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await ctx.session.report_progress(float(count), None, detail)

    return report


def _wire_result(reply: Reply, settings: Settings) -> types.CallToolResult:
    """Text, and for the data family structured content too, as far as the settings want it."""
    structured = reply.structured if _is_structured(settings) else None
    content: list[types.ContentBlock] = [types.TextContent(text=reply.text)]
    if structured is None:
        return types.CallToolResult(content=content, is_error=reply.is_error)
    if settings.mcp_result_mode == "structured":
        content = []
    return types.CallToolResult(content=content, structured_content=structured, is_error=reply.is_error)


def _is_structured(settings: Settings) -> bool:
    return settings.mcp_structured_output_enabled and settings.mcp_result_mode != "text"
