"""Evidence: exact quotes within their sizes, answers first, from the caller's own passages."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import PassageExpiredError, ScopeViolationError
from app.events import EventBus
from app.ingest.background import EmbeddingQueue
from app.kb.access import passage_of
from app.kb.evidence import AROUND_TOKENS, MAX_QUOTE_CHARS, EvidenceExtractor, QuoteSizes, SpanReranker
from app.kb.finder import Finder
from app.kb.records import Asking, Mode, Quote, Quotes
from app.kb.regions import NOT_KNOWN, Region, Regions, SpanCloseness, choose, units_of
from app.library.scope import Filter, Narrowing, Scope
from app.retrieval.analysis import analyse
from app.retrieval.records import ALL_STAGES, RetrievedChunk, SubQuery
from app.scratch.resources import ResourceResolver
from app.scratch.store import ScratchStore
from app.server.tools.kb.evidence import MAX_CONTEXT_TOKENS, MAX_QUOTE_TOKENS
from app.text.markdown_blocks import Span
from app.text.terms import estimate_tokens
from tests.retrieval.test_evidence import chunk_of
from tests.support.markdown import chunks_of, store_markdown
from tests.support.stored import embed_all

ANNA = Asking("anna")
HIVES = "https://docs.example.org/bees/hives"
PUMPS = "https://docs.example.org/pumps/care"
TABLE = "https://docs.example.org/bees/frames"
PAGES = {
    HIVES: """# Choosing a hive

## Insulation

Wooden walls of 25 mm lose heat quickly. A second skin of cork halves the loss. The cluster then eats about a third less honey.

## Entrance

Reduce the entrance to a slit of 8 mm from October on, because mice cannot pass it and the bees still can. Open it again in March.

| Month | Width of the slit |
|---|---|
| October | 8 mm |
| March | 20 mm |

## Feeding

```python
syrup = mix(sugar=3, water=2)
feeder.fill(syrup)
```

Feed the syrup before the first frost.
""",
    PUMPS: """# Care of the pump

The default timeout of the pump is 30 seconds. If the timeout expires, the pump stops and the valve closes.

## Filter

