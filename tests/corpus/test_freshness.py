"""How old documents are, and what is new in them since they were last cited."""

from __future__ import annotations

import time
from dataclasses import replace

from app.corpus import Corpus
from app.corpus.records import FileStamp, Freshness
from tests.corpus.builders import document

URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")


def fresh(corpus: Corpus, document_id: int) -> Freshness:
    [found] = corpus.documents.freshness([document_id])
    return found


def test_a_document_that_was_never_cited_did_not_change_since(corpus: Corpus) -> None:
    last_modified = "Wed, 18 Feb 2026 08:00:00 GMT"
    stored = corpus.documents.store(document(URL, PARAGRAPHS, last_modified=last_modified))
    corpus.documents.store(document(URL, PARAGRAPHS[:2], last_crawled=200.0, last_modified=last_modified))
    assert fresh(corpus, stored.document_id) == Freshness(
        stored.document_id, URL, 200.0, last_modified, 200.0, cited_at=None, changed_since_cited=0
    )


def test_new_passages_are_counted_until_the_document_is_cited_again(corpus: Corpus) -> None:
    document_id = corpus.documents.store(document(URL, PARAGRAPHS)).document_id
    cited_at = time.time()
    corpus.documents.note_cited([document_id], cited_at)
    assert fresh(corpus, document_id).cited_at == cited_at
    assert fresh(corpus, document_id).changed_since_cited == 0
    corpus.documents.store(document(URL, ["A warning", *PARAGRAPHS[:2], "Draining the pump"]))
    assert fresh(corpus, document_id).changed_since_cited == 2
    corpus.documents.store(document(URL, ["A warning", *PARAGRAPHS[1:], "Draining the pump"]))
    assert fresh(corpus, document_id).changed_since_cited == 3
    corpus.documents.note_cited([document_id], time.time())
    assert fresh(corpus, document_id).changed_since_cited == 0


def test_passages_cut_anew_from_the_same_text_are_not_new(corpus: Corpus) -> None:
    given = document(URL, PARAGRAPHS)
    document_id = corpus.documents.store(given).document_id
    corpus.documents.note_cited([document_id], time.time())
    cut_anew = tuple(replace(chunk, key=f"another {chunk.key}") for chunk in given.chunks)
    assert corpus.documents.store(replace(given, chunks=cut_anew)).removed == 3
    assert fresh(corpus, document_id).changed_since_cited == 0


def test_passages_that_only_moved_are_not_new(corpus: Corpus) -> None:
    document_id = corpus.documents.store(document(URL, PARAGRAPHS)).document_id
    corpus.documents.note_cited([document_id], time.time())
    corpus.documents.store(document(URL, PARAGRAPHS[::-1]))
    assert fresh(corpus, document_id).changed_since_cited == 0


def test_freshness_comes_in_the_order_asked_and_only_what_is_there(corpus: Corpus) -> None:
    first = corpus.documents.store(document(URL, PARAGRAPHS)).document_id
    second = corpus.documents.store(document(URL + "/2", PARAGRAPHS)).document_id
    corpus.documents.note_cited([second, 99], 500.0)
    found = corpus.documents.freshness([second, 99, first])
    assert [(each.document_id, each.cited_at) for each in found] == [(second, 500.0), (first, None)]
    assert corpus.documents.freshness([]) == []
    corpus.documents.note_cited([], 600.0)
    assert fresh(corpus, second).cited_at == 500.0


def test_a_file_tells_when_it_was_changed(corpus: Corpus) -> None:
    stamp = FileStamp(None, 1_771_401_600_000_000_123, 9)
    stored = corpus.documents.store(document("file:///notes/a.md", PARAGRAPHS, file=stamp))
    assert fresh(corpus, stored.document_id).last_modified == "Wed, 18 Feb 2026 08:00:00 GMT"


def test_erasing_the_ledger_forgets_what_was_cited(corpus: Corpus) -> None:
    document_id = corpus.documents.store(document(URL, PARAGRAPHS)).document_id
    corpus.documents.note_cited([document_id], time.time())
    corpus.activity.clear()
    assert fresh(corpus, document_id).cited_at is None
