"""`answer`: evidence from given pages and their links; `search`: evidence from stored pages, without the network."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from app import caps
from app.client_limits import limits_of
from app.errors import CorpusError
from app.events import judged
from app.orchestration.result import OrchestrationResult
from app.server.calls.arguments import as_list
from app.server.calls.registry import LIBRARY, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.answer import answer_text, search_text
from app.server.render.text import Budget, CountTokens
from app.server.render.view import view_of_result
from app.server.tools import schemas
from app.text.page_text import quoted

if TYPE_CHECKING:
    from app.scratch.resources import NamedPicture

MAX_PICTURES: Final = 3
MAX_PICTURE_TITLE_CHARS: Final = 60


def saved_pictures(call: ToolCall, url: str) -> list[NamedPicture]:
    """Return the saved images of a page; none if the assistant does not accept images, or while the cache is not usable."""
    if not limits_of(call.caller.name).pictures:
        return []
    try:
        return call.engine.artifacts.kept_pictures(url)
    except CorpusError as error:
        log.warning("kept pictures are not named: %s", error)
        return []


def pictures_note(call: ToolCall, url: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a sentence with the first saved images in parts of a page, or ""."""
    parts = list(spans)
    saved = saved_pictures(call, url)
    beside = [each for each in saved if any(start <= each.image.position <= end for start, end in parts)]
    named = ", ".join(
        f"{each.uri} {quoted(each.title, MAX_PICTURE_TITLE_CHARS)}".removesuffix(' ""')
        for each in beside[:MAX_PICTURES]
    )
    return f"Images there, to read with kb_read_excerpt: {named}." if named else ""


log = logging.getLogger(__name__)

MAX_CONSTRAINT_CHARS: Final = 200
MAX_LINKING_PAGES: Final = 3  # Pages whose links the evidence view offers.


async def answer(call: ToolCall) -> ToolOutput:
    """Answer from the first URL, the seed; the others are also indexed and searched."""
    question = schemas.as_question(call.arguments["url"], call.arguments)
    question, is_named = replace(question, seconds=call.seconds), LIBRARY in call.arguments
    result = await call.engine.run(question, call.progress, library=call.library, whole_library=is_named)
    return await evidence_output(call, result, answer_text)


async def search(call: ToolCall) -> ToolOutput:
    pages = as_list(call.arguments.get("source_urls", []))
    if schemas.CONVERSATION in pages:
        pages = list(dict.fromkeys((*schemas.read_here(call), *pages)))
        pages.remove(schemas.CONVERSATION)
    result = await call.engine.search(
        call.arguments["query"],
        source_urls=pages,
        intent=call.arguments.get("intent"),
        top_k=call.arguments["top_k"],
        progress=call.progress,
        library=call.library,
    )
    return await evidence_output(call, result, search_text)


ANSWER: Final = ToolSpec(
    id="answer",
    title="Answer from web pages",
    description=f"""\
Query one or more web pages and their linked content for information. WebRAG will scrape each URL if not \
already indexed, decompose the query, retrieve and rerank relevant chunks, optionally expand to linked \
pages, and return cited evidence with source attribution. Use this when you need factual information \
grounded in specific web sources.
Use when the user names a page or site.
Do not use when the page is indexed (search) or you have no URL (web_search).
Returns at most {caps.UNKNOWN_CLIENT_TOKENS:,} tokens, usually 3,000; > marks page text.
If you need more, call search, or answer with a more specific URL.
Defaults: intent inferred, expansion_budget automatic. Max: {caps.MAX_URLS_PER_CALL} URLs.""",
    input_schema=schemas.arguments(
        {
            "url": schemas.one_or_more_urls("One or more; the first is the main page."),
            "query": schemas.query("A full sentence."),
            "intent": schemas.intent(),
            "known_context": {
                "type": "string",
                "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS,
                "description": "What you already know; repeats are left out.",
            },
            "constraints": {
                "type": "array",
                "items": schemas.text(MAX_CONSTRAINT_CHARS),
                "maxItems": caps.MAX_CONSTRAINTS,
                "description": "What the evidence must have, e.g. code.",
            },
            "expansion_budget": schemas.meaning(
                schemas.whole(0, caps.MAX_EXPANSION_BUDGET), "Rounds of links to follow; 0 = none."
            ),
        },
        "url",
        "query",
    ),
    hints=Hints(read_only=False, open_world=True),
    handler=answer,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
    asks_libraries=True,
)

SEARCH: Final = ToolSpec(
    id="search",
    title="Search indexed pages",
    description=f"""\
Search the existing WebRAG corpus for information without scraping new pages or expanding to linked \
content. Use this when you know the content has already been indexed (e.g., from a previous `answer` \
call) and want to ask a different question about the same material. Faster than `answer` because it \
skips ingestion and expansion.
Use when you need long passages.
Do not use when quotes are enough (kb_retrieve_evidence), or a page is not indexed (answer) or outdated (ingest).
Returns at most top_k passages, {caps.UNKNOWN_CLIENT_TOKENS:,} tokens; > marks page text.
If you need more, call search with a higher top_k or other words.
Defaults: top_k={caps.DEFAULT_TOP_K}, all pages. Max: top_k {caps.MAX_TOP_K}, \
{caps.MAX_URLS_PER_CALL} source_urls.""",
    input_schema=schemas.arguments(
        {
            "query": schemas.query("A full sentence."),
            "source_urls": schemas.meaning(schemas.URLS, "Only these pages or collection:NAME."),
            "intent": schemas.intent(),
            "top_k": schemas.whole(1, caps.MAX_TOP_K, caps.DEFAULT_TOP_K),
        },
        "query",
    ),
    hints=Hints(read_only=True, open_world=False),
    handler=search,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
    asks_libraries=True,
)


Render = Callable[[OrchestrationResult, Budget, CountTokens, float], str]


async def evidence_output(call: ToolCall, result: OrchestrationResult, render: Render) -> ToolOutput:
    """Return the rendered result and the pages of its evidence."""
    level = logging.INFO if result.chunks else logging.WARNING
    log.log(level, "%d chunks, mode %s, %.0f ms in the engine", len(result.chunks), result.mode, result.timing.total_ms)
    if result.images:
        # Add the addresses of saved images, if the assistant accepts images.
        urls = dict.fromkeys(image.source_url for image in result.images)
        saved = await asyncio.to_thread(lambda: {url: saved_pictures(call, url) for url in urls})
        kept = {(url, each.image.url): each.uri for url, found in saved.items() for each in found}
        images = (replace(each, kept=kept.get((each.source_url, each.image.url), "")) for each in result.images)
        result = replace(result, images=tuple(images))
    text = await asyncio.to_thread(render, result, call.budget, call.engine.count_tokens, time.time())
    pages = tuple(dict.fromkeys(item.chunk.url for item in result.chunks))
    view = None
    if call.takes_view:
        own = dict.fromkeys(item.chunk.document_id for item in result.chunks if item.origin is None)
        links = {each: await call.engine.documents.links(each) for each in islice(own, MAX_LINKING_PAGES)}
        view = await asyncio.to_thread(view_of_result, result, links)
    return ToolOutput(text, pages=pages, verdict=judged(result.chunks, answers=not result.nothing_found), view=view)
