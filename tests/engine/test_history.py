"""Changes of a page since it was added and since it was cited, with the real engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.cli.questions import changed_pages_text
from app.corpus.records import ActivityRecord
from app.engine import Engine, build_engine
from app.engine.documents import PageHistory
from app.engine.erasing import Kept, erase
from app.events import PageRead
from app.ingest.files import file_url
from app.paths import corpus_file
from app.secrets import SecretStore
from app.settings import load_settings
from app.text.changes import Change

PUMP, VALVE, SEAL = (
    "The pump lifts water from the river to the upper basin of the mill.",
    "It has two valves, and both of them are closed by hand every evening.",
    "The seals are made of leather, and they last for three years or so.",
)


@pytest.fixture
async def engine(guided: Path) -> AsyncIterator[Engine]:
    running = build_engine(load_settings(data_dir=guided))
    await running.start(background=False)
    yield running
    await running.stop()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes.md"


async def write(engine: Engine, notes: Path, *passages: str) -> int:
    await asyncio.to_thread(notes.write_text, "# Notes\n\n" + "\n\n".join(passages) + "\n")
    return (await engine.add_file(notes)).document_id


async def cite(engine: Engine, document_id: int, passage: str, client: str) -> None:
    """Record what `answer` records when an assistant gets a passage."""
    document = await engine.documents.get(document_id)
    assert document is not None
    start = document.text.index(passage)
    read = PageRead(document.url, document_id, 0, ((start, start + len(passage)),))
    moment = document.changed_at + 0.000_001
    call = ActivityRecord(0, moment, client, "answer", 1.0, "ok", 10, 40, (document.url,), reads=(read,))
    engine._corpus.activity.add(call)
    engine._corpus.documents.note_cited([document_id], moment)


async def test_changes_since_a_page_was_added_and_since_it_was_cited(engine: Engine, notes: Path) -> None:
    number = await write(engine, notes, PUMP, VALVE, SEAL)
    assert (await engine.documents.history(number)).versions == ()
    await write(engine, notes, PUMP, VALVE.replace("two", "three"), SEAL)
    await cite(engine, number, VALVE.replace("two", "three"), "Claude")
    await cite(engine, number, PUMP, "Cursor")
    await write(engine, notes, PUMP, VALVE.replace("two", "four"))
    await write(engine, notes, PUMP, VALVE.replace("two", "four"))
    found = await engine.documents.history(number)
    newest, oldest = found.versions
    assert found.since == newest, "the cited version"
    assert [each.change for each in found.changes.passages] == [Change.SAME, Change.CHANGED, Change.REMOVED]
    assert [each.was_cited for each in found.changes.passages] == [False, True, False]
    assert found.clients == ("Claude",), "the passage for Cursor is unchanged"
    first = await engine.documents.history(number, oldest.id)
    assert first.since == oldest
    words = [run.text for run in first.changes.passages[1].runs if run.change is not Change.SAME]
    assert words == ["two", "four"]
    assert [(each.url, each.read_at < each.replaced_at) for each in found.versions] == [(file_url(notes), True)] * 2


async def test_passages_of_the_call_that_read_the_page_count_as_given(engine: Engine, notes: Path) -> None:
    number = await write(engine, notes, PUMP, VALVE)
    document = await engine.documents.get(number)
    assert document is not None
    start = document.text.index(VALVE)
    read = PageRead(document.url, number, 0, ((start, start + len(VALVE)),))
    began, seconds = document.changed_at - 2.0, 2.001
    call = ActivityRecord(0, began, "Claude", "answer", 1000 * seconds, "ok", 10, 40, (document.url,), reads=(read,))
    engine._corpus.activity.add(call)
    await write(engine, notes, PUMP)
    assert (await engine.documents.history(number)).clients == ("Claude",)


async def test_cited_passages_that_differ_are_counted_until_the_page_is_cited_again(
    engine: Engine, notes: Path
) -> None:
    number = await write(engine, notes, PUMP, VALVE, SEAL)
    await cite(engine, number, VALVE, "Claude")
    await cite(engine, number, VALVE, "Cursor")
    await cite(engine, number, PUMP, "Claude")
    assert [each.cited_and_changed for each in await engine.documents.freshness([number])] == [0]
    await write(engine, notes, PUMP, VALVE.replace("two", "four"), SEAL)
    (fresh,) = await engine.cite([number])
    assert (fresh.changed_since_cited, fresh.cited_and_changed) == (1, 1), "one passage, for any number of assistants"
    await engine._components.cited.stop()
    (fresh,) = await engine.documents.freshness([number])
    assert (fresh.changed_since_cited, fresh.cited_and_changed) == (0, 0)
    await write(engine, notes, PUMP, VALVE.replace("two", "four"))
    (fresh,) = await engine.documents.freshness([number])
    assert fresh.cited_and_changed == 0, "the deleted passage was never cited"


async def test_changed_pages_are_listed_with_the_passages_that_differ(engine: Engine, notes: Path) -> None:
    await write(engine, notes.with_name("same.md"), SEAL)
    added = await write(engine, notes.with_name("added.md"), PUMP)
    await write(engine, notes.with_name("added.md"), PUMP, SEAL)
    cited = await write(engine, notes, PUMP, VALVE, SEAL)
    await cite(engine, cited, VALVE, "Claude")
    await write(engine, notes, PUMP.replace("river", "brook"), VALVE.replace("two", "four"), SEAL)
    first, second = await engine.documents.changed()
    assert (first.document_id, first.was_cited, first.count) == (cited, True, 2)
    assert [(each.old, each.new, each.was_cited) for each in first.passages] == [
        (VALVE, VALVE.replace("two", "four"), True),
        (PUMP, PUMP.replace("river", "brook"), False),
    ]
    assert (second.document_id, second.was_cited) == (added, False)
    assert [(each.old, each.new) for each in second.passages] == [("", SEAL)]
    assert [each.document_id for each in await engine.documents.changed(cited=True)] == [cited]
    assert changed_pages_text([first, second]).splitlines()[2:5] == [
        f'  - "{VALVE}" (cited)',
        f'  + "{VALVE.replace("two", "four")}"',
        f'  - "{PUMP}"',
    ]


async def test_without_a_citation_the_oldest_text_is_compared(engine: Engine, notes: Path) -> None:
    for seal in ("one", "two", "three"):
        number = await write(engine, notes, PUMP, SEAL.replace("three", seal))
    found = await engine.documents.history(number)
    assert found.since == found.versions[-1]
    assert found.clients == () and found.changes.count(Change.CHANGED) == 1
    (row,) = await engine.documents.rows([number])
    assert row.has_versions


async def test_erasing_the_record_of_calls_takes_the_marks_along(engine: Engine, notes: Path) -> None:
    number = await write(engine, notes, PUMP, VALVE)
    await cite(engine, number, VALVE, "Claude")
    await write(engine, notes, PUMP)
    engine._corpus.activity.clear()
    found = await engine.documents.history(number)
    assert found.clients == () and not any(each.was_cited for each in found.changes.passages)


async def test_versions_that_cannot_be_read_are_listed_and_not_compared(engine: Engine, notes: Path) -> None:
    await write(engine, notes, PUMP)
    number = await write(engine, notes, VALVE)
    with engine._corpus._database.write() as con:
        con.execute("UPDATE versions SET checksum = x'00'")
    found = await engine.documents.history(number)
    assert len(found.versions) == 1 and found.since is None
    assert await engine.documents.history(12_345) == PageHistory(())


async def test_erasing_the_library_erases_earlier_texts(tmp_path: Path, notes: Path) -> None:
    data = tmp_path / "data"
    running = build_engine(load_settings(data_dir=data))
    await running.start(background=False)
    await write(running, notes, "A secret that stood here.")
    await write(running, notes, PUMP)
    await running.stop()
    erase(data, {Kept.LIBRARY}, SecretStore())
    assert not corpus_file(data).exists()
