"""`kb.extract_evidence` and `kb.retrieve_evidence`: exact quotes that answer a question, with their positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.embed.embedder import Embedder
from app.errors import PassageExpiredError
from app.kb.access import check_in_scope, filter_for, passage_of
from app.kb.finder import Finder, distinct
from app.kb.records import Asking, Mode, Quote, Quotes
from app.kb.regions import NOT_KNOWN, Passage, Regions, SpanCloseness, choose, merged, named_rows, room_of
from app.kb.spans import ScoredSpan, Size, end_of_piece, question_terms, rank_spans, start_of_piece, tells
from app.library.protocol import Library
from app.library.records import Chunk, Document, PassageIn
from app.library.scope import Narrowing
from app.retrieval.analysis import keys_in
from app.retrieval.candidates import EmbedPriority, EmbedWithin, seen_by
from app.retrieval.evidence import embed_queries, hold_no_answer
from app.retrieval.passages import Documents
from app.retrieval.records import SharedEvidence
from app.scratch.resources import Artifact, ResourceResolver
from app.scratch.store import ScratchStore
from app.text.markdown_blocks import Span
from app.text.terms import unique_texts

MAX_QUOTE_CHARS: Final = 500
DIGITS: Final = 2
AROUND_TOKENS: Final = 30  # Tokens of context on each side of a quote from a search; no more fit.
CLOSEST_QUOTES: Final = 2  # Quotes to return if most likely none of them answers the question.
RERANKED_SPANS: Final = 24
MEAN_SHARE: Final = 0.44  # Weight of the mean; the rest is how well the worst-matched third of the question is met.
FLOOR: Final = 0.12
CEILING: Final = 0.55  # Cosines from floor to ceiling become confidence 0 to 1.


@dataclass(frozen=True, slots=True)
class EvidenceExtractor:
    """Quotes from saved passages or from a search."""

    corpus: Library
    finder: Finder
    artifacts: ResourceResolver
    scratch: ScratchStore
    reranker: SpanReranker
    count: Callable[[str], int]

    def extract(self, asking: Asking, question: str, passage_ids: Sequence[str], sizes: QuoteSizes) -> Quotes:
        """Return spans of these passages, ranked by meaning. Raises PassageExpiredError, ScopeViolationError."""
        artifacts: list[Artifact] = []
        for passage_id in dict.fromkeys(passage_ids):
            try:
                artifacts.append(self.artifacts.find(asking.owner, passage_id.strip(), asking.session_id))
            except PassageExpiredError as error:
                # Name the passage, so that the caller knows which one to leave out.
                raise type(error)(error.message, details={"passage_id": passage_id.strip()}) from error
        for artifact in artifacts:
            check_in_scope(self.corpus, asking, artifact)
        quoting = Quoting(self.corpus, sizes, self.count)
        sources = [quoting.source(artifact.content, artifact.id, artifact.uri) for artifact in artifacts]
        ranked = rank_spans(question_terms(question), [source.passage for source in sources])
        rated = self.reranker.rerank(question, sources, ranked)
        made = (quoting.of_span(sources[each.passage], each) for each in rated)
        quotes = unique_texts((quote for quote in made if quote), lambda quote: quote.quote, ignore_case=False)
        session = self.scratch.session(asking.owner, asking.session_id)
        best = quotes[: sizes.quotes]
        return Quotes(tuple(best), session, nothing_found=not best, searched=len(sources), mode=Mode.VECTOR_ONLY)

    def retrieve(
        self, asking: Asking, question: str, pages: int, sizes: QuoteSizes, narrowing: Narrowing, mode: Mode
    ) -> Quotes:
        """Search, and return the parts of at most `pages` pages that most likely answer, each once. Blocking."""
        session = self.scratch.session(asking.owner, asking.session_id)
        allowed = filter_for(self.scratch, asking.owner, asking.scope, narrowing)
        shared = asking.shared
        if shared is not None and not shared.asks_private:
            empty = Quotes((), session, nothing_found=True, graph_disabled=not self.finder.has_graph)
            return self._with_shared(asking, session, question, empty, shared.wait(), pages, sizes)
        found = self.finder.find(question, allowed, mode)
        evidence = found.evidence
        quotes: list[Quote] = []
        if not evidence.is_hopeless:
            rated = merged(
                Regions.of(
                    self.corpus, reading.analysis, reading.query, distinct(reading.evidence.ranked, per_document=None)
                ).rated(sizes.quote_tokens)
                for reading in found.readings
            )
            most = min(CLOSEST_QUOTES, sizes.quotes) if evidence.is_none else sizes.quotes
            passages = choose(
                rated,
                most=most,
                pages=pages,
                room=lambda region: room_of(region.item, sizes.quote_tokens + 2 * sizes.context_tokens),
            )
            quoting = Quoting(self.corpus, sizes, self.count)
            for passage in passages:
                source = quoting.page(passage.best.item.chunk)
                if source is None:
                    continue
                kept = self.scratch.put(asking.owner, session, source.content)
                share = passage.best.share * (1.0 if evidence.likelihood is None else evidence.likelihood)
                quote = quoting.of_passage(replace(source, id=kept.id, uri=kept.uri), passage, share)
                quotes += [quote] if quote is not None else []
        own = Quotes(
            quotes=tuple(quotes),
            session_id=session,
            nothing_found=evidence.is_none,
            likelihood=evidence.likelihood,
            searched=len(found.chunks),
            mode=found.mode,
            graph_disabled=found.graph_disabled,
            note=found.note,
        )
        if shared is None:
            return own
        return self._with_shared(asking, session, question, own, shared.wait(), pages, sizes)

    def _with_shared(
        self,
        asking: Asking,
        session: str,
        question: str,
        own: Quotes,
        shared: SharedEvidence,
        pages: int,
        sizes: QuoteSizes,
    ) -> Quotes:
        """Merge the quotes with those of joined libraries by confidence, or drop the side that does not answer."""
        is_none = hold_no_answer(shared)
        note = " ".join(filter(None, (own.note, *shared.notes)))
        if is_none and own.quotes and not own.nothing_found:
            return replace(own, note=note)
        quoting = Quoting(self.corpus, sizes, self.count)
        quoted: list[tuple[bool, Quote]] = []
        for item in distinct(shared.chunks, 1)[:pages]:
            kept = self.scratch.put(asking.owner, session, passage_of(item.chunk, ""))
            source = quoting.source(kept.content, kept.id, kept.uri)
            sure = item.confidence if item.confidence is not None else item.reranked_score
            spans = rank_spans(question_terms(question), [source.passage])
            made = (quoting.of_span(source, RatedSpan(0, each.span, sure)) for each in spans)
            quote = next(filter(None, made), None)
            quoted += [(item.is_apart, replace(quote, uri=item.chunk.url))] if quote is not None else []
        only_others = own.nothing_found and not is_none and any(not apart for apart, _ in quoted)
        known = [] if only_others else [(False, quote) for quote in own.quotes]
        merged_quotes = sorted([*known, *quoted], key=lambda each: (each[0], -each[1].confidence))
        best = tuple(quote for _, quote in merged_quotes[: sizes.quotes])
        likely = [each for each in (own.likelihood, shared.likelihood) if each is not None]
        return replace(
            own,
            quotes=best,
            nothing_found=(own.nothing_found and is_none) or not best,
            likelihood=max(likely, default=None),
            searched=own.searched + len(shared.chunks),
            note=note,
        )


class SpanReranker:
    """Reranks the best spans and drops the others."""

    def __init__(self, corpus: Library, embedder: Embedder | None, embed_within: EmbedWithin | None = None) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._embed_within = embed_within

    def rerank(self, question: str, sources: Sequence[Source], ranked: Sequence[ScoredSpan]) -> list[RatedSpan]:
        """Return spans with any word of the question, best first; spans without one only if vectors can rank them."""
        best = list(ranked[:RERANKED_SPANS])
        # The stored chunk of each source that still has the text of its passage.
        ids = {
            number: int(s.content.section_id) for number, s in enumerate(sources) if s.content.section_id.isdecimal()
        }
        stored = {chunk.id: chunk for chunk in self._corpus.chunks.by_ids(list(ids.values()))}
        chunks = {
            number: stored[chunk_id]
            for number, chunk_id in ids.items()
            if chunk_id in stored and stored[chunk_id].text == sources[number].passage
        }
        queries, _ = embed_queries(self._embedder, [question]) if chunks else ([], "")
        if self._embed_within is not None and queries and queries[0].embedding is not None:
            corpus, by_second = seen_by(self._corpus, queries[0]), queries[0].second is not None
            EmbedPriority(corpus, self._embed_within, by_second).embed([chunk.id for chunk in chunks.values()])
        closeness = SpanCloseness.of(self._corpus, queries[0], [c.id for c in chunks.values()]) if queries else None
        if closeness is None:
            return [RatedSpan(each.passage, each.span, each.score) for each in best if each.score > 0]
        texts = [sources[each.passage].passage[each.span.start : each.span.end] for each in best]
        named = named_rows(keys_in(question), texts)
        rates = iter(closeness.rate([(chunks[each.passage], [each.span]) for each in best if each.passage in chunks]))
        known: list[tuple[float, ScoredSpan]] = []
        others: list[RatedSpan] = []
        for number, each in enumerate(best):
            rate = next(rates)[0] if each.passage in chunks else NOT_KNOWN
            if rate is not NOT_KNOWN:
                merit = MEAN_SHARE * rate.mean + (1 - MEAN_SHARE) * rate.weakest
                known.append((merit + (CEILING if number in named else 0.0), each))
            elif each.score > 0:
                others.append(RatedSpan(each.passage, each.span, each.score, is_waiting=each.passage in chunks))
        known.sort(key=lambda pair: (-pair[0], pair[1].order))
        scale = CEILING - FLOOR
        return [
            RatedSpan(each.passage, each.span, min(1.0, max(0.0, (merit - FLOOR) / scale))) for merit, each in known
        ] + others


@dataclass(frozen=True, slots=True)
class QuoteSizes:
    """Number of quotes, and the tokens of each and of the context on each side."""

    quotes: int
    quote_tokens: int
    context_tokens: int


class Quoting:
    """Creates quotes for one question; reads each page once."""

    def __init__(self, corpus: Library, sizes: QuoteSizes, count: Callable[[str], int]) -> None:
        self._corpus = corpus
        self._documents = Documents(corpus)
        self._sizes = sizes
        self._count = count

    def source(self, content: PassageIn, passage_id: str, uri: str) -> Source:
        """Return a saved passage or page as a source."""
        document = self._documents.get(content.document_id) if content.document_id is not None else None
        if document is not None and document.content_hash == content.document_hash:
            head = content.text.find(document.text[content.start : content.end])
            if head >= 0:
                return Source(content, passage_id, uri, document.text, content.start - head, document)
        return Source(content, passage_id, uri, content.text, 0, None)

    def page(self, chunk: Chunk) -> Source | None:
        """Return the page of a chunk, to be saved as a passage, or None if the page has changed since the search."""
        document = self._documents.get(chunk.document_id)
        inner = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        if document is None or document.text[chunk.start : chunk.end] != inner:
            return None
        content = passage_of(chunk, document.content_hash)
        return Source(content, "", "", document.text, chunk.start - chunk.prefix_length, document)

    def of_span(self, source: Source, rated: RatedSpan) -> Quote | None:
        """Quote a span with context from its page. Return None if it is only markup or text repeated by the chunk."""
        span = source.in_page(rated.span)
        if span is None:
            return None
        start, end = span.start, self._cut(source.ground, span.start, span.end)
        if not tells(source.ground[start:end]):
            return None
        around = Size(self._sizes.context_tokens, self._count)
        before = start_of_piece(source.ground, 0, start, around)
        after = end_of_piece(source.ground, end, len(source.ground), around)
        quote = self._quote(source, (start, end), (before, after), rated.confidence)
        return replace(quote, is_waiting=rated.is_waiting)

    def of_passage(self, source: Source, passage: Passage, confidence: float) -> Quote | None:
        """Quote the most likely answer of a passage, with the whole passage as context. None if only markup remains."""
        best = passage.best
        end = self._cut(source.ground, best.start, best.end)
        if not tells(source.ground[best.start : end]):
            return None
        quote = self._quote(source, (best.start, end), (passage.start, passage.end), confidence)
        return replace(quote, is_waiting=best.item.is_waiting)

    def _cut(self, text: str, start: int, end: int) -> int:
        end = end_of_piece(text, start, min(end, start + MAX_QUOTE_CHARS), Size(self._sizes.quote_tokens, self._count))
        while end > start and text[end - 1].isspace():
            end -= 1
        return end

    def _quote(self, source: Source, place: tuple[int, int], around: tuple[int, int], confidence: float) -> Quote:
        content, document = source.content, source.document
        return Quote(
            quote=source.ground[slice(*place)],
            context=source.ground[slice(*around)].strip() if self._sizes.context_tokens else "",
            passage_id=source.id,
            section_id=content.section_id,
            title=content.title,
            heading=document.heading_at(place[0]) if document is not None else "",
            uri=source.uri,
            url=content.page_url,
            confidence=round(min(1.0, max(0.0, confidence)), DIGITS),
            document_hash=content.document_hash,
            start=place[0] if document is not None else 0,
            end=place[1] if document is not None else 0,
            document_id=document.id if document is not None else 0,
        )


@dataclass(frozen=True, slots=True)
class Source:
    """A passage in the text of its page (`ground`) from `offset`; in its own text if the page has changed."""

    content: PassageIn
    id: str
    uri: str
    ground: str
    offset: int
    document: Document | None

    @property
    def passage(self) -> str:
        return self.content.text

    def in_page(self, span: Span) -> Span | None:
        """Return a span of the passage as a range of the ground, without text that the chunk repeats around it."""
        start, end = span.start + self.offset, span.end + self.offset
        if self.document is not None:
            start, end = max(start, self.content.start), min(end, self.content.end)
        return Span(start, end) if start < end else None


@dataclass(frozen=True, slots=True)
class RatedSpan:
    """A span of one of several passages with the probability that it answers, 0..1. Rated by words if not embedded yet."""

    passage: int
    span: Span
    confidence: float
    is_waiting: bool = False
