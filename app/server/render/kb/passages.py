"""Results of the knowledge base: a compact text with everything that the structured form has, and that form, both within a size."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from app import caps
from app.kb.cutting import clipped
from app.kb.records import Excerpt, Found, LimitReason, SearchPage, Verdict, Verification
from app.server.render.budget import Budget, CountTokens
from app.server.render.forms import JsonObject, Rendered
from app.server.render.text import as_data, one_line, plural, title_of
from app.text.shield import instruction_flags

DIGITS: Final = 2
HASH_CHARS: Final = 16
"""So much of a document's hash stands beside quotes and excerpts: enough to tell texts apart. A verified quote has all of it."""
CHARS_PER_TOKEN: Final = 4
ADVICE: Final = "Try other words, or read a page first (answer, ingest)."

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
    for limit in (caps.MAX_PREVIEW_CHARS, *caps.PREVIEW_STEPS):
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
    flags = instruction_flags(text)
    lines = [
        f"{found.verdict}: {said} in {where}, characters {found.start} to {found.end} (hash {found.document_hash}){_flagged(flags)}.",
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
        **({"flags": list(flags)} if flags else {}),
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
    return replace(page, results=tuple(replace(found, preview=clipped(found.preview, limit)) for found in page.results))


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
