"""Requests of bridges, the command line and a second instance to a running one, with import, export and backup."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import httpx2
import pytest
from jsonschema import Draft202012Validator

from app import caps
from app.cli.calls import LIMITED
from app.corpus import Corpus
from app.errors import FetchTimeoutError, FileAccessError, InvalidArgumentError, UnsupportedContentError
from app.events import CallFinished, CallStarted, ClientsChanged, no_progress
from app.library.job_records import JobState
from app.orchestration.result import SourceFailure
from app.serialise import to_jsonable
from app.server.control.endpoint import Control
from app.server.control.files import Imported, export_documents, import_files, is_bookmarks
from app.server.control.methods import METHODS
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import PHASES, FakeEngine
from tests.server.transports import BEARER, leave, listening, until
from tests.support.jobs import changed, job


def test_token_is_not_in_the_text_of_an_object() -> None:
    parts: Any = dict.fromkeys(("engine", "dispatcher", "attached", "stopping", "changes", "on_show", "on_stop"))
    assert "hidden-token" not in repr(Control(**parts, token="hidden-token").routes())


async def ask(engine: FakeEngine, method: Any, params: Any = None) -> list[dict[str, Any]]:
    async with listening(engine) as server, httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client:
        body = {"method": method, "params": params or {}}
        response = await client.post(server.url.replace("/mcp", "/control/call"), json=body)
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/x-ndjson"
        return [json.loads(line) for line in response.text.splitlines()]


PROGRESS = [{"progress": {"phase": phase, "detail": detail}} for phase, detail in PHASES]


async def test_answer_streams_progress_and_ends_with_the_result() -> None:
    engine = FakeEngine()
    *progress, last = await ask(
        engine,
        "answer",
        {"urls": [results.HIVES, results.WINTER], "query": "q", "expansion_budget": 1, "intent": None},
    )
    assert progress == PROGRESS
    assert last == {"result": to_jsonable(engine.answer)}
    assert engine.asked[0]["urls"] == (results.HIVES, results.WINTER)
    assert engine.asked[0]["expansion_budget"] == 1
    started, ended = engine.events[1], engine.events[-2]
    assert isinstance(started, CallStarted)
    assert isinstance(ended, CallFinished)
    assert (started.client, ended.outcome) == ("command line", "ok")


@pytest.mark.parametrize(
    ("method", "params", "key"),
    [
        ("search", {"query": "q", "mode": "keyword", "top_k": 3}, "chunks"),
        ("status", {"limit": 5}, "totals"),
        ("status", {"source_url": results.HIVES}, "documents"),
    ],
)
async def test_methods_give_the_engines_results(method: str, params: dict[str, Any], key: str) -> None:
    assert key in (await ask(FakeEngine(), method, params))[-1]["result"]


async def test_lists_and_flags() -> None:
    assert (await ask(FakeEngine(), "ingest", {"urls": [results.HIVES]}))[-1]["result"][0]["change"] == "stored"
    assert (await ask(FakeEngine(), "verify"))[-1]["result"][0]["check"] == "integrity"
    assert (await ask(FakeEngine(), "library", {"limit": 10}))[-1]["result"][0]["url"] == results.HIVES
    assert await ask(FakeEngine(), "delete", {"urls": [results.HIVES]}) == [{"result": [results.HIVES]}]


@pytest.mark.parametrize(
    ("method", "params", "failure", "code"),
    [
        ("answer", {"urls": [results.HIVES], "query": "q"}, FetchTimeoutError("slow"), "TIMEOUT"),
        ("answer", {"urls": [results.HIVES], "query": "q"}, ValueError("hidden"), "INTERNAL_ERROR"),
        ("answer", {"query": "q"}, None, "INVALID_ARGUMENT"),
        ("answer", {"urls": [results.HIVES], "query": "q", "extra": 1}, None, "INVALID_ARGUMENT"),
        ("no_such_method", {}, None, "INVALID_ARGUMENT"),
        ("__class__", {}, None, "INVALID_ARGUMENT"),
    ],
)
async def test_failures_are_the_last_line(
    method: str, params: dict[str, Any], failure: Exception | None, code: str
) -> None:
    last = (await ask(FakeEngine(failure=failure), method, params))[-1]
    assert set(last["error"]) == {"code", "title", "message", "hint"}
    assert last["error"]["code"] == code
    assert "hidden" not in last["error"]["message"]


FAILED_ANSWER = results.result(failures=(SourceFailure(results.OTHER, "TIMEOUT", "slow"),))
UNANSWERED = replace(results.one_chunk(), nothing_found=True)


@pytest.mark.parametrize(
    ("method", "engine", "pages", "outcome", "verdict"),
    [
        ("answer", FakeEngine(), (results.HIVES, results.WINTER, results.MITES), "ok", "answered"),
        ("answer", FakeEngine(answer=UNANSWERED), (results.HIVES,), "ok", "closest"),
        ("answer", FakeEngine(answer=FAILED_ANSWER), (), "TIMEOUT", "failed"),
        ("ingest", FakeEngine(pages=(results.READ, results.UNREAD)), (results.HIVES,), "ok", "done"),
        ("ingest", FakeEngine(pages=(results.UNREAD,)), (), "BACKEND_UNAVAILABLE", "failed"),
    ],
)
async def test_the_record_has_the_outcome(
    method: str, engine: FakeEngine, pages: tuple[str, ...], outcome: str, verdict: str
) -> None:
    await ask(engine, method, {"urls": [results.HIVES], **({"query": "q"} if method == "answer" else {})})
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert (ended.pages, ended.outcome, ended.tokens, ended.verdict) == (pages, outcome, 0, verdict)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("answer", {"urls": [results.HIVES], "query": "q"}),
        ("search", {"query": "q"}),
        ("ingest", {"urls": [results.HIVES]}),
    ],
)
async def test_calls_end_at_the_time_limit_of_tools(method: str, params: dict[str, Any]) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_tool_timeout=0.1), delay=30)
    assert (await ask(engine, method, params))[-1]["error"]["code"] == "TIMEOUT"
    assert engine.cancelled.is_set()
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert ended.outcome == "TIMEOUT"


@pytest.mark.parametrize("name", METHODS)
def test_parameters_are_described_by_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(METHODS[name].validator.schema)


def test_the_command_line_knows_which_calls_have_a_limit() -> None:
    assert {name for name, method in METHODS.items() if method.note is not None} == LIMITED


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"method": 7}', b'{"method": "verify", "params": []}'])
async def test_unreadable_request_is_refused(body: bytes) -> None:
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        response = await client.post(server.url.replace("/mcp", "/control/call"), content=body)
        assert response.status_code == 400


async def test_a_caller_that_disconnects_ends_the_work() -> None:
    engine = FakeEngine(delay=30)
    async with listening(engine) as server, httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client:
        body = {"method": "answer", "params": {"urls": [results.HIVES], "query": "q"}}
        await leave(engine, client.post(server.url.replace("/mcp", "/control/call"), json=body, timeout=30))
        await asyncio.wait_for(engine.cancelled.wait(), 20)


async def test_every_path_needs_the_token() -> None:
    async with listening(FakeEngine()) as server, httpx2.AsyncClient(trust_env=False, verify=False) as client:
        base = server.url.replace("/mcp", "")
        for path in ("call", "show", "stop"):
            assert (await client.post(f"{base}/control/{path}")).status_code == 401
        assert (await client.get(f"{base}/control/attach")).status_code == 401


async def test_window_is_shown_and_instance_stopped_on_request() -> None:
    done: list[str] = []
    options = {"on_show": lambda: done.append("show"), "on_stop": lambda: done.append("stop")}
    async with (
        listening(FakeEngine(), **options) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        base = server.url.replace("/mcp", "")
        assert (await client.post(f"{base}/control/show")).status_code == 200
        assert (await client.post(f"{base}/control/stop")).status_code == 200
        await until(lambda: len(done) == 2)
    assert done == ["show", "stop"]


async def test_headless_instance_has_no_window() -> None:
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        response = await client.post(server.url.replace("/mcp", "/control/show"))
        assert (response.status_code, response.json()) == (409, {"error": "headless"})
        assert (await client.post(server.url.replace("/mcp", "/control/stop"))).status_code == 409


def attached_names(engine: FakeEngine) -> list[tuple[str, ...]]:
    return [event.names for event in engine.events if isinstance(event, ClientsChanged)]


async def test_line_counts_as_connected_until_either_side_ends_it() -> None:
    engine = FakeEngine()
    async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client:
        async with listening(engine) as server:
            url = server.url.replace("/mcp", f"/control/attach?client=claude-code%2F2.1&pid={os.getpid()}")
            async with client.stream("GET", url) as first:
                assert await anext(first.aiter_raw()) == b"\n"
                assert server.attached.names == ("claude-code",)
            await until(lambda: server.attached.names == ())
            waiting = client.stream("GET", url)
            second = await waiting.__aenter__()
            lines = second.aiter_raw()
            assert await anext(lines) == b"\n"
        assert [line async for line in lines] == []
        await waiting.__aexit__(None, None, None)
    assert attached_names(engine) == [("claude-code",), (), ("claude-code",), ()]


async def test_the_token_ledger_is_returned_and_erased() -> None:
    engine = FakeEngine()
    (told,) = await ask(engine, "usage", {"days": 7})
    assert told["result"][0]["saved"] == 900
    (refused,) = await ask(engine, "usage", {"days": 0})
    assert refused["error"]["code"] == "INVALID_ARGUMENT"
    assert await ask(engine, "usage_erase") == [{"result": True}]
    assert {"erased": True} in engine.asked


BOOKMARKS = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><DL><p><DT><A HREF="https://docs.example.org/a">A</A></DL>"""


