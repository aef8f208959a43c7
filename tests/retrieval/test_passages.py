"""Passages from real pages: exact, separate, within the budget, and complete thoughts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.errors import EmptyPageError
from app.library.records import Document
from app.retrieval.passages import PASSAGE_TOKENS, Documents, build_passages, whole_page
from app.retrieval.records import RetrievedChunk
from app.text.terms import estimate_tokens
from tests.support.markdown import chunks_of, ranked_by, store_markdown

URL = "https://docs.example/page.md"

WORDS = st.sampled_from(
    ["valve", "steam", "opens", "the", "at nine.", "boiler", "gauge", "水位计", "Überdruck", "x" * 300]
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=30).map(lambda parts: " ".join(parts) + ".")
BLOCKS = st.one_of(
    SENTENCES,
    st.lists(SENTENCES, min_size=1, max_size=6).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(SENTENCES, min_size=1, max_size=12).map(lambda lines: "\n".join(["```sh", *lines, "```"])),
    st.lists(SENTENCES, min_size=1, max_size=12).map(
        lambda rows: "\n".join(["| part | what |", "|---|---|", *(f"| {row} | x |" for row in rows)])
    ),
    st.sampled_from(
        ["## Steam", "### The valve", "Do this:", "**Table 1**", "内容は次の通りです。水位計を確認する。" * 20]
    ),
)
PAGES = st.lists(BLOCKS, min_size=1, max_size=25).map("\n\n".join)

on_real_pages = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def found_in(corpus: Corpus, ranked: list[RetrievedChunk], budget: int) -> list[RetrievedChunk]:
    passages = build_passages(ranked, Documents(corpus).get, token_budget=budget)
    for passage in passages:
        document = corpus.documents.by_id(passage.chunk.document_id)
        assert document is not None
        assert_exact(document, passage)
    return passages


def assert_exact(document: Document, passage: RetrievedChunk) -> None:
    chunk = passage.chunk
    inner = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
    assert document.text[chunk.start : chunk.end] == inner


def assert_apart(passages: list[RetrievedChunk]) -> None:
    spans = sorted((passage.chunk.document_id, passage.chunk.start, passage.chunk.end) for passage in passages)
    for (one, _, end), (other, start, _) in pairwise(spans):
        assert one != other or end <= start


@on_real_pages
@given(page=PAGES, other=PAGES, budget=st.integers(1, 2_000), order=st.randoms(use_true_random=False))
def test_passages_are_exact_apart_within_the_budget_and_in_order(
    corpus: Corpus, page: str, other: str, budget: int, order: object
) -> None:
    try:
        documents = [store_markdown(corpus, URL, page), store_markdown(corpus, URL + "2", other)]
    except EmptyPageError:
        assume(False)
    chunks = [chunk for document in documents for chunk in chunks_of(corpus, document)]
    ranked = ranked_by(chunks, "valve", "水位计", "boiler")
    passages = found_in(corpus, ranked, budget)
    assert passages
    assert_apart(passages)
    total = sum(estimate_tokens(passage.chunk.text) for passage in passages)
    assert total <= budget or len(passages) == 1
    assert [p.chunk.tokens for p in passages] == [estimate_tokens(p.chunk.text) for p in passages]
    scores = [passage.reranked_score for passage in passages]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == ranked[0].reranked_score
    assert found_in(corpus, ranked, budget) == passages
    held = {chunk.id for passage in passages for chunk in passage.members}
    assert {passage.chunk.id for passage in passages} <= held


@on_real_pages
@given(page=PAGES)
def test_a_whole_page_contains_all_its_text_once(corpus: Corpus, page: str) -> None:
    try:
        document = store_markdown(corpus, URL, page)
    except EmptyPageError:
        assume(False)
    chunks = chunks_of(corpus, document)
    blocks = whole_page(document, chunks, ranked_by(chunks, "valve"))
    assert_apart(blocks)
    for block in blocks:
        assert_exact(document, block)
    first, last = min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks)
    shown = "".join(document.text[block.chunk.start : block.chunk.end] for block in blocks)
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end) if not document.text[at].isspace()}
    inside = {at for block in blocks for at in range(block.chunk.start, block.chunk.end)}
    assert covered <= inside
    assert len(shown) <= last - first


SENTENCE = "The {} of the boiler is checked by the stoker before the first train leaves the station. "


def test_neighbouring_chunks_become_one_passage_without_repetition(corpus: Corpus) -> None:
    text = "# Boiler\n\n" + "".join(SENTENCE.format(f"part{n}") for n in range(24))
    document = store_markdown(corpus, URL, text, chunk_tokens=200)
    chunks = chunks_of(corpus, document)
    assert any(after.start < before.end for before, after in pairwise(chunks))
    ranked = ranked_by(chunks, "boiler")
    passages = found_in(corpus, ranked, 1_000)
    assert len(passages) == 1
    assert passages[0].chunk.text.count("part3 ") == 1
    assert passages[0].members == tuple(chunks)


def test_no_passage_of_several_chunks_is_larger_than_one_may_be(corpus: Corpus) -> None:
    text = "# Boiler\n\n" + "".join(SENTENCE.format(f"part{n}") for n in range(120))
    document = store_markdown(corpus, URL, text)
    passages = found_in(corpus, ranked_by(chunks_of(corpus, document), "boiler"), 3_000)
    assert len(passages) > 3
    assert all(passage.chunk.tokens <= PASSAGE_TOKENS for passage in passages)


def test_a_table_or_list_includes_its_introduction(corpus: Corpus) -> None:
    filler = "".join(SENTENCE.format(f"part{n}") for n in range(4))
    items = "\n".join(f"- {name} is shut by hand before the fire is lit" for name in ("valve", "damper", "cock"))
    text = f"# Boiler\n\n{filler}\n\nBefore lighting up, mind these:\n\n{items}\n\n{filler}"
    document = store_markdown(corpus, URL, text, chunk_tokens=40)
    chunks = chunks_of(corpus, document)
    before = next(chunk for chunk in chunks if "mind these:" in chunk.text)
    end = before.start + before.text.index("mind these:") + len("mind these:")
    announcing = replace(before, text=document.text[before.start : end], end=end)
    passages = found_in(corpus, [RetrievedChunk(announcing, 0.9, 0.9)], 500)
    assert passages[0].chunk.text.endswith("cock is shut by hand before the fire is lit")


def test_code_cut_in_two_is_closed_where_the_page_closes_it(corpus: Corpus) -> None:
    lines = "\n".join(f"stoke --grate {n} --shovels {n}" for n in range(12))
    document = store_markdown(corpus, URL, f"# Firing\n\n```sh\n{lines}\n```\n\nThat is all.", chunk_tokens=50)
    last = next(chunk for chunk in chunks_of(corpus, document) if chunk.prefix_length)
    passages = found_in(corpus, [RetrievedChunk(last, 0.9, 0.9)], 500)
    assert passages[0].chunk.prefix_length == 0
    assert passages[0].chunk.text.startswith("# Firing\n\n```sh\n")
    assert passages[0].chunk.text.count("```") == 2


def test_a_cut_table_keeps_its_repeated_header(corpus: Corpus) -> None:
    rows = "\n".join(f"| gauge {n} | shows the water in boiler number {n} |" for n in range(60))
    document = store_markdown(corpus, URL, f"# Gauges\n\n| name | use |\n|---|---|\n{rows}")
    middle = next(chunk for chunk in chunks_of(corpus, document) if "gauge 40 " in chunk.text)
    passages = found_in(corpus, [RetrievedChunk(middle, 0.9, 0.9)], 500)
    assert passages[0].chunk.text.startswith("| name | use |\n|---|---|\n| gauge")


def test_a_passage_names_the_heading_over_it_and_those_in_it(corpus: Corpus) -> None:
    parts = "\n\n".join(f"## Step {n}\n\n{SENTENCE.format(f'valve {n}')}" for n in range(3))
    document = store_markdown(corpus, URL, f"# Valves\n\n{parts}\n\n## Other\n\n" + "It hums. " * 900)
    stored = chunks_of(corpus, document)
    shown = next(chunk for chunk in stored if "valve 2" in chunk.text)
    (whole,) = found_in(corpus, ranked_by([chunk for chunk in stored if chunk.start <= shown.start]), 900)
    assert whole.headings == ("Valves", "Step 0", "Step 1", "Step 2")
    inside = next(chunk for chunk in stored[1:] if "It hums." in chunk.text and not chunk.text.startswith("#"))
    assert found_in(corpus, ranked_by([inside]), 500)[0].headings[-1] == "Other"


def test_every_sub_query_gets_a_passage(corpus: Corpus) -> None:
    pages = {
        topic: store_markdown(corpus, f"https://docs.example/{topic}", f"# {topic}\n\n" + SENTENCE.format(topic) * 9)
        for topic in ("steam", "diesel")
    }
    loud = [
        RetrievedChunk(chunk, 0.9, 0.9 - n / 100, sub_query="steam?")
        for n, chunk in enumerate(chunks_of(corpus, pages["steam"]))
    ]
    quiet = [RetrievedChunk(chunk, 0.4, 0.4, sub_query="diesel?") for chunk in chunks_of(corpus, pages["diesel"])[:1]]
    passages = found_in(corpus, [*loud, *quiet], 160)
    assert {passage.sub_query for passage in passages} == {"steam?", "diesel?"}


def test_copies_and_the_clearly_irrelevant_are_left_out(corpus: Corpus) -> None:
    one = store_markdown(corpus, URL, "The valve opens at nine.")
    copy = store_markdown(corpus, URL + "2", "The valve  opens at nine.")
    weak = store_markdown(corpus, URL + "3", "The stoker sings.")
    ranked = [
        RetrievedChunk(chunks_of(corpus, document)[0], score, score)
        for document, score in ((one, 0.9), (copy, 0.8), (weak, 0.1))
    ]
    assert [passage.chunk.document_id for passage in found_in(corpus, ranked, 500)] == [one.id]


def test_a_page_that_changed_or_was_deleted_in_the_meantime_is_omitted(corpus: Corpus) -> None:
    old = store_markdown(corpus, URL, "The valve opens at nine.")
    gone = store_markdown(corpus, URL + "2", "The valve opens at ten.")
    ranked = [RetrievedChunk(chunks_of(corpus, document)[0], 0.9, 0.9) for document in (old, gone)]
    store_markdown(corpus, URL, "Nothing of the kind is true any more.")
    corpus.documents.delete([gone.id])
    assert found_in(corpus, ranked, 500) == []


@pytest.mark.parametrize(("tokens", "blocks"), [(300, 1), (1_500, 2)])
def test_small_pages_stay_in_one_block(corpus: Corpus, tokens: int, blocks: int) -> None:
    section = "## Part {}\n\n" + SENTENCE.format("gauge") * 3
    text = "\n\n".join(section.format(n) for n in range(tokens // estimate_tokens(section)))
    document = store_markdown(corpus, URL, text)
    chunks = chunks_of(corpus, document)
    ranked = [replace(item, reranked_score=0.9) for item in ranked_by(chunks[-1:])]
    made = whole_page(document, chunks, ranked)
    assert len(made) == blocks
    assert made[-1].reranked_score == 0.9
    assert not made[-1].is_locality_expanded and all(block.is_locality_expanded for block in made[:-1])


def test_the_only_chunk_with_a_requested_name_is_shown(corpus: Corpus) -> None:
    rows = "\n".join(f"| plan-{n} | region {n % 7} | {n * 13} gigabytes |" for n in range(1_000, 1_400))
    document = store_markdown(corpus, URL, f"| plan | region | storage |\n|---|---|---|\n{rows}")
    chunks = chunks_of(corpus, document)
    ranked = [RetrievedChunk(chunk, 0.5, 0.9) for chunk in chunks[:20]]
    ranked += [RetrievedChunk(chunk, 0.5, 0.5) for chunk in chunks[25:] if "plan-1390" in chunk.text]
    find = Documents(corpus).get
    plain = build_passages(ranked, find, token_budget=500)
    named = build_passages(ranked, find, token_budget=500, names=("plan-1390", "plan"))
    assert not any("plan-1390 " in passage.chunk.text for passage in plain)
    assert sum("plan-1390 " in passage.chunk.text for passage in named) == 1
    assert sum(passage.chunk.tokens for passage in named) <= 500
