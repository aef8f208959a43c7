"""Results of the knowledge base: a compact text with everything that the structured form has, and that form, both within a size."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app import caps
from app.kb.records import Excerpt, Found, LimitReason, Quote, Quotes, SearchPage, Verdict, Verification
from app.server.render.budget import Budget, CountTokens
from app.server.render.text import as_data, one_line, plural, title_of
from app.text.shield import instruction_flags

JsonObject = dict[str, Any]

DIGITS: Final = 2
HASH_CHARS: Final = 16
"""So much of a document's hash stands beside quotes and excerpts: enough to tell texts apart. A verified quote has all of it."""
CHARS_PER_TOKEN: Final = 4
PREVIEWS: Final = (500, caps.DEFAULT_PREVIEW_CHARS, 120, 0)
"""How short previews become, step by step, before results are left out."""
NOTHING: Final = "No relevant content was found for this question in what is indexed."
NOTHING_SURE: Final = f"{NOTHING} The closest quotes, most likely no answer:"
ADVICE: Final = "Try other words, or read a page first (answer, ingest)."


@dataclass(frozen=True, slots=True)
class Rendered:
    """Both forms of a result, and the addresses of the pages that it rests on."""

    text: str
    structured: JsonObject
    pages: tuple[str, ...] = ()


Fits = Callable[[str, JsonObject], bool]


def within(budget: Budget, count: CountTokens, characters: int | None = None) -> Fits:
    """Whether both forms are within the budget and, where given, a number of characters each."""

    def fits(text: str, structured: JsonObject) -> bool:
        as_json = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        if characters is not None and max(len(text), len(as_json)) > characters:
            return False
        return budget.holds(text, count) and budget.holds(as_json, count)

    return fits


def evidence_chars(max_quotes: int, max_quote_tokens: int) -> int:
    """Characters of each form of an evidence result: the usual number, in proportion to what is asked for beyond it."""
    usual = caps.DEFAULT_QUOTES * caps.DEFAULT_QUOTE_TOKENS
    return int(caps.KB_EVIDENCE_TOKENS * CHARS_PER_TOKEN * max(1.0, max_quotes * max_quote_tokens / usual))


def search_page(page: SearchPage, fits: Fits, *, scores: bool, debug: bool) -> Rendered:
    """Candidates with short previews; previews are shortened before a result is left out."""
    shown = page
    for limit in (caps.MAX_PREVIEW_CHARS, *PREVIEWS):
        shown = _with_previews(page, limit)
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


def evidence(found: Quotes, fits: Fits) -> Rendered:
    """As many quotes with their sources as fit, and then what is around the best of them."""
    exact = [quote for quote in found.quotes if not _poses(quote)]
    rendered = _evidence(replace(found, quotes=tuple(exact)), 0)
    while exact and not fits(rendered.text, rendered.structured):
        exact.pop()
        found = replace(found, limit_reason=LimitReason.TOKEN_CAP)
        rendered = _evidence(replace(found, quotes=tuple(exact)), 0)
    for contexts in range(1, len(exact) + 1):
        fuller = _evidence(replace(found, quotes=tuple(exact)), contexts)
        if not fits(fuller.text, fuller.structured):
            break
        rendered = fuller
    return rendered


def excerpt(found: Excerpt, *, citation: bool, tool: str) -> Rendered:
    """What an excerpt is from, then its text; `tool` goes on from its end."""
    flags = instruction_flags(found.excerpt)
    more = (
        f"; more: {tool} with start_char={found.next_start_char}" if found.next_start_char is not None else "; the end"
    )
    lines = [
        f"Excerpt of {found.passage_id}, characters {found.start_char} to {found.end_char}{more}{_flagged(flags)}",
        *([f"From: {_origin(found.title, found.url)} ({_facts(found)})"] if citation else []),
        *([f"Note: {found.note}"] if found.note else []),
        f"session {found.session_id}; {found.uri}",
        "",
        as_data(found.excerpt),
    ]
    structured: JsonObject = {
        "passage_id": found.passage_id,
        "excerpt": found.excerpt,
        "truncated": found.truncated,
        "start_char": found.start_char,
        "next_start_char": found.next_start_char,
        "session_id": found.session_id,
    }
    if citation:
        structured["citation"] = {
            "section_id": found.section_id,
            "doc_tag": found.doc_tag,
            "title": title_of(found.title),
            "uri": found.uri,
            "url": one_line(found.url),
        }
    else:
        structured["uri"] = found.uri
    if found.document_hash:
        structured |= {
            "document_hash": found.document_hash[:HASH_CHARS],
            "start": found.start,
            "end": found.end,
        }
    structured |= {"note": found.note} if found.note else {}
    structured |= {"flags": list(flags)} if flags else {}
    return Rendered("\n".join(lines), structured, (found.url,))


