from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.embed.embedder import Embedder, QueryEmbedding
from app.errors import EmbedderError
from app.library.scope import Filter
from app.retrieval import rerank
from app.retrieval.analysis import analyse
from app.retrieval.candidates import find_candidates
from app.retrieval.evidence import EvidenceFinder, SearchArea, likelihood
from app.retrieval.records import ALL_STAGES, SearchMode, SearchPlan, SubQuery
from app.retrieval.rerank import (
    BLOCK_TOKENS,
    CEILING,
    FLOOR,
    THINNED_GAIN,
    LateInteractionReranker,
    Origins,
    QuestionInContext,
    _scaled,
    best_matches,
    word_share,
)
from tests.support.stored import embed_all, store

PARAGRAPHS = [
    "A dog needs a walk twice a day and fresh water in its bowl.",
    "The invoice must be paid within thirty days of delivery.",
    "To back up the database, copy the file while no writer is active.",
    "Rotate the signing key every quarter and revoke the old one.",
    "Our office is closed on public holidays and on weekends.",
]


@pytest.fixture
def filled(corpus: Corpus, embedder: Embedder) -> Corpus:
    store(corpus, "https://example.org/a", PARAGRAPHS, title="Handbook")
    store(corpus, "https://example.org/b", ["Signing keys are listed here, nothing else."], title="Other")
    embed_all(corpus, embedder)
    return corpus


def ask(embedder: Embedder, text: str) -> list[SubQuery]:
    return [SubQuery(text, embedder.embed_query(text))]


def best_text(corpus: Corpus, queries: list[SubQuery], mode: SearchMode = SearchMode.HYBRID) -> str:
    candidates = find_candidates(corpus, queries, filter=Filter(), plan=SearchPlan(mode), limit=30)
    return LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, candidates).chunks[0].chunk.text


def test_a_paraphrase_without_a_shared_word_is_found_by_meaning(filled: Corpus, embedder: Embedder) -> None:
    queries = ask(embedder, "When do I have to settle my bill?")
    assert best_text(filled, queries) == PARAGRAPHS[1]
    by_word = find_candidates(filled, queries, filter=Filter(), plan=SearchPlan(SearchMode.KEYWORD), limit=30)
    ids = {chunk.text for chunk in filled.chunks.by_ids([c.chunk_id for c in by_word])}
    assert PARAGRAPHS[1] not in ids


def test_results_name_the_retrievers_that_found_them(filled: Corpus, embedder: Embedder) -> None:
    queries = ask(embedder, "rotate the signing key")
    found = find_candidates(filled, queries, filter=Filter(), limit=30)
    first = filled.chunks.by_ids([found[0].chunk_id])[0]
    assert first.text == PARAGRAPHS[3] and found[0].matched == ("keyword", "meaning")
    assert found[0].score == pytest.approx(1.0)
    meaning = find_candidates(filled, queries, filter=Filter(), plan=SearchPlan(SearchMode.MEANING), limit=30)
    assert {c.matched for c in meaning} == {("meaning",)}


def test_a_filter_binds_both_retrievers(filled: Corpus, embedder: Embedder) -> None:
    scope = Filter(urls=("https://example.org/b",))
    found = find_candidates(filled, ask(embedder, "rotate the signing key"), filter=scope, limit=30)
    assert {chunk.url for chunk in filled.chunks.by_ids([c.chunk_id for c in found])} == {"https://example.org/b"}


def test_without_vectors_words_decide_and_scores_stay_in_range(corpus: Corpus) -> None:
    store(corpus, "https://example.org/a", PARAGRAPHS)
    queries = [SubQuery("back up the database file", None)]
    ranked = (
        LateInteractionReranker(corpus)
        .rerank(analyse(queries[0].text), queries, find_candidates(corpus, queries, filter=Filter(), limit=30))
        .chunks
    )
    assert ranked[0].chunk.text == PARAGRAPHS[2] and ranked[0].similarity is None
    assert all(0.0 <= item.reranked_score <= 1.0 for item in ranked)