def holding(*urls: str) -> FakeEngine:
    """Return an engine with these pages."""
    engine = FakeEngine()
    engine.documents.rows = tuple(results.document(number, url, "Title") for number, url in enumerate(urls, start=1))
    return engine


def markdown_in(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


async def test_bookmarks_become_a_job_and_other_files_documents(tmp_path: Path) -> None:
    exported, note, page = tmp_path / "bookmarks.html", tmp_path / "note.md", tmp_path / "page.html"
    exported.write_bytes(BOOKMARKS)
    note.write_text("# Note")
    page.write_text("<!doctype html><p>DOCTYPE NETSCAPE-Bookmark-file-1 is a format.")
    engine = FakeEngine()
    found = await import_files(engine, [exported, note, page], no_progress)
    assert [entry.job is not None for entry in found] == [True, False, False]
    assert engine.jobs.asked == [("read_pages", ("https://docs.example.org/a",), "bookmarks.html")]
    assert [asked["file"] for asked in engine.asked] == [note, page]


async def test_a_file_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"%PDF")
    engine = FakeEngine(failure=UnsupportedContentError("x.pdf is locked.", url="x"))
    found = await import_files(engine, [tmp_path / "x.pdf", tmp_path / "missing.html"], no_progress)
    assert [entry.page and entry.page.failure_type for entry in found] == [
        "UnsupportedContentError",
        "FileAccessError",
    ]
    assert isinstance(found[0], Imported)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no named pipes in folders")
