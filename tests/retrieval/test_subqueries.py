from __future__ import annotations

import pytest

from app.retrieval.subqueries import leans, parts_of, resolved, sentences, subject_of, topic_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Compare histogram boosting with random forests", ("histogram boosting", "random forests")),
        ("What is the difference between ORDER BY and GROUP BY in views?", ("ORDER BY in views", "GROUP BY in views")),
        (
            "write performance of mmap vs read on Linux",
            ("write performance mmap on Linux", "write performance read on Linux"),
        ),
        (
            "Is a tree faster than a hash index for ranges?",
            ("a tree faster for ranges", "a hash index faster for ranges"),
        ),
        ("Should we use threads or processes for logging?", ("threads for logging", "processes for logging")),
        ("Which is safer, sed or awk?", ("sed safer", "awk safer")),
        (
            "Tabs or spaces: which of the two saves room on disk?",
            ("Tabs: saves room on disk", "spaces: saves room on disk"),
        ),
        (
            "Should I keep the key in a file or in a variable?",
            ("Should I keep the key in a file?", "Should I keep the key in a variable?"),
        ),
        ("Was ist der Unterschied zwischen WAL und Journal?", ("WAL", "Journal")),
        ("Quelle est la différence entre TCP et UDP ?", ("TCP", "UDP")),
        ("¿Cuál es la diferencia entre INNER JOIN y LEFT JOIN?", ("INNER JOIN", "LEFT JOIN")),
    ],
)
def test_the_sides_of_a_comparison_are_searched_with_what_they_share(question: str, parts: tuple[str, ...]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "How large is the default cache and when is it written to disk?",
            ("How large is the default cache", "when is the default cache written to disk?"),
        ),
        (
            "What does the watchdog do and when should I use it?",
            ("What does the watchdog do", "when should I use the watchdog?"),
        ),
        (
            "How do I turn on the journal on a server, and what are its drawbacks?",
            ("How do I turn on the journal on a server", "what are the journal drawbacks?"),
        ),
        ("How do I install plugins and where are they kept?", ("How do I install plugins", "where are plugins kept?")),
        (
            "Which port and which protocol does the backup daemon use?",
            ("Which port does the backup daemon use", "which protocol does the backup daemon use"),
        ),
        (
            "What is the default port and what is the maximum number of connections?",
            ("What is the default port", "what is the maximum number of connections?"),
        ),
        ("I run log_rotate every night. Does it lock the archive?", ("Does log_rotate lock the archive?",)),
        (
            "We keep ten years of invoices. Which storage engine compresses old tables best?",
            ("Which storage engine compresses old tables best?",),
        ),
        ("这个缓存有多大？什么时候写入磁盘？", ("这个缓存有多大？", "什么时候写入磁盘？")),
    ],
)
def test_combined_questions_are_searched_separately(question: str, parts: tuple[str, ...]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "bread and butter recipes",
        "Why do I need a read and write lock?",
        "numbers between 1 and 10 in a loop",
        "Can I search and replace in files?",
        "Should I use a read or write lock?",
        "How do I add a remote and push to it?",
        "compare a file with the last commit",
        "Is it slower than before?",
        "Is this one quicker than the other two?",
        "What is the difference between the two?",
        "Does the server accept more than one certificate?",
        "How can I tell whether a or b is set?",
        "When the server starts and the port is taken, what happens?",
        "List the options and what they do",
        "tabs vs spaces vs mixed",
        "My job vanished halfway. Why?",
        "We have an office full of machines. Is this a good fit?",
        "Was soll ich tun und wann ist das nötig?",
    ],
)
def test_a_thought_is_not_split(question: str) -> None:
    assert parts_of(question) == ()


def test_a_part_that_refers_elsewhere_is_only_searched_as_a_whole() -> None:
    assert parts_of("How wide may a table be out of the box, and how far can I raise that?") == (
        "How wide may a table be out of the box",
    )


def test_abbreviations_do_not_end_a_sentence() -> None:
    assert sentences("Use e.g. cron. Does it run?") == ["Use e.g. cron.", "Does it run?"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("how do I stop it", True),
        ("is it possible to stop the daemon", False),
        ("a path that ends in a slash", False),
        ("can I change that?", True),
        ("which one should I take", True),
        ("one column too many", False),
    ],
)
def test_pronouns_that_refer_elsewhere_are_recognized(text: str, points: bool) -> None:
    assert leans(text) is points


def test_a_pronoun_is_replaced_only_by_what_fits_it() -> None:
    assert resolved("where are they kept?", "plugins") == "where are plugins kept?"
    assert resolved("where are they kept?", "the cache") == ""
    assert resolved("is it possible to stop it?", "the daemon") == "is it possible to stop the daemon?"


def test_the_subject_is_only_known_if_it_is_clear() -> None:
    assert subject_of("How do I create a virtual environment") == "a virtual environment"
    assert subject_of("How do I set up a virtual environment") == "a virtual environment"
    assert subject_of("Why does max_size matter so much") == "max_size"
    assert subject_of("Why does everything burn") == ""
    assert topic_of("I set max_size to 4 GB.") == "max_size"
    assert topic_of("I deleted a lot of old rows.") == ""
