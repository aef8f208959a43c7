from __future__ import annotations

import pytest

from app.corpus.records import Chunk
from app.retrieval.evidence import ANSWERED, Evidence, confidence, language_note, likelihood, other_language
from app.retrieval.records import RetrievedChunk
from app.retrieval.rerank import Ranking

TEXT = "The autovacuum daemon of Postgres 15 removes dead rows; max_size is read at the start. Der Wert gilt für alle Tabellen."


def found(text: str = TEXT, *, weakest: float | None = 0.3) -> Ranking:
    chunk = Chunk(
        id=1,
        document_id=1,
        key="k",
        ord=0,
        url="https://docs.example/a",
        title="Handbook",
        section_path=("Upkeep",),
        anchor=None,
        text=text,
        start=0,
        end=len(text),
        prefix_length=0,
        suffix_length=0,
        tokens=30,
        last_crawled=0.0,
    )
    return Ranking((RetrievedChunk(chunk, 0.5, 0.5),), weakest)


def likely(question: str, ranking: Ranking) -> float:
    estimated = likelihood(question, ranking)
    assert estimated is not None
    return estimated


def test_without_vectors_nothing_is_estimated() -> None:
    assert likelihood("When are dead rows removed?", found(weakest=None)) is None


def test_the_closer_the_weakest_part_is_met_the_likelier_is_an_answer() -> None:
    question = "When are dead rows removed?"
    assert (
        likely(question, found(weakest=0.2))
        < likely(question, found(weakest=0.3))
        < likely(question, found(weakest=0.5))
    )


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ("Does Postgres remove dead rows?", "Does Oracle remove dead rows?"),
        ("Is max_size read at the start?", "Is min_cost read at the start?"),
        ("Which rows are removed in the Handbook?", "Which rows are removed in the Almanac?"),
    ],
)
def test_a_name_that_stands_nowhere_speaks_against_an_answer(held: str, missing: str) -> None:
    assert likely(missing, found()) < likely(held, found()) - 0.2


def test_the_first_word_of_a_sentence_and_german_nouns_are_no_names() -> None:
    assert likely("Xylophones remove dead rows?", found()) == likely("xylophones remove dead rows?", found())
    german = found("Der Wert gilt für alle Tabellen und wird nicht geändert.")
    assert likely("Wie wird der Kessel geheizt?", german) == likely("Wie wird der kessel geheizt?", german)


def test_a_question_in_another_language_than_the_passages_is_not_said_to_have_no_answer() -> None:
    german = found("Der Wert gilt für alle Tabellen und wird nicht geändert.", weakest=0.05)
    english = found("The value holds for all tables and is not changed.", weakest=0.05)
    assert likelihood("Which tables does the value hold for?", german) is None
    assert likelihood("¿Para qué tablas vale?", english) is None
    assert likely("Für welche Tabellen gilt der Wert?", german) < ANSWERED
    assert likely("Which tables does the value hold for?", english) < ANSWERED
    assert likely("max_size", german) < ANSWERED
    assert other_language("Which tables does the value hold for?", german.chunks) == "de"
    assert other_language("Für welche Tabellen gilt der Wert?", german.chunks) == ""
    assert other_language("max_size", german.chunks) == ""
    assert "asked again in theirs" in language_note(Evidence(german.chunks, None, 0, 0, "de"))
    assert language_note(Evidence(german.chunks, 0.9, 0, 0)) == ""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Welche Tabelle nutzt die Strasse?", "In den Tabellen der Straßen wird das nicht gespeichert."),
        ("Comment supprimer l'élément ?", "Les elements sont supprimés par la commande."),
        ("¿Cómo configuro las opciones?", "La configuración de una opción se hace con el archivo."),
    ],
)
def test_other_forms_of_a_word_are_seen(question: str, text: str) -> None:
    without = found(text.replace("Stra", "Tro").replace("supprim", "ajout").replace("configur", "lectur"))
    assert likely(question, found(text)) > likely(question, without)


def test_confidence_rises_with_relevance_and_falls_with_the_place() -> None:
    assert 0 < confidence(0.2, 1) < confidence(0.9, 1) < 1
    assert confidence(0.9, 5) < confidence(0.9, 2) < confidence(0.9, 1)
