"""Without consent, no part of a question reaches the disk or events. With consent, it is stored with its call until it is erased."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.corpus.records import ActivityRecord
from app.errors import FetchTimeoutError
from app.events import CallAsked, CallFinished, Event
from app.logs import RedactingFormatter
from app.paths import questions_file
from app.server.calls.dispatch import question_in
from app.server.tools import TOOLS
from tests.server.small_world import Arguments, World

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORD = "quetzalcoatlus"


@pytest.fixture
def events(world: World) -> Iterator[list[Event]]:
    seen: list[Event] = []
    unsubscribe = world.engine.bus.subscribe(seen.append)
    yield seen
    unsubscribe()


@pytest.fixture
def consent(world: World) -> Iterator[World]:
    """The user allows questions to be stored during this test."""
    world.engine.apply(replace(world.engine.settings, keep_questions=True))
    yield world
    world.engine.apply(world.engine.settings)
    world.engine._recorder.questions.erase_all()


@pytest.fixture
def log_file(world: World) -> Iterator[Path]:
    """Yield everything that is logged next to the library."""
    file = world.engine.settings.data_dir / "logs" / "everything.log"
    file.parent.mkdir(exist_ok=True)
    handler = logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(RedactingFormatter("%(message)s"))
    root, before = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield file
    root.setLevel(before)
    root.removeHandler(handler)
    handler.close()
    file.unlink()


def with_word(arguments: Arguments) -> Arguments:
    """Return the same call with the word in its question."""
    asked = {
        name: [f"{WORD} {each}" for each in value] if isinstance(value, list) else f"{WORD} {value}"
        for name, value in arguments.items()
        if name in ("query", "question")
    }
    return {**arguments, **asked}


async def settled(world: World) -> None:
    """Wait until calls are stored."""
    await asyncio.gather(*world.engine._background)


async def ask(world: World, text: str, tool: str = "search", client: str = "claude-ai") -> ActivityRecord:
    await world.call(tool, {"query": text}, client)
    await settled(world)
    return (await world.engine.questions.calls(0.0, time.time() + 1, 1))[0]


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def test_without_consent_no_question_of_any_tool_is_written_anywhere(
    world: World, events: list[Event], log_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [*await world.examples(), ("search_sections", {"query": "colony in winter"})]
    examples = [(tool, with_word(given)) for tool, given in dict(every).items() if with_word(given) != given]
    takes_one = {spec.id for spec in TOOLS if {"query", "question"} & set(spec.input_schema["properties"])}
    assert {tool for tool, _ in examples} == {tool for tool in takes_one if world.offers(tool)}
    for tool, given in examples:
        await world.call(tool, given)
        for wrong in ({"query": WORD * 1_000}, {"top_k": WORD}):
            await world.call(tool, {**given, **wrong})
        if "url" in given:
            await world.call(tool, {**given, "url": world.site.url("/nothing-here")})

    async def fail(*given: Any, **_more: Any) -> None:
        raise FetchTimeoutError("It did not answer.", url="https://x.example/")

    async def break_down(*given: Any, **_more: Any) -> None:
        raise RuntimeError(f"a defect that names {given}")

    for failing in (fail, break_down):
        for name in ("run", "search", "web_search", "read_from_page"):
            monkeypatch.setattr(world.engine, name, failing)
        for tool, given in examples:
            await world.call(tool, given)
    await settled(world)
    assert "RuntimeError" in text_of(log_file)
    assert not any(isinstance(event, CallAsked) for event in events)
    assert not any(event.question for event in events if isinstance(event, CallFinished))
    assert not questions_file(world.engine.settings.data_dir).exists()
    assert WORD.encode() not in bytes_in(world.engine.settings.data_dir)


async def test_with_consent_a_question_is_stored_with_its_call(consent: World, events: list[Event]) -> None:
    call = await ask(consent, f"How warm is a {WORD}?")
    assert (call.question, call.client, call.tool) == (f"How warm is a {WORD}?", "claude-ai", "search")
    assert call.reads and call.reads[0].ranges, "used passages are also known after a restart"
    (asked,) = (event for event in events if isinstance(event, CallAsked))
    (ended,) = (event for event in events if isinstance(event, CallFinished))
    assert (asked.query, asked.call_id, ended.question) == (call.question, ended.call_id, call.question)
    assert [found.id for found in await consent.engine.questions.containing(f"warm {WORD.upper()}", 9)] == [call.id]
    assert await consent.engine.questions.containing("warm tortoise", 9) == []


async def test_a_failed_question_is_stored_with_the_reason(consent: World) -> None:
    missing = consent.site.url("/nothing-here")
    await consent.call("answer", {"url": missing, "query": f"Where is the {WORD}?"})
    await settled(consent)
    (call,) = await consent.engine.questions.containing(WORD, 1)
    assert call.failure is not None and call.failure.url == missing


async def test_backups_and_logs_do_not_contain_questions(consent: World, log_file: Path, tmp_path: Path) -> None:
    await ask(consent, f"How warm is a {WORD}?")
    await consent.engine.maintenance.backup(tmp_path / "backup.db")
    assert WORD.encode() not in (tmp_path / "backup.db").read_bytes()
    data = consent.engine.settings.data_dir
    holding = [file.name for file in data.rglob("*") if file.is_file() and WORD.encode() in file.read_bytes()]
    assert holding == [questions_file(data).name]


async def test_erasing_takes_one_question_a_day_or_all_from_the_disk(consent: World) -> None:
    data, questions = consent.engine.settings.data_dir, consent.engine.questions
    first, second = [await ask(consent, f"{WORD} number {name}") for name in ("one", "two")]
    await questions.erase_one(first.id)
    assert f"{WORD} number one".encode() not in bytes_in(data)
    await questions.erase(second.started_at, second.started_at + 1)
    assert WORD.encode() not in bytes_in(data) and await questions.count() == 0
    await ask(consent, f"{WORD} number three")
    await consent.engine.activity.clear()
    assert WORD.encode() not in bytes_in(data) and not questions_file(data).exists()


async def test_a_question_is_not_stored_if_consent_ends_during_the_call(consent: World) -> None:
    engine = consent.engine
    withdraw = engine.bus.subscribe(
        lambda event: engine.apply(engine.settings) if isinstance(event, CallAsked) else None
    )
    await consent.call("search", {"query": f"a {WORD}"})
    await settled(consent)
    withdraw()
    assert not questions_file(consent.engine.settings.data_dir).exists()


async def test_without_a_record_of_calls_there_are_no_questions(world: World) -> None:
    world.engine.apply(replace(world.engine.settings, keep_questions=True, activity_log=False))
    try:
        assert not world.engine.keeps_questions
    finally:
        world.engine.apply(world.engine.settings)


@pytest.mark.parametrize(
    ("arguments", "question"),
    [
        ({"query": " How? "}, "How?"),
        ({"question": "Why?"}, "Why?"),
        ({"query": ["a", "b", 3]}, "a\nb"),
        ({"query": {"a": 1}}, ""),
        ({"query": "x" * 9_000}, "x" * caps.MAX_QUERY_CHARS),
        ({"query": "use token=abcdef123 \u202eplease\ud800"}, "use token=[redacted] please?"),
        ({"url": "https://a.example/"}, ""),
        (None, ""),
    ],
)
async def test_the_question_of_a_call_is_found(arguments: Arguments | None, question: str) -> None:
    assert question_in(arguments) == question
