from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.text.terms import exact_names, holds_name, quoted_phrases


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("set max_connections with --jobs=4 or -m", ("max_connections", "--jobs", "-m")),
        ("what does a/**/b match in /etc/hosts", ("a/**/b", "/etc/hosts")),
        ("call sqlite3_open() or os.path.join", ("sqlite3_open", "os.path.join")),
        ("RandomForest with std::vector", ("RandomForest", "std::vector")),
        ("@property $HOME ${name} <div> #define", ("@property", "$HOME", "${name}", "<div>", "#define")),
        ("ECONNRESET with X-Forwarded-For", ("ECONNRESET", "X-Forwarded-For")),
        ("SQLSTATE 23505 in version 15", ("23505", "15")),
        ("Python 3.11 or v2.0", ("3.11", "2.0")),
        ("`ls -l` fires ON DELETE", ("ls -l", "ON DELETE")),
        ("a two-factor, well-known idea, e.g. this one. Next", ()),
        ("WHY DOES THIS NOT WORK", ()),
        ("", ()),
    ],
)
def test_names_of_code_are_kept_whole(text: str, names: tuple[str, ...]) -> None:
    assert exact_names(text) == names


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('"too many open files" today', ("too many open files",)),
        ("„genau so“ und «comme ça»", ("comme ça", "genau so")),
        ("the 'time zone' of Anna's 'clock'", ("time zone", "clock")),
        ("don't do what isn't asked", ()),
    ],
)
def test_quoted_words_are_phrases_and_apostrophes_are_not(text: str, phrases: tuple[str, ...]) -> None:
    assert sorted(quoted_phrases(text)) == sorted(phrases)


@pytest.mark.parametrize(
    ("text", "name", "held"),
    [
        ("pass -m twice", "-m", True),
        ("pass --max twice", "-m", False),
        ("pass -M twice", "-m", False),
        ("MAX_SIZE is set", "max_size", True),
        ("max_size_total", "max_size", False),
        ("", "x", False),
        ("x", "", False),
    ],
)
def test_a_name_is_held_only_whole(text: str, name: str, held: bool) -> None:
    assert holds_name(text, name) is held


@given(st.text(max_size=300))
def test_names_are_bounded_and_stand_in_the_text(text: str) -> None:
    names = (*exact_names(text), *quoted_phrases(text))
    assert len(exact_names(text)) <= caps.MAX_EXACT_NAMES
    assert all(name and " ".join(name.split()) in " ".join(text.split()) for name in names)
