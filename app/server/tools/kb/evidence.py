"""`kb.retrieve_evidence` and `kb.extract_evidence`: quotes that answer a question, with brief sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.events import judged
from app.kb.evidence import AROUND_TOKENS, QuoteSizes
from app.kb.records import LimitReason, Mode, Quote, Quotes
from app.library.records import Freshness
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.sources import changes_text
from app.server.render.text import (
    WORDS_ONLY,
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
from app.server.render.view import view_of_quotes
from app.server.tools import schemas
from app.server.tools.kb import common
from app.text.page_text import marked_passage, one_line
from app.text.shield import instruction_flags

MAX_QUOTE_TOKENS: Final = 200
MAX_CONTEXT_TOKENS: Final = 100

OPTIONS: Final = common.options(mode=common.MODE)
QUOTE_TOKENS: Final = common.number(caps.DEFAULT_QUOTE_TOKENS, MAX_QUOTE_TOKENS, "Per quote.", caps.MIN_QUOTE_TOKENS)

OUTPUT: Final = common.result(
    {
        "quotes": schemas.listing(
            schemas.record(
                {
                    "n": schemas.WHOLE,
                    **dict.fromkeys(("quote", "passage_id", "section_id"), schemas.TEXT),
                    "confidence": schemas.NUMBER,
                    **dict.fromkeys(("start", "end"), schemas.WHOLE),
                },
                **dict.fromkeys(("before", "after", "title", "uri"), schemas.TEXT),
                words_only=schemas.FLAG,
                flags=schemas.TEXTS,
            )
        ),
        "sources": schemas.listing(
            schemas.record(
                {"n": schemas.WHOLE, **dict.fromkeys(("title", "uri", "section_id", "hash"), schemas.TEXT)},
                library=schemas.TEXT,
            )
        ),
        "diagnostics": schemas.record(
            {"searched": schemas.WHOLE, "mode": schemas.choice(Mode), "limit_reason": schemas.choice(LimitReason)},
            left_out=schemas.WHOLE,
            graph_disabled=schemas.FLAG,
        ),
    },
    nothing_found=schemas.FLAG,
)

NOTHING: Final = "No relevant content was found for this question in the index."
NOTHING_SURE: Final = f"{NOTHING} The closest quotes follow; they most likely do not contain the answer."
HEADING: Final = "Quotes in «», best first: [source], confidence, position in the page."
MORE: Final = "More: kb_read_excerpt with a passage_id."
TITLE_CHARS: Final = 60
ENOUGH_QUOTES: Final = 4
EXCESS: Final = 1.1  # How far their context may exceed the usual tokens.


async def retrieve(call: ToolCall) -> ToolOutput:
    question, pages = call.arguments["question"], call.arguments["top_k"]
    asking, sizes = common.asking_beside(call, question, pages), _sizes(call, AROUND_TOKENS)
    mode = Mode(common.options_of(call).get("mode", Mode.AUTO))
    quotes = await call.engine.kb.retrieve_evidence(asking, question, pages, sizes, schemas.narrowing_of(call), mode)
    return await _quoted(call, quotes, question if call.takes_view else "")


async def extract(call: ToolCall) -> ToolOutput:
    passage_ids = list(dict.fromkeys(call.arguments["passage_ids"]))
    asking, sizes = common.asking_of(call), _sizes(call, call.arguments["include_context_tokens"])
    quotes = await call.engine.kb.extract_evidence(asking, call.arguments["question"], passage_ids, sizes)
    return await _quoted(call, quotes, complete=True)


def _sizes(call: ToolCall, context_tokens: int) -> QuoteSizes:
    return QuoteSizes(call.arguments["max_quotes"], call.arguments["max_quote_tokens"], context_tokens)


async def _quoted(call: ToolCall, quotes: Quotes, viewed: str = "", *, complete: bool = False) -> ToolOutput:
    """Return the rendered quotes, with data for the evidence view if its question is given."""
    tokens = common.evidence_tokens(call.arguments["max_quotes"], call.arguments["max_quote_tokens"])
    cited = [quote.document_id for quote in quotes.quotes if quote.document_id]
    freshness = await call.engine.cite(cited) if cited else ()

    def render(fits: common.Fits) -> Rendered:
        count = call.engine.count_tokens
        return evidence(quotes, fits, lambda text: count(text) / tokens, complete=complete, freshness=freshness)

    output = await common.rendered(call, render, characters=common.CHARS_PER_TOKEN * tokens)
    return replace(output, view=view_of_quotes(viewed, quotes, freshness)) if viewed else output


RETRIEVE_EVIDENCE: Final = common.reading_tool(
    "kb.retrieve_evidence",
    "Retrieve evidence",
    f"""\
