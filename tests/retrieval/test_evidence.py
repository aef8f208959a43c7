from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app.embed import NO_MODEL
from app.library.records import Chunk
from app.retrieval.analysis import Held, analyse, names_of
from app.retrieval.evidence import (
    ANSWERED,
    ANSWERED_ANYWHERE,
    Evidence,
    EvidenceFinder,
    Found,
    confidence,
    language_note,
    likelihood,
    unmet_note,
)
from app.retrieval.records import QueryAnalysis, RetrievedChunk, Stages, SubQuery
from app.retrieval.rerank import ANYWHERE, USUAL_CHUNKS, USUAL_MATCH, Met, Origins, Ranking, other_language

TEXT = "The autovacuum daemon of Postgres 15 removes dead rows; max_size is read at the start. Der Wert gilt für alle Tabellen."


MET = Met(gain=0.1, together=0.3)
POOR = Met(gain=0.0, together=0.1)


def found(text: str = TEXT, *, met: Met | None = MET, lead: float = 0.05) -> Ranking:
    best = RetrievedChunk(chunk_of(1, text), 0.5, 0.5)
    others = [RetrievedChunk(chunk_of(n, f"Something else {'!' * n}"), 0.5, 0.5 - lead) for n in range(2, 8)]
    return Ranking((best, *others), met)


def chunk_of(number: int, text: str) -> Chunk:
    return Chunk(
        id=number,
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


def likely(question: str, ranking: Ranking) -> float:
    estimated = likelihood(question, ranking)
    assert estimated is not None
    return estimated


def test_without_vectors_nothing_is_estimated() -> None:
    assert likelihood("When are dead rows removed?", found(met=None)) is None


def test_better_matches_and_a_larger_lead_make_an_answer_likelier() -> None:
    question = "When are dead rows removed?"
    assert likely(question, found(met=replace(MET, gain=0.05))) < likely(question, found(met=replace(MET, gain=0.2)))
    together = [likely(question, found(met=replace(MET, together=cosine))) for cosine in (0.1, 0.3, 0.5)]
    assert together == sorted(set(together))
    assert likely(question, found(lead=0.01)) < likely(question, found(lead=0.1))
    copies = Ranking((*found().chunks[:1], *found().chunks), MET)
    assert likely(question, copies) == likely(question, found())


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ("Does Postgres remove dead rows?", "Does Oracle remove dead rows?"),
        ("Is max_size read at the start?", "Is min_cost read at the start?"),
        ("Which rows are removed in the Handbook?", "Which rows are removed in the Almanac?"),
    ],
)
def test_a_missing_name_counts_against_an_answer(held: str, missing: str) -> None:
    assert likely(missing, found()) < likely(held, found()) - 0.2


def test_the_first_word_of_a_sentence_and_german_nouns_are_no_names() -> None:
    assert likely("Xylophones remove dead rows?", found()) == likely("xylophones remove dead rows?", found())
    german = found("Der Wert gilt für alle Tabellen und wird nicht geändert.")
    assert likely("Wie wird der Kessel geheizt?", german) == likely("Wie wird der kessel geheizt?", german)


def test_a_question_in_another_language_is_not_reported_as_unanswered() -> None:
    german = found("Der Wert gilt für alle Tabellen und wird nicht geändert.", met=POOR)
    english = found("The value holds for all tables and is not changed.", met=POOR)
    assert likelihood("Which tables does the value hold for?", german) is None
    assert likelihood("¿Para qué tablas vale?", english) is None
    assert likely("Für welche Tabellen gilt der Wert?", german) < ANSWERED
    assert likely("Which tables does the value hold for?", english) < ANSWERED
    assert likely("max_size", german) < ANSWERED
    assert other_language("Which tables does the value hold for?", german.chunks) == "de"
    assert other_language("Für welche Tabellen gilt der Wert?", german.chunks) == ""
    assert other_language("max_size", german.chunks) == ""
    assert "Ask in their language" in language_note(Evidence(german.chunks, None, 0, 0, "de"), None)
    assert language_note(Evidence(german.chunks, 0.9, 0, 0), None) == ""
    # The best passage is in the language of the question, most others are not.
    assert language_note(Evidence((*english.chunks, *german.chunks), None, 0, 0, "de"), None) == ""


def test_hardly_any_shared_pair_of_letters_among_many_passages_means_another_subject() -> None:
    many = tuple(RetrievedChunk(chunk_of(n, f"请选择要安装的版本 {n}"), 0.5, 0.5) for n in range(USUAL_CHUNKS))
    question = "明天坐哪路公交车去机场？"
    assert likely(question, Ranking(many, held=0.05)) < ANSWERED
    assert likelihood(question, Ranking(many, held=0.1)) is None
    assert likelihood(question, Ranking(many[:9], held=0.05)) is None


@pytest.mark.parametrize(
    "text",
    [
        "请在软件包列表中选择要安装的版本。",
        "패키지 목록에서 설치할 버전을 선택하십시오.",
        "Выберите версию пакета в списке.",
        "Επιλέξτε την έκδοση του πακέτου.",
    ],
)
def test_pages_in_another_script_are_in_another_language(text: str) -> None:
    pages = found(3 * text, met=POOR)
    assert likelihood("Which version of the package do I choose?", pages) is None
    assert likelihood(text, pages) is not None
    # The keyword search found little of the question, because the pages have other words.
    assert likelihood("Which version of the package do I choose?", replace(pages, met=None, held=0.01)) is None


@pytest.mark.parametrize(("languages", "is_shown"), [((), True), (("en", "fr"), True), (("en", "de"), False)])
def test_a_model_that_knows_the_language_needs_no_note_about_it(languages: tuple[str, ...], is_shown: bool) -> None:
    embedder: Any = SimpleNamespace(card=replace(NO_MODEL, languages=languages))
    assert bool(language_note(Evidence((), None, 0, 0, "de"), embedder)) is is_shown


