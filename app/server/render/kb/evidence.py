"""Quotes that answer a question, with their sources: little is said of them, so that much of the pages fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.kb.records import LimitReason, Quote, Quotes
from app.server.render.forms import JsonObject, Rendered
from app.server.render.kb.passages import ADVICE, DIGITS, HASH_CHARS, Fits
from app.server.render.text import as_data, one_line, title_of
from app.text.shield import instruction_flags

NOTHING: Final = "No relevant content was found for this question in what is indexed."
NOTHING_SURE: Final = f"{NOTHING} The closest quotes, most likely no answer:"
HEADING: Final = "Quotes in «», best first: [source], confidence, where in the page."
MORE: Final = "More: kb_read_excerpt with a passage_id."
TITLE_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class _Shown:
    """A quote as it is shown: the number of its source, and the page text before and behind it, exact but for lines that pose as ours."""

    quote: Quote
    number: int
    before: str
    after: str

    @property
    def flags(self) -> tuple[str, ...]:
        return instruction_flags(f"{self.before}{self.quote.quote}{self.after}")


def evidence(found: Quotes, fits: Fits, *, complete: bool = False) -> Rendered:
    """As many quotes as fit into both forms; then each form has the context of the best of them, as far as it fits.

    With `complete` each quote has the address of its passage too, and the title where its source does not stand beside it.
    """
    quotes = [quote for quote in found.quotes if not _poses(quote)]
    while True:
        is_cut = len(quotes) < len(found.quotes)
        kept = replace(
            found, quotes=tuple(quotes), limit_reason=LimitReason.TOKEN_CAP if is_cut else found.limit_reason
        )
        sources = _sources(quotes)
        bare = _structured(kept, sources, 0, complete=complete)
        text = _text(kept, sources, 0, complete=complete)
        if not quotes or fits(text, bare):
            break
        quotes.pop()
    structured = bare
    for contexts in range(len(quotes), 0, -1):
        fuller = _structured(kept, sources, contexts, complete=complete)
        if fits("", fuller):
            structured = fuller
            break
    for contexts in range(len(quotes), 0, -1):
        longer = _text(kept, sources, contexts, complete=complete)
        if fits(longer, {}):
            text = longer
            break
    return Rendered(text, structured, tuple(sources))


def _text(found: Quotes, sources: Mapping[str, Quote], contexts: int, *, complete: bool) -> str:
    shown = _shown(found.quotes, sources, contexts)
    top = [NOTHING_SURE if shown else f"{NOTHING} {ADVICE}"] if found.nothing_found or not shown else []
    notes = [f"Note: {one_line(found.note)}"] if found.note else []
    lines = [line for rank, each in enumerate(shown, start=1) for line in _lines(rank, each, complete=complete)]
    if shown:
        lines = [
            HEADING,
            *lines,
            "Sources:",
            *(_source_line(n, quote) for n, quote in enumerate(sources.values(), start=1)),
            MORE,
        ]
    ending = f"session {found.session_id}; mode {found.mode}; searched {found.searched}; limit {found.limit_reason}"
    graph = "; graph_disabled=true" if found.graph_disabled else ""
    return "\n".join([*top, *notes, *lines, ending + graph])


def _structured(found: Quotes, sources: Mapping[str, Quote], contexts: int, *, complete: bool) -> JsonObject:
    shown = _shown(found.quotes, sources, contexts)
    return {
        "quotes": [_entry(each, complete=complete) for each in shown],
        "sources": [_source_entry(number, quote) for number, quote in enumerate(sources.values(), start=1)],
        "session_id": found.session_id,
        "diagnostics": {
            "searched": found.searched,
            "mode": found.mode.value,
            "limit_reason": found.limit_reason.value,
            **({"graph_disabled": True} if found.graph_disabled else {}),
        },
        **({"nothing_found": True} if found.nothing_found or not shown else {}),
        **({"note": found.note} if found.note else {}),
    }


def _lines(rank: int, shown: _Shown, *, complete: bool) -> list[str]:
    quote = shown.quote
    passage = quote.uri if complete else quote.passage_id
    flags = f" [flagged: {', '.join(shown.flags)}]" if shown.flags else ""
    place = f"passage {passage} section {quote.section_id or '-'} {quote.start}-{quote.end}"
    return [
        f"{rank}. [{shown.number}] {quote.confidence:.{DIGITS}f} {place}{flags}",
        f"{as_data(shown.before)}«{quote.quote}»{as_data(shown.after)}",
    ]


def _entry(shown: _Shown, *, complete: bool) -> JsonObject:
    quote = shown.quote
    return {
        "n": shown.number,
        "quote": quote.quote,
        **({"before": shown.before} if shown.before else {}),
        **({"after": shown.after} if shown.after else {}),
        "passage_id": quote.passage_id,
        "section_id": quote.section_id,
        **({"title": title_of(quote.title), "uri": quote.uri} if complete else {}),
        "confidence": round(quote.confidence, DIGITS),
        "start": quote.start,
        "end": quote.end,
        **({"flags": list(shown.flags)} if shown.flags else {}),
    }


def _source_line(number: int, quote: Quote) -> str:
    title = as_data(title_of(quote.title, TITLE_CHARS))
    return f"[{number}] {title} — {one_line(_page(quote))} (hash {quote.document_hash[:HASH_CHARS]})"


def _source_entry(number: int, quote: Quote) -> JsonObject:
    return {
        "n": number,
        "title": title_of(quote.title, TITLE_CHARS),
        "uri": one_line(_page(quote)),
        "section_id": quote.section_id,
        "hash": quote.document_hash[:HASH_CHARS],
    }


def _shown(quotes: Sequence[Quote], sources: Mapping[str, Quote], contexts: int) -> list[_Shown]:
    """The quotes, the first `contexts` with what is around them."""
    numbers = {url: number for number, url in enumerate(sources, start=1)}
    found: list[_Shown] = []
    for rank, quote in enumerate(quotes):
        place = quote.context.find(quote.quote) if rank < contexts else -1
        before, after = (quote.context[:place], quote.context[place + len(quote.quote) :]) if place >= 0 else ("", "")
        found.append(_Shown(quote, numbers[_page(quote)], before, after))
    return found


def _sources(quotes: Sequence[Quote]) -> dict[str, Quote]:
    """The best quote of each page by its address, in the order of the quotes."""
    first: dict[str, Quote] = {}
    for quote in quotes:
        first.setdefault(_page(quote), quote)
    return first


def _page(quote: Quote) -> str:
    """The address of the page without the place in it."""
    return quote.url.partition("#")[0] or quote.uri


def _poses(quote: Quote) -> bool:
    """Whether a line of the quote looks like a heading of ours: it is shown as it stands or not at all."""
    return as_data(quote.quote) != quote.quote
