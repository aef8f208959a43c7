"""Saved passages on the command line, with a running instance and without one."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.cli import main
from app.errors import PassageExpiredError
from app.instance import RuntimeInfo, hold_instance, write_runtime
from app.scratch.passage import Passage
from tests.scratch.passages import passage
from tests.server.fake_engine import FakeEngine
from tests.server.transports import TOKEN, listening

OWNER = "claude desktop\0bridge 4711"
Run = Callable[..., Awaitable[tuple[int, str, str]]]


@asynccontextmanager
async def serving(folder: Path, engine: FakeEngine, capsys: pytest.CaptureFixture[str]) -> AsyncIterator[Run]:
    """Return a function that runs one `webrag scratch` command next to the instance and returns status, output and errors."""

    async def run(*words: str) -> tuple[int, str, str]:
        status = await asyncio.to_thread(main, ["scratch", *words, "--data-dir", str(folder)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    with hold_instance(folder):
        async with listening(engine) as server:
            write_runtime(folder, RuntimeInfo(server.url, TOKEN, os.getpid(), "0"))
            yield run


def kept(engine: FakeEngine, text: str) -> Passage:
    return engine.scratch.put(OWNER, engine.scratch.session(OWNER), passage(text))


async def test_passages_are_listed_pinned_and_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = FakeEngine()
    first, second = kept(engine, "first"), kept(engine, "second")
    async with serving(tmp_path, engine, capsys) as run:
        status, out, _ = await run("pin", first.id)
        assert (status, engine.scratch.is_pinned(first.id)) == (0, True)
        assert "Pinned: yes" in out
        status, out, _ = await run("list")
        assert status == 0
        rows = [line.split() for line in out.splitlines()]
        assert [row[:3] for row in rows[1:]] == [[first.id, "yes", "5"], [second.id, "-", "6"]]
        assert "claude desktop" in out and "4711" not in out
        status, out, _ = await run("list", "--limit", "1", "--json")
        (only,) = json.loads(out)
        assert (only["id"], only["is_pinned"], only["client"], only["text"]) == (first.id, True, "claude desktop", "")
        assert 0 < only["seconds_left"] <= 1_800
        assert (await run("unpin", first.id))[:2] == (0, f"Unpinned {first.id}.\n")
        status, _, err = await run("unpin", first.id)
        assert status == 1 and "is not pinned" in err
        assert (await run("delete", second.id))[0] == 0
        assert (await run("delete", second.id))[0] == 1
        with pytest.raises(PassageExpiredError):
            engine.scratch.get(OWNER, second.id)


async def test_a_passage_is_shown_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = FakeEngine()
    long = kept(engine, "Wärme. " * 20_000)
    target = tmp_path / "passage.txt"
    async with serving(tmp_path, engine, capsys) as run:
        status, out, _ = await run("show", long.id)
        assert status == 0 and out.startswith("Warmth\nSource: https://bees.example/hive/warm\n")
        assert len(out) < 60_000 and f"`webrag scratch save {long.id} FILE`" in out
        assert (await run("save", long.id, str(target)))[0] == 0
        assert target.read_text(encoding="utf-8") == long.content.text
        status, _, err = await run("save", long.id, str(target))
        assert status == 1 and "already exists" in err
        for words in (["show", "nothing"], ["show"], ["save", long.id], ["show", "../x"]):
            status, _, err = await run(*words)
            assert status == 1 and "hint: " in err


def test_pinned_passages_are_available_without_an_instance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scratch", "list", "--data-dir", str(tmp_path)]) == 0
    assert "30 minutes" in capsys.readouterr().out
