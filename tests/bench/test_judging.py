"""The judge of the benchmarks: hits, ranks, and correct "nothing found" results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.judging import Outcome, figures, judge, table
from support.questions import Question, by_site, read_questions
from support.report import write_table
from support.spans import evidence_blocks, holds, says_nothing_found

RESULT = """\
[SOURCES]
Source [1]: Pumps — http://site.invalid/pumps.html

[EVIDENCE]
Source [1] (relevance: 0.91):
The pump is **oiled** with [light oil](http://site.invalid/oil_(light).html "Oil") every `6` weeks.

Source [1] (relevance: 0.40):
No results of the trial are kept.

[CITATIONS]
[1] "Call the harbour office first."

[STATS]
Stop reason: evidence sufficient
"""
NOTHING = """\
[EVIDENCE]
No relevant content was found for this query in the specified URL.

[STATS]
Stop reason: No chunks above relevance threshold.
"""


def question(gold: str | None, *, hops: int = 0, form: str = "literal", name: str = "q1") -> Question:
    return Question(name, "site", "pumps.html", "How often is the pump oiled?", (gold,) if gold else (), hops, form)


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ("oiled with light oil every 6 weeks", True),
        ("OILED WITH LIGHT OIL", True),
        ("oiled every 6 weeks", False),
        ("iled with light", False),
        ("harbour office", True),
    ],
)
def test_a_span_is_found_despite_marks_around_its_words(span: str, found: bool) -> None:
    assert holds(RESULT, span) is found


def test_a_span_without_spaces_is_found_within_a_sentence() -> None:
    assert holds("请给 pump 泵，每六周换油。", "每六周换油")
    assert not holds("请给泵每六周换一次油。", "每六周换油")


def test_blocks_are_those_of_the_evidence_only() -> None:
    assert [block.splitlines()[0] for block in evidence_blocks(RESULT)] == [
        "Source [1] (relevance: 0.91):",
        "Source [1] (relevance: 0.40):",
    ]
    assert evidence_blocks("A page of plain text.") == []


def test_the_place_is_the_first_block_with_the_span_and_quotes_count_as_a_hit_only() -> None:
    first = judge(question("oiled with light oil"), RESULT, error=False, ms=1)
    quoted = judge(question("Call the harbour office"), RESULT, error=False, ms=1)
    assert (first.hit, first.place, first.blocks, first.tokens) == (True, 1, 2, len(RESULT) // 4)
    assert (quoted.hit, quoted.place) == (True, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RESULT, False),
        (NOTHING, True),
        (RESULT.replace("[EVIDENCE]", "No relevant evidence was found; the nearest passages:\n\n[EVIDENCE]"), True),
        (RESULT.replace("[EVIDENCE]", "[EVIDENCE]\nNothing found that answers this. Nearest passages:\n"), True),
        ("", True),
        ("Not found.", True),
        ("A page " * 60, False),
        ("Nothing found. " + "More words. " * 60, True),
        ("Nothing found. " + "More words. " * 600, False),
    ],
)
def test_a_result_without_an_answer_says_so_first_or_in_a_short_notice(text: str, says: bool) -> None:
    assert says_nothing_found(text) is says


def test_an_error_is_neither_a_hit_nor_nothing_found() -> None:
    outcome = judge(question("oiled"), "Not found: oiled", error=True, ms=1)
    assert (outcome.hit, outcome.place, outcome.said_none, outcome.error) == (False, 0, False, True)


def outcome(gold: str | None, place: int, *, said_none: bool = False, hops: int = 0) -> Outcome:
    return Outcome(question(gold, hops=hops), place > 0, place, 8, said_none, False, 1000, 100.0)


def test_results_that_cite_an_unnamed_site_are_counted() -> None:
    texts = [
        f"Source [1]: http://127.0.0.1:80{n}/{site}/a.html" for n, site in enumerate(("site", "other", "site", "site"))
    ]
    judged = [judge(question("a"), text, error=False, ms=1) for text in texts]
    assert figures(judged)["other sites %"] == 25
    assert figures([judge(question("a"), "no address", error=False, ms=1)])["other sites %"] == ""


def test_figures_are_shares_of_the_answerable() -> None:
    row = figures([outcome("a", 1), outcome("a", 3), outcome("a", 7), outcome("a", 0, said_none=True)])
    assert [row[f"{name} %"] for name in ("hit", "top 1", "top 3", "top 5", "false none")] == [75, 25, 50, 50, 25]
    assert (row["n"], row["blocks"], row["tokens"], row["p50 ms"]) == (4, 8, 1000, 100)


def test_the_table_tells_hops_forms_and_the_unanswerable_apart() -> None:
    rows = table("answer", [outcome("a", 1), outcome("a", 0, hops=1), outcome(None, 0, said_none=True)])
    assert [row["questions"] for row in rows] == [
        "all answerable",
        "on the page",
        "1 link away",
        "form: literal",
        "unanswerable",
    ]
    assert (rows[-1]["said none %"], rows[-1]["hit %"]) == (100, "")


def test_questions_of_several_files_are_chosen_by_site(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for number, file in enumerate(files):
        rows = [
            {"id": f"{number}{site}", "site": site, "seed_path": "p", "question": "?", "hops": 0, "form": "literal"}
            for site in ("a", "b")
        ]
        file.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    found = read_questions(files, sites=["b"])
    assert [q.id for q in found] == ["0b", "1b"] and found[0].gold == ()
    assert [q.id for q in read_questions(files, limit=3)] == ["0a", "0b", "1a"]
    assert {site: len(each) for site, each in by_site(read_questions(files)).items()} == {"a": 2, "b": 2}


def test_a_table_takes_the_place_of_the_one_between_its_marks(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("before\n<!-- t -->\nold\n<!-- /t -->\nafter\n", encoding="utf-8")
    for _ in range(2):
        write_table(file, "t", [{"a": 1, "b": 2.5}], title="New")
    text = file.read_text(encoding="utf-8")
    assert text == "before\n<!-- t -->\n\nNew\n\n| a | b |\n|---|---|\n| 1 | 2.5 |\n\n<!-- /t -->\nafter\n"
    with pytest.raises(ValueError, match="lacks the marks"):
        write_table(file, "other", [], title="")


def test_questions_of_several_languages_have_a_row_for_each() -> None:
    english = question("every six weeks")
    german = replace(english, language="de", page_language="de")
    across = replace(english, page_language="de")
    outcomes = [judge(each, RESULT, error=False, ms=1.0) for each in (english, german, german, across)]
    rows = {row["questions"]: row["n"] for row in table("answer", outcomes)}
    assert (rows["language: en"], rows["language: de"], rows["language: en of de pages"]) == (1, 2, 1)
    assert not any("language" in str(row["questions"]) for row in table("answer", outcomes[:1]))
