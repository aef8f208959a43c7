"""Additions of the graph to a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from app.corpus import Corpus
from app.corpus.chunks import ChunkStore
from app.library.records import Hit
from app.library.scope import Filter
from app.retrieval.candidates import FIRST_QUERY_WEIGHT, find_candidates, graph_candidates
from app.retrieval.evidence import EvidenceFinder, SearchArea
from app.retrieval.records import ALL_STAGES, SearchPlan, SubQuery
from app.text.terms import expanded_terms
from tests.support.graph import SITE, store_manuals

QUESTION = "How do I look for varroa mites in a hive?"
EVERYTHING = Filter()


def asking(question: str) -> list[SubQuery]:
    return [SubQuery(question, None)]


def chunk_with(corpus: Corpus, document_id: int, word: str) -> int:
    return next(chunk.id for chunk in corpus.chunks.of_document(document_id, limit=99) if word in chunk.text)


def test_the_first_sub_query_weighs_more_than_another(corpus: Corpus) -> None:
    store_manuals(corpus, {"a.html": "# Drones\n\nThey eat honey.\n", "b.html": "# Comb\n\nBees draw wax.\n"})
    found = find_candidates(corpus, [*asking("wax"), *asking("honey")], filter=EVERYTHING, limit=9)
    texts = {chunk.id: chunk.text for chunk in corpus.chunks.by_ids([each.chunk_id for each in found])}
    assert ["wax" in texts[each.chunk_id] for each in found] == [True, False]
    assert found[0].score == pytest.approx(FIRST_QUERY_WEIGHT * found[1].score)


def test_pages_that_a_candidate_links_to_give_more_candidates(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    seed = chunk_with(corpus, ids["hives.html"], "holds frames")
    found = graph_candidates(corpus, asking(QUESTION), [seed], EVERYTHING, 10)
    pages = {chunk.document_id for chunk in corpus.chunks.by_ids([each.chunk_id for each in found])}
    assert ids["mites.html"] in pages
    assert seed not in {each.chunk_id for each in found}
    assert all(0 <= each.score <= 1 for each in found)


def test_entities_that_the_question_names_lead_to_their_pages(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    found = graph_candidates(corpus, asking("What is drone_comb?"), [], EVERYTHING, 10)
    chunks = corpus.chunks.by_ids([each.chunk_id for each in found])
    assert {chunk.document_id for chunk in chunks} == {ids["frames.html"], ids["mites.html"]}


def test_added_candidates_are_bounded_in_scope_and_new(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    seed = chunk_with(corpus, ids["hives.html"], "holds frames")
    asked = asking("hive mites frames")
    within = Filter(document_ids=(ids["hives.html"],))
    found = graph_candidates(corpus, asked, [seed], within, 10)
    assert {chunk.document_id for chunk in corpus.chunks.by_ids([each.chunk_id for each in found])} <= {
        ids["hives.html"]
    }
    assert len(graph_candidates(corpus, asked, [seed], EVERYTHING, 1)) == 1
    assert graph_candidates(corpus, asked, [seed], EVERYTHING, 0) == []
    assert graph_candidates(corpus, asking("hive"), [], Filter(doc_tags=(("elsewhere",),)), 5) == []


def test_the_graph_adds_candidates_after_the_found_ones(corpus: Corpus) -> None:
    store_manuals(
        corpus, {"a.html": f"# Drones\n\nSee [the comb]({SITE}b.html).\n", "b.html": "# Comb\n\nWax drawn by bees.\n"}
    )
    asked, scope = [SubQuery("drones and the comb they live in", None)], SearchArea((EVERYTHING,))
    plain = EvidenceFinder(corpus, ALL_STAGES).collect(asked, scope).candidates
    led = EvidenceFinder(corpus, ALL_STAGES).collect(asked, scope, SearchPlan(graph=True)).candidates
    assert led[: len(plain)] == plain
    assert all(each.matched == ("graph",) and each.score <= plain[-1].score for each in led[len(plain) :])


def pages_with(corpus: Corpus, question: str) -> list[str]:
    found = find_candidates(corpus, asking(question), filter=EVERYTHING, limit=9)
    return [chunk.url.rsplit("/", 1)[-1] for chunk in corpus.chunks.by_ids([each.chunk_id for each in found])]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wo stehen die Straßen?", "Eine Strasse wird gebaut."),
        ("Wo steht die STRASSE?", "Alle Straßen werden gebaut."),
        ("Wie lauten die Passwörter?", "Ein Passwort reicht."),
        ("Wie werden Abhaengigkeiten erfüllt?", "Jede Erfüllung der Regel."),
        ("Wie kann ich Pakete installieren?", "Nach der Installation ist es da."),
        ("Comment configurer l'option ?", "La valeur d’une option."),
        ("Comment sont installées les images ?", "Il faut l'installation complète."),
        ("Ou est la dependance ?", "Les dépendances manquantes."),
        ("¿Cómo se configura esto?", "La configuración está aquí."),
        ("¿Dónde están los ARCHIVOS?", "Un archivo más."),
    ],
)
def test_other_forms_of_a_word_are_found(corpus: Corpus, question: str, text: str) -> None:
    store_manuals(corpus, {"a.html": f"# X\n\n{text}\n", "b.html": "# Y\n\nNothing of it.\n"})
    assert pages_with(corpus, question) == ["a.html"]


def test_english_questions_are_only_searched_by_their_words_and_synonyms(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_manuals(corpus)
    searched = []
    lexical = type(corpus.chunks).lexical

    def noted(self: ChunkStore, terms: Sequence[str], **given: Any) -> list[Hit]:
        searched.append(tuple(terms))
        return lexical(self, terms, **given)

    monkeypatch.setattr(type(corpus.chunks), "lexical", noted)
    monkeypatch.delattr(type(corpus.chunks), "other_forms")
    for question in (QUESTION, "deletes frames", "What is drone_comb?", "résumé naïve"):
        find_candidates(corpus, asking(question), filter=EVERYTHING, limit=9)
        assert searched.pop() == expanded_terms(question)