def test_a_named_pipe_does_not_contain_bookmarks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    assert not is_bookmarks(tmp_path / "pipe.html")


@pytest.mark.parametrize("name", [f"{'a' * 300}.html", "a\0b.html"])
def test_a_file_with_an_impossible_name_is_not_readable(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileAccessError, match="cannot read"):
        is_bookmarks(tmp_path / name)


async def test_importing_a_folder_explains_how_to_add_one(tmp_path: Path) -> None:
    (entry,) = await import_files(FakeEngine(), [tmp_path], no_progress)
    assert entry.page is not None and "is a folder" in entry.page.failure_reason
    assert "webrag folder add" in entry.page.note


async def test_bookmarks_without_pages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(BOOKMARKS.replace(b"https:", b"place:"))
    (entry,) = await import_files(FakeEngine(), [tmp_path / "b.html"], no_progress)
    assert entry.page is not None
    assert entry.page.failure_reason == "b.html does not contain bookmarks of web pages."


async def test_a_page_is_exported_with_its_sources(tmp_path: Path) -> None:
    engine = holding(results.HIVES, results.HIVES + "/more")
    done = await export_documents(engine, results.HIVES, tmp_path / "hives.md", no_progress)
    assert done.files == (str(tmp_path / "hives.md"),)
    head, _, body = (tmp_path / "hives.md").read_text().partition("\n---\n\n")
    assert head.splitlines() == [
        "---",
        'title: "Choosing a hive"',
        f'source: "{results.HIVES}"',
        'fetched: "2026-02-22T14:30:00Z"',
        'language: "en"',
        'sha256: "hash"',
    ]
    assert body == f"# Choosing a hive\n\nSee the [winter page]({results.WINTER}).\n"


