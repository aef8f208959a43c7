"""The baselines find the results of full-text search on the given page, one link away, and in the whole text."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.baselines import (
    MAX_LINKS,
    PAGE_ALONE,
    PASSAGE_WORDS,
    PLAIN_FETCH,
    WITH_LINKS,
    PassageIndex,
    SiteReader,
    ask_baselines,
    passages,
)
from support.judging import Outcome
from support.questions import Question

ANSWERS = {"named": "The pump is oiled every six weeks", "linked": "Gaskets are replaced by the night crew"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    body = '<p>{text}</p><p>More is in the <a href="sub/two.html#crew">manual of the gaskets</a>, see <a href="gone.html">gone</a>.</p>'
    filler = "<p>" + "The yard opens at nine and closes at five on every working day of the year. " * 40 + "</p>"
    (tmp_path / "sub").mkdir()
    (tmp_path / "one.html").write_text(f"<main><h1>Pumps</h1>{body.format(text=ANSWERS['named'])}{filler}</main>")
    (tmp_path / "sub" / "two.html").write_text(f"<main><h1>Gaskets</h1><p>{ANSWERS['linked']}.</p>{filler}</main>")
    return tmp_path


def asked(site: Path, text: str, gold: str) -> dict[str, Outcome]:
    question = Question("q", "site", "one.html", text, (gold,), 0, "literal")
    return {name: outcomes[0] for name, outcomes in ask_baselines([question], site).items()}


def test_content_of_the_named_page_is_found_by_all_methods(site: Path) -> None:
    found = asked(site, "How often is the pump oiled?", ANSWERS["named"])
    assert {name: outcome.hit for name, outcome in found.items()} == dict.fromkeys(
        (PAGE_ALONE, WITH_LINKS, PLAIN_FETCH), True
    )
    assert found[PAGE_ALONE].place == 1 and found[PLAIN_FETCH].blocks == 0


def test_content_of_a_linked_page_is_only_found_through_links(site: Path) -> None:
    found = asked(site, "Who replaces gaskets at night?", ANSWERS["linked"])
    assert [found[name].hit for name in (PAGE_ALONE, WITH_LINKS, PLAIN_FETCH)] == [False, True, False]


def test_links_that_lead_nowhere_are_left_out(site: Path) -> None:
    assert [page.title for page in SiteReader(site).linked("one.html")] == ["Gaskets"]
    assert SiteReader(site).linked("gone.html") == []
    assert MAX_LINKS > 1


def test_passages_are_short_and_lose_no_word(site: Path) -> None:
    page = SiteReader(site).page("one.html")
    assert page is not None
    found = passages(page)
    assert all(len(text.split()) <= PASSAGE_WORDS for _, text in found)
    assert " ".join(text for _, text in found).split() == page.text.split()


def test_a_question_without_a_known_word_finds_nothing(site: Path) -> None:
    page = SiteReader(site).page("one.html")
    assert page is not None
    assert "No relevant content" in PassageIndex([page]).result("zeppelin")
