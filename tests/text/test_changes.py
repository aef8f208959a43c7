"""Changes of the passages of a page, and of the words within them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.text import changes
from app.text.changes import Change, Changes, compare

HEAD, PUMP, VALVE, SEAL = (
    "# Pumps",
    "A pump lifts water from the river to the upper basin of the mill.",
    "It has two valves, and both are closed by hand.",
    "Seals are made of leather.\nThey last three years.",
)
words = st.lists(st.sampled_from(["water", "pump ", "\n", "\n\n", "# ", "x.y", "  ", "ä", "\u2028"]), max_size=14).map(
    "".join
)


def page(*passages: str) -> str:
    return "\n\n".join(passages)


def kinds(found: Changes) -> list[tuple[Change, int]]:
    return [(each.change, each.count) for each in found.passages]


def test_passages_are_added_removed_and_changed() -> None:
    old = page(HEAD, PUMP, VALVE, SEAL)
    new = page(HEAD, PUMP, VALVE.replace("two", "four"), "Read the manual of the maker first.", HEAD)
    found = compare(old, new)
    assert kinds(found) == [
        (Change.SAME, 2),
        (Change.CHANGED, 1),
        (Change.REMOVED, 1),
        (Change.ADDED, 1),
        (Change.ADDED, 1),
    ]
    runs = [(run.change, run.text) for run in found.passages[1].runs]
    assert runs == [
        (Change.SAME, "It has "),
        (Change.REMOVED, "two"),
        (Change.ADDED, "four"),
        (Change.SAME, " valves, and both are closed by hand."),
    ]
    assert found.passages[2].runs[0].text == SEAL
    assert not found.is_rewritten and (found.count(Change.ADDED), found.count(Change.REMOVED)) == (2, 1)


def test_a_passage_before_a_changed_one_is_added() -> None:
    found = compare(page(HEAD, VALVE), page(HEAD, "Something new is here.", VALVE.replace("two", "six")))
    assert kinds(found) == [(Change.SAME, 1), (Change.ADDED, 1), (Change.CHANGED, 1)]


def test_changed_passages_that_were_cited_are_marked() -> None:
    old = page(HEAD, PUMP, VALVE, SEAL)
    new = page(HEAD, PUMP, VALVE.replace("two", "four"))
    for passage, expected in ((PUMP, [False, False]), (VALVE, [True, False]), (SEAL, [False, True])):
        start = old.index(passage)
        found = compare(old, new, [(start + 3, start + 9)])
        assert [each.was_cited for each in found.passages[1:]] == expected


def test_equal_texts_have_no_changes() -> None:
    assert kinds(compare(page(HEAD, PUMP), page(HEAD, PUMP) + "\n")) == [(Change.SAME, 2)]
    assert compare("", "").passages == ()


def test_a_rewritten_page_is_marked() -> None:
    found = compare(page(*[PUMP] * 9), page(*[SEAL] * 9))
    assert found.is_rewritten
    assert not compare(page(*[PUMP] * 9), page(*[PUMP] * 3)).is_rewritten
    assert not compare("Short.", "Other words").is_rewritten


def test_texts_with_too_many_passages_are_not_compared() -> None:
    many = [f"Passage {number}" for number in range(changes.MAX_PASSAGES + 2)]
    found = compare(page(*many), page(*[each.upper() for each in many]))
    assert found.is_too_long and found.passages == ()
    assert not compare(page(*many), page(*many, "one more")).is_too_long


def test_a_very_long_passage_is_shown_as_a_whole() -> None:
    long = "word " * changes.MAX_WORDS
    found = compare(long, long + "end")
    assert [run.change for run in found.passages[0].runs] == [Change.REMOVED, Change.ADDED]


@given(words, words)
def test_no_word_of_either_text_is_lost(old: str, new: str) -> None:
    found = compare(old, new)
    kept = sum(each.count for each in found.passages if each.change is Change.SAME)
    for text, gone in ((old, Change.ADDED), (new, Change.REMOVED)):
        parts = ("".join(run.text for run in each.runs if run.change is not gone) for each in found.passages)
        changed = " ".join(parts)
        shown = sum(each.change not in (Change.SAME, gone) for each in found.passages)
        assert kept + shown == len(changes._passages(text))
        assert kept or sorted(changed.split()) == sorted(text.split())