async def test_a_site_is_exported_as_its_folders(tmp_path: Path) -> None:
    site = "https://docs.example.org/"
    engine = holding(
        site,
        site + "a/",
        site + "a/index.html",
        site + "a.html",
        site + "a.html?page=2",
        site + "con",
        site + "%2e%2e/%2e%2e/etc/passwd",
        "https://other.example/?u=" + site,
    )
    done = await export_documents(engine, site, tmp_path, no_progress)
    names = sorted(str(Path(file).relative_to(tmp_path)) for file in done.files)
    second = next(name for name in names if name.startswith("docs.example.org/a/index-"))
    assert set(names) - {second} == {
        "docs.example.org/a-page-2.md",
        "docs.example.org/a.md",
        "docs.example.org/a/index.md",
        "docs.example.org/con-.md",
        "docs.example.org/index.md",
        "docs.example.org/page/page/etc/passwd.md",
    }
    assert len(markdown_in(tmp_path)) == 7


async def test_export_again_replaces_its_own_files_and_no_others(tmp_path: Path) -> None:
    engine, target = holding(results.HIVES), tmp_path / "x.md"
    await export_documents(engine, results.HIVES, target, no_progress)
    await export_documents(engine, results.HIVES, target, no_progress)
    target.write_text("my own notes")
    with pytest.raises(FileAccessError, match="already exists with other content"):
        await export_documents(engine, results.HIVES, target, no_progress)
    assert target.read_text() == "my own notes"
    assert markdown_in(tmp_path) == ["x.md"]


async def test_export_failures_are_reported(tmp_path: Path) -> None:
    engine = holding(results.HIVES, results.WINTER)
    with pytest.raises(InvalidArgumentError, match="2 pages do not fit in one file"):
        await export_documents(engine, results.SITE, tmp_path / "x.md", no_progress)
    with pytest.raises(InvalidArgumentError, match="Nothing is indexed"):
        await export_documents(Empty(), "https://nowhere.example/", tmp_path, no_progress)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileAccessError, match="cannot write"):
        await export_documents(engine, results.HIVES, tmp_path / "file", no_progress)


async def test_a_file_that_cannot_be_written_does_not_stop_the_export(tmp_path: Path) -> None:
    site = "https://docs.example.org/"
    folder = tmp_path / "docs.example.org"
    folder.mkdir()
    (folder / "b.md").write_text("my own notes")
    (folder / "c").write_text("no folder")
    done = await export_documents(
        holding(*(site + name for name in ("a", "b", "c/d", "e"))), site, tmp_path, no_progress
    )
    assert done.files == (str(folder / "a.md"), str(folder / "e.md"))
    assert [(failure.code, failure.hint) for failure in done.failures] == [
        ("INVALID_ARGUMENT", "Choose an empty folder."),
        ("INVALID_ARGUMENT", "Choose another location."),
    ]
    assert str(folder / "b.md") in done.failures[0].message
    assert (folder / "b.md").read_text() == "my own notes"


class Empty(FakeEngine):
    """An engine without pages."""

    def __init__(self) -> None:
        super().__init__()
        self.documents.rows = ()

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> Any:
        return results.status(asked_url=source_url)


async def test_an_alias_finds_its_document(tmp_path: Path) -> None:
    engine = holding()
    done = await export_documents(engine, "https://old.example/hives", tmp_path / "x.md", no_progress)
    assert len(done.files) == 1
    assert json.dumps(results.HIVES) in (tmp_path / "x.md").read_text()