Get exact quotes with sources from indexed pages, in one call.
Use when pages are indexed; try this first.
Do not use when a URL is not indexed (answer).
Returns at most {caps.MAX_QUOTES} quotes; > marks page text.
If you need more, call kb_read_excerpt with a passage_id.
Defaults: {caps.DEFAULT_QUOTES} quotes of {caps.DEFAULT_QUOTE_TOKENS} tokens, {caps.DEFAULT_KB_RESULTS} pages. \
Max: {caps.MAX_QUOTES} of {MAX_QUOTE_TOKENS}, {caps.MAX_TOP_K} pages.""",
    retrieve,
    {
        "question": common.QUESTION,
        "top_k": common.number(caps.DEFAULT_KB_RESULTS, caps.MAX_TOP_K, "Pages."),
        "max_quotes": common.number(caps.DEFAULT_QUOTES, caps.MAX_QUOTES, "At most."),
        "max_quote_tokens": QUOTE_TOKENS,
        "scope": schemas.SCOPE,
        "filters": schemas.FILTERS,
        "options": OPTIONS,
        "session_id": common.SESSION,
    },
    OUTPUT,
    "question",
    brief={"scope": schemas.without_meaning(schemas.SCOPE), "filters": schemas.without_meaning(schemas.FILTERS)},
    asks_libraries=True,
)

EXTRACT_EVIDENCE: Final = common.reading_tool(
    "kb.extract_evidence",
    "Extract evidence",
    f"""\
Get quotes that answer a question from passages you chose.
Use when you have passage_ids from kb_search.
Do not use when you have none (kb_retrieve_evidence).
Returns at most {caps.MAX_QUOTES} quotes.
If you need more, call kb_read_excerpt.
Defaults: {caps.DEFAULT_QUOTES} of {caps.DEFAULT_QUOTE_TOKENS} tokens. \
Max: {caps.MAX_QUOTES} of {MAX_QUOTE_TOKENS}, {caps.MAX_KB_PASSAGES} passages.""",
    extract,
    {
        "question": common.QUESTION,
        "passage_ids": {
            "type": "array",
            "items": schemas.PASSAGE_ID,
            "minItems": 1,
            "maxItems": caps.MAX_KB_PASSAGES,
            "description": "From kb_search.",
        },
        "max_quotes": common.number(caps.DEFAULT_QUOTES, caps.MAX_QUOTES, "At most."),
        "max_quote_tokens": QUOTE_TOKENS,
        "include_context_tokens": common.number(
            caps.DEFAULT_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS, "Around each quote.", 0
        ),
        "scope": schemas.SCOPE,
        "session_id": common.SESSION,
    },
    OUTPUT,
    "question",
    "passage_ids",
    brief={**common.BRIEF, "question": schemas.TEXT},
)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A quote as shown: with the number of its source and the page text before and after it."""

    quote: Quote
    number: int
    before: str
    after: str

    @property
    def flags(self) -> tuple[str, ...]:
        return instruction_flags(f"{self.before}{self.quote.quote}{self.after}")


def evidence(
    found: Quotes,
    fits: common.Fits,
    share: Callable[[str], float] = lambda _: 0.0,
    *,
    complete: bool = False,
    freshness: Sequence[Freshness] = (),
) -> Rendered:
    """Render as many quotes as fit both forms, and the number of omitted ones. Then add the context of the best ones as far as it fits.

    `share` is the part of the usual tokens that a text has. Code has more tokens than prose of the same length; then context is worth more
    than quotes after the first ENOUGH_QUOTES.

    With `complete`, each quote also has the address of its passage, and the title if its source is not next to it.
    """
    quotes = list(found.quotes)
    changed = {each.document_id: changes_text(each) for each in freshness}
    while True:
        is_cut = len(quotes) < len(found.quotes)
        sources: dict[str, Quote] = {}  # the best quote of each page
        for quote in quotes:
            sources.setdefault(_page(quote), quote)
        changes = (
            f"Source [{n}] {words}."
            for n, quote in enumerate(sources.values(), start=1)
            if (words := changed.get(quote.document_id, ""))
        )
        kept = replace(
            found,
            quotes=tuple(quotes),
            limit_reason=LimitReason.TOKEN_CAP if is_cut else found.limit_reason,
            note=" ".join(filter(None, (found.note, *changes))),
        )
        left_out = len(found.quotes) - len(quotes)
        contexts = range(len(quotes), -1, -1)
        records = [_structured(kept, sources, count, left_out, complete=complete) for count in contexts]
        texts = [_text(kept, sources, count, left_out, complete=complete) for count in contexts]
        structured = next((each for each in records if fits("", each)), records[-1])
        fitting = [each for each in texts if fits(each, {})] or texts[-1:]
        is_few = len(quotes) <= ENOUGH_QUOTES
        text = next((each for each in fitting if share(each) <= (EXCESS if is_few else 1.0)), fitting[-1])
        if not quotes or (fits(text, structured) and (is_few or text is fitting[0])):
            break
        quotes.pop()
    passages = tuple(
        ShownPassage(_page(quote), quote.document_id, quote.title, quote.start, quote.end)
        for quote in quotes
        # Without a document, no stored page contains the quote now.
        if quote.document_id > 0
    )
    return Rendered(text, structured, tuple(sources), passages, judged(found.quotes, answers=not found.nothing_found))


