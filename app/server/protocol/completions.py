"""Values offered while a person types: indexed addresses for prompts, ids for addresses of passages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import mcp.types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

from app import caps
from app.errors import WebRAGError
from app.scratch.passage import PINNED, TEMPLATE
from app.scratch.resources import PAGE_TEMPLATE
from app.server.protocol.prompts import PROMPTS, split_urls
from app.server.protocol.resources import refused
from app.server.sessions import Caller

if TYPE_CHECKING:
    from app.engine import Engine

Context = ServerRequestContext[Any]

NOTHING: Final = types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))


class Completions:
    """The handler of the protocol."""

    def __init__(self, engine: Engine, who: Callable[[Context], Caller]) -> None:
        self._engine = engine
        self._who = who

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Up to a hundred values that go on from what was typed. Raises MCPError for what is not one of ours."""
        try:
            return await asyncio.to_thread(self._completed, self._who(ctx).owner, params)
        except WebRAGError as error:
            raise refused(error) from error

    def _completed(self, owner: str, params: types.CompleteRequestParams) -> types.CompleteResult:
        ref, argument = params.ref, params.argument
        if isinstance(ref, types.PromptReference):
            return self._of_prompt(ref.name, argument)
        if ref.uri == TEMPLATE:
            given = (params.context.arguments or {}) if params.context is not None else {}
            return self._of_passages(owner, argument, given.get("session_id"))
        if ref.uri == PAGE_TEMPLATE:
            return NOTHING
        raise MCPError(types.INVALID_PARAMS, "Unknown resource template")

    def _of_prompt(self, name: str, argument: types.CompletionArgument) -> types.CompleteResult:
        prompt = next((prompt for prompt in PROMPTS if prompt.name == name), None)
        if prompt is None or argument.name not in {known.name for known in prompt.arguments}:
            raise MCPError(types.INVALID_PARAMS, "Unknown prompt or argument")
        if argument.name == "url":
            return self._addresses("", argument.value.strip())
        if argument.name == "urls":
            typed = split_urls(argument.value)
            last = typed.pop() if typed and argument.value[-1:] not in (" ", ",", "\n") else ""
            return self._addresses("".join(f"{url} " for url in typed), last)
        return NOTHING

    def _addresses(self, before: str, prefix: str) -> types.CompleteResult:
        self._engine.check_not_paused()
        known = self._engine.artifacts.known_addresses(prefix, caps.MAX_COMPLETIONS + 1)
        return _offered([before + url for url in known if url not in before.split()])

    def _of_passages(
        self, owner: str, argument: types.CompletionArgument, session_id: str | None
    ) -> types.CompleteResult:
        self._engine.check_not_paused()
        scratch = self._engine.scratch
        if argument.name == "session_id":
            own = {passage.session_id for passage in scratch.listing(owner, 1)}
            pinned = {PINNED} if scratch.pinned() else set()
            values = sorted(own) + sorted(pinned)
        elif argument.name == "passage_id":
            passages = scratch.pinned() if session_id == PINNED else scratch.listing(owner)
            values = [passage.id for passage in passages if session_id in (None, passage.session_id)]
        else:
            raise MCPError(types.INVALID_PARAMS, "Unknown argument")
        return _offered([value for value in values if value.startswith(argument.value)])


def _offered(values: list[str]) -> types.CompleteResult:
    shown = values[: caps.MAX_COMPLETIONS]
    has_more = len(values) > len(shown)
    return types.CompleteResult(
        completion=types.Completion(values=shown, total=None if has_more else len(shown), has_more=has_more)
    )
