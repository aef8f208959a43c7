"""`kb.search`: candidates with previews, never their texts."""

from __future__ import annotations

from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import Found, Mode, SearchPage, SearchRequest
from app.server.calls.registry import Link, ToolCall, ToolOutput
from app.server.render.kb.passages import search_page
from app.server.render.text import iso, title_of
from app.server.tools.kb.parts import (
    MODE,
    QUESTION,
    SCOPE_NAMED,
    TEXT,
    Options,
    asking_of,
    at_least,
    kb_tool,
    number,
    options,
    rendered,
    words_of,
)
from app.server.tools.scoping import FILTERS, narrowing_of

DESCRIPTION: Final = f"""\
List indexed passages: ids, previews.
Use when you choose passages yourself.
Do not use when a question is to be answered (kb_retrieve_evidence).
Returns at most {caps.MAX_KB_PAGE} previews.
If you need more, call with cursor; read one by kb_read_excerpt.
Defaults: {caps.DEFAULT_KB_RESULTS}, {caps.DEFAULT_PER_DOCUMENT} a page. Max: {caps.MAX_TOP_K}."""


OPTIONS: Final = options(
    max_snippet_chars={"maximum": caps.MAX_PREVIEW_CHARS},
    max_per_doc={"maximum": caps.MAX_PER_DOCUMENT},
    include_scores={},
    include_debug={},
    rewrite={},
    mode=MODE,
)


async def handle(call: ToolCall) -> ToolOutput:
    """A page of candidates; one whose session is over begins a new one."""
    chosen = Options(call, OPTIONS)
    request = SearchRequest(
        query=words_of(call, "query"),
        top_k=at_least(call, "top_k"),
        page_size=at_least(call, "page_size"),
        cursor=checked_cursor(call.arguments.get("cursor")),
        narrowing=narrowing_of(call),
        max_snippet_chars=chosen.number("max_snippet_chars", caps.DEFAULT_PREVIEW_CHARS),
        max_per_doc=chosen.number("max_per_doc", caps.DEFAULT_PER_DOCUMENT),
        mode=Mode(chosen.word("mode", Mode.AUTO)),
        rewrite=chosen.flag("rewrite", default=True),
    )
    debug = chosen.flag("include_debug")
    return await found(call, request, scores=debug or chosen.flag("include_scores"), debug=debug)


async def found(call: ToolCall, request: SearchRequest, *, scores: bool, debug: bool) -> ToolOutput:
    """The result of a search."""
    page = await call.engine.kb.search(asking_of(call), request)
    return await rendered(call, lambda fits: search_page(page, fits, scores=scores, debug=debug), links=_links(page))


def checked_cursor(cursor: str | None) -> str | None:
    """Raises InvalidArgumentError for one that cannot be ours."""
    if cursor is not None and len(cursor) > caps.MAX_KB_CURSOR_CHARS:
        raise InvalidArgumentError("The cursor is not of this search.", hint="Call again without it.")
    return cursor or None


def _links(page: SearchPage) -> tuple[Link, ...]:
    return tuple(_link(each) for each in page.results[: caps.MAX_LINKS_PER_RESULT])


def _link(each: Found) -> Link:
    modified = iso(each.last_modified) if each.last_modified else ""
    return Link(each.scratch_uri, each.passage_id, title_of(each.title), each.size_bytes, modified)


KB_SEARCH: Final = kb_tool(
    "kb.search",
    "Find passages",
    DESCRIPTION,
    handle,
    {
        "query": QUESTION,
        "top_k": number(caps.DEFAULT_KB_RESULTS, caps.MAX_TOP_K),
        "cursor": TEXT,
        "page_size": number(caps.DEFAULT_KB_PAGE, caps.MAX_KB_PAGE),
        "scope": SCOPE_NAMED,
        "filters": FILTERS,
        "options": OPTIONS,
        "session_id": TEXT,
    },
    {"results": "array"},
    "query",
)
