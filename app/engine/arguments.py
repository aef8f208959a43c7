"""What a call may carry: addresses in their one form, queries and lists within the caps, the pages that a search is limited to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter
from app.errors import InvalidArgumentError, InvalidURLError
from app.ingest.guide import GUIDE_SCHEME
from app.ingest.pipeline import FILE_SCHEME
from app.web.urls import normalise_url


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to look, and how much that is. `missing` are addresses that are not stored."""

    filter: Filter
    documents: int
    chunks: int
    missing: tuple[str, ...] = ()


def address_of(url: str) -> str:
    """The normalised address; guide pages and files keep their own schemes. Raises InvalidURLError."""
    stripped = url.strip()
    return stripped if stripped.startswith((GUIDE_SCHEME, FILE_SCHEME)) else normalise_url(stripped)


def address_or_as_given(url: str) -> str:
    """The same, but what is no address stays as it is: reading it fails and is reported beside what could be read."""
    try:
        return address_of(url)
    except InvalidURLError:
        return url.strip()[: caps.MAX_URL_CHARS]


def check_count(urls: Sequence[str]) -> None:
    """Raises InvalidArgumentError for more addresses than one call may name."""
    if len(urls) > caps.MAX_URLS_PER_CALL:
        raise InvalidArgumentError(f"At most {caps.MAX_URLS_PER_CALL} addresses per call, {len(urls)} given.")


def bounded_query(query: str) -> str:
    """The query as it is. Raises InvalidArgumentError for one that is too long."""
    if len(query) > caps.MAX_QUERY_CHARS:
        raise InvalidArgumentError(
            f"The query has {len(query)} characters; at most {caps.MAX_QUERY_CHARS} are allowed.",
            hint="Ask the question itself; put background into known_context.",
        )
    return query


def bounded_queries(queries: Sequence[str]) -> tuple[str, ...]:
    """The queries without blanks around them. Raises InvalidArgumentError for none, an empty one, too many or too long ones."""
    asked = tuple(query.strip() for query in queries)
    if not asked or not all(asked):
        raise InvalidArgumentError("A query is empty.", hint="Say what to look for.")
    if len(asked) > caps.MAX_SEARCH_QUERIES:
        raise InvalidArgumentError(f"At most {caps.MAX_SEARCH_QUERIES} queries per call, {len(asked)} given.")
    long = max(map(len, asked))
    if long > caps.MAX_QUERY_CHARS:
        message = f"A query has {long:,} characters; at most {caps.MAX_QUERY_CHARS:,} are allowed."
        raise InvalidArgumentError(message, hint="Ask for one thing in a few words.")
    return asked


def sources_of(corpus: Corpus, urls: Sequence[str]) -> Sources:
    """The pages at these addresses, everything if none is named. Raises InvalidArgumentError when no named page is stored."""
    if not urls:
        totals = corpus.totals()
        return Sources(Filter(), totals.documents, totals.chunks)
    known = [(url, corpus.documents.summary(url)) for url in map(address_of, urls)]
    missing = tuple(url for url, summary in known if summary is None)
    summaries = [summary for _, summary in known if summary is not None]
    if not summaries:
        raise InvalidArgumentError(f"Not indexed: {', '.join(missing)}.", hint=_how_to_add(missing))
    ids = tuple(summary.id for summary in summaries)
    return Sources(Filter(document_ids=ids), len(ids), sum(summary.chunks for summary in summaries), missing)


def _how_to_add(missing: Sequence[str]) -> str:
    if all(url.startswith(FILE_SCHEME) for url in missing):
        return "Ask the user to add the file or its folder in WebRAG (Library > Add, or `webrag import`)."
    return "Call `answer` or `ingest` with the address first."
