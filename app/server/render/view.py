"""The data of the evidence view: sources and passages as pieces of page text, with the quotes marked.

It travels in the metadata of a result, which clients give to the view but not to the model. Text is split into pieces because offsets
count differently in JavaScript.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app import caps
from app.kb.records import Quotes
from app.library.records import PRIVATE, Freshness, LinkRecord
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import CitationSpan, RetrievedChunk
from app.scratch.resources import page_uri
from app.server.render.text import JsonObject, iso, shared_library, title_of
from app.text.page_text import one_line

MAX_VIEW_BYTES: Final = 64 * caps.KIB
MAX_PASSAGE_CHARS: Final = 4_000
MAX_LINKS_SHOWN: Final = 3

Piece = tuple[str, bool]  # Page text, and whether it is a quote.


def view_of_result(result: OrchestrationResult, links: Mapping[int, Sequence[LinkRecord]]) -> JsonObject:
    """Return the data for a result. `links` are those of its pages by document ID."""
    quotes = () if result.nothing_found else result.citations
    ordered = sorted(result.chunks, key=lambda item: (item.is_apart, -item.reranked_score))
    numbers = {url: n for n, url in enumerate(dict.fromkeys(item.chunk.url for item in result.chunks), start=1)}
    sources: dict[str, JsonObject] = {}
    for item in ordered:
        chunk, origin = item.chunk, item.origin
        source = sources.setdefault(
            chunk.url,
            _source(
                numbers[chunk.url],
                chunk.title,
                origin.url if origin else chunk.url,
                chunk.last_crawled,
                item.confidence,
            ),
        )
        uri = chunk.url if origin else page_uri(chunk.document_id, chunk.url, PRIVATE)
        own = (quote for quote in quotes if quote.chunk_id == chunk.id)
        source["passages"].append(
            {"uri": uri, "section": one_line(" › ".join(chunk.section_path)), **_passage(item, own)}
        )
        if origin is not None:
            source["library"] = origin.library
    shown = {source["url"] for source in sources.values()}
    # Inside the passages, to pages that are not among the sources.
    beyond = {
        link.url: {"url": link.url, "title": title_of(link.text)}
        for item in ordered
        for link in links.get(item.chunk.document_id, ())
        if item.chunk.start <= link.start < item.chunk.end and link.url not in shown
    }
    return _bounded(
        {
            "question": result.query,
            "nothing": result.nothing_found or not result.chunks,
            "sources": list(sources.values()),
            "unread": [
                {"url": each.url, "reason": one_line(each.reason, caps.MAX_REASON_CHARS_SHOWN)}
                for each in result.failures
                if not each.goes_on
            ],
            "links": list(beyond.values())[:MAX_LINKS_SHOWN],
        }
    )


def view_of_quotes(question: str, found: Quotes, freshness: Sequence[Freshness]) -> JsonObject:
    """Return the data for quotes of the knowledge base, each with the text around it."""
    read = {each.document_id: each.last_crawled for each in freshness}
    sources: dict[str, JsonObject] = {}
    for quote in found.quotes:
        url = quote.url or quote.uri
        number = len(sources) + 1
        source = sources.setdefault(
            url, _source(number, quote.title, url, read.get(quote.document_id, 0.0), quote.confidence)
        )
        before, _, after = quote.context.partition(quote.quote)
        pieces = [(before, False), (quote.quote, not found.nothing_found), (after, False)]
        uri = page_uri(quote.document_id, quote.url, PRIVATE) if quote.document_id else quote.uri
        start, end = quote.start - len(before), quote.end + len(after)
        section = one_line(quote.heading)
        source["passages"].append({"uri": uri, "section": section, "start": start, "end": end, "pieces": pieces})
        if library := shared_library(url) or shared_library(quote.uri):
            source["library"] = library
    nothing = found.nothing_found or not found.quotes
    return _bounded(
        {"question": question, "nothing": nothing, "sources": list(sources.values()), "unread": [], "links": []}
    )


def _source(number: int, title: str, url: str, read_at: float, confidence: float | None) -> JsonObject:
    return {
        "n": number,
        "title": title_of(title),
        "url": url,
        "readAt": iso(read_at) if read_at else "",
        "confidence": confidence,
        "passages": [],
    }


def _passage(item: RetrievedChunk, quotes: Iterable[CitationSpan]) -> JsonObject:
    """Return the exact text of a passage in pieces, at most MAX_PASSAGE_CHARS from its start."""
    chunk = item.chunk
    text = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length][:MAX_PASSAGE_CHARS]
    pieces: list[Piece] = []
    at = 0
    for quote in sorted(quotes, key=lambda quote: quote.start):
        start, end = quote.start - chunk.start, quote.end - chunk.start
        if at <= start and text[start:end] == quote.verbatim_text:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    pieces.append((text[at:], False))
    return {"start": chunk.start, "end": chunk.start + len(text), "pieces": [piece for piece in pieces if piece[0]]}


def _bounded(data: JsonObject) -> JsonObject:
    """Return the data without the last passages that do not fit."""
    while len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")) > MAX_VIEW_BYTES and data["sources"]:
        longest = max(data["sources"], key=lambda source: len(source["passages"]))
        if len(longest["passages"]) > 1:
            longest["passages"].pop()
        else:
            data["sources"].pop()
    return data
