"""`kb.search`: candidates with previews, without their full text."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app import caps
from app.events import judged
from app.kb.records import SOURCES, Found, LimitReason, Mode, SearchPage, SearchRequest
from app.kb.spans import clipped
from app.server.calls.registry import Link, ToolCall, ToolOutput
from app.server.render.text import (
    WORDS_ONLY,
    JsonObject,
    Rendered,
    ShownPassage,
    flagged,
    iso,
    origin,
    plural,
    present,
    shared_library,
    title_of,
)
from app.server.tools import schemas
from app.server.tools.kb import common
from app.text.page_text import address, marked, one_line
from app.text.shield import instruction_flags

DEFAULT_KB_PAGE: Final = 5
MAX_PREVIEW_CHARS: Final = 1_000
MAX_PER_DOCUMENT: Final = 10
PREVIEW_STEPS: Final = (500, caps.DEFAULT_PREVIEW_CHARS, 120, 0)
"""Maximum preview lengths, tried in order before results are omitted."""
SHORTENED: Final = "Previews are shortened to fit one result."

OPTIONS: Final = common.options(
    max_snippet_chars=schemas.optional(schemas.whole(1, MAX_PREVIEW_CHARS)),
    max_per_doc=schemas.optional(schemas.whole(1, MAX_PER_DOCUMENT)),
    include_scores=schemas.optional(schemas.FLAG),
    include_debug=schemas.optional(schemas.FLAG),
    rewrite=schemas.meaning(schemas.optional(schemas.FLAG), "Also search in other words; default true."),
    mode=common.MODE,
)

LISTED_OPTIONS: Final = {
    **OPTIONS,
    "properties": {name: schemas.without_meaning(each) for name, each in OPTIONS["properties"].items()},
}

RESULT: Final = common.result(
    {
        "results": schemas.listing(
            schemas.record(
                {
                    **dict.fromkeys(("passage_id", "section_id", "doc_tag", "title"), schemas.TEXT),
                    "rank": schemas.WHOLE,
                    "score": schemas.optional(schemas.NUMBER),
                    "source": {"type": "string", "enum": list(SOURCES)},
                    **dict.fromkeys(("preview", "scratch_uri"), schemas.TEXT),
                    "size_bytes": schemas.WHOLE,
                    "anchor": schemas.optional(schemas.TEXT),
                    "url": schemas.TEXT,
                },
                words_only=schemas.FLAG,
                library=schemas.TEXT,
                debug=schemas.TEXT,
                flags=schemas.TEXTS,
            )
        ),
        "next_cursor": schemas.optional(schemas.TEXT),
        "partial": schemas.FLAG,
        "limit_reason": schemas.choice(LimitReason),
        "mode": schemas.choice(Mode),
    },
    left_out=schemas.WHOLE,
    graph_disabled=schemas.FLAG,
)


async def handle(call: ToolCall) -> ToolOutput:
    """Return a page of candidates; a new session starts if the given one has expired."""
    given, chosen = call.arguments, common.options_of(call)
    request = SearchRequest(
        query=given["query"],
        top_k=given["top_k"],
        page_size=given["page_size"],
        cursor=given.get("cursor"),
        narrowing=schemas.narrowing_of(call),
        max_snippet_chars=chosen.get("max_snippet_chars", caps.DEFAULT_PREVIEW_CHARS),
        max_per_doc=chosen.get("max_per_doc", caps.DEFAULT_PER_DOCUMENT),
        mode=Mode(chosen.get("mode", Mode.AUTO)),
        rewrite=chosen.get("rewrite", True),
    )
    debug = chosen.get("include_debug", False)
    return await found(call, request, scores=debug or chosen.get("include_scores", False), debug=debug)


async def found(call: ToolCall, request: SearchRequest, *, scores: bool, debug: bool) -> ToolOutput:
    page = await call.engine.kb.search(common.asking_beside(call, request.query, request.top_k), request)
    output = await common.rendered(call, lambda fits: search_page(page, fits, scores=scores, debug=debug))
    shown = len(output.structured["results"]) if output.structured is not None else 0
    results = page.results[: min(shown, caps.MAX_LINKS_PER_RESULT)]
    links = (
        Link(
            each.scratch_uri,
            each.passage_id,
            title_of(each.title),
            each.size_bytes,
            iso(each.last_modified) if each.last_modified else "",
        )
        for each in results
    )
    return replace(output, links=tuple(links))


KB_SEARCH: Final = common.reading_tool(
    "kb.search",
    "Find passages",
    f"""\