Clean the filter once a month. A filter that is not cleaned lowers the pressure in the whole valley.
""",
}


@pytest.fixture
def scratch() -> ScratchStore:
    return ScratchStore()


@pytest.fixture
def shelf(corpus: Corpus, embedder: Embedder) -> Corpus:
    for url, text in PAGES.items():
        store_markdown(corpus, url, text)
    embed_all(corpus, embedder)
    return corpus


@pytest.fixture
def extractor(shelf: Corpus, embedder: Embedder, scratch: ScratchStore) -> EvidenceExtractor:
    return made(shelf, embedder, scratch)


def made(corpus: Corpus, embedder: Embedder | None, scratch: ScratchStore) -> EvidenceExtractor:
    finder = Finder(corpus, embedder, ALL_STAGES)
    reranker = SpanReranker(corpus, embedder)
    return EvidenceExtractor(corpus, finder, ResourceResolver(corpus, scratch), scratch, reranker, estimate_tokens)


async def retrieved(extractor: EvidenceExtractor, question: str, asking: Asking = ANNA, **sizes: int) -> Quotes:
    asked = {"top_k": 5, "max_quotes": 6, "max_quote_tokens": 80, **sizes}
    quotes = QuoteSizes(asked["max_quotes"], asked["max_quote_tokens"], AROUND_TOKENS)
    return extractor.retrieve(asking, question, asked["top_k"], quotes, Narrowing(), Mode.AUTO)


async def extracted(
    extractor: EvidenceExtractor, question: str, ids: list[str], asking: Asking = ANNA, **sizes: int
) -> Quotes:
    asked = {"max_quotes": 6, "max_quote_tokens": 80, "include_context_tokens": 20, **sizes}
    return extractor.extract(asking, question, ids, QuoteSizes(*asked.values()))


def kept(corpus: Corpus, scratch: ScratchStore, url: str, owner: str = "anna") -> list[str]:
    """Save every chunk of a page as a passage."""
    document = corpus.documents.get(url)
    assert document is not None
    session = scratch.session(owner)
    chunks = chunks_of(corpus, document)
    return [scratch.put(owner, session, passage_of(chunk, document.content_hash)).id for chunk in chunks]


def is_exact(quote: Quote, corpus: Corpus) -> bool:
    """Whether a quote is at its stated position, with its context around it."""
    document = corpus.documents.get(quote.url.partition("#")[0])
    assert document is not None
    return (
        document.content_hash == quote.document_hash
        and document.text[quote.start : quote.end] == quote.quote
        and (not quote.context or (quote.context in document.text and quote.quote in quote.context))
    )


async def test_the_quote_that_answers_comes_first_with_its_position(
    extractor: EvidenceExtractor, shelf: Corpus
) -> None:
    found = await retrieved(extractor, "How wide should the entrance be in October?")
    assert "slit of 8 mm" in found.quotes[0].context
    assert (found.quotes[0].heading, found.quotes[0].title) == ("Entrance", "Choosing a hive")
    assert all(is_exact(quote, shelf) for quote in found.quotes)
    assert not found.nothing_found and found.likelihood is not None and found.searched > 3
    assert found.quotes[0].confidence >= found.quotes[-1].confidence


async def test_a_question_in_everyday_words_finds_technical_terms(extractor: EvidenceExtractor) -> None:
    found = await retrieved(extractor, "What becomes of the pump when it takes too long?")
    assert "the pump stops and the valve closes" in found.quotes[0].context


async def test_quotes_do_not_overlap_and_keep_their_sizes(extractor: EvidenceExtractor) -> None:
    found = await retrieved(extractor, "hive", max_quote_tokens=20)
    places = sorted((quote.url, quote.start, quote.end) for quote in found.quotes)
    assert len(places) == len(found.quotes) <= 6
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(places))
    assert all(estimate_tokens(quote.quote) <= 20 for quote in found.quotes)
    assert all(estimate_tokens(quote.context) <= 20 + 2 * AROUND_TOKENS + 1 for quote in found.quotes)


async def test_quotes_come_from_at_most_the_requested_pages(extractor: EvidenceExtractor) -> None:
    found = await retrieved(extractor, "How long is the timeout of the pump?", top_k=1)
    assert {quote.url.partition("#")[0] for quote in found.quotes} == {PUMPS}


async def test_an_unanswered_question_is_reported(extractor: EvidenceExtractor) -> None:
    found = await retrieved(extractor, "Which JavaScript framework renders quaternions for Kubernetes?")
    assert found.nothing_found and len(found.quotes) <= 2


async def test_scope_applies_to_retrieval_and_named_passages(
    extractor: EvidenceExtractor, shelf: Corpus, scratch: ScratchStore
) -> None:
    pumps = replace(ANNA, scope=Scope(doc_tags=("docs.example.org/pumps",)))
    found = await retrieved(extractor, "How wide should the entrance be?", pumps)
    assert {quote.url.partition("#")[0] for quote in found.quotes} <= {PUMPS}
    with pytest.raises(ScopeViolationError):
        await extracted(extractor, "entrance", kept(shelf, scratch, HIVES), pumps)


async def test_passages_of_other_owners_cannot_be_quoted(
    extractor: EvidenceExtractor, shelf: Corpus, scratch: ScratchStore
) -> None:
    ids = kept(shelf, scratch, HIVES, owner="bert")
    messages = set()
    for wanted in ([ids[0]], ["0" * 17]):
        with pytest.raises(PassageExpiredError) as caught:
            await extracted(extractor, "entrance", wanted)
        messages.add(caught.value.message)
    assert len(messages) == 1


async def test_quotes_of_named_passages_are_whole_spans_with_context_on_both_sides(
    extractor: EvidenceExtractor, shelf: Corpus, scratch: ScratchStore
) -> None:
    found = await extracted(extractor, "Can mice pass the entrance in October?", kept(shelf, scratch, HIVES))
    best = found.quotes[0]
    assert best.quote == (
        "Reduce the entrance to a slit of 8 mm from October on, because mice cannot pass it and the bees still can."
    )
    assert best.context.endswith("Open it again in March.") or "Open it again" in best.context
    assert all(is_exact(quote, shelf) for quote in found.quotes)


async def test_without_a_model_words_decide_and_results_are_stable(shelf: Corpus, scratch: ScratchStore) -> None:
    extractor = made(shelf, None, scratch)
    ids = kept(shelf, scratch, HIVES)
    first = await extracted(extractor, "cork loss", ids, max_quotes=2, include_context_tokens=0)
    assert [quote.quote for quote in first.quotes] == [
        "A second skin of cork halves the loss.",
        "Wooden walls of 25 mm lose heat quickly.",
    ][:1]
    assert first.quotes[0].confidence == 1.0 and first.quotes[0].context == ""
    assert await extracted(extractor, "cork loss", ids, max_quotes=2, include_context_tokens=0) == first


async def test_a_changed_page_is_quoted_from_the_saved_passage(
    extractor: EvidenceExtractor, shelf: Corpus, scratch: ScratchStore
) -> None:
    ids = kept(shelf, scratch, PUMPS)
    store_markdown(shelf, PUMPS, "# Care of the pump\n\nEverything is different now, and nothing is left of it.")
    found = await extracted(extractor, "What is the default timeout of the pump?", ids)
    assert "30 seconds" in found.quotes[0].quote
    assert (found.quotes[0].start, found.quotes[0].end) == (0, 0)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["hive", "timeout of the pump", "syrup", "October width", "filter pressure valley", "蜂"]),
    st.integers(1, caps.MAX_QUOTES),
    st.integers(caps.MIN_QUOTE_TOKENS, MAX_QUOTE_TOKENS),
    st.integers(0, MAX_CONTEXT_TOKENS),
)
async def test_quotes_stay_within_their_size_and_page(
    extractor: EvidenceExtractor,
    shelf: Corpus,
    scratch: ScratchStore,
    question: str,
    quotes: int,
    tokens: int,
    context: int,
) -> None:
    ids = [*kept(shelf, scratch, HIVES), *kept(shelf, scratch, PUMPS)]
    named = await extracted(
        extractor, question, ids, max_quotes=quotes, max_quote_tokens=tokens, include_context_tokens=context
    )
    searched = await retrieved(extractor, question, max_quotes=quotes, max_quote_tokens=tokens)
    for found in (named, searched):
        assert len(found.quotes) <= quotes
        for quote in found.quotes:
            assert estimate_tokens(quote.quote) <= tokens and 0 < len(quote.quote) <= MAX_QUOTE_CHARS
            assert is_exact(quote, shelf)
            assert 0 <= quote.confidence <= 1


def test_units_are_sentences_rows_and_code_lines_without_repeated_text() -> None:
    text = "| A | B |\n| 1 | 2 |\n\nOne. Two.\n\n```sh\nrun a\n\nrun b\n```"
    units = units_of(text, prefix_length=len("| A | B |\n"))
    assert [text[unit.start : unit.end] for unit in units] == ["| 1 | 2 |", "One.", "Two.", "run a", "run b"]


async def test_the_rule_of_a_table_is_not_quoted(
    extractor: EvidenceExtractor, shelf: Corpus, scratch: ScratchStore
) -> None:
    row = f"| Wide frame | {'oak and ash ' * 22}|"
    store_markdown(shelf, TABLE, f"# Frames\n\n| Frame | Wood |\n|{'-' * 150}|{'-' * 150}|\n{row}\n{row}")
    for tokens in (caps.MIN_QUOTE_TOKENS, caps.DEFAULT_QUOTE_TOKENS):
        searched = await retrieved(
            extractor, "Which frame is of oak and ash wood?", max_quotes=12, max_quote_tokens=tokens
        )
        named = await extracted(extractor, "Frame wood", kept(shelf, scratch, TABLE), max_quote_tokens=tokens)
        assert any(TABLE in quote.url for quote in named.quotes)
        for quote in (*searched.quotes, *named.quotes):
            assert any(character.isalnum() for character in quote.quote)


def test_spans_rated_together_equal_spans_rated_separately(shelf: Corpus, embedder: Embedder) -> None:
    text = "Wooden walls lose heat. Feed syrup in October. The pump waits 30 seconds."
    chunks = shelf.chunks.by_ids(
        [hit.chunk_id for hit in shelf.chunks.lexical(["syrup", "pump", "hive"], filter=Filter(), k=9)]
    )
    query = SubQuery(text, embedder.embed_query(text))
    closeness = SpanCloseness.of(shelf, query, [chunk.id for chunk in chunks])
    assert closeness is not None and len(chunks) > 1
    stretches = [
        (chunk, [Span(0, len(chunk.text)), Span(3, 40), Span(20, 60), Span(20, 40), Span(0, 1)][: number + 1])
        for number, chunk in enumerate(chunks)
    ]
    together = [rate for rates in closeness.rate(stretches) for rate in rates]
    alone = [closeness.rate([(chunk, [span])])[0][0] for chunk, spans in stretches for span in spans]
    assert [each.mean for each in together] == pytest.approx([each.mean for each in alone], abs=1e-5)
    assert [each.weakest for each in together] == pytest.approx([each.weakest for each in alone], abs=1e-5)
    unknown = replace(chunks[0], id=10**9)
    assert closeness.rate([(unknown, [Span(0, 4)]), (chunks[0], [])]) == [[NOT_KNOWN], []]


@pytest.mark.parametrize("waiting", [0, 1])
def test_without_token_vectors_regions_use_the_similarity_of_their_passage(shelf: Corpus, waiting: int) -> None:
    """A model behind an HTTP address does not return token vectors."""
    chunks = [shelf.chunks.lexical([word], filter=Filter(), k=1)[0].chunk_id for word in ("cork", "valley", "syrup")]
    near, far, other = shelf.chunks.by_ids(chunks)
    items = [RetrievedChunk(near, 0.5, 0.5, similarity=0.8), RetrievedChunk(far, 0.5, 0.5, similarity=0.1)]
    items += [RetrievedChunk(other, 0.5, 0.5, is_waiting=True)] * waiting
    regions = Regions(analyse("zzz"), None, tuple(items)).rated(80)
    best = {item.chunk.id: max(r.odds for r in regions if r.item.chunk.id == item.chunk.id) for item in items}
    assert best[near.id] > best[far.id]
    assert not waiting or best[near.id] > best[other.id] > best[far.id]


def test_the_better_region_keeps_an_overlap_and_neighbors_merge(shelf: Corpus) -> None:
    [hit] = shelf.chunks.lexical(["syrup"], filter=Filter(urls=(HIVES,)), k=1)
    [chunk] = shelf.chunks.by_ids([hit.chunk_id])
    text = "syrup " * 1_000
    item = RetrievedChunk(replace(chunk, text=text, start=0, prefix_length=0, suffix_length=0), 1.0, 1.0)
    first = Region(item, (Span(100, 140), Span(141, 180)), 3.0)
    overlapping = Region(item, (Span(141, 180), Span(181, 220)), 2.0)
    far = Region(item, (Span(5000, 5050),), 1.0)
    small = choose([first, overlapping, far], most=3, pages=1, room=lambda _: 100)
    assert [(each.best.start, each.start, each.end) for each in small] == [
        (100, 100, 180),
        (181, 181, 220),
        (5000, 5000, 5050),
    ]
    large = choose([first, overlapping, far], most=2, pages=1, room=lambda _: 200)
    assert [(each.start, each.end) for each in large] == [(100, 220), (5000, 5050)]


@pytest.mark.parametrize("is_embedded_first", [True, False])
async def test_a_page_that_is_not_embedded_yet_is_quoted(
    shelf: Corpus, embedder: Embedder, scratch: ScratchStore, *, is_embedded_first: bool
) -> None:
    store_markdown(
        shelf, "https://new.example/varnish", "# Varnish\n\nThe varnish of the boat dries in eleven hours.\n"
    )
    queue = EmbeddingQueue(shelf, embedder, EventBus())
    embed_within = queue.embed_within if is_embedded_first else None
    finder = Finder(shelf, embedder, ALL_STAGES, embed_within=embed_within)
    reranker = SpanReranker(shelf, embedder, embed_within)
    extractor = EvidenceExtractor(shelf, finder, ResourceResolver(shelf, scratch), scratch, reranker, estimate_tokens)
    found = await retrieved(extractor, "In how many hours does the varnish dry?")
    quote = next(quote for quote in found.quotes if "eleven hours" in quote.quote)
    assert quote.is_waiting is shelf.vectors.has_waiting() is not is_embedded_first
    assert not is_embedded_first or quote == found.quotes[0]
    assert not any(other.is_waiting for other in found.quotes if other != quote)
    await queue.stop()


async def test_named_passages_are_embedded_before_they_are_quoted(
    shelf: Corpus, embedder: Embedder, scratch: ScratchStore
) -> None:
    url = "https://new.example/varnish"
    store_markdown(shelf, url, "# Varnish\n\nThe varnish of the boat dries in eleven hours.\n")
    ids = kept(shelf, scratch, url)
    waiting = made(shelf, embedder, scratch)
    told = await extracted(waiting, "In how many hours does the varnish dry?", [*ids, *kept(shelf, scratch, PUMPS)])
    assert any(quote.is_waiting for quote in told.quotes)
    queue = EmbeddingQueue(shelf, embedder, EventBus())
    reranker = SpanReranker(shelf, embedder, queue.embed_within)
    finder = Finder(shelf, embedder, ALL_STAGES)
    extractor = EvidenceExtractor(shelf, finder, ResourceResolver(shelf, scratch), scratch, reranker, estimate_tokens)
    told = await extracted(extractor, "In how many hours does the varnish dry?", [*ids, *kept(shelf, scratch, PUMPS)])
    assert "eleven hours" in told.quotes[0].quote and not any(quote.is_waiting for quote in told.quotes)
    await queue.stop()


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://a.example/p", "https://a.example/p#slide=3"),
        ("file:///deck.pptx", "file:///deck.pptx#slide=3"),
        ("webrag://guide/welcome", "webrag://guide/welcome"),
    ],
)
def test_the_source_of_a_passage_names_its_place(url: str, named: str) -> None:
    content = passage_of(replace(chunk_of(1, "Words."), url=url, anchor="slide=3"), "")
    assert (content.source_uri, content.anchor) == (named, "slide=3")


METERS = "https://docs.example.org/meters"


@pytest.mark.parametrize("key", ["M-AL007", "M-AL019", "M-AL040"])
@pytest.mark.parametrize("is_extracted", [False, True])
async def test_a_row_is_quoted_that_the_question_names(
    extractor: EvidenceExtractor, shelf: Corpus, embedder: Embedder, scratch: ScratchStore, key: str, is_extracted: bool
) -> None:
    customers = ("dairy", "school", "town hall", "bakery", "station")
    rows = (f"| M-AL{n:03} | {customers[n % 5]} {n} | {n * 7919 % 90_000 + 10_000} |" for n in range(1, 41))
    table = "\n".join(["| Meter | Customer | Reading |", "| --- | --- | --- |", *rows])
    store_markdown(shelf, METERS, f"# Readings\n\n{table}\n")
    embed_all(shelf, embedder)
    question = f"What is the reading of meter {key}?"
    if is_extracted:
        quotes = await extracted(extractor, question, kept(shelf, scratch, METERS))
    else:
        quotes = await retrieved(extractor, question)
    assert f"| {key} |" in quotes.quotes[0].quote