async def test_a_backup_only_replaces_a_backup(tmp_path: Path) -> None:
    engine = FakeEngine(settings=Settings(data_dir=tmp_path))
    (tmp_path / "corpus.db").write_bytes(b"SQLite format 3\0...")
    (tmp_path / "notes.txt").write_text("mine")
    bookmarks = tmp_path / "places.sqlite"
    con = apsw.Connection(str(bookmarks))
    con.execute("CREATE TABLE places(url); PRAGMA application_id = 7")
    con.close()
    before = bookmarks.read_bytes()
    backup = METHODS["backup"]
    refused = {
        ".": "is not a WebRAG backup",
        "notes.txt": "is not a WebRAG backup",
        "places.sqlite": "is not a WebRAG backup",
        "corpus.db": "is the library",
    }
    for name, words in refused.items():
        with pytest.raises(FileAccessError, match=words):
            await backup.call(engine, {"target": str(tmp_path / name)}, no_progress)
    target = str(tmp_path / "b.db")
    assert await backup.call(engine, {"target": target}, no_progress) == target
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert bookmarks.read_bytes() == before


async def test_a_backup_may_replace_an_older_one(tmp_path: Path) -> None:
    engine = FakeEngine(settings=Settings(data_dir=tmp_path))
    older = tmp_path / "older.db"
    Corpus.open(older, dimension=4, model="m").close()
    assert await METHODS["backup"].call(engine, {"target": str(older)}, no_progress) == str(older)


async def test_control_starts_follows_and_changes_jobs() -> None:
    engine = FakeEngine()
    started = await METHODS["crawl"].call(engine, {"url": results.SITE, "max_pages": 9}, no_progress)
    assert (started.job.id, started.job.state) == (7, "queued")
    told: list[str] = []

    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        told.append(detail)

    engine.jobs.steps = [changed(job())]
    engine.jobs.ending = job(7, JobState.DONE)
    report = await METHODS["job_wait"].call(engine, {"job_id": 7}, progress)
    assert report.job.state == "done"
    assert len(told) == 1
    for step in ("pause", "resume", "cancel", "retry"):
        await METHODS[f"job_{step}"].call(engine, {"job_id": 7}, no_progress)
    assert [asked[0] for asked in engine.jobs.asked[-4:]] == ["pause", "resume", "cancel", "retry"]
    await METHODS["folder_add"].call(engine, {"path": "/notes"}, no_progress)
    assert [folder.path for folder in await METHODS["folders"].call(engine, {}, no_progress)] == ["/notes"]
    assert await METHODS["folder_remove"].call(engine, {"path": "/notes"}, no_progress)
    assert [known.job.id for known in await METHODS["jobs"].call(engine, {"limit": 1}, no_progress)] == [8]
    with pytest.raises(InvalidArgumentError, match="`max_depth` must be at most 20"):
        await METHODS["crawl_preview"].call(engine, {"url": results.SITE, "max_depth": 99}, no_progress)


async def test_a_paused_engine_can_still_be_controlled() -> None:
    engine = FakeEngine()
    engine.is_paused = True
    assert "paused" in (await ask(engine, "status"))[-1]["error"]["message"].lower() and not engine.asked
    assert "result" in (await ask(engine, "diagnostics"))[-1]


@pytest.mark.parametrize(
    ("client", "served", "proves"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("192.168.1.5", "192.168.1.5", True),
        ("192.168.1.9", "192.168.1.5", False),
        ("10.0.0.1", "0.0.0.0", False),
    ],
)
async def test_a_proof_is_for_this_machine_only(client: str, served: str, proves: bool) -> None:
    """For other machines, a proof would allow trying guessed tokens without further requests."""
    from app.server.gateway import is_from_here

    host = f"[{served}]:2" if ":" in served else f"{served}:2"
    scope = {"client": (client, 1), "server": (served, 2), "headers": [(b"host", host.encode())]}
    assert is_from_here(scope) is proves
    assert not is_from_here({**scope, "client": None, "server": None})


async def test_half_a_surrogate_pair_is_read_as_the_replacement() -> None:
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        url = server.url.replace("/mcp", "/control/call")
        unknown = await client.post(url, content=rb'{"method":"m\ud800","params":{"\udc00":"\ud800"}}')
        known = await client.post(url, content=rb'{"method":"search","params":{"query":"bees \ud800","mode":"\udfff"}}')
    assert "m\ufffd" in unknown.json()["error"]["message"]
    assert "\ufffd" in known.json()["error"]["message"]
