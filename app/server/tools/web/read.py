"""`web.readFromPage`: the passages of one page that best match the queries, as text and as JSON cut to a budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from app import caps
from app.events import judged
from app.orchestration.result import CLOSEST_SHOWN, LONGEST
from app.server.calls.limits import data_budget
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.errors import safe
from app.server.render.sources import page_changes_text
from app.server.render.text import (
    BREAKS,
    WORDS_ONLY,
    Budget,
    CountTokens,
    JsonObject,
    Room,
    ShownPassage,
    clip,
    dealt,
    iso,
    origin,
    plural,
    present,
)
from app.server.tools import schemas
from app.server.tools.answer import pictures_note
from app.text.page_text import marked, one_line, quoted
from app.text.shield import instruction_flags

if TYPE_CHECKING:
    from app.orchestration.page_queries import PageAnswers, PageHit

MAX_SECTION_CHARS_SHOWN: Final = 300

PICTURED_HITS: Final = 2  # The best passages of each query, whose images are named.
ID_CHARS: Final = 12  # The beginning of a passage's id is enough to distinguish passages of a page.
SCORE_DIGITS: Final = 4


async def handle(call: ToolCall) -> ToolOutput:
    """Read the page unless a fresh copy is stored. The note says if it could not be read."""
    given = call.arguments
    answers = await call.engine.read_from_page(
        given["url"],
        [given["query"]] if isinstance(given["query"], str) else given["query"],
        force_refresh=given["forceRefresh"],
        max_results=given["maxResults"],
        seconds=call.seconds,
        progress=call.progress,
    )
    if answers.document_id:
        best = [(hit.start, hit.end) for each in answers.queries for hit in each.hits[:PICTURED_HITS]]
        pictures = await asyncio.to_thread(pictures_note, call, answers.url, best)
        changes = page_changes_text(await call.engine.cite([answers.document_id]))
        answers = replace(answers, note=" ".join(filter(None, (answers.note, changes, pictures))))
    return await asyncio.to_thread(_output, call, answers)


def _output(call: ToolCall, answers: PageAnswers) -> ToolOutput:
    budget, count = data_budget(call.budget), call.engine.count_tokens
    metadata = bool(call.arguments["includeMetadata"])
    taken = fitting(answers, budget, count, metadata=metadata)
    shown = [each.hits[:number] for each, number in zip(answers.queries, taken, strict=True)]
    best = (hit for row in zip_longest(*shown) for hit in row if hit)  # The best of every query before the second best.
    return ToolOutput(
        page_text(answers, taken, budget, count, metadata=metadata),
        page_structured(answers, taken, metadata=metadata),
        pages=(answers.url,) if any(taken) else (),
        passages=tuple(
            ShownPassage(answers.url, answers.document_id, answers.title, hit.start, hit.end) for hit in best
        ),
        needs_browser=answers.needs_browser,
        verdict=judged(any(taken), answers=any(each.is_answer and each.hits for each in answers.queries)),
    )


WEB_READ: Final = ToolSpec(
    id="web.readFromPage",
    title="Read from a web page",
    description=f"""\
