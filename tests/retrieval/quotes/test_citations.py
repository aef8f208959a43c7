from __future__ import annotations

from dataclasses import replace

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


def test_of_similar_sentences_those_beside_the_name_asked_for_are_quoted(corpus: Corpus) -> None:
    statements = [f"The setting max_{n} is a number. Its default is {n} and few ever change it." for n in (3, 5, 7)]
    document_id = store(corpus, "https://example.org/", statements)
    document = corpus.document_by_id(document_id)
    assert document is not None
    ranked = [RetrievedChunk(chunk, 0.5, 0.9) for chunk in corpus.document_chunks(document_id, limit=3)]
    spans = cite(
        analyse("What is the default of max_7?"),
        ranked,
        {document_id: document},
        limit=2,
        rate=lambda _, spans: [0.5] * len(spans),
    )
    assert [span.verbatim_text for span in spans] == [
        "The setting max_7 is a number.",
        "Its default is 7 and few ever change it.",
    ]


def test_of_similar_rows_the_one_with_the_number_asked_for_is_quoted(corpus: Corpus) -> None:
    rows = "\n".join(f"| worker {n} | stops with code {n + 100} |" for n in (41, 42, 43))
    document_id = store(corpus, "https://example.org/", [f"| worker | code |\n|---|---|\n{rows}"])
    quotes = cited(corpus, document_id, "With which code does worker 42 stop?")
    assert quotes[0] == "| worker 42 | stops with code 142 |"


def test_what_answers_comes_before_what_asks(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["Was the retry limit helpful? The retry limit is five."])
    assert cited(corpus, document_id, "retry limit")[0] == "The retry limit is five."


def test_no_quote_ends_inside_a_word_that_goes_on_in_another_chunk(corpus: Corpus) -> None:
    word = "x" * 80
    text = f"The valve of the boiler is {word}"
    document_id = store(corpus, "https://example.org/", [text])
    document = corpus.document_by_id(document_id)
    (chunk,) = corpus.document_chunks(document_id, limit=1)
    assert document is not None
    part = replace(chunk, text=text[:60], end=60)
    assert cite(analyse("boiler valve"), [RetrievedChunk(part, 0.5, 0.9)], {document_id: document}, limit=3) == ()