def test_relevance_separates_answer_from_noise(filled: Corpus, embedder: Embedder) -> None:
    queries = ask(embedder, "How do I copy the database safely?")
    ranked = (
        LateInteractionReranker(filled)
        .rerank(analyse(queries[0].text), queries, find_candidates(filled, queries, filter=Filter(), limit=30))
        .chunks
    )
    assert ranked[0].chunk.text == PARAGRAPHS[2]
    assert ranked[0].reranked_score > ranked[1].reranked_score + 0.2
    assert [item.reranked_score for item in ranked] == sorted((i.reranked_score for i in ranked), reverse=True)


def test_each_chunk_names_the_part_of_the_question_that_it_is_closest_to(filled: Corpus, embedder: Embedder) -> None:
    """The whole question found all of them first."""
    texts = ["when is the office closed and what does a dog need", "when is the office closed", "what does a dog need"]
    queries = [SubQuery(text, embedder.embed_query(text)) for text in texts]
    ranked = (
        LateInteractionReranker(filled)
        .rerank(analyse(queries[0].text), queries, find_candidates(filled, queries, filter=Filter(), limit=30))
        .chunks
    )
    by_text = {item.chunk.text: item.sub_query for item in ranked}
    assert by_text[PARAGRAPHS[4]] == texts[1] and by_text[PARAGRAPHS[0]] == texts[2]
    assert set(by_text.values()) <= set(texts[1:])


@pytest.mark.parametrize(
    ("question", "languages", "is_by_words"),
    [
        ("Was kostet der Hund, wenn er dreimal trinkt?", ("en",), True),
        ("Was kostet der Hund, wenn er dreimal trinkt?", ("en", "de"), False),
        ("Was kostet der Hund, wenn er dreimal trinkt?", (), False),
        ("Quanto costa il cane se non beve?", ("en",), True),
        ("How much does the dog drink?", ("en",), False),
    ],
)
def test_words_decide_if_the_model_was_not_made_for_the_language(
    filled: Corpus, embedder: Embedder, question: str, languages: tuple[str, ...], is_by_words: bool
) -> None:
    """Relevance stays with the place, and vectors judge the answer."""
    queries = [SubQuery(question, replace(embedder.embed_query(question), languages=languages))]
    found = find_candidates(filled, queries, filter=Filter(), plan=SearchPlan(SearchMode.MEANING), limit=30)
    before = LateInteractionReranker(filled).rerank(analyse(question), queries, found)
    usual = before.chunks
    named = [replace(each, by_words=float(each.chunk_id == usual[-1].chunk.id)) for each in found]
    after = LateInteractionReranker(filled).rerank(analyse(question), queries, named)
    ranked = after.chunks
    assert after.met == before.met
    assert (ranked[0].chunk == usual[-1].chunk) is is_by_words
    assert [item.reranked_score for item in ranked] == [item.reranked_score for item in usual]


@pytest.mark.parametrize("origins", [Origins(), Origins(named=frozenset({1}))])
def test_the_fused_rank_counts_after_the_first_passage_of_a_whole_library(
    corpus: Corpus, embedder: Embedder, origins: Origins
) -> None:
    """Relevance stays with the place. On named pages, it alone decides."""
    texts = [
        "Replace the signing key every quarter.",
        "Store the signing key in a safe.",
        "Signing needs a key in a file.",
    ]
    store(corpus, "https://example.org/a", texts)
    embed_all(corpus, embedder)
    queries = ask(embedder, "How often must the signing key be replaced?")
    found = [replace(each, score=0.0) for each in find_candidates(corpus, queries, filter=Filter(), limit=30)]
    usual = LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, found, origins).chunks
    liked = [replace(each, score=float(each.chunk_id == usual[2].chunk.id)) for each in found]
    ranked = LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, liked, origins).chunks
    assert ranked[0].chunk == usual[0].chunk
    assert (ranked[1].chunk == usual[2].chunk) is not bool(origins.named)
    assert [item.reranked_score for item in ranked] == sorted((i.reranked_score for i in ranked), reverse=True)


def test_english_questions_about_pages_in_another_language_are_decided_by_words(
    corpus: Corpus, embedder: Embedder
) -> None:
    store(corpus, "https://example.org/de", ["Der Hund ist im Haus und frisst nicht.", "Die Katze ist nicht im Haus."])
    embed_all(corpus, embedder)
    queries = ask(embedder, "Where is the dog?")
    found = [replace(each, by_words=0.0) for each in find_candidates(corpus, queries, filter=Filter(), limit=30)]
    usual = LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, found).chunks
    named = [replace(each, by_words=float(each.chunk_id == usual[-1].chunk.id)) for each in found]
    ranked = LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, named).chunks
    assert len(usual) == 2 and ranked[0].chunk == usual[1].chunk


