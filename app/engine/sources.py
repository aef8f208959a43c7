"""The stored pages that a search is limited to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.corpus import Corpus
from app.corpus.records import Filter
from app.engine.bounds import address_of
from app.errors import InvalidArgumentError
from app.ingest.pipeline import FILE_SCHEME


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to look, and how much that is. `missing` are addresses that are not stored."""

    filter: Filter
    documents: int
    chunks: int
    missing: tuple[str, ...] = ()


def sources_of(corpus: Corpus, urls: Sequence[str]) -> Sources:
    """The pages at these addresses, everything if none is named. Raises InvalidArgumentError when no named page is stored."""
    if not urls:
        totals = corpus.totals()
        return Sources(Filter(), totals.documents, totals.chunks)
    known = [(url, corpus.summary(url)) for url in map(address_of, urls)]
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
