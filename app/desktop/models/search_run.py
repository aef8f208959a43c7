"""A search as the window asks it, and what each tool would give an assistant for the same question."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.corpus.records import Filter
from app.desktop.wording import site_of

if TYPE_CHECKING:
    from app.engine import Engine
    from app.orchestration.result import OrchestrationResult
    from app.server.calls.registry import ToolSpec

SEARCH, EVIDENCE, PASSAGES = "search", "kb.retrieve_evidence", "kb.search"
"""The tools that answer from stored pages."""
FILES: Final = "file:///"
PAGES_LOOKED_AT: Final = 2_000
MAX_PLACES: Final = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the way to search, and where: a root of sources, FILES, or everywhere."""

    query: str
    mode: str
    place: str = ""

    @property
    def filter(self) -> Filter | None:
        if not self.place:
            return None
        return Filter(url_prefix=FILES) if self.place == FILES else Filter(doc_tags=((self.place,),))

    @property
    def filters(self) -> dict[str, object]:
        """The same for the tools of the knowledge base."""
        if not self.place:
            return {}
        return {"path_prefix": FILES} if self.place == FILES else {"doc_tag": [self.place]}


@dataclass(frozen=True, slots=True)
class View:
    """The exact text of a tool, and what it costs in tokens."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """A result and how the tool `search` would word it."""

    asked: Asked
    result: OrchestrationResult
    view: View


async def ask(engine: Engine, asked: Asked) -> SearchOutcome:
    """Search, and render the result with the budget of an unknown assistant."""
    from app.server.calls.limits import effective_budget
    from app.server.render.answer import search_text

    result = await engine.search(asked.query, mode=asked.mode, within=asked.filter)
    budget = effective_budget(engine.settings, "")
    text = await asyncio.to_thread(search_text, result, budget=budget, count=engine.count_tokens, now=time.time())
    return SearchOutcome(asked, result, await _counted(engine, text))


async def tool_view(engine: Engine, asked: Asked, tool: str) -> View:
    """What a tool of the knowledge base would give; the passages that it keeps for its caller are forgotten again."""
    from uuid import uuid4

    from app.progress import no_progress
    from app.server.calls.arguments import checked_arguments
    from app.server.calls.limits import effective_budget
    from app.server.calls.registry import ToolCall
    from app.server.render.budget import clip
    from app.server.sessions import Caller

    spec = await asyncio.to_thread(_spec, tool)
    words = {"query" if tool == PASSAGES else "question": asked.query}
    arguments = checked_arguments(spec.check_input, {**words, "filters": asked.filters})
    # A caller of its own, so that nothing is mixed with what assistants keep.
    caller = Caller("window", key=uuid4().hex)
    budget = effective_budget(engine.settings, "")
    try:
        output = await spec.handler(ToolCall(engine, arguments, caller, budget, no_progress))
    finally:
        for passage in await asyncio.to_thread(engine.scratch.listing, caller.owner):
            await asyncio.to_thread(engine.scratch.delete, passage.id)
    return await _counted(engine, clip(output.text, budget, engine.count_tokens))


def _spec(tool: str) -> ToolSpec:
    from app.server.tools.kb import evidence, search

    return search.KB_SEARCH if tool == PASSAGES else evidence.RETRIEVE_EVIDENCE


async def _counted(engine: Engine, text: str) -> View:
    return View(text, await asyncio.to_thread(engine.count_tokens, text))


async def places(engine: Engine) -> list[str]:
    """Where stored pages are from, the places with most pages first; FILES where there are files."""
    rows = await engine.documents.find(limit=PAGES_LOOKED_AT)
    counts = Counter(row.doc_tag.partition("/")[0] or site_of(row.url) for row in rows)
    found = [place for place, _ in counts.most_common(MAX_PLACES) if place]
    return [*found, *([FILES] if any(row.url.startswith("file:") for row in rows) else [])]
