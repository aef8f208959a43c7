"""`kb.read_excerpt`, `kb.expand_excerpt`: parts of passages and the text around them; `kb.verify_quote`: whether a page contains a text."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from app import caps
from app.events import judged
from app.kb.records import Excerpt, Format, Verdict, Verification
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.sources import page_changes_text
from app.server.render.text import (
    JsonObject,
    Rendered,
    ShownPassage,
    flagged,
    origin,
    plural,
    present,
    shared_library,
    title_of,
)
from app.server.tools import schemas
from app.server.tools.answer import pictures_note
from app.server.tools.kb import common
from app.text.page_text import marked, one_line, quoted
from app.text.shield import instruction_flags

MAX_VERIFIED_CHARS: Final = 2_000
NOT_COMPARED: Final = "Pages of shared libraries are compared only if `uri` names one."

OPTIONS: Final = common.options(
    format=schemas.option(Format, "bullets: one sentence per line."), include_citation=schemas.optional(schemas.FLAG)
)

PASSAGE: Final = schemas.meaning(schemas.PASSAGE_ID, "Id or address.")

OUTPUT: Final = common.result(
    {
        **dict.fromkeys(("passage_id", "excerpt"), schemas.TEXT),
        "truncated": schemas.FLAG,
        "start_char": schemas.WHOLE,
        "next_start_char": schemas.optional(schemas.WHOLE),
    },
    citation=schemas.record(dict.fromkeys(("section_id", "doc_tag", "title", "uri", "url"), schemas.TEXT)),
    **dict.fromkeys(("uri", "document_hash"), schemas.TEXT),
    **dict.fromkeys(("start", "end"), schemas.WHOLE),
    flags=schemas.TEXTS,
)

VERDICT: Final = common.result(
    {"verdict": schemas.choice(Verdict), "looked_at": schemas.WHOLE},
    **dict.fromkeys(("quote", "difference", "url", "uri", "title", "heading", "document_hash"), schemas.TEXT),
    similarity=schemas.NUMBER,
    **dict.fromkeys(("start", "end"), schemas.WHOLE),
    flags=schemas.TEXTS,
)


async def read(call: ToolCall) -> ToolOutput:
    given, chosen = call.arguments, common.options_of(call)
    found = await asyncio.to_thread(
        call.engine.kb.excerpts.read,
        common.asking_of(call),
        given["passage_id"],
        max_tokens=given["max_tokens"],
        start_char=given["start_char"],
        format=Format(chosen.get("format", Format.TEXT)),
    )
    found = await _with_notes(call, found)
    citation = chosen.get("include_citation", True)
    output = await common.rendered(call, lambda _: excerpt(found, citation=citation, tool="kb_read_excerpt"))
    return replace(output, picture=found.picture)


async def expand(call: ToolCall) -> ToolOutput:
    given = call.arguments
    found = await asyncio.to_thread(
        call.engine.kb.excerpts.expand,
        common.asking_of(call),
        given["passage_id"],
        before_tokens=given["before_tokens"],
        after_tokens=given["after_tokens"],
        start_char=given.get("start_char"),
    )
    found = await _with_notes(call, found)
    return await common.rendered(call, lambda _: excerpt(found, citation=True, tool="kb_expand_excerpt"))


async def _with_notes(call: ToolCall, found: Excerpt) -> Excerpt:
    """Add to the excerpt how its page changed since it was cited, and its saved images."""
    if not found.document_id:
        return found
    changes = page_changes_text(await call.engine.cite([found.document_id]))
    part = [(found.start, found.end)]
    pictures = await asyncio.to_thread(pictures_note, call, found.page or found.url, part)
    return replace(found, note=" ".join(filter(None, (found.note, changes, pictures))))


async def verify(call: ToolCall) -> ToolOutput:
    uri = call.arguments.get("uri", "").strip() or None
    found = await asyncio.to_thread(call.engine.kb.verifier.verify, common.asking_of(call), call.arguments["text"], uri)
    if uri is None and found.verdict is not Verdict.EXACT and call.engine.joined:
        found = replace(found, note=" ".join(filter(None, (found.note, NOT_COMPARED))))
    output = await common.rendered(call, lambda _: verification(found))
    is_there, is_exact = found.verdict is not Verdict.ABSENT, found.verdict is Verdict.EXACT
    return replace(output, verdict=judged(is_there, answers=is_exact))


READ_EXCERPT: Final = common.reading_tool(
    "kb.read_excerpt",
    "Read an excerpt",
    f"""\
Read a passage, or a page or image by its webrag:// address (as passage_id).
Use when a quote or preview is not enough.
Do not use when you want an answer (kb_retrieve_evidence).
Returns at most max_tokens.
If you need more, call with start_char, or kb_expand_excerpt.
Defaults: {caps.DEFAULT_EXCERPT_TOKENS} tokens. Max: {caps.MAX_EXCERPT_TOKENS}.""",
    read,
    {
        "passage_id": PASSAGE,
        "max_tokens": common.number(
            caps.DEFAULT_EXCERPT_TOKENS, caps.MAX_EXCERPT_TOKENS, "Length.", caps.MIN_EXCERPT_TOKENS
        ),
        "start_char": {"type": "integer", "minimum": 0, "default": 0, "description": "Where to continue."},
        "scope": schemas.SCOPE,
        "options": OPTIONS,
        "session_id": common.SESSION,
    },
    OUTPUT,
    "passage_id",
    brief={**common.BRIEF, "options": common.options(format=schemas.choice(Format), include_citation=schemas.FLAG)},
)

EXPAND_EXCERPT: Final = common.reading_tool(
    "kb.expand_excerpt",
    "Expand an excerpt",
    f"""\