List matching passages: ids, previews.
Use when you want to choose passages yourself.
Do not use when you want an answer (kb_retrieve_evidence).
Returns at most {caps.MAX_KB_PAGE} previews.
If you need more, call with cursor; kb_read_excerpt reads one.
Defaults: {caps.DEFAULT_KB_RESULTS} results, {caps.DEFAULT_PER_DOCUMENT} per page. Max: {caps.MAX_TOP_K}.""",
    handle,
    {
        "query": common.QUESTION,
        "top_k": common.number(caps.DEFAULT_KB_RESULTS, caps.MAX_TOP_K, "Results in all."),
        "cursor": schemas.meaning(schemas.TEXT, "From next_cursor."),
        "page_size": common.number(DEFAULT_KB_PAGE, caps.MAX_KB_PAGE, "Results per call."),
        "scope": schemas.SCOPE,
        "filters": schemas.FILTERS,
        "options": OPTIONS,
        "session_id": common.SESSION,
    },
    RESULT,
    "query",
    brief={
        "top_k": common.number(caps.DEFAULT_KB_RESULTS, caps.MAX_TOP_K),
        "scope": schemas.ELSEWHERE,
        "filters": {"type": "object"},
        "options": LISTED_OPTIONS,
        "session_id": schemas.TEXT,
    },
    asks_libraries=True,
)


def search_page(page: SearchPage, fits: common.Fits, *, scores: bool, debug: bool) -> Rendered:
    """Render candidates with short previews; previews are shortened before a result is omitted."""
    shown = page
    for limit in (MAX_PREVIEW_CHARS, *PREVIEW_STEPS):
        shown = replace(
            page, results=tuple(replace(found, preview=clipped(found.preview, limit)) for found in page.results)
        )
        pairs = zip(shown.results, page.results, strict=True)
        if any(short.preview != whole.preview.strip() for short, whole in pairs):
            shown = replace(shown, note=f"{page.note} {SHORTENED}".strip())
        rendered = _search_page(shown, scores=scores, debug=debug)
        if fits(rendered.text, rendered.structured):
            return rendered
    while shown.results:
        shown = replace(
            shown, results=shown.results[:-1], next_cursor=None, partial=True, limit_reason=LimitReason.BYTE_CAP
        )
        rendered = _search_page(shown, scores=scores, debug=debug, left_out=len(page.results) - len(shown.results))
        if fits(rendered.text, rendered.structured):
            break
    return rendered


def _search_page(page: SearchPage, *, scores: bool, debug: bool, left_out: int = 0) -> Rendered:
    lines = [line for found in page.results for line in _found_lines(found, scores=scores or debug, debug=debug)]
    top = (
        []
        if page.results or left_out
        else [f"No relevant content was found for this query in the index. {common.ADVICE}"]
    )
    limit = f"limit: {page.limit_reason}; " if page.partial or page.limit_reason is not LimitReason.NONE else ""
    ending = (
        f"{limit}session {page.session_id}; mode {page.mode}{'; graph_disabled=true' if page.graph_disabled else ''}"
    )
    more = [f"More: kb_search with cursor={page.next_cursor}"] if page.next_cursor else []
    omitted = (
        [f"... {plural(left_out, 'more result')} did not fit: use page_size={max(1, len(page.results))}"]
        if left_out
        else []
    )
    structured: JsonObject = {
        "results": [_found_entry(found, scores=scores or debug, debug=debug) for found in page.results],
        "next_cursor": page.next_cursor,
        "partial": page.partial,
        "limit_reason": page.limit_reason.value,
        **present(left_out=left_out),
        "session_id": page.session_id,
        "mode": page.mode.value,
        **present(graph_disabled=page.graph_disabled, note=page.note),
    }
    text = "\n".join([*top, *common.note_lines(page.note), *lines, *omitted, *more, ending])
    pages = tuple(dict.fromkeys(found.url for found in page.results))
    passages = (
        ShownPassage(found.url, found.document_id, found.title, found.start, found.end) for found in page.results
    )
    verdict = judged(page.results or left_out, answers=not page.nothing_found)
    return Rendered(text, structured, pages, tuple(passages), verdict)


def _found_lines(found: Found, *, scores: bool, debug: bool) -> list[str]:
    facts = [address(found.doc_tag), f"section {found.section_id}", found.source, f"{found.size_bytes:,} bytes"]
    facts += [f"library {library}"] if (library := shared_library(found.url)) else []
    facts += [WORDS_ONLY] if found.is_waiting else []
    facts += [f"score {found.score:.{common.DIGITS}f}"] if scores else []
    facts += [one_line(found.debug)] if debug and found.debug else []
    lines = [
        f"{found.rank}. {origin(found.title, _place(found))} ({'; '.join(facts)}){flagged(instruction_flags(found.preview))}"
    ]
    lines += [marked(one_line(found.preview))] if found.preview else []
    return [*lines, f"   {found.scratch_uri}"]


def _found_entry(found: Found, *, scores: bool, debug: bool) -> JsonObject:
    return {
        "passage_id": found.passage_id,
        "section_id": found.section_id,
        "doc_tag": found.doc_tag,
        "title": title_of(found.title),
        "rank": found.rank,
        "score": round(found.score, 4) if scores else None,
        "source": found.source,
        "preview": found.preview,
        "scratch_uri": found.scratch_uri,
        "size_bytes": found.size_bytes,
        "anchor": found.anchor,
        "url": _place(found),
        **present(words_only=found.is_waiting, library=shared_library(found.url)),
        **({"debug": found.debug} if debug else {}),
        **present(flags=list(instruction_flags(found.preview))),
    }


def _place(found: Found) -> str:
    url = one_line(found.url)
    return f"{url}#{found.anchor}" if found.anchor and "#" not in url else url