def test_the_only_part_of_a_question_is_named_by_no_chunk(filled: Corpus, embedder: Embedder) -> None:
    """The rest of the question occurs in chunks too."""
    queries = [
        SubQuery(text, embedder.embed_query(text)) for text in ("why rotate the key and how long", "rotate the key")
    ]
    candidates = find_candidates(filled, queries, filter=Filter(), limit=30)
    ranked = LateInteractionReranker(filled).rerank(analyse(queries[0].text), queries, candidates).chunks
    assert ranked and {item.sub_query for item in ranked} == {None}


def test_a_chunk_deleted_in_the_meantime_is_omitted(filled: Corpus, embedder: Embedder) -> None:
    queries = ask(embedder, "rotate the signing key")
    candidates = find_candidates(filled, queries, filter=Filter(), limit=30)
    document = filled.documents.get("https://example.org/a")
    assert document is not None
    filled.documents.delete([document.id])
    ranked = LateInteractionReranker(filled).rerank(analyse(queries[0].text), queries, candidates).chunks
    assert {item.chunk.url for item in ranked} == {"https://example.org/b"}


def test_a_named_page_wins_only_ties(corpus: Corpus, embedder: Embedder) -> None:
    store(corpus, "https://example.org/other", [PARAGRAPHS[1], PARAGRAPHS[0]], title="Rules")
    store(corpus, "https://example.org/named", [PARAGRAPHS[1], PARAGRAPHS[4]], title="Rules")
    embed_all(corpus, embedder)
    named = corpus.documents.get("https://example.org/named")
    assert named is not None
    origins = Origins(frozenset({named.id}), frozenset({named.id}))
    for question, url in (("When is an invoice due?", "named"), ("What does a dog need?", "other")):
        queries = ask(embedder, question)
        candidates = find_candidates(corpus, queries, filter=Filter(), limit=30)
        best = LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, candidates, origins).chunks[0]
        assert best.chunk.url == f"https://example.org/{url}"


def test_the_title_of_the_page_gives_the_context_of_a_question(corpus: Corpus, embedder: Embedder) -> None:
    texts = ["It is cleaned every week with warm water.", "It is emptied every week by the driver."]
    store(corpus, "https://example.org/tank", texts, title="The milk tank of the dairy lorry")
    embed_all(corpus, embedder)
    question = "How often is it washed?"
    plain = embedder.embed_query(question)
    behind = QuestionInContext(question, embedder.embed_query).behind("The milk tank of the dairy lorry")
    assert behind is not None and behind.token_words == plain.token_words
    assert behind.token_vectors.shape == plain.token_vectors.shape
    assert not np.allclose(behind.token_vectors, plain.token_vectors, atol=0.01)
    queries = [SubQuery(question, plain)]
    candidates = find_candidates(corpus, queries, filter=Filter(), limit=9)
    in_context = QuestionInContext(question, embedder.embed_query)
    reranker = LateInteractionReranker(corpus)
    ranked = reranker.rerank(analyse(question), queries, candidates, Origins(), in_context)
    assert ranked.chunks[0].chunk.text == texts[0]
    assert ranked.chunks != reranker.rerank(analyse(question), queries, candidates).chunks


def test_a_question_is_read_once_after_each_title_and_failures_are_per_title(embedder: Embedder) -> None:
    asked: list[str] = []

    def embed(question: str, title: str) -> QueryEmbedding:
        asked.append(title)
        if title == "Broken":
            raise EmbedderError("no connection")
        return embedder.embed_query(question, title)

    context = QuestionInContext("How often is it washed?", embed)
    context.begin(["Tank", "Broken", "", "Tank", "Hall"])
    context.begin(["Hall", "Lorry"])
    assert context.behind("Broken") is None and context.behind("") is None
    for title in ("Tank", "Hall", "Lorry", "Yard"):
        found = context.behind(title)
        assert found is not None
        expected = embedder.embed_query("How often is it washed?", title)
        np.testing.assert_array_equal(found.token_vectors, expected.token_vectors)
    assert sorted(asked) == ["Broken", "Hall", "Lorry", "Tank", "Yard"]


