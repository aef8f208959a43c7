"""The checker finds stilted English and leaves plain English alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.check import find, find_in_subject, load_rules, over_limits
from tests.language.texts import Kind, Text, read_texts

RULES = load_rules()


def ids(text: str, kind: Kind = "md") -> set[str]:
    return {each.rule for each in find("page", Text(1, kind, text), RULES)}


@pytest.mark.parametrize(
    ("rule", "stilted", "plain"),
    [
        ("who-subject", "Who may read it is listed.", "The list shows the readers."),  # language: ok
        ("what-subject", "What is stored stays.", "Stored pages stay."),  # language: ok
        ("told-said", "The error is told.", "WebRAG reports the error."),  # language: ok
        ("lies-stands", "The library lies in a folder.", "The library is in a folder."),  # language: ok
        ("goes-on", "The crawl goes on after a restart.", "The crawl resumes after a restart."),  # language: ok
        ("is-no", "It is no backup.", "It is not a backup."),  # language: ok
        ("no-negation", "It stores no images.", "It does not store images."),  # language: ok
        ("any-more", "The page is not stored any more.", "The page is no longer stored."),  # language: ok
        ("that-of", "The address is that of the node.", "It is the node's address."),  # language: ok
        ("of-before", "The version of before is kept.", "The previous version is kept."),  # language: ok
        ("anew", "Read the page anew.", "Read the page again."),  # language: ok
        ("by-itself", "It restarts by itself.", "It restarts automatically."),  # language: ok
        ("beside", "The button beside the field.", "The button next to the field."),  # language: ok
        ("at-once", "It ends at once.", "It ends immediately."),  # language: ok
        ("somebody", "Somebody deleted it.", "Another user deleted it."),  # language: ok
        ("where-if", "Where there is a display, it opens.", "With a display, it opens."),  # language: ok
        ("else", "Use the cache, else fetch it.", "Use the cache; otherwise, fetch it."),  # language: ok
        ("one-pronoun", "In this view, one can search.", "Then you can search."),  # language: ok
        ("to-be-done", "Nothing is to be changed.", "No change is needed."),  # language: ok
        ("looked-at", "The page is looked at.", "WebRAG checks the page."),  # language: ok
        ("house-words", "Ask whoever runs the node.", "Ask your administrator."),  # language: ok
    ],
)
def test_a_rule_finds_the_stilted_sentence_only(rule: str, stilted: str, plain: str) -> None:
    assert rule in ids(stilted)
    assert not ids(plain)


def test_long_chained_and_nested_sentences_are_findings() -> None:
    assert "long" in ids(" ".join(["word"] * 36))
    assert "long" not in ids(" ".join(["word"] * 35))
    assert "chained" in ids(" ".join(["word"] * 20) + "; more words.")
    assert "nested" in ids("The page that links to what the reader knows shows who wrote which part.")


@pytest.mark.parametrize(
    "subject",
    ["feat(cli): Add a command", "Add a command", "fix(cli): end the command.", f"fix(cli): {'x' * 63}"],
)
def test_a_commit_subject_has_a_type_and_at_most_72_characters(subject: str) -> None:
    assert list(find_in_subject(subject, RULES))
    assert not list(find_in_subject("fix(cli): end with 130 after Ctrl+C", RULES))


def test_code_and_addresses_are_not_prose(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Run `beside` now.\n\n```\nIt goes on anew.\n```\n\nSee [the page](https://example.org/beside).\n")
    assert [each.text for each in read_texts(page)] == ["Run X now.", "See the page."]


def test_docstrings_comments_and_strings_are_prose(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Do a thing."""\n'
        "# Reason for the next line.\n"
        "A = f'Pages of {A} are stored here'\n"
        "B = 'it goes on'  # language: ok, three words\n"
        "C = 'SELECT this FROM that WHERE x'\n"
        "D = 'Here it goes on anew.'  # language: ok\n"
    )
    kinds = [(each.kind, each.line, each.text) for each in read_texts(module)]
    assert kinds == [
        ("doc", 1, "Do a thing."),
        ("str", 3, "Pages of X are stored here"),
        ("comment", 2, "Reason for the next line."),
    ]


def test_the_sources_of_a_catalogue_are_window_texts(tmp_path: Path) -> None:
    catalogue = tmp_path / "x.ts"
    catalogue.write_text("<source>Look &amp; feel</source>\n<translation>Aussehen</translation>\n")
    assert [(each.kind, each.text) for each in read_texts(catalogue)] == [("ts", "Look & feel")]


def test_an_area_over_its_limit_fails() -> None:
    from collections import Counter

    found = list(find("README.md", Text(1, "md", "It goes on anew."), RULES))  # language: ok
    _, over = over_limits(found, Counter({"README.md": 500, "docs": 500}))
    assert over == {"README.md"}