@pytest.mark.parametrize(
    ("language", "word", "text"),
    [
        ("de", "Strasse", "In den Tabellen der Straßen wird das nicht gespeichert."),
        ("fr", "supprimer", "Les elements sont supprimés par la commande."),
        ("es", "configuro", "La configuración de una opción se hace con el archivo."),
    ],
)
def test_other_forms_of_a_word_are_seen(language: str, word: str, text: str) -> None:
    assert Held.of([chunk_of(1, text)], language).holds(word)
    other = text.replace("Stra", "Tro").replace("supprim", "ajout").replace("configur", "lectur")
    assert not Held.of([chunk_of(1, other)], language).holds(word)


def test_few_passages_are_only_judged_by_missing_names() -> None:
    few = Ranking(found().chunks[:3], Met(gain=-0.2, together=0.1))
    assert not Evidence(few.chunks, likely("When are they removed?", few), 0, 0).is_none
    assert Evidence(few.chunks, likely("When does Oracle remove them?", few), 0, 0).is_none


def test_passages_that_are_hardly_relevant_are_no_answer() -> None:
    close = Met(gain=0.3, together=0.5)
    chunks = [replace(item, reranked_score=item.reranked_score - 0.15) for item in found().chunks]
    assert not Evidence(found().chunks, likely("When are they removed?", found(met=close)), 0, 0).is_none
    assert Evidence(tuple(chunks), likely("When are they removed?", Ranking(tuple(chunks), close)), 0, 0).is_none
    assert not Evidence(
        tuple(chunks[:3]), likely("When are they removed?", Ranking(tuple(chunks[:3]), close)), 0, 0
    ).is_none


def test_a_question_for_a_count_needs_a_number_near_the_thing() -> None:
    question = "How many dead rows are removed at once?"
    counted = "It removes dead rows. At most 1,000 rows go at once."
    elsewhere = "It removes dead rows. Version 15 of the daemon is faster than all before it."
    assert likely(question, found(elsewhere)) < likely(question, found(counted)) - 0.1
    assert likely(question, found("All but eleven dead rows are removed.")) == likely(question, found(counted))
    for at_the_end in ("It removes at most 1,000 dead rows.", "The dead rows: seven."):
        assert likely(question, found(at_the_end)) == likely(question, found(counted))
    assert likely("Which dead rows are removed at once?", found(elsewhere)) > likely(question, found(elsewhere))


def test_a_name_matches_synonyms_and_consecutive_names_are_one() -> None:
    assert likely("Is it held in RAM?", found("It is held in memory.")) > likely("Is it held in EEPROM?", found()) + 0.1
    near = Met(MET.gain, MET.together, {"int32": USUAL_MATCH + 0.1})
    assert likely("What is an int32 worth?", found(met=near)) > likely("What is an int32 worth?", found()) + 0.1
    assert names_of("Is Amazon Glacier read by SAP and by the daemon of Postgres?") == [
        "Amazon Glacier",
        "SAP",
        "Postgres",
    ]


def test_confidence_rises_with_relevance_and_falls_with_the_place() -> None:
    assert 0 < confidence(0.2, 1) < confidence(0.9, 1) < 1
    assert confidence(0.9, 5) < confidence(0.9, 2) < confidence(0.9, 1)


@pytest.mark.parametrize(
    ("parts", "unmet"),
    [
        (("When are dead rows removed?", "What does a quokka eat?"), ("What does a quokka eat?",)),
        (("When are dead rows removed?", "Who removes dead rows?"), ()),
        (("What does a quokka eat?",), ()),
    ],
)
def test_each_part_of_a_question_is_judged_as_a_question(
    monkeypatch: pytest.MonkeyPatch, parts: tuple[str, ...], unmet: tuple[str, ...]
) -> None:
    def ranking(_finder: object, analysis: QueryAnalysis, *_: object) -> Ranking:
        return found(met=POOR if analysis.query.startswith("What does a quokka") else MET)

    monkeypatch.setattr(EvidenceFinder, "_ranking", ranking)
    finder = EvidenceFinder(None, Stages())  # type: ignore[arg-type]
    whole = "When are dead rows removed and so on?"
    queries = [SubQuery(text, None) for text in (whole, *parts)]
    told = finder.rank(analyse(whole), queries, Found((), 0.0, has_waiting=False))
    assert told.unmet == unmet
    assert unmet_note(told) == ("" if not unmet else 'Nothing found for: "What does a quokka eat?"')
    assert unmet_note(replace(told, likelihood=0.0)) == ""


@pytest.mark.parametrize(
    ("others", "named", "least"), [(70, 0, ANSWERED_ANYWHERE), (70, 1, ANSWERED), (7, 0, ANSWERED)]
)
def test_a_search_of_many_passages_must_be_surer(
    monkeypatch: pytest.MonkeyPatch, others: int, named: int, least: float
) -> None:
    best = found()
    more = tuple(RetrievedChunk(chunk_of(n, f"Other {n}"), 0.1, 0.1) for n in range(10, 10 + others))
    monkeypatch.setattr(EvidenceFinder, "_ranking", lambda *_: replace(best, chunks=(*best.chunks, *more)))
    finder = EvidenceFinder(None, Stages())  # type: ignore[arg-type]
    origins = Origins(frozenset({1})) if named else ANYWHERE
    ranked = finder.rank(analyse("When?"), [SubQuery("When?", None)], Found((), 0.0, has_waiting=False), origins)
    assert ranked.least == least
    assert replace(ranked, likelihood=least - 0.01).is_none and not replace(ranked, likelihood=least).is_none
