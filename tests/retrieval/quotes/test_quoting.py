"""What can be quoted by itself, and which of it is."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import EmptyPageError
from app.retrieval.analysis.analyse import analyse
from app.retrieval.candidates import SubQuery
from app.retrieval.passages.build import build_passages
from app.retrieval.passages.documents import Documents
from app.retrieval.quotes.citations import cite
from app.retrieval.quotes.quoting import quotables
from app.retrieval.quotes.sentences import SentenceCloseness
from app.retrieval.records import CitationSpan, RetrievedChunk
from app.text.terms import words
from tests.retrieval.passages.test_build import PAGES
from tests.support.markdown import chunks_of, ranked_by, store_markdown
from tests.support.stored import embed_all

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
    assert all(len(group) <= caps.MAX_CITATION_CHARS for group in groups)


@given(MARKS)
def test_quotables_are_short_in_order_and_balanced(text: str) -> None:
    found = quotables(text)
    for each in found:
        quote = text[each.span.start : each.span.end]
        assert 0 < len(quote) <= caps.MAX_CITATION_CHARS
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
        assert 0 < len(span.verbatim_text) <= caps.MAX_CITATION_CHARS
        if span.verbatim_text.isascii():
            assert set(words(span.verbatim_text)) <= set(words(document.text))


def test_a_quote_names_the_section_that_it_stands_in(corpus: Corpus) -> None:
    text = "# Boiler\n\nThe boiler is large and red.\n\n## Valve\n\nThe valve opens at nine in the morning."
    document = store_markdown(corpus, URL, text, chunk_tokens=200)
    passages = build_passages(ranked_by(chunks_of(corpus, document), "valve"), Documents(corpus).get, token_budget=500)
    (span,) = citations_of(corpus, passages, "valve opens", limit=1)
    assert (span.verbatim_text, span.section) == ("The valve opens at nine in the morning.", "Valve")


def test_code_steps_back_where_no_command_is_asked_for(corpus: Corpus) -> None:
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
