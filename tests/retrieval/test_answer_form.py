from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.retrieval.analysis import analyse
from app.retrieval.answer_form import (
    MAX_WANTED,
    NAME_BONUS,
    STATEMENT_BONUS,
    WANT_BONUS,
    _signs_bonus,
    form_bonus,
    is_refusal,
    wants_of,
)
from app.retrieval.records import Intent, QueryAnalysis, Want

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


def test_a_plain_statement_wants_nothing_special() -> None:
    assert wants_of("journal modes") == ()
    assert wants_of("Wo steht die Datei?") == ()


def test_constraints_want_too_unless_they_refuse() -> None:
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


def test_an_explanation_states_more_than_a_listing() -> None:
    explained = (
        "If the disk is full, the server stops, because it cannot write. You should free room instead of restarting."
    )
    assert form_bonus(_asking(), explained) > 0.6 * STATEMENT_BONUS
    assert form_bonus(_asking(), "- open\n- close\n- read") == 0.0


@pytest.mark.parametrize("part", ["1,1,", "\n", "> ", "- **a", "a-", "to a "])
def test_long_passages_of_one_kind_are_judged_in_linear_time(part: str) -> None:
    started = time.process_time()
    form_bonus(_asking(*Want), part * 20_000)
    assert time.process_time() - started < 1.0


def test_the_name_asked_for_is_worth_something_also_in_the_heading() -> None:
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


def test_forms_are_remembered_by_text_and_kind_of_question_within_a_cap() -> None:
    text = "We recommend the tree because it is faster than the hash."
    assert form_bonus(_asking(Want.REASON), text) == form_bonus(_asking(Want.REASON), text)
    assert form_bonus(_asking(), text) < form_bonus(_asking(Want.REASON), text)
    assert _signs_bonus.cache_info().maxsize == caps.MAX_FORMS_REMEMBERED
    for number in range(caps.MAX_FORMS_REMEMBERED + 1):
        form_bonus(_asking(), f"Text {number}.")
    assert _signs_bonus.cache_info().currsize == caps.MAX_FORMS_REMEMBERED
