from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.errors import InvalidArgumentError
from app.retrieval.analysis import (
    MAX_FORMS_REMEMBERED,
    MAX_WANTED,
    NAME_BONUS,
    STATEMENT_BONUS,
    WANT_BONUS,
    _signs_bonus,
    analyse,
    form_bonus,
    is_refusal,
    specifics,
    wants_of,
)
from app.retrieval.records import Intent, QueryAnalysis, Want
from app.retrieval.subqueries import MAX_SUB_QUERIES


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("What is the difference between WAL and rollback journals?", Intent.COMPARISON),
        ("Is a hash index faster than a tree?", Intent.COMPARISON),
        ("Which of the two should stay on the server?", Intent.COMPARISON),
        ("How do I rotate a signing key?", Intent.HOW_TO),
        ("What do I type to rename a branch?", Intent.HOW_TO),
        ("Explain isolation levels", Intent.EXPLORATORY),
        ("Maximum size of a row", Intent.FACTUAL),
        ("Who may read the log?", Intent.FACTUAL),
    ],
)
def test_intent_is_inferred(query: str, intent: Intent) -> None:
    assert analyse(query).intent is intent


def test_a_named_intent_wins_and_asks_for_its_kind_of_passage() -> None:
    assert analyse("How do I rotate a key?", intent="factual").intent is Intent.FACTUAL
    assert Want.CODE in analyse("rotate a key", intent="how_to").wants


def test_constraints_raise_passages_and_names_without_changing_the_query() -> None:
    analysis = analyse("configure the cache", constraints=["must include code examples", "version 15 only"])
    assert analysis.sub_queries == ("configure the cache",)
    assert analysis.wants == (Want.CODE,)
    assert analysis.names == ("15",)


def test_excluded_words_of_a_constraint_are_not_searched() -> None:
    analysis = analyse("parse a date", constraints=["no code, no NumPy"])
    assert analysis.wants == () and analysis.names == ()


def test_quoted_words_and_names_are_kept_as_written() -> None:
    analysis = analyse('Where does "too many open files" come from when --max_files is 0?')
    assert analysis.phrases == ("too many open files",)
    assert analysis.names == ("--max_files",)


def test_known_context_resolves_pronouns() -> None:
    query = "How do I enable it for one database?"
    parts = analyse(query, known_context="the write-ahead log").sub_queries
    assert parts == (query, "How do I enable the write-ahead log for one database?")


@pytest.mark.parametrize("query", ["", "   ", "?!", "---"])
def test_a_query_without_words_is_refused(query: str) -> None:
    with pytest.raises(InvalidArgumentError, match="does not contain a searchable word"):
        analyse(query)


_PIECES = """what is the difference between a and b vs or than it that this how do I which better faster use should for with why , . ?
compare X y_z --flag 3.11 "quoted 'single 何 が 違い ですか ？ Was ist der Unterschied zwischen"""
_ASKED = st.lists(st.sampled_from(_PIECES.split()), max_size=40).map(" ".join)


@given(st.one_of(st.text(max_size=300), _ASKED), st.one_of(st.none(), st.text(max_size=60)))
def test_sub_queries_are_bounded_distinct_repeatable_and_start_with_the_whole(query: str, known: str | None) -> None:
    try:
        analysis = analyse(query, known_context=known, constraints=[query])
    except InvalidArgumentError:
        return
    assert analysis.sub_queries[0] == analysis.query == " ".join(query.split())
    assert len(set(analysis.sub_queries)) == len(analysis.sub_queries) <= MAX_SUB_QUERIES
    assert all(part.strip() for part in analysis.sub_queries)
    assert len(analysis.names) <= caps.MAX_EXACT_NAMES and len(analysis.phrases) <= caps.MAX_EXACT_NAMES
    assert analysis == analyse(query, known_context=known, constraints=[query])


