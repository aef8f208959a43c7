"""Possible quotes, and the chosen ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.embed.folder import TOKENIZER_FILE
from app.errors import EmptyPageError
from app.paths import assets_dir
from app.retrieval.analysis import analyse
from app.retrieval.citations import MAX_CITATION_CHARS, SentenceCloseness, cite, quotables
from app.retrieval.passages import Documents, build_passages
from app.retrieval.records import CitationSpan, RetrievedChunk, SubQuery
from app.text.terms import words
from tests.retrieval.test_passages import PAGES
from tests.support.markdown import chunks_of, ranked_by, store_markdown
from tests.support.stored import embed_all, store

PARAGRAPH = st.text(alphabet="abc .!\n*|`éß中", min_size=5, max_size=400).map(
    lambda t: f"x{t.replace(chr(10) * 2, ' ')}y"
)


def cited(corpus: Corpus, document_id: int, query: str, limit: int = 10) -> list[str]:
    document = corpus.documents.by_id(document_id)
    assert document is not None
    chunks = corpus.chunks.of_document(document_id, limit=100)
    ranked = [RetrievedChunk(chunk, 0.5, 1.0 - n / 100) for n, chunk in enumerate(chunks)]
    spans = cite(analyse(query), ranked, {document_id: document}, limit=limit)
    for span in spans:
        assert document.text[span.start : span.end] == span.verbatim_text
        assert 0 < len(span.verbatim_text) <= MAX_CITATION_CHARS
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


def test_a_document_that_changed_in_the_meantime_is_not_quoted(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["Old words stand here."])
    chunks = corpus.chunks.of_document(document_id, limit=10)
    store(corpus, "https://example.org/", ["New words, and more of them, stand here now."])
    document = corpus.documents.by_id(document_id)
    assert document is not None
    ranked = [RetrievedChunk(chunk, 0.5, 0.9) for chunk in chunks]
    assert cite(analyse("words"), ranked, {document_id: document}, limit=3) == ()


def test_sentences_near_the_requested_name_are_quoted(corpus: Corpus) -> None:
    statements = [f"The setting max_{n} is a number. Its default is {n} and few ever change it." for n in (3, 5, 7)]
    document_id = store(corpus, "https://example.org/", statements)
    document = corpus.documents.by_id(document_id)
    assert document is not None
    ranked = [RetrievedChunk(chunk, 0.5, 0.9) for chunk in corpus.chunks.of_document(document_id, limit=3)]
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


def test_the_row_with_the_requested_number_is_quoted(corpus: Corpus) -> None:
    rows = "\n".join(f"| worker {n} | stops with code {n + 100} |" for n in (41, 42, 43))
    document_id = store(corpus, "https://example.org/", [f"| worker | code |\n|---|---|\n{rows}"])
    quotes = cited(corpus, document_id, "With which code does worker 42 stop?")
    assert quotes[0] == "| worker 42 | stops with code 142 |"


def test_a_passage_that_answers_ranks_above_one_that_asks(corpus: Corpus) -> None:
    document_id = store(corpus, "https://example.org/", ["Was the retry limit helpful? The retry limit is five."])
    assert cited(corpus, document_id, "retry limit")[0] == "The retry limit is five."


def test_no_quote_ends_inside_a_word_that_continues_in_another_chunk(corpus: Corpus) -> None:
    word = "x" * 80
    text = f"The valve of the boiler is {word}"
    document_id = store(corpus, "https://example.org/", [text])
    document = corpus.documents.by_id(document_id)
    (chunk,) = corpus.chunks.of_document(document_id, limit=1)
    assert document is not None
    part = replace(chunk, text=text[:60], end=60)
    assert cite(analyse("boiler valve"), [RetrievedChunk(part, 0.5, 0.9)], {document_id: document}, limit=3) == ()


URL = "https://docs.example/page.md"
MARKS = st.text(alphabet="ab. \n`*~|-#>é水", max_size=700)


def quoted(text: str) -> list[str]:
    return [text[each.span.start : each.span.end] for each in quotables(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set `a. b` to one of them. Then start it again.", ["Set `a. b` to one of them.", "Then start it again."]),
        ("- **Be careful. Very.** It is hot. Wait for it.", ["**Be careful. Very.** It is hot.", "Wait for it."]),
        (
            "| Option | What. It does. |\n|---|---|\n| -a | All. Of it. |",
            ["| Option | What. It does. |", "| -a | All. Of it. |"],
        ),
        ("```sh\nmake clean all\nmake install now\n```", ["make clean all\nmake install now"]),
        ("## The heading of it all\n\n1. The first step is this.", ["The first step is this."]),
        ("> Quoted by somebody else.", ["Quoted by somebody else."]),
        ("A mark stands `open here and never closes. Another sentence is fine.", []),
    ],
)
def test_whole_things_are_quotable(text: str, expected: list[str]) -> None:
    assert quoted(text) == expected


def test_long_code_is_quoted_in_groups_of_whole_lines() -> None:
    lines = [f"stoke --grate {n} --shovels {n} --with-care" for n in range(30)]
    groups = quoted("\n".join(["```sh", *lines, "```"]))
    assert "\n".join(groups).split("\n") == lines
    assert all(len(group) <= MAX_CITATION_CHARS for group in groups)


@given(MARKS)
def test_quotables_are_short_in_order_and_balanced(text: str) -> None:
    found = quotables(text)
    for each in found:
        quote = text[each.span.start : each.span.end]
        assert 0 < len(quote) <= MAX_CITATION_CHARS
        assert quote == quote.strip() or each.is_code
        assert each.is_code or (quote.count("`") % 2 == 0 and quote.count("**") % 2 == 0)
    ends = [each.span.end for each in found]
    assert ends == sorted(ends)


def citations_of(corpus: Corpus, passages: list[RetrievedChunk], query: str, limit: int = 6) -> list[CitationSpan]:
    documents = Documents(corpus).of(passage.chunk.document_id for passage in passages)
    spans = cite(analyse(query), passages, documents, limit=limit)
    for span in spans:
        assert documents[span.document_id].text[span.start : span.end] == span.verbatim_text
    return list(spans)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(page=PAGES, limit=st.integers(1, 6))
def test_quotes_are_exact_whole_words_of_passages(corpus: Corpus, page: str, limit: int) -> None:
    try:
        document = store_markdown(corpus, URL, page)
    except EmptyPageError:
        assume(False)
    ranked = ranked_by(chunks_of(corpus, document), "valve", "boiler")
    passages = build_passages(ranked, Documents(corpus).get, token_budget=1_000)
    spans = citations_of(corpus, passages, "When does the boiler valve open?", limit)
    assert len(spans) <= limit
    assert len({span.verbatim_text for span in spans}) == len(spans)
    shown = {passage.chunk.id: passage.chunk for passage in passages}
    for span in spans:
        chunk = shown[span.chunk_id]
        assert chunk.start <= span.start < span.end <= chunk.end
        assert 0 < len(span.verbatim_text) <= MAX_CITATION_CHARS
        if span.verbatim_text.isascii():
            assert set(words(span.verbatim_text)) <= set(words(document.text))


def test_a_quote_names_its_section(corpus: Corpus) -> None:
    text = "# Boiler\n\nThe boiler is large and red.\n\n## Valve\n\nThe valve opens at nine in the morning."
    document = store_markdown(corpus, URL, text, chunk_tokens=200)
    passages = build_passages(ranked_by(chunks_of(corpus, document), "valve"), Documents(corpus).get, token_budget=500)
    (span,) = citations_of(corpus, passages, "valve opens", limit=1)
    assert (span.verbatim_text, span.section) == ("The valve opens at nine in the morning.", "Valve")


def test_code_ranks_lower_if_no_command_is_requested(corpus: Corpus) -> None:
    text = "# Start\n\n```sh\nboiler start --full --steam\n```\n\nFull steam makes the boiler start early."
    document = store_markdown(corpus, URL, text, chunk_tokens=200)
    ranked = ranked_by(chunks_of(corpus, document), "boiler")
    passages = build_passages(ranked, Documents(corpus).get, token_budget=500)
    command = citations_of(corpus, passages, "What do I type so that the boiler will start with full steam?")
    assert command[0].verbatim_text == "boiler start --full --steam"
    reason = citations_of(corpus, passages, "Why does the boiler start with full steam?")
    assert reason[0].verbatim_text == "Full steam makes the boiler start early."


def test_meaning_finds_the_sentence_that_words_do_not(corpus: Corpus, embedder: Embedder) -> None:
    text = (
        "# Cleaning\n\nThe device comes in three colours. When the program hangs, kill the process and launch it again. "
        "Screens are wiped with a soft cloth."
    )
    document = store_markdown(corpus, URL, text, chunk_tokens=200)
    embed_all(corpus, embedder)
    passages = build_passages(ranked_by(chunks_of(corpus, document)), Documents(corpus).get, token_budget=500)
    query = "What should I do if the application freezes?"
    closeness = SentenceCloseness.of(corpus, [SubQuery(query, embedder.embed_query(query))], passages)
    assert closeness is not None
    spans = cite(analyse(query), passages, Documents(corpus).of([document.id]), limit=1, rate=closeness.rate)
    assert [span.verbatim_text for span in spans] == ["When the program hangs, kill the process and launch it again."]
    assert SentenceCloseness.of(corpus, [SubQuery(query, None)], passages) is None


def test_the_row_of_a_table_that_answers_is_quoted(corpus: Corpus, embedder: Embedder) -> None:
    days = {"Monday": "nine to one", "Tuesday": "ten to two", "Friday": "eleven to three"}
    rows = "\n".join(f"| {day:<12} | {hours:<48} |" for day, hours in days.items())
    rule = f"|{'-' * 14}|{'-' * 50}|"
    text = f"# Bakery\n\nBread is baked each night.\n\n| {'Day':<12} | {'Hours':<48} |\n{rule}\n{rows}\n\nCake is baked at noon."
    tokenizer = assets_dir() / "model" / TOKENIZER_FILE
    document = store_markdown(corpus, URL, text, chunk_tokens=300, tokenizer=tokenizer)
    embed_all(corpus, embedder)
    passages = build_passages(ranked_by(chunks_of(corpus, document)), Documents(corpus).get, token_budget=500)
    for day in days:
        query = f"When does it open on {day}?"
        closeness = SentenceCloseness.of(corpus, [SubQuery(query, embedder.embed_query(query))], passages)
        assert closeness is not None
        spans = cite(analyse(query), passages, Documents(corpus).of([document.id]), limit=1, rate=closeness.rate)
        assert spans[0].verbatim_text.startswith(f"| {day}")