def _text(found: Quotes, sources: Mapping[str, Quote], contexts: int, left_out: int, *, complete: bool) -> str:
    shown = _shown(found.quotes, sources, contexts)
    is_empty = not shown and not left_out
    top = [f"{NOTHING} {common.ADVICE}" if is_empty else NOTHING_SURE] if found.nothing_found or is_empty else []
    lines = [HEADING] if shown else []
    for rank, each in enumerate(shown, start=1):
        quote = each.quote
        passage = quote.uri if complete else quote.passage_id
        words_only = f" [{WORDS_ONLY}]" if quote.is_waiting else ""
        place = f"passage {passage} section {quote.section_id or '-'} {quote.start}-{quote.end}{words_only}"
        lines.append(f"{rank}. [{each.number}] {quote.confidence:.{common.DIGITS}f} {place}{flagged(each.flags)}")
        lines.append(marked_passage(each.before, quote.quote, each.after))
    lines += ["Sources:"] if shown else []
    for number, quote in enumerate(sources.values(), start=1):
        library = shared_library(_page(quote)) or shared_library(quote.uri)
        known = f"shared library {library}" if library else f"hash {quote.document_hash[: common.HASH_CHARS]}"
        lines.append(f"[{number}] {origin(quote.title, _page(quote), TITLE_CHARS)} ({known})")
    lines += [MORE] if shown else []
    if left_out:
        lines.append(f"... {plural(left_out, 'more quote')} did not fit: use a smaller max_quote_tokens.")
    ending = f"session {found.session_id}; mode {found.mode}; searched {found.searched}; limit {found.limit_reason}"
    graph = "; graph_disabled=true" if found.graph_disabled else ""
    return "\n".join([*top, *common.note_lines(found.note), *lines, ending + graph])


def _structured(
    found: Quotes, sources: Mapping[str, Quote], contexts: int, left_out: int, *, complete: bool
) -> JsonObject:
    shown = _shown(found.quotes, sources, contexts)
    return {
        "quotes": [
            {
                "n": each.number,
                "quote": each.quote.quote,
                **present(before=each.before, after=each.after),
                "passage_id": each.quote.passage_id,
                "section_id": each.quote.section_id,
                **({"title": title_of(each.quote.title), "uri": each.quote.uri} if complete else {}),
                "confidence": round(each.quote.confidence, common.DIGITS),
                "start": each.quote.start,
                "end": each.quote.end,
                **present(words_only=each.quote.is_waiting, flags=list(each.flags)),
            }
            for each in shown
        ],
        "sources": [
            {
                "n": number,
                "title": title_of(quote.title, TITLE_CHARS),
                "uri": one_line(_page(quote)),
                "section_id": quote.section_id,
                "hash": quote.document_hash[: common.HASH_CHARS],
                **present(library=shared_library(_page(quote)) or shared_library(quote.uri)),
            }
            for number, quote in enumerate(sources.values(), start=1)
        ],
        "session_id": found.session_id,
        "diagnostics": {
            "searched": found.searched,
            "mode": found.mode.value,
            "limit_reason": found.limit_reason.value,
            **present(left_out=left_out, graph_disabled=found.graph_disabled),
        },
        **present(nothing_found=found.nothing_found or not (shown or left_out), note=found.note),
    }


def _shown(quotes: Sequence[Quote], sources: Mapping[str, Quote], contexts: int) -> list[_Shown]:
    """Return the quotes, the first `contexts` of them with their context."""
    numbers = {url: number for number, url in enumerate(sources, start=1)}
    found: list[_Shown] = []
    for rank, quote in enumerate(quotes):
        place = quote.context.find(quote.quote) if rank < contexts else -1
        before, after = (quote.context[:place], quote.context[place + len(quote.quote) :]) if place >= 0 else ("", "")
        found.append(_Shown(quote, numbers[_page(quote)], before, after))
    return found


def _page(quote: Quote) -> str:
    return quote.url or quote.uri