def test_a_missing_requested_name_makes_an_answer_unlikely(filled: Corpus, embedder: Embedder) -> None:
    def likely(question: str) -> float:
        queries = ask(embedder, question)
        candidates = find_candidates(filled, queries, filter=Filter(), limit=30)
        value = likelihood(
            question, LateInteractionReranker(filled).rerank(analyse(queries[0].text), queries, candidates)
        )
        assert value is not None
        return value

    answered = [likely("How soon must an invoice be paid?"), likely("How do I copy the database safely?")]
    assert min(answered) > 0.8
    assert likely("How do I copy the database to Amazon Glacier?") < min(answered)
    assert likely("Which vaccinations are recommended for a trip to Kenya?") < 0.3


def test_without_vectors_nothing_is_estimated(corpus: Corpus) -> None:
    store(corpus, "https://example.org/a", PARAGRAPHS)
    queries = [SubQuery("back up the database file", None)]
    ranking = LateInteractionReranker(corpus).rerank(
        analyse(queries[0].text), queries, find_candidates(corpus, queries, filter=Filter(), limit=9)
    )
    assert ranking.met is None and likelihood("back up the database file", ranking) is None
    assert likelihood("anything", LateInteractionReranker(corpus).rerank(analyse(queries[0].text), queries, [])) is None


def test_very_close_passages_keep_their_order() -> None:
    cosines = np.array([0.1, 0.3, 0.6, 0.7, 0.8, 0.95])
    relevance = _scaled(cosines)
    assert list(relevance) == sorted(set(relevance)) and relevance[0] == 0 and relevance[-1] < 1
    assert relevance[1] == pytest.approx((0.3 - FLOOR) / (CEILING - FLOOR))


def test_without_token_vectors_the_nearest_vectors_still_count(filled: Corpus, embedder: Embedder) -> None:
    question = "When do I have to settle my bill?"
    vector = embedder.embed_query(question).vector
    queries = [SubQuery(question, QueryEmbedding(vector, np.empty((0, vector.size), np.float32), ()))]
    ranked = LateInteractionReranker(filled).rerank(
        analyse(question), queries, find_candidates(filled, queries, filter=Filter(), limit=30)
    )
    assert ranked.chunks[0].chunk.text == PARAGRAPHS[1] and ranked.met is None


