"""Render an `OrchestrationResult` as the research brief for the model. Uses no clock, network or protocol."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app import caps
from app.orchestration.result import OrchestrationResult, SourceImage
from app.retrieval.analysis import spoken_of
from app.retrieval.records import CitationSpan, RetrievedChunk
from app.server.render.sources import Source, number_sources, sources_of_shown, sources_text
from app.server.render.text import WORDS_ONLY, Budget, CountTokens, Room, clip, flagged, quoted_title
from app.server.render.trace import MAX_PAGES, MAX_PAGES_IN_VAIN, answer_stats, search_stats, trace_text
from app.text.page_text import address, marked, marked_quote, one_line, quoted
from app.text.shield import address_flags, instruction_flags

MAX_ALT_CHARS_SHOWN: Final = 120
NO_EVIDENCE: Final = "No relevant content was found for this query in the specified URL."
CLOSEST: Final = "The closest passages follow; they most likely do not contain the answer."
NEAR_MISS: Final = "They mention {held}, but not {absent}."
NAMES_ABSENT: Final = "They do not mention {absent}."
NAMED_NOWHERE: Final = "None of these passages mentions {absent}."
MOST_NAMES_SAID: Final = 3
MAX_NAME_CHARS: Final = 40  # Names in the question that the shown passages contain, or do not.

READING_ON: Final = """\
Nothing to search yet: WebRAG is still indexing the page in the background. \
Call `search` with this question in 30 s, or `status` with the job_id."""

NO_EVIDENCE_STORED: Final = "No relevant content was found for this query in the indexed pages."
CUT: Final = "beginning only: the rest did not fit"
"""Marks the best passage if it is larger than the whole result may be."""

MIN_BEGINNING_CHARS: Final = 120

_ENDS = re.compile(r"(?<=[^\s>])(?=\n)|(?<=[.!?:;])(?=\s)")
"""Positions at which a block may be cut: after lines and sentences."""

_FENCES = re.compile(r"\A\s*+(?:`{3,}+|~{3,}+)[^\n]*+\n|\n[ \t]*+(?:`{3,}+|~{3,}+)\s*+\Z")

_FILE_NAME = re.compile(r"\S*\.(?:png|jpe?g|gif|svg|webp|avif)", re.IGNORECASE)


def answer_text(result: OrchestrationResult, budget: Budget, count: CountTokens, now: float) -> str:
    """Return the result of `answer` within the budget. `now` is in seconds since the epoch."""
    trace = trace_text(
        result.expansion_steps,
        seed_url=result.seed_url,
        stop_reason=result.final_decision.reason,
        used={item.chunk.url for item in result.chunks},
        most=MAX_PAGES if result.chunks else MAX_PAGES_IN_VAIN,
    )
    is_early = any(failure.goes_on for failure in result.failures) and not result.corpus_stats.total_documents
    no_evidence = READING_ON if is_early else NO_EVIDENCE
    return _assembled(result, answer_stats, no_evidence, trace, budget, count, now)


def search_text(result: OrchestrationResult, budget: Budget, count: CountTokens, now: float) -> str:
    """Return the result of `search` within the budget: the same without a trace."""
    return _assembled(result, search_stats, NO_EVIDENCE_STORED, "", budget, count, now)


def _assembled(
    result: OrchestrationResult,
    stats_of: Callable[[OrchestrationResult, bool], str],
    no_evidence: str,
    trace: str,
    budget: Budget,
    count: CountTokens,
    now: float,
) -> str:
    """Assemble and report the sections within the budget, by importance: sources, stats, evidence, citations, trace, images."""
    sources = number_sources(result.chunks, result.freshness)
    stats = stats_of(result, True)
    # Quotes would suggest an answer that the passages most likely do not contain.
    quotes = () if result.nothing_found else result.citations
    quotes_omitted = f"[CITATIONS]\n{_quotes_omission(len(quotes), len(quotes))}" if quotes else ""
    trace_omitted = (
        f"[Expansion trace omitted — {result.total_iterations} iterations, see stats above]" if trace else ""
    )
    room = Room(budget, count, stats, quotes_omitted, trace_omitted)
    listed = sources_text(list(sources.values()), result.failures, now=now, room=room)
    room.spend(listed)
    evidence = f"[EVIDENCE]\n{no_evidence}"
    included: list[RetrievedChunk] = []
    is_whole = True
    blocks = evidence_blocks(result, sources)
    if blocks:
        heading = f"[EVIDENCE]\n{no_evidence} {CLOSEST}" if result.nothing_found else "[EVIDENCE]"
        said = f"{heading}{_near_miss(result)}"
        room.spend(said)
        evidence, included, is_whole = take_evidence(blocks, room, said)
        if not is_whole:
            # The omitted passages may mention more.
            evidence = heading + evidence.removeprefix(said)
    if not is_whole:
        stats = stats_of(result, False)
        room.refund(listed)
        shown = sources_of_shown(sources, included)
        listed = sources_text(shown, result.failures, now=now, room=room)
        room.spend(listed)
    room.refund(quotes_omitted)
    citations = take_citations(quotes, included, sources, room)
    room.refund(trace_omitted)
    shown_trace = f"[EXPANSION TRACE]\n{trace}" if trace else ""
    if trace and not room.take(shown_trace):
        room.spend(trace_omitted)
        shown_trace = trace_omitted
    named = {item.chunk.url for item in included}
    images = take_images([image for image in result.images if image.source_url in named], sources, room)
    sections = [listed, evidence, images, shown_trace, citations, stats]
    return clip("\n\n".join(section for section in sections if section), budget, count)


def _near_miss(result: OrchestrationResult) -> str:
    """Return a sentence with the names of the question that the passages do not contain, to follow the heading, or ""."""
    held, absent = spoken_of(result.query, [item.chunk for item in result.chunks])
    if not absent:
        return ""
    named = _listed(absent, "or")
    if not result.nothing_found:
        return f"\n{NAMED_NOWHERE.format(absent=named)}"
    return f" {(NEAR_MISS if held else NAMES_ABSENT).format(held=_listed(held, 'and'), absent=named)}"


def _listed(names: Sequence[str], joint: str) -> str:
    shown = [quoted(name, MAX_NAME_CHARS) for name in names[:MOST_NAMES_SAID]]
    return f" {joint} ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def evidence_blocks(result: OrchestrationResult, sources: Mapping[str, Source]) -> list[tuple[RetrievedChunk, str]]:
    """Return every chunk with its block, most relevant first; those with relevance from another model come last."""
    ordered = sorted(result.chunks, key=lambda item: (item.is_apart, -item.reranked_score))
    show_sub_query = len(result.analysis.sub_queries) > 1
    return [
        (item, f"{_heading(item, sources, result.analysis.query, show_sub_query)}\n{marked(item.chunk.text.strip())}")
        for item in ordered
    ]


def take_evidence(
    blocks: Sequence[tuple[RetrievedChunk, str]], room: Room, heading: str
) -> tuple[str, list[RetrievedChunk], bool]:
    """Return the section under `heading` with the blocks that fit, their chunks, and whether all blocks are included and complete.

    If the best block does not fit, only its beginning is shown, and its chunk keeps only its first heading.
    """
    reserve = _omission(len(blocks), len(blocks))
    room.spend(reserve)
    taken = room.fill(block for _, block in blocks)
    included = [item for item, _ in blocks[: len(taken)]]
    is_whole = len(taken) == len(blocks)
    if not taken and blocks and (cut := _beginning(blocks[0][1], room)):
        room.spend(cut)
        taken.append(cut)
        best = blocks[0][0]
        included = [replace(best, headings=best.headings[:1])]
    if len(taken) == len(blocks):
        room.refund(reserve)
    else:
        taken.append(_omission(len(taken), len(blocks)))
    return f"{heading}\n" + "\n\n".join(taken), included, is_whole


def _beginning(block: str, room: Room) -> str:
    """Return the first lines or sentences of a block that fit, marked as cut, or "" if that is too little to be useful."""
    heading, _, body = block.partition("\n")
    marked_heading = f"{heading.removesuffix(':')} [{CUT}]:\n"
    ends = [match.start() for match in _ENDS.finditer(body) if match.start() >= MIN_BEGINNING_CHARS]
    fitting = bisect_left(ends, True, key=lambda end: not room.fits(marked_heading + body[:end]))
    return marked_heading + body[: ends[fitting - 1]] if fitting else ""


def take_citations(
    citations: Sequence[CitationSpan], included: Sequence[RetrievedChunk], sources: Mapping[str, Source], room: Room
) -> str:
    """Return the quotes of included chunks that fit, most relevant first, and the number of omitted ones; "" without quotes."""
    rank = {item.chunk.id: position for position, item in enumerate(included)}
    shown = sorted((span for span in citations if span.chunk_id in rank), key=lambda span: rank[span.chunk_id])
    heading, omission = "[CITATIONS]", _quotes_omission(0, len(shown))
    if not shown:
        return ""
    room.spend(heading)
    room.spend(omission)
    entries = room.fill(_citation(span, sources[span.url].number) for span in shown)
    if len(entries) == len(shown):
        room.refund(omission)
    else:
        entries.append(_quotes_omission(len(entries), len(shown)))
    return heading + "\n" + "\n\n".join(entries)


def _citation(span: CitationSpan, number: int) -> str:
    section = one_line(span.section, caps.MAX_HEADING_CHARS_SHOWN)
    title = quoted_title(span.title, caps.MAX_QUOTED_TITLE_CHARS)
    place = f"{title}, {address(span.url)}{f' § {section}' if section else ''}"
    return f"[{number}] {marked_quote(_bare(span.verbatim_text))}\n    — {place}"


def take_images(images: Sequence[SourceImage], sources: Mapping[str, Source], room: Room) -> str:
    """Return the images of the evidence that fit; "" without images."""
    shown = [
        entry for entry in images if entry.source_url in sources and entry.image.url.startswith(("http://", "https://"))
    ]
    heading = "[IMAGES]"
    if not shown or not room.take(heading):
        return ""
    lines = room.fill(_image(entry, sources[entry.source_url].number) for entry in shown)
    if not lines:
        room.refund(heading)
        return ""
    return "\n".join([heading, *lines])


def _heading(item: RetrievedChunk, sources: Mapping[str, Source], query: str, show_sub_query: bool) -> str:
    facts = [f"relevance: {item.reranked_score:.2f}"]
    if item.confidence is not None:
        facts.append(f"confidence: {item.confidence:.2f}")
    if show_sub_query and item.sub_query and item.sub_query != query:
        facts.append(f"sub-query: {quoted(item.sub_query, caps.MAX_SUB_QUERY_CHARS_SHOWN)}")
    if item.origin is not None:
        facts.append(f"library: {item.origin.library}")
    marks = " [ranked by another model]" if item.is_apart else ""
    marks += " [adjacent context]" if item.is_locality_expanded else ""
    marks += f" [{WORDS_ONLY}]" if item.is_waiting else ""
    marks += flagged(instruction_flags(item.chunk.text))
    return f"Source [{sources[item.chunk.url].number}] ({', '.join(facts)}){marks}:"


def _omission(shown: int, total: int) -> str:
    return f"... (showing {shown} of {total} chunks — remaining {total - shown} omitted due to response budget)"


def _quotes_omission(shown: int, total: int) -> str:
    return f"... ({total - shown} of {total} quotes omitted due to response budget)"


def _bare(quote: str) -> str:
    """Return the quote without code fences at its ends, because cut code would leave one open. It remains exact."""
    return _FENCES.sub("", quote).strip() or quote


def _image(entry: SourceImage, number: int) -> str:
    alt = one_line(entry.image.alt, MAX_ALT_CHARS_SHOWN).replace("[", "(").replace("]", ")")
    if not alt or _FILE_NAME.fullmatch(alt):
        alt = "Image"
    told = f" — {quoted(entry.image.caption, MAX_ALT_CHARS_SHOWN)}" if one_line(entry.image.caption) else ""
    flags = flagged(address_flags(entry.image.url))
    kept = f"; stored: {entry.kept}" if entry.kept else ""
    return f"- [{alt}]({address(entry.image.url).replace(')', '%29')}){told} (from Source [{number}]{kept}){flags}"
