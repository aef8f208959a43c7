"""Words, names and sentences of a text: query terms, English text, and names that must match exactly."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app import caps
from app.text.markdown_blocks import sentence_spans
from app.text.terms import (
    coverage,
    estimate_tokens,
    exact_names,
    holds_name,
    query_terms,
    quoted_phrases,
    stem,
    words,
)

PROSE = st.text(alphabet="ab .!?\n`-#|*1e\u00e9\u4e2d", max_size=200)


def texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


def test_query_terms_keep_names_and_drop_stop_words() -> None:
    terms = query_terms("How do I set the OMP_NUM_THREADS for my_script.py in HTTPServer?")
    assert {"omp_num_threads", "my_script.py", "httpserver", "http", "server"} <= set(terms)
    assert not {"how", "do", "the", "for", "in"} & set(terms)


def test_a_question_of_stop_words_is_still_searchable() -> None:
    assert query_terms("who are you") == ("who", "are", "you")


def test_cjk_gives_bigrams() -> None:
    assert query_terms("日本語") == ("日本", "本語")


@given(st.text(max_size=300))
def test_terms_are_distinct_lower_case_and_limited(text: str) -> None:
    terms = query_terms(text)
    assert len(terms) == len(set(terms)) <= 64
    assert all(term and term == term.lower() for term in terms)


def test_sentences_items_rows_and_fences() -> None:
    text = "One e.g. here. Two!\n\n- item a\n- item b\n\n```py\nx = 1. y\n```\n| a | b |\n| 1 | 2 |\n"
    assert texts(text) == [
        "One e.g. here.",
        "Two!",
        "- item a",
        "- item b",
        "```py\nx = 1. y\n```",
        "| a | b |",
        "| 1 | 2 |",
    ]


@given(PROSE)
def test_spans_are_ordered_trimmed_and_cover_all_that_is_not_blank(text: str) -> None:
    spans = sentence_spans(text)
    position = 0
    for span in spans:
        assert position <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip() == text[span.start : span.end]
        assert not text[position : span.start].strip()
        position = span.end
    assert not text[position:].strip()


def test_coverage_counts_inflections_and_weights() -> None:
    assert coverage(("indexes", "build"), "The index is building.") == 1.0
    assert coverage(("rare", "common"), "common words", {"rare": 3.0, "common": 1.0}) == 0.25
    assert coverage((), "anything") == 0.0


@given(st.text(max_size=80))
@example("𝞁")
@example("𝚨𝛀 ΣΊΣΥΦΟΣ ﬁn ẞ")
def test_coverage_of_own_words_is_full(text: str) -> None:
    spoken = words(text)
    assert coverage(spoken, text) == (1.0 if spoken else 0.0)


def test_stems_meet() -> None:
    assert stem("queries") == stem("query") and stem("caching") == stem("cached") == stem("caches")


@given(st.text(max_size=200))
def test_estimate_is_a_quarter_of_the_bytes_rounded_up(text: str) -> None:
    size = len(text.encode("utf-8"))
    assert 4 * estimate_tokens(text) >= size > 4 * (estimate_tokens(text) - 1) or size == 0


@pytest.mark.parametrize("part", ["a", "aB", "a.", "--", "_"])
def test_endless_words_are_split_in_linear_time(part: str) -> None:
    started = time.process_time()
    query_terms(part * 20_000)
    assert time.process_time() - started < 10


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
        ("meter M-AL070 of sha256", ("M-AL070", "sha256")),
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
        ("a std::vector<int> of", "<int>", True),
        ("unpack it.tar.gz", ".tar.gz", True),
        ("型番はＡＢＣ１２３です", "ABC123", True),
        ("ABC123는 램프", "ABC123", True),
        ("数据库检索系统", "检索", True),
        ("เขียนด้วยPythonครับ", "Python", True),
        ("CPython", "Python", False),
    ],
)
def test_only_whole_names_match(text: str, name: str, held: bool) -> None:
    assert holds_name(text, name) is held


@given(st.text(max_size=300))
def test_names_are_limited_and_occur_in_the_text(text: str) -> None:
    names = (*exact_names(text), *quoted_phrases(text))
    assert len(exact_names(text)) <= caps.MAX_EXACT_NAMES
    assert all(name and " ".join(name.split()) in " ".join(text.split()) for name in names)
