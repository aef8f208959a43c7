"""A sentence is its English text, and keeps its template and values."""

from __future__ import annotations

import json
import pickle
import sqlite3

from app.text.sentence import MAX_NAMES, Sentence, joined, listing, sentence


def test_sentence_is_its_english_text() -> None:
    made = sentence("{0} starts {1}.", "Cursor", 7)
    assert made == "Cursor starts 7." and hash(made) == hash("Cursor starts 7.")
    assert json.dumps(made) == '"Cursor starts 7."'
    with sqlite3.connect(":memory:") as database:
        assert database.execute("SELECT ?, typeof(?)", (made, made)).fetchone() == ("Cursor starts 7.", "text")


def test_braces_of_values_and_of_plain_texts_stay() -> None:
    assert sentence("It says: {}", '{"a": {}}') == 'It says: {"a": {}}'
    assert sentence("{command}") == "{command}"


def test_a_sentence_survives_pickling_between_processes() -> None:
    made = joined([sentence("Put it back. {}", sentence("Start Zed again.")), "As it is."])
    back = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes
    assert back == "Put it back. Start Zed again. As it is."
    assert isinstance(back, Sentence) and back.template == "{} {}"
    first = back.values[0]
    assert isinstance(first, Sentence) and first.template == "Put it back. {}"


def test_joining_no_sentences_returns_an_empty_one() -> None:
    assert joined(["", ""]) == "" and not joined([])


def test_a_listing_names_the_first_few_and_how_many_more() -> None:
    names = [f"collection {number}" for number in range(3_000)]
    assert listing(names[:MAX_NAMES]) == ", ".join(names[:MAX_NAMES])
    assert listing(names).endswith(f"{names[MAX_NAMES - 1]} and 2,990 more") and len(listing(names)) < 200
    assert listing([]) == ""
    cut = listing(names)
    assert isinstance(cut, Sentence) and cut.template == "{} and {} more", "translated in the window"