def verification(found: Verification) -> Rendered:
    """The verdict first, then the page's own text and what differs."""
    where = f"{_origin(found.title, found.url)}{_section(found.heading)}" if found.url else ""
    structured: JsonObject = {
        "verdict": found.verdict.value,
        "session_id": found.session_id,
        "looked_at": found.looked_at,
    }
    if found.verdict is Verdict.ABSENT:
        compared = f"what is indexed ({plural(found.looked_at, 'likely page')} compared)"
        lines = [
            f"absent: nothing like this text was found in {where or compared}.",
            *_note(found.note),
            f"session {found.session_id}",
        ]
        structured |= {"url": one_line(found.url), "uri": found.uri} if found.url else {}
        structured |= {"note": found.note} if found.note else {}
        return Rendered("\n".join(lines), structured, (found.url,) if found.url else ())
    said = (
        "the text stands"
        if found.verdict is Verdict.EXACT
        else f"similarity {found.similarity:.{DIGITS}f}; the closest text stands"
    )
    text = found.closest[: 2 * caps.MAX_VERIFIED_CHARS]
    lines = [
        f"{found.verdict}: {said} in {where}, characters {found.start} to {found.end} (hash {found.document_hash}).",
        f'Page text: "{as_data(text)}"',
        *([f"Difference: {as_data(one_line(found.difference))}"] if found.difference else []),
        *_note(found.note),
        f"session {found.session_id}; {found.uri}",
    ]
    structured |= {
        "quote": text,
        "similarity": round(found.similarity, DIGITS),
        "difference": found.difference,
        "url": one_line(found.url),
        "uri": found.uri,
        "title": title_of(found.title),
        "heading": found.heading,
        "document_hash": found.document_hash,
        "start": found.start,
        "end": found.end,
        "note": found.note,
    }
    return Rendered("\n".join(lines), structured, (found.url,))


def _search_page(page: SearchPage, *, scores: bool, debug: bool, left_out: int = 0) -> Rendered:
    lines = [line for found in page.results for line in _found_lines(found, scores=scores or debug, debug=debug)]
    top = (
        []
        if page.results or left_out
        else [f"No relevant content was found for this query in what is indexed. {ADVICE}"]
    )
    limit = f"limit: {page.limit_reason}; " if page.partial or page.limit_reason is not LimitReason.NONE else ""
    ending = (
        f"{limit}session {page.session_id}; mode {page.mode}{'; graph_disabled=true' if page.graph_disabled else ''}"
    )
    more = [f"More: kb_search with cursor={page.next_cursor}"] if page.next_cursor else []
    omitted = (
        [f"... {plural(left_out, 'more result')} did not fit: ask with page_size={len(page.results)}"]
        if left_out
        else []
    )
    structured: JsonObject = {
        "results": [_found_entry(found, scores=scores or debug, debug=debug) for found in page.results],
        "next_cursor": page.next_cursor,
        "partial": page.partial,
        "limit_reason": page.limit_reason.value,
        "session_id": page.session_id,
        "mode": page.mode.value,
        **({"graph_disabled": True} if page.graph_disabled else {}),
        **({"note": page.note} if page.note else {}),
    }
    text = "\n".join([*top, *_note(page.note), *lines, *omitted, *more, ending])
    return Rendered(text, structured, tuple(dict.fromkeys(found.url for found in page.results)))


def _found_lines(found: Found, *, scores: bool, debug: bool) -> list[str]:
    facts = [found.doc_tag, f"section {found.section_id}", found.source, f"{found.size_bytes:,} bytes"]
    facts += [f"score {found.score:.{DIGITS}f}"] if scores else []
    facts += [one_line(found.debug)] if debug and found.debug else []
    lines = [
        f"{found.rank}. {_origin(found.title, _place(found))} ({'; '.join(facts)}){_flagged(instruction_flags(found.preview))}"
    ]
    lines += [f"   {as_data(one_line(found.preview))}"] if found.preview else []
    return [*lines, f"   {found.scratch_uri}"]


def _found_entry(found: Found, *, scores: bool, debug: bool) -> JsonObject:
    flags = instruction_flags(found.preview)
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
        **({"debug": found.debug} if debug else {}),
        **({"flags": list(flags)} if flags else {}),
    }


def _with_previews(page: SearchPage, limit: int) -> SearchPage:
    """The page with previews of at most so many characters, cut between words."""
    return replace(
        page, results=tuple(replace(found, preview=_shortened(found.preview, limit)) for found in page.results)
    )


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head, _, _ = text[: max(0, limit - 1)].rpartition(" ")
    return f"{head.rstrip()}…" if head else ""


