from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.paths import assets_dir
from app.retrieval.asked_words import TABLE, count_stems, explain

REMOVES = "The command removes all rows of a table and keeps its columns."
OTHER = "The invoice is paid within thirty days, and the office is closed on Sundays."
WORDS = st.sampled_from(["remove", "delete", "row", "the", "7", "größe", "—", "keep", "", "a_b", "x"])
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=6)


def test_a_text_with_a_word_that_leads_to_the_asked_one_explains_it() -> None:
    assert "remov" in dict.fromkeys(count_stems(REMOVES))
    removes, other = explain("how do I delete everything", [REMOVES, OTHER])

    assert removes > other == 0


def test_the_asked_word_itself_explains_more_than_other_words() -> None:
    same, alike = explain("delete rows", ["It deletes rows.", "It removes rows."])

    assert same > alike > 0


def test_a_question_without_a_known_word_explains_nothing() -> None:
    assert not explain("the of and", [REMOVES, OTHER]).any()
    assert not explain("qwertz", [REMOVES, ""]).any()
    assert explain("delete", []).shape == (0,)


@given(question=st.lists(WORDS, max_size=8).map(" ".join), texts=TEXTS)
def test_values_are_finite_and_belong_to_their_texts(question: str, texts: list[str]) -> None:
    found = explain(question, texts)

    assert found.shape == (len(texts),)
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert np.allclose(explain(question, texts[::-1]), found[::-1])


@pytest.mark.real
def test_values_do_not_depend_on_the_process() -> None:
    said = (
        "from app.retrieval.asked_words import _table, explain; words = list(_table());"
        "print(explain(' '.join(words[::40]), [' '.join(words[::3]), ' '.join(words[::2])]).tolist())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", said], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(found) == 1


def test_the_table_has_probabilities_and_no_names_in_code() -> None:
    rows = [line.split() for line in (assets_dir() / TABLE).read_text("utf-8").splitlines() if not line.startswith("#")]

    assert len(rows) > 1_000
    assert len({row[0] for row in rows}) == len(rows)
    for asked, *explaining in rows:
        assert all(0 < float(value) <= 1 for value in explaining[1::2]), asked
        assert all(word == word.lower() and "_" not in word for word in (asked, *explaining[::2]))
