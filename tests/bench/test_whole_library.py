"""Questions without an address about all pages of several sites: three ways of the program, and three baselines over the same passages."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import whole_library
from app.desktop.ask_window import HITS
from support.pairs import load, marks_of, save
from support.questions import Question
from support.textbook import Shown
from whole_library import BASELINES, PROGRAM, Asked, ask_in_libraries, judged, named, pairs_of, rows_of, saved_name

PAGES: Mapping[str, Mapping[str, str]] = {
    "pumps": {
        "index.html": "The pumps of the harbor run at night, because electricity is cheaper then.",
        "care/oil.html": "The gasket of the bilge pump is oiled every six weeks by the crew of the yard.",
    },
    "valves": {"valve.html": "A relief valve opens at nine bar and closes again at seven bar in all plants."},
}
QUESTIONS = (
    Question(
        "p",
        "pumps",
        "index.html",
        "How often is the gasket of the bilge pump oiled?",
        ("oiled every six weeks",),
        1,
        "number",
    ),
    Question(
        "v", "valves", "valve.html", "At which pressure does a relief valve open?", ("opens at nine bar",), 0, "prose"
    ),
    Question("n", "valves", "valve.html", "Which metal is used for submarine periscopes?", (), 0, "prose"),
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    """Return the outcomes of the questions in two libraries of one site, and in one library of both."""
    folder = tmp_path_factory.mktemp("whole")
    for site, pages in PAGES.items():
        for path, text in pages.items():
            file = folder / "sites" / site / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"<title>{path}</title><main><h1>{site}</h1><p>{text}</p></main>", encoding="utf-8")
    (folder / "sites" / "valves" / "empty.html").write_text("<html></html>", encoding="utf-8")
    options = argparse.Namespace(
        sites=folder / "sites", embeddings=folder / "passages.db", sizes=[1, 5, 25], named=False, reranker=""
    )
    return list(ask_in_libraries(QUESTIONS, options))


@pytest.mark.real
def test_each_way_finds_the_passage_in_libraries_of_every_size(asked: list[Asked]) -> None:
    assert [(each.size, each.libraries) for each in asked] == [(1, 2), (2, 1)]
    for each in asked:
        assert list(each.outcomes) == [*PROGRAM, *BASELINES]
        for outcomes in each.outcomes.values():
            assert [o.question.id for o in outcomes] == ["p", "v", "n"]
            assert [o.hit for o in outcomes] == [True, True, False]
            assert [o.place for o in outcomes[:2]] == [1, 1]


def test_rows_name_size_system_and_group(asked: list[Asked]) -> None:
    rows = {(row["system"], row["questions"]): row for row in rows_of(asked[1])}
    found, none = rows["words alone", "all answerable"], rows["search", "unanswerable"]
    assert (found["sites"], found["n"], found["hit %"], found["first %"], found["within 100 %"]) == (
        2,
        2,
        100,
        100,
        100,
    )
    assert rows["search", "all answerable"]["within 100 %"] == ""
    assert none["n"] == 1 and none["hit %"] == "" and none["said none %"] in (0, 100)
    assert rows["Ask window", "form: number"]["n"] == 1


def test_the_program_is_compared_with_baselines_and_an_earlier_run(asked: list[Asked], tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    save(file, {saved_name(name, asked[0]): marks_of(each) for name, each in asked[0].outcomes.items()})
    assert len(load(file)) == len(PROGRAM) + len(BASELINES)
    rows = pairs_of(asked[0], file)
    assert {(row["system"], row["against"]) for row in rows} == {
        (name, other) for name in PROGRAM for other in (*BASELINES, "earlier")
    }
    assert {row["questions"] for row in rows} == {"all answerable", "unanswerable"}


def test_a_place_beyond_the_size_of_a_result_counts_but_is_not_a_hit() -> None:
    ranked = [*(Shown("Yard", "x" * 4_000) for _ in range(9)), Shown("Pumps", "It is oiled every six weeks.")]
    outcome = judged(QUESTIONS[0], ranked, ms=1.0)
    assert (outcome.place, outcome.hit) == (10, False)


def test_the_ask_window_shows_as_many_results() -> None:
    assert whole_library.ASK_RESULTS == HITS


@pytest.mark.real
def test_named_questions_are_also_asked_everywhere(tmp_path: Path) -> None:
    for site, page in {
        "pumpctl": "A pump is oiled every six weeks.",
        "valvectl": "A valve is oiled every day.",
    }.items():
        (tmp_path / site).mkdir()
        (tmp_path / site / "oil.html").write_text(f"<title>Oil</title><main><p>{page}</p></main>", encoding="utf-8")
    asked = [
        Question("p", "pumpctl", "oil.html", "How often is it oiled?", ("every six weeks",), 0, "number"),
        Question("v", "valvectl", "oil.html", "How often is it oiled?", ("every day",), 0, "number"),
    ]
    questions = [named(question, number) for number, question in enumerate(asked)]
    assert [each.text for each in questions] == [
        "In pumpctl, How often is it oiled?",
        "valvectl: How often is it oiled?",
    ]
    options = argparse.Namespace(
        sites=tmp_path, embeddings=tmp_path / "passages.db", sizes=[2], named=True, reranker=""
    )
    (found,) = ask_in_libraries(questions, options)
    row = next(row for row in rows_of(found) if row["system"] == "search")
    assert (row["first %"], row["narrowed %"], row["elsewhere %"]) == (100, 100, 0)
    assert "search, everywhere" in {pair["against"] for pair in pairs_of(found, None)}


def test_questions_that_need_their_page_are_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {
        "id": "p",
        "site": "pumps",
        "seed_path": "index.html",
        "question": "Is it oiled?",
        "hops": 0,
        "form": "prose",
    }
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({**asked, "gold": "oiled every six weeks", "needs_page": True}), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["whole_library.py", "--sites", str(tmp_path), "--questions", str(file)])
    assert whole_library.main() == 2
    assert "No questions are left" in capsys.readouterr().err