def _evidence(found: Quotes, contexts: int) -> Rendered:
    """The first `contexts` quotes are shown with what is around them."""
    numbers: dict[str, int] = {}
    for quote in found.quotes:
        numbers.setdefault(quote.passage_id, len(numbers) + 1)
    first = {quote.passage_id: quote for quote in reversed(found.quotes)}
    sources = [(number, first[passage_id]) for passage_id, number in numbers.items()]
    top = [NOTHING_SURE if found.quotes else f"{NOTHING} {ADVICE}"] if found.nothing_found or not found.quotes else []
    lines: list[str] = []
    entries: list[JsonObject] = []
    for rank, quote in enumerate(found.quotes, start=1):
        context = _context(quote) if rank <= contexts else ""
        flags = instruction_flags(f"{quote.quote}\n{context}")
        lines.append(
            f'{rank}. "{quote.quote}" [{numbers[quote.passage_id]}] '
            f"({quote.confidence:.{DIGITS}f}; {quote.start} to {quote.end}){_flagged(flags)}"
        )
        lines += [f"   context: {as_data(one_line(context))}"] if context else []
        entries.append(_quote_entry(quote, numbers[quote.passage_id], context, flags))
    if sources:
        lines += ["Sources:", *(_source_line(number, quote) for number, quote in sources)]
        lines.append("More: kb_read_excerpt with passage_id of a source, or higher max_quotes.")
    ending = f"session {found.session_id}; mode {found.mode}; searched {found.searched}; limit: {found.limit_reason}"
    structured: JsonObject = {
        "quotes": entries,
        "sources": [_source_entry(number, quote) for number, quote in sources],
        "session_id": found.session_id,
        "diagnostics": {
            "searched": found.searched,
            "mode": found.mode.value,
            "limit_reason": found.limit_reason.value,
            **({"graph_disabled": True} if found.graph_disabled else {}),
        },
        **({"nothing_found": True} if top else {}),
        **({"note": found.note} if found.note else {}),
    }
    graph = ["graph_disabled=true"] if found.graph_disabled else []
    text = "\n".join([*top, *_note(found.note), *lines, "; ".join([ending, *graph])])
    return Rendered(text, structured, tuple(dict.fromkeys(quote.url for quote in found.quotes)))


def _quote_entry(quote: Quote, number: int, context: str, flags: Sequence[str]) -> JsonObject:
    return {
        "quote": quote.quote,
        "passage_id": quote.passage_id,
        "section_id": quote.section_id,
        "title": title_of(quote.title),
        "uri": quote.uri,
        "confidence": round(quote.confidence, DIGITS),
        "n": number,
        "start": quote.start,
        "end": quote.end,
        **({"context": context} if context else {}),
        **({"flags": list(flags)} if flags else {}),
    }


def _source_entry(number: int, quote: Quote) -> JsonObject:
    return {
        "n": number,
        "title": title_of(quote.title),
        "uri": quote.uri,
        "section_id": quote.section_id,
        "url": one_line(quote.url),
        **({"heading": _heading(quote)} if _heading(quote) else {}),
        "document_hash": quote.document_hash[:HASH_CHARS],
    }


def _source_line(number: int, quote: Quote) -> str:
    facts = f"section {quote.section_id}; hash {quote.document_hash[:HASH_CHARS]}; passage_id {quote.uri}"
    return f"[{number}] {_origin(quote.title, quote.url)}{_section(_heading(quote))} ({facts})"


def _heading(quote: Quote) -> str:
    """The heading above a quote, where it is not the title of the page."""
    heading = one_line(quote.heading, caps.MAX_HEADING_CHARS_SHOWN)
    return heading if heading != title_of(quote.title) else ""


def _context(quote: Quote) -> str:
    """What is around a quote, where that is more than the quote."""
    return quote.context if quote.context.strip() != quote.quote.strip() else ""


def _poses(quote: Quote) -> bool:
    """Whether a line of the quote looks like a heading of ours: it is shown as it stands or not at all."""
    shown = f'1. "{quote.quote}"'
    return as_data(shown) != shown


def _origin(title: str, url: str) -> str:
    return f"{as_data(title_of(title))} — {one_line(url)}"


def _place(found: Found) -> str:
    url = one_line(found.url)
    return f"{url}#{found.anchor}" if found.anchor and "#" not in url else url


def _facts(found: Excerpt) -> str:
    section = f"; section {found.section_id}" if found.section_id else ""
    place = f"; hash {found.document_hash[:HASH_CHARS]}, {found.start} to {found.end}" if found.document_hash else ""
    return f"{found.doc_tag}{section}{place}"


def _section(heading: str) -> str:
    return f" § {as_data(one_line(heading, caps.MAX_HEADING_CHARS_SHOWN))}" if heading else ""


def _note(note: str) -> list[str]:
    return [f"Note: {one_line(note)}"] if note else []


def _flagged(flags: Sequence[str]) -> str:
    return f" [flagged: {', '.join(flags)}]" if flags else ""
