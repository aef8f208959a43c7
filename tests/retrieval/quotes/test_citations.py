from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.retrieval.analysis.analyse import analyse
from app.retrieval.quotes.citations import cite
from app.retrieval.records import RetrievedChunk
from tests.support.stored import store

PARAGRAPH = st.text(alphabet="abc .!\n*|`éß中", min_size=5, max_size=400).map(
    lambda t: f"x{t.replace(chr(10) * 2, ' ')}y"
)


def cited(corpus: Corpus, document_id: int, query: str, limit: int = 10) -> list[str]:
    document = corpus.document_by_id(document_id)
    assert document is not None
    chunks = corpus.document_chunks(document_id, limit=100)
    ranked = [RetrievedChunk(chunk, 0.5, 1.0 - n / 100) for n, chunk in enumerate(chunks)]
    spans = cite(analyse(query), ranked, {document_id: document}, limit=limit)
    for span in spans:
        assert document.text[span.start : span.end] == span.verbatim_text
        assert 0 < len(span.verbatim_text) <= caps.MAX_CITATION_CHARS
    return [span.verbatim_text for span in spans]


def test_the_sentence_that_answers_is_quoted(corpus: Corpus) -> None:
    paragraphs = [
        "Caches are small. The write-ahead log is checkpointed at one thousand pages. Nothing else matters.",
        "Unrelated words. More of them.",
    ]
    document_id = store(corpus, "https://example.org/", paragraphs)
    assert cited(corpus, document_id, "When is the write-ahead log checkpointed?", limit=1) == [
        "The write-ahead log is checkpointed at one thousand pages."
    ]


def test_a_heading_is_not_quoted(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["## Checkpoint of the log\nIt happens often."])
    assert cited(corpus, document_id, "how often checkpoint of the log") == ["It happens often."]


def test_a_chunk_without_a_word_of_the_question_is_not_quoted(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["Nothing of the kind stands here."])
    assert cited(corpus, document_id, "checkpoint") == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(paragraphs=st.lists(PARAGRAPH, min_size=1, max_size=4), query=st.text(alphabet="abcé ", min_size=1, max_size=20))
def test_every_quote_is_an_exact_substring_within_the_cap(corpus: Corpus, paragraphs: list[str], query: str) -> None:
    document_id = store(corpus, "https://example.org/p", paragraphs)
    quotes = cited(corpus, document_id, f"q{query}")
    assert len(quotes) <= len(paragraphs)


def test_a_document_that_changed_meanwhile_is_not_quoted(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["Old words stand here."])
    chunks = corpus.document_chunks(document_id, limit=10)
    store(corpus, "https://example.org/", ["New words, and more of them, stand here now."])
    document = corpus.document_by_id(document_id)
    assert document is not None
    ranked = [RetrievedChunk(chunk, 0.5, 0.9) for chunk in chunks]
    assert cite(analyse("words"), ranked, {document_id: document}, limit=3) == ()
