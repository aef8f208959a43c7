"""A tool that saves its input, so that a test client has its own passages on any transport."""

from __future__ import annotations

from app.library.records import PassageIn
from app.server.calls.registry import Hints, Link, Registry, ToolCall, ToolOutput, ToolSpec
from app.server.render.text import iso
from app.server.tools import TOOLS


async def _keep(call: ToolCall) -> ToolOutput:
    scratch, owner = call.engine.scratch, call.caller.owner
    text = call.arguments["text"] * call.arguments["times"]
    content = PassageIn("1", "bees.example/hive", "Warmth", text, "https://bees.example/warm")
    kept = scratch.put(owner, scratch.session(owner), content)
    return ToolOutput(
        kept.uri, links=(Link(kept.uri, "passage", content.title, kept.size_bytes, iso(kept.created_at)),)
    )


KEEP = ToolSpec(
    id="keep",
    title="Keep",
    description="Keeps a text.",
    input_schema={"type": "object", "properties": {"text": {"type": "string"}, "times": {"type": "integer"}}},
    hints=Hints(read_only=True, open_world=False),
    handler=_keep,
)


def registry() -> Registry:
    """Return the tools of the product and this one."""
    return Registry([*TOOLS, KEEP])