Show the page text around the part of a passage you read last.
Use when an excerpt or quote breaks off.
Do not use when the passage itself continues (kb_read_excerpt).
Returns at most {caps.MAX_EXCERPT_TOKENS} tokens.
If you need more, call again, or with start_char.
Defaults: {caps.DEFAULT_AROUND_TOKENS} tokens before and after. Max: {caps.MAX_EXCERPT_TOKENS} in all.""",
    expand,
    {
        "passage_id": PASSAGE,
        "before_tokens": common.number(caps.DEFAULT_AROUND_TOKENS, caps.MAX_EXCERPT_TOKENS, "Before it.", 0),
        "after_tokens": common.number(caps.DEFAULT_AROUND_TOKENS, caps.MAX_EXCERPT_TOKENS, "After it.", 0),
        "start_char": schemas.meaning(schemas.WHOLE, "Expand around here."),
        "scope": schemas.SCOPE,
        "session_id": common.SESSION,
    },
    OUTPUT,
    "passage_id",
)

VERIFY_QUOTE: Final = common.reading_tool(
    "kb.verify_quote",
    "Verify a quote",
    f"""\
Check whether a quote is in indexed pages: exact, near (with the difference) or absent.
Use when you cite.
Do not use when you want an answer (kb_retrieve_evidence).
Returns at most one match with the page's own text.
If you need more, call kb_expand_excerpt with its uri.
Defaults: all pages, or the page in uri. Max: {MAX_VERIFIED_CHARS:,} characters.""",
    verify,
    {
        "text": schemas.text(MAX_VERIFIED_CHARS, "The quote."),
        "uri": schemas.meaning(schemas.URL, "Page or passage."),
        "scope": schemas.SCOPE,
        "session_id": common.SESSION,
    },
    VERDICT,
    "text",
)


def excerpt(found: Excerpt, *, citation: bool, tool: str) -> Rendered:
    """Render the source of an excerpt, then its text; `tool` continues after its end."""
    flags = instruction_flags(found.excerpt)
    more = (
        f"; more: {tool} with start_char={found.next_start_char}" if found.next_start_char is not None else "; the end"
    )
    section = f"; section {found.section_id}" if found.section_id else ""
    known = f"; hash {found.document_hash[: common.HASH_CHARS]}, {found.start} to {found.end}"
    library = shared_library(found.uri)
    facts = (
        f"{f'shared library {library}' if library else found.doc_tag}{section}{known if found.document_hash else ''}"
    )
    lines = [
        f"Excerpt of {found.passage_id}, characters {found.start_char} to {found.end_char}{more}{flagged(flags)}",
        *([f"From: {origin(found.title, found.url)} ({facts})"] if citation else []),
        *common.note_lines(found.note),
        f"session {found.session_id}; {found.uri}",
        "",
        marked(found.excerpt),
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
            "document_hash": found.document_hash[: common.HASH_CHARS],
            "start": found.start,
            "end": found.end,
        }
    structured |= present(note=found.note, flags=list(flags))
    page = found.page or found.url
    return Rendered("\n".join(lines), structured, (page,), _shown(found, page))


def _shown(found: Excerpt | Verification, url: str) -> tuple[ShownPassage, ...]:
    """Return the span of the page, if it is in the current version of a stored page."""
    passage = ShownPassage(url, found.document_id, found.title, found.start, found.end)
    return (passage,) if found.document_id and found.start < found.end else ()


def verification(found: Verification) -> Rendered:
    """Render the verdict, then the text of the page and the difference."""
    section = f" § {quoted(found.heading, caps.MAX_HEADING_CHARS_SHOWN)}" if found.heading else ""
    where = f"{origin(found.title, found.url)}{section}" if found.url else ""
    structured: JsonObject = {
        "verdict": found.verdict.value,
        "session_id": found.session_id,
        "looked_at": found.looked_at,
    }
    if found.verdict is Verdict.ABSENT:
        compared = f"the index ({plural(found.looked_at, 'likely page')} compared)"
        lines = [
            f"absent: no similar text was found in {where or compared}.",
            *common.note_lines(found.note),
            f"session {found.session_id}",
        ]
        structured |= {"url": one_line(found.url), "uri": found.uri} if found.url else {}
        structured |= present(note=found.note)
        return Rendered("\n".join(lines), structured, (found.url,) if found.url else ())
    said = (
        "the text is"
        if found.verdict is Verdict.EXACT
        else f"similarity {found.similarity:.{common.DIGITS}f}; the closest text is"
    )
    library = shared_library(found.uri)
    version = f"shared library {library}" if library else f"hash {found.document_hash}"
    text = found.closest[: 2 * MAX_VERIFIED_CHARS]
    flags = instruction_flags(text)
    lines = [
        f"{found.verdict}: {said} in {where}, characters {found.start} to {found.end} ({version}){flagged(flags)}.",
        "Page text:",
        marked(text),
        *([f"Difference: {one_line(found.difference)}"] if found.difference else []),
        *common.note_lines(found.note),
        f"session {found.session_id}; {found.uri}",
    ]
    structured |= {
        "quote": text,
        "similarity": round(found.similarity, common.DIGITS),
        "difference": found.difference,
        "url": one_line(found.url),
        "uri": found.uri,
        "title": title_of(found.title),
        "heading": found.heading,
        "document_hash": found.document_hash,
        "start": found.start,
        "end": found.end,
        "note": found.note,
        **present(flags=list(flags)),
    }
    return Rendered("\n".join(lines), structured, (found.url,), _shown(found, found.url))
