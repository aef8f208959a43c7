"""`search_docs`, `get_doc_page`, `list_doc_pages`: the pages of documentation folders."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, Final

from app import caps
from app.docsets.pages import DocsError
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.budget import Budget
from app.server.render.docs import PAGE_RESERVE_CHARS, choices_text, list_text, page_text, search_text

SEARCH_DESCRIPTION: Final = f"""\
Search the documentation folders that the user keeps in WebRAG.
Use when a question is about a library or project whose Markdown docs are there.
Do not use when you have a URL (answer) or want exact quotes (kb_retrieve_evidence).
Returns at most limit pages: path, score, snippet.
If you need more, call get_doc_page with a path.
Defaults: limit={caps.DEFAULT_DOC_RESULTS}. Max: {caps.MAX_DOC_RESULTS}."""

PAGE_DESCRIPTION: Final = f"""\
Read one documentation page, or some sections of it by their headings, as Markdown.
Use when search_docs or list_doc_pages named the page.
Do not use when you do not know the path (search_docs) or it is a web address (answer).
Returns at most what one result holds and how to go on.
If you need more, call get_doc_page with the sections it names.
Defaults: the whole page. Max: {caps.MAX_DOC_SECTIONS_ASKED} sections."""

LIST_DESCRIPTION: Final = f"""\
List the documentation pages that the user keeps in WebRAG.
Use when you want an overview, or search found nothing.
Do not use when you have a question (search_docs).
Returns at most {caps.MAX_DOC_PAGES_LISTED} paths.
If you need more, call list_doc_pages with a category.
Defaults: all pages. Max: {caps.MAX_DOC_PAGES_LISTED}."""


async def search(call: ToolCall) -> ToolOutput:
    """Pages for a question."""
    settings, count = call.engine.settings, call.engine.count_tokens
    found = await asyncio.to_thread(call.engine.docs.search, call.arguments["query"], call.arguments.get("limit"))
    text = search_text(found, snippet_chars=settings.mcp_snippet_length, budget=call.budget, count=count)
    return ToolOutput(text, pages=tuple(hit.name for hit in found.hits))


async def read(call: ToolCall) -> ToolOutput:
    """One page; what is not there is an error that names what is."""
    engine, small = call.engine, _smaller(call.budget)
    try:
        page = await asyncio.to_thread(
            engine.docs.page,
            call.arguments["path"],
            call.arguments.get("sections"),
            lambda text: small.holds(text, engine.count_tokens),
        )
    except DocsError as error:
        return _refused(call, error)
    text = await asyncio.to_thread(page_text, page, budget=call.budget, count=engine.count_tokens)
    return ToolOutput(text, pages=(page.url,))


async def listing(call: ToolCall) -> ToolOutput:
    """All pages, or those of a category."""
    category = call.arguments.get("category")
    try:
        found = await asyncio.to_thread(call.engine.docs.pages, category)
    except DocsError as error:
        return _refused(call, error)
    return ToolOutput(list_text(found, category=category, budget=call.budget, count=call.engine.count_tokens))


def _smaller(budget: Budget) -> Budget:
    """What the text of a page may take, so that there is room to say how to go on."""
    reserve = min(PAGE_RESERVE_CHARS, budget.characters // 2)
    return replace(
        budget,
        characters=budget.characters - reserve,
        bytes=budget.bytes - reserve,
        tokens=budget.tokens - min(reserve // 2, budget.tokens // 2),
    )


def _refused(call: ToolCall, error: DocsError) -> ToolOutput:
    text = choices_text(error, budget=call.budget, count=call.engine.count_tokens)
    return ToolOutput(text, failure_code=error.code.value)


_READ_ONLY: Final = Hints(read_only=True, open_world=False)


def _schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


SEARCH_DOCS: Final = ToolSpec(
    id="search_docs",
    title="Search documentation",
    description=SEARCH_DESCRIPTION,
    input_schema=_schema(
        {
            "query": {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_DOC_QUERY_CHARS},
            "limit": {"type": "integer", "minimum": 1, "maximum": caps.MAX_DOC_RESULTS},
        },
        "query",
    ),
    hints=_READ_ONLY,
    handler=search,
)

GET_DOC_PAGE: Final = ToolSpec(
    id="get_doc_page",
    title="Read a documentation page",
    description=PAGE_DESCRIPTION,
    input_schema=_schema(
        {
            "path": {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_URL_CHARS},
            "sections": {
                "type": "array",
                "items": {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_URL_CHARS},
                "maxItems": caps.MAX_DOC_SECTIONS_ASKED,
            },
        },
        "path",
    ),
    hints=_READ_ONLY,
    handler=read,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)

LIST_DOC_PAGES: Final = ToolSpec(
    id="list_doc_pages",
    title="List documentation pages",
    description=LIST_DESCRIPTION,
    input_schema=_schema({"category": {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_HEADING_CHARS}}),
    hints=_READ_ONLY,
    handler=listing,
)

DOC_TOOLS: Final = (SEARCH_DOCS, GET_DOC_PAGE, LIST_DOC_PAGES)
