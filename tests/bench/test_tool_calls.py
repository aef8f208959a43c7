"""Odd arguments for every tool through the official client: the check finds errors, and there are none."""

from __future__ import annotations

import asyncio

import mcp.types as types
import pytest

from app import caps
from tool_calls import Tally, call_tools, problem_of

CALLS = 90


def test_no_call_breaks_the_contract() -> None:
    tallies = asyncio.run(call_tools(CALLS, seed=11, pages=2))
    assert sum(tally.calls for tally in tallies.values()) == CALLS
    assert {name: tally.failures for name, tally in tallies.items() if tally.failures} == {}
    assert len(tallies) > 12


SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def result(
    text: str = "words", data: dict[str, object] | None = None, *, is_error: bool = False
) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], structured_content=data, is_error=is_error)


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (result(data={"n": 1}), ""),
        (result(), "no structured content"),
        (result(data={"n": "1"}), "structured content: '1' is not of type 'integer'"),
        (result("x" * (caps.MAX_RESPONSE_CHARS + 1), {"n": 1}), "text over its limit"),
        (result("Error type: x (INTERNAL_ERROR)", is_error=True), "INTERNAL_ERROR"),
        (result("Error type: x (INVALID_ARGUMENT)", is_error=True), ""),
        (result("went wrong", is_error=True), "an error without a code"),
    ],
)
def test_errors_in_a_result_are_named(found: types.CallToolResult, problem: str) -> None:
    tool = types.Tool(name="made_up", input_schema={"type": "object"}, output_schema=SCHEMA)
    assert problem_of(tool, found, Tally()) == problem