Get the passages of one page that best match each query.
Use when you have its URL.
Do not use when links must be followed (answer) or you have no URL (web_search).
Returns at most maxResults passages per query, best first; > marks page text.
If you need more, call answer or rephrase the query.
Defaults: maxResults={caps.PAGE_RESULTS}. Max: {caps.MAX_PAGE_RESULTS}, {caps.MAX_SEARCH_QUERIES} queries.""",
    input_schema=schemas.arguments(
        {
            "url": schemas.TEXT,
            "query": schemas.ONE_OR_MORE_QUERIES,
            "forceRefresh": {"type": "boolean", "default": False},
            "maxResults": schemas.whole(1, caps.MAX_PAGE_RESULTS, caps.PAGE_RESULTS),
            "includeMetadata": {"type": "boolean", "default": False},
        },
        "url",
        "query",
    ),
    output_schema={
        "type": "object",
        "properties": {
            "url": schemas.TEXT,
            "lastCrawled": schemas.TEXT,
            "queries": {"type": "array"},
            "note": schemas.TEXT,
        },
        "required": ["url", "queries"],
    },
    hints=Hints(read_only=False, open_world=True),
    handler=handle,
    notes_health=True,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)


def fitting(answers: PageAnswers, budget: Budget, count: CountTokens, *, metadata: bool) -> list[int]:
    """Return how many passages of each query fit in both forms, taking the best of every query before the second best."""
    none = [0] * len(answers.queries)
    text = Room(budget, count, _text(answers, none, metadata=metadata))
    empty = json.dumps(page_structured(answers, none, metadata=metadata), ensure_ascii=False)
    structured = Room(budget, count, empty)

    def take(hit: PageHit, rank: int) -> bool:
        block, entry = (
            _block(rank, hit, metadata=metadata),
            json.dumps(_result(hit, metadata=metadata), ensure_ascii=False),
        )
        if not (text.fits(block) and structured.take(f"{entry}, ")):
            return False
        text.spend(block)
        return True

    return dealt([each.hits for each in answers.queries], take)


def page_text(answers: PageAnswers, taken: Sequence[int], budget: Budget, count: CountTokens, *, metadata: bool) -> str:
    return clip(_text(answers, taken, metadata=metadata), budget, count)


def _text(answers: PageAnswers, taken: Sequence[int], *, metadata: bool) -> str:
    lines = [
        origin(answers.title, answers.url),
        *([f"Last crawled: {iso(answers.last_crawled)}"] if answers.last_crawled else []),
    ]
    if note := note_of(answers, taken):
        lines.append(f"Note: {note}")
    blocks = ["\n".join(lines)]
    for each, shown in zip(answers.queries, taken, strict=True):
        query = quoted(each.query, caps.MAX_SUB_QUERY_CHARS_SHOWN)
        blocks.append(f"{query}: {plural(shown, 'passage')}")
        blocks += [_block(rank, hit, metadata=metadata) for rank, hit in enumerate(each.hits[:shown], start=1)]
    return BREAKS.join(blocks)


def page_structured(answers: PageAnswers, taken: Sequence[int], *, metadata: bool) -> JsonObject:
    """Return the same under the names of the contract."""
    return {
        "url": answers.url,
        **present(title=answers.title, lastCrawled=answers.last_crawled and iso(answers.last_crawled)),
        "queries": [
            {"query": each.query, "results": [_result(hit, metadata=metadata) for hit in each.hits[:shown]]}
            for each, shown in zip(answers.queries, taken, strict=True)
        ],
        **present(note=note_of(answers, taken)),
    }


def note_of(answers: PageAnswers, taken: Sequence[int]) -> str:
    """Return the notes for the reader, including omitted passages, or ""."""
    found = sum(len(each.hits) for each in answers.queries)
    said = answers.note if any(taken) else answers.note.replace(CLOSEST_SHOWN, "").replace(LONGEST, "").strip()
    parts = [safe(said)] if said else []
    if sum(taken) < found:
        parts.append(f"truncated: {sum(taken)} of {found} passages fit; use fewer queries or a lower maxResults.")
    return " ".join(parts)


def _block(rank: int, hit: PageHit, *, metadata: bool) -> str:
    facts = [f"score {hit.score:.{SCORE_DIGITS}f}", f"id {hit.id[:ID_CHARS]}"]
    if metadata and hit.similarity is not None:
        facts.insert(1, f"similarity {hit.similarity:.{SCORE_DIGITS}f}")
    if hit.is_waiting:
        facts.append(WORDS_ONLY)
    if flags := instruction_flags(hit.text):
        facts.append(f"flagged: {', '.join(flags)}")
    section = one_line(" > ".join(hit.section_path), MAX_SECTION_CHARS_SHOWN) if metadata else ""
    place = f" § {section}" if section else ""
    return f"{rank}. ({', '.join(facts)}){place}\n{marked(hit.text.strip())}"


def _result(hit: PageHit, *, metadata: bool) -> JsonObject:
    result: JsonObject = {"id": hit.id, "text": hit.text, "score": round(hit.score, SCORE_DIGITS)}
    if metadata:
        result["sectionPath"] = list(hit.section_path)
        if hit.similarity is not None:
            result["similarity"] = round(hit.similarity, SCORE_DIGITS)
    return result | present(wordsOnly=hit.is_waiting, flags=list(instruction_flags(hit.text)))
