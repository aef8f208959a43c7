"""Textbook hybrid search finds the text of a page, and two systems are compared question by question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from answers import ANSWER, pairs_of
from app.embed.folder import TOKENIZER_FILE
from app.extract import Page
from app.paths import assets_dir
from support.pairs import Mark, compared, load, save, sign_test
from support.questions import Question
from support.textbook import (
    FILLED_TOKENS,
    LINKS_FILLED,
    OVERLAP_PIECES,
    PAGE_ALONE,
    PAGE_FILLED,
    WINDOW_PIECES,
    WINDOWS,
    WITH_LINKS,
    Textbook,
    Window,
    ask_textbook,
    cut,
    first_windows,
)

FILLER = "The yard opens at nine and closes at five on every working day of the year. " * 30
OILED = "The pump is oiled every six weeks."


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vectors") / "textbook.db"


@pytest.fixture(scope="module")
def textbook(memory: Path) -> Iterator[Textbook]:
    made = Textbook(memory)
    yield made
    made.close()


def test_windows_overlap_and_lose_nothing() -> None:
    tokenizer = Tokenizer.from_file(str(assets_dir() / "model" / TOKENIZER_FILE))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    text = " ".join(["pump", "oil"] * 350)
    windows = cut(text, tokenizer)
    pieces = [len(tokenizer.encode(each, add_special_tokens=False)) for each in windows]
    assert max(pieces) == WINDOW_PIECES and len(windows) > 2
    assert sum(pieces) - OVERLAP_PIECES * (len(windows) - 1) == len(tokenizer.encode(text, add_special_tokens=False))
    assert text.startswith(windows[0]) and text.endswith(windows[-1])
    assert cut("", tokenizer) == [] and cut("one word", tokenizer) == ["one word"]


def test_the_window_with_the_answer_comes_first(textbook: Textbook) -> None:
    windows = textbook.windows([Page("http://site.invalid/a", "Yard", FILLER + OILED + FILLER)])
    assert len(windows) > 3
    assert OILED in textbook.ranked("How often is the pump oiled?", windows)[0].text
    assert OILED in textbook.ranked("When do machines get lubricated?", windows)[0].text
    assert textbook.ranked("anything", []) == []


def test_eight_windows_or_as_many_as_fit(textbook: Textbook) -> None:
    windows = [Window("Yard", "x" * 900, textbook.query("x"))] * 20
    assert first_windows(windows).count("Source [") == WINDOWS
    filled = first_windows(windows, tokens=FILLED_TOKENS)
    assert 11_000 < len(filled) <= 4 * FILLED_TOKENS and filled.count("Source [") > WINDOWS
    assert "No relevant content" in first_windows([])


def test_content_of_a_linked_page_is_only_found_through_links(tmp_path: Path, memory: Path) -> None:
    (tmp_path / "one.html").write_text(
        f"<main><h1>Yard</h1><p>{FILLER}</p><p>See <a href='two.html'>pumps</a>.</p></main>"
    )
    (tmp_path / "two.html").write_text(f"<main><h1>Pumps</h1><p>{OILED}</p><p>{FILLER}</p></main>")
    question = Question("q", "site", "one.html", "How often is the pump oiled?", (OILED,), 1, "prose")
    found = {name: each[0].hit for name, each in ask_textbook([question], tmp_path, memory).items()}
    assert found == {PAGE_ALONE: False, PAGE_FILLED: False, WITH_LINKS: True, LINKS_FILLED: True}


def test_no_new_vectors_are_made_when_time_is_up(textbook: Textbook) -> None:
    seen, new = Page("http://site.invalid/seen", "Yard", OILED), Page("http://site.invalid/new", "Yard", OILED)
    before = textbook.windows([seen])
    assert textbook.windows([seen], until=0) == before
    with pytest.raises(TimeoutError):
        textbook.windows([seen, new], until=0)


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1), (1, 0, 1), (5, 0, 0.0625), (9, 1, 0.021484375), (4, 4, 1)]
)
def test_the_sign_test_is_exact_and_two_sided(first: int, second: int, p: float) -> None:
    assert sign_test(first, second) == sign_test(second, first) == pytest.approx(p)


def mark(
    name: str, place: int, *, hops: int = 0, answerable: bool = True, said_none: bool = False, blocks: int = 8
) -> Mark:
    return Mark(name, hops, answerable, place > 0, place, blocks, said_none, 1000, 10.0)


def test_only_questions_of_both_are_compared_and_saved_marks_come_back(tmp_path: Path) -> None:
    ours = [mark("a", 1), mark("b", 7), mark("c", 0, hops=1), mark("n", 0, answerable=False, said_none=True)]
    theirs = [mark("a", 0), mark("b", 2), mark("n", 0, answerable=False), mark("z", 1)]
    save(tmp_path / "run.jsonl", {ANSWER: theirs, "other": ours})
    assert load(tmp_path / "run.jsonl") == {ANSWER: theirs, "other": ours}
    rows = {(row["questions"], row["measure"]): row for row in compared("them", ours, theirs)}
    hit, top = rows["all answerable", "hit"], rows["all answerable", "top 5"]
    assert (hit["n"], hit["only this"], hit["only that"], top["only this"], top["only that"]) == (2, 1, 0, 1, 1)
    assert rows["unanswerable", "said none"]["only this"] == 1
    assert ("1 link away", "hit") not in rows
    assert {row["against"] for row in pairs_of({ANSWER: ours, "other": ours}, tmp_path / "run.jsonl")} == {
        "other",
        "run.jsonl",
    }


def test_places_are_not_compared_with_a_system_that_has_none() -> None:
    plain = [mark("a", 0, blocks=0)]
    assert {row["measure"] for row in compared("plain", [mark("a", 1)], plain)} == {"hit"}