@pytest.mark.parametrize(
    "part", ["a", "Aa", "a-", "1.1.", "`a ", "is it ", "the a or ", "does a as ", "e.g. ", "and what is "]
)
def test_hostile_questions_are_cheap(part: str) -> None:
    started = time.process_time()
    analyse(
        "why " + part * (caps.MAX_QUERY_CHARS // len(part)),
        known_context=part * (caps.MAX_KNOWN_CONTEXT_CHARS // len(part)),
    )
    assert time.process_time() - started < 5


def test_names_quoted_words_and_words_with_digits_are_specific() -> None:
    found = specifics(analyse('Does plan-1234 of "blue river" set max_size to 42?'))
    assert set(found) == {"max_size", "blue river", "plan-1234", "42"}
    assert specifics(analyse("How large is the pool?")) == ()


def test_results_are_bounded() -> None:
    assert len(specifics(analyse(" ".join(f"item-{n}" for n in range(200))))) == caps.MAX_EXACT_NAMES


@pytest.mark.parametrize("part", ["a", "a-", "_", "1a"])
def test_specifics_of_hostile_questions_cost_little(part: str) -> None:
    analysis = analyse("why " + part * 900)
    started = time.process_time()
    specifics(analysis)
    assert time.process_time() - started < 2


_PASSAGES = {
    Want.CODE: ("Run it so:\n\n```\n$ tool --now\n```", "The tool runs at once."),
    Want.NUMBER: ("It holds 64 pages, about 3 MB.", "It holds many pages."),
    Want.DEFAULT: ("The default is off.", "It may be off."),
    Want.DEFINITION: ("**latch**: a short lock.", "Latches are short."),
    Want.REASON: ("It cannot grow because the header is fixed.", "The header is fixed."),
    Want.CHOICE: ("We recommend the tree, which is faster than the hash.", "There are trees and hashes."),
    Want.WARNING: ("⚠️ WARNING: never unpack untrusted files.", "Files are unpacked."),
    Want.TABLE: ("| name | size |\n| --- | --- |\n| a | 1 |", "a has size 1"),
}


def _asking(*wants: Want) -> QueryAnalysis:
    return QueryAnalysis("x", Intent.FACTUAL, ("x",), wants=wants)


@pytest.mark.parametrize(
    ("question", "want"),
    [
        ("How do I print the tree?", Want.CODE),
        ("How many rows fit on a page?", Want.NUMBER),
        ("Is the journal kept out of the box?", Want.DEFAULT),
        ("What is a latch?", Want.DEFINITION),
        ("Why is the file locked?", Want.REASON),
        ("Should I prefer the tree?", Want.CHOICE),
        ("Is it safe to unpack a stranger's file?", Want.WARNING),
        ("overview table of formats", Want.TABLE),
    ],
)
def test_the_form_of_a_question_tells_what_is_wanted(question: str, want: Want) -> None:
    assert want in wants_of(question)


def test_a_plain_statement_has_no_wants() -> None:
    assert wants_of("journal modes") == ()
    assert wants_of("Wo steht die Datei?") == ()


def test_constraints_also_set_the_wanted_form_unless_they_exclude_it() -> None:
    assert wants_of("journal modes", ["must include code examples", "official recommendation"]) == (
        Want.CODE,
        Want.CHOICE,
    )
    assert is_refusal("no third-party libraries") and not is_refusal("official recommendation")


@pytest.mark.parametrize("want", list(Want))
def test_a_fitting_passage_satisfies_more_than_another(want: Want) -> None:
    fitting, other = _PASSAGES[want]
    assert form_bonus(_asking(want), fitting) > form_bonus(_asking(), fitting)
    assert form_bonus(_asking(want), other) == form_bonus(_asking(), other)


def test_an_explanation_scores_higher_than_a_list() -> None:
    explained = (
        "If the disk is full, the server stops, because it cannot write. You should free room instead of restarting."
    )
    assert form_bonus(_asking(), explained) > 0.6 * STATEMENT_BONUS
    assert form_bonus(_asking(), "- open\n- close\n- read") == 0.0


@pytest.mark.parametrize("part", ["1,1,", "\n", "> ", "- **a", "a-", "to a "])
def test_long_passages_of_one_kind_are_judged_in_linear_time(part: str) -> None:
    started = time.process_time()
    form_bonus(_asking(*Want), part * 20_000)
    assert time.process_time() - started < 10


def test_a_requested_name_in_the_heading_counts() -> None:
    analysis = analyse("What is max_size for")
    assert form_bonus(analysis, "Any size.", "max_size") - form_bonus(
        analysis, "Any size.", "min_size"
    ) == pytest.approx(NAME_BONUS)


@given(
    st.text(max_size=400),
    st.sampled_from(["Why is a limit the default?", "How many? Is it safe? Which is better?", "x"]),
)
def test_the_bonus_is_bounded(text: str, question: str) -> None:
    assert 0.0 <= form_bonus(analyse(question), text) <= STATEMENT_BONUS + MAX_WANTED * WANT_BONUS + NAME_BONUS


def test_forms_are_cached_by_text_and_kind_of_question_within_a_limit() -> None:
    text = "We recommend the tree because it is faster than the hash."
    assert form_bonus(_asking(Want.REASON), text) == form_bonus(_asking(Want.REASON), text)
    assert form_bonus(_asking(), text) < form_bonus(_asking(Want.REASON), text)
    assert _signs_bonus.cache_info().maxsize == MAX_FORMS_REMEMBERED
    for number in range(MAX_FORMS_REMEMBERED + 1):
        form_bonus(_asking(), f"Text {number}.")
    assert _signs_bonus.cache_info().currsize == MAX_FORMS_REMEMBERED