def query(tokens: int, dimension: int, seed: int, words: tuple[str, ...] | None = None) -> QueryEmbedding:
    vectors = np.random.default_rng(seed).standard_normal((tokens, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return QueryEmbedding(vectors.mean(axis=0), vectors, words or tuple("w" for _ in range(tokens)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(1, 9), st.integers(0, 99))
def test_every_best_match_is_the_largest_cosine_to_the_signs(lengths: list[int], tokens: int, seed: int) -> None:
    asked = query(tokens, 32, seed)
    source = np.random.default_rng(seed + 1)
    passages = [source.integers(0, 256, (length, 4), dtype=np.uint8) for length in lengths]
    found = best_matches(asked.token_vectors, passages)
    for row, bits in zip(found, passages, strict=True):
        signs = np.unpackbits(bits, axis=1).astype(np.float64) * 2 - 1
        cosines = asked.token_vectors @ (signs / np.linalg.norm(signs, axis=1, keepdims=True)).T
        np.testing.assert_allclose(row, cosines.max(axis=1), atol=1e-5)


def test_a_passage_across_two_blocks_is_seen_whole() -> None:
    asked = query(3, 16, 5)
    best = np.packbits(asked.token_vectors > 0, axis=1)
    filler = np.packbits(asked.token_vectors[:1] < 0, axis=1).repeat(BLOCK_TOKENS - 1, axis=0)
    whole = np.concatenate([filler, best])
    np.testing.assert_allclose(
        best_matches(asked.token_vectors, [whole]), best_matches(asked.token_vectors, [best]), atol=1e-6
    )


def test_passages_with_fewer_signs_are_compared_by_these_beside_others() -> None:
    asked = query(3, 128, 5)
    signs = asked.token_vectors > 0
    whole, thin = np.packbits(signs, axis=1), np.packbits(signs[:, ::4], axis=1)
    found = best_matches(asked.token_vectors, [thin, whole, thin[::-1]])
    few = asked.token_vectors[:, ::4] / np.linalg.norm(asked.token_vectors[:, ::4], axis=1, keepdims=True)
    expected = (few @ np.where(signs[:, ::4], 1, -1).T).max(axis=1) / math.sqrt(32) - THINNED_GAIN
    np.testing.assert_allclose(found[[0, 2]], [expected, expected], atol=1e-5)
    np.testing.assert_allclose(found[1], best_matches(asked.token_vectors, [whole])[0], atol=1e-6)


def test_punctuation_has_no_share_unless_there_is_nothing_else() -> None:
    np.testing.assert_allclose(word_share(query(3, 8, 1, ("why", "?", "now"))), [0.5, 0, 0.5])
    np.testing.assert_allclose(word_share(query(2, 8, 1, ("?", "!"))), [0.5, 0.5])


def test_a_passage_that_pages_share_comes_from_the_page_asked_about(corpus: Corpus, embedder: Embedder) -> None:
    pages = [
        store(corpus, f"https://example.org/{name}", PARAGRAPHS, title=title)
        for name, title in (("key", "Rotating signing keys"), ("manual", "Manual"), ("notes", "Notes"))
    ]
    embed_all(corpus, embedder)
    queries = ask(embedder, "When is the signing key rotated?")
    finder = EvidenceFinder(corpus, ALL_STAGES)
    asked = SearchArea((Filter(),))

    def found(origins: Origins) -> list[tuple[str, str, float]]:
        in_context = QuestionInContext(queries[0].text, embedder.embed_query)
        evidence = finder.rank(analyse(queries[0].text), queries, finder.collect(queries, asked), origins, in_context)
        return [(item.chunk.url, item.chunk.text, item.reranked_score) for item in evidence.ranked]

    anywhere = found(Origins())
    assert sorted(text for _, text, _ in anywhere) == sorted(PARAGRAPHS)
    named = found(Origins(named=frozenset(pages[1:2]), read=frozenset(pages)))
    assert {url for url, _, _ in named} == {"https://example.org/manual"}
    assert [score for *_, score in named] == sorted((score for *_, score in named), reverse=True)


@pytest.mark.parametrize(
    ("question", "gains"),
    [("Wann muss die Rechnung für eine Lieferung bezahlt werden?", True), ("When is the invoice paid?", False)],
)
def test_the_words_of_a_passage_count_in_languages_that_the_model_was_not_made_for(
    corpus: Corpus, embedder: Embedder, monkeypatch: pytest.MonkeyPatch, question: str, gains: bool
) -> None:
    texts = [
        "Rechnungen müssen innerhalb von dreißig Tagen nach der Lieferung bezahlt werden.",
        "Der Hund schläft gern.",
    ]
    store(corpus, "https://example.org/a", texts)
    embed_all(corpus, embedder)
    queries = ask(embedder, question)

    def relevance() -> dict[str, float]:
        found = find_candidates(corpus, queries, filter=Filter(), limit=30)
        ranked = LateInteractionReranker(corpus).rerank(analyse(question), queries, found).chunks
        return {item.chunk.text: item.reranked_score for item in ranked}

    counted = relevance()
    monkeypatch.setattr(rerank, "WORDS_SHARE", 0.0)
    uncounted = relevance()
    assert (counted[texts[0]] > uncounted[texts[0]]) == gains
    assert counted[texts[1]] <= uncounted[texts[1]]


def test_words_that_lead_to_the_question_choose_the_first_passage_if_no_page_is_named(
    filled: Corpus, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = ask(embedder, "how often do keys change")
    candidates = find_candidates(filled, queries, filter=Filter(), plan=SearchPlan(), limit=30)

    def order(origins: Origins = rerank.ANYWHERE) -> list[str]:
        ranking = LateInteractionReranker(filled).rerank(analyse(queries[0].text), queries, candidates, origins)
        return [item.chunk.text for item in ranking.chunks]

    monkeypatch.setattr(rerank, "explain", lambda _, texts: np.zeros(len(texts)))
    before = order()
    last = before[-1]
    monkeypatch.setattr(rerank, "explain", lambda _, texts: np.array([100.0 * (last in text) for text in texts]))

    assert order()[0] == last
    named = next(item.document_id for item in filled.chunks.by_ids([candidates[0].chunk_id]))
    assert order(Origins(named=frozenset({named})))[0] != last
