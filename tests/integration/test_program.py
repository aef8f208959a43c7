"""The program as assistants and users see it: real processes, the official client, real pages."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.cli import main
from app.instance import read_runtime
from tests.conftest import in_own_home, with_guide
from tests.integration.application import (
    TELLS_IMPORTS,
    Application,
    bridge,
    imported,
    of_shared_libraries,
    running,
    start,
    webrag,
)
from tests.integration.pages import LINKED_ANSWER, SEED_ANSWER, SIGN_IN, SKELETON, handbook, html
from tests.support.site import Site

pytestmark = pytest.mark.real
KILLS = 5
"""Number of pages, with a kill one page later each time. bench/crash.py kills at random moments and more often."""
SECTIONS = ["[SOURCES]", "[EVIDENCE]", "[CITATIONS]", "[STATS]"]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as web:
        yield web


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory, guide_file: Path) -> Iterator[Application]:
    """Yield one program for all tests that keep it running. Each test uses its own site."""
    folder = tmp_path_factory.mktemp("program")
    with in_own_home(folder), running(with_guide(folder / "data", guide_file)) as program:
        yield program


@asynccontextmanager
async def http_client(application: Application, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": "Bearer test-token"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False, verify=False) as http,
        Client(streamable_http_client(application.url, http_client=http), mode=mode) as client,
    ):
        yield client


def text_of(result: object) -> str:
    return "\n".join(block.text for block in result.content)  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_answer_then_search_through_the_bridge(application: Application, site: Site, mode: str) -> None:
    seed, progress = handbook(site), list[str]()

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(message or "")

    async with Client(bridge(application.data_dir), mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"answer", "search", "status", "ingest"} <= names
        arguments = {"url": seed, "query": "How quickly must a cracked seal be exchanged?"}
        answer = await client.call_tool("answer", arguments, progress_callback=on_progress)
        text = text_of(answer)
        assert not answer.is_error and LINKED_ANSWER in text
        assert [text.index(section) for section in SECTIONS] == sorted(text.index(section) for section in SECTIONS)
        assert "[EXPANSION TRACE]" in text and f"Scraping {seed}..." in progress
        fetched = len(site.requests)
        search = await client.call_tool("search", {"query": "When are valves checked?"})
        assert SEED_ANSWER in text_of(search) and len(site.requests) == fetched
        assert "[EXPANSION TRACE]" not in text_of(search)
        status = text_of(await client.call_tool("status", {}))
        assert status.startswith("[CORPUS STATUS]\nDocuments indexed: ") and seed in status


async def test_a_private_library_loads_nothing_of_shared_ones(tmp_path: Path, site: Site) -> None:
    seed, data_dir = handbook(site), tmp_path / "data"
    program = start(data_dir, variables=TELLS_IMPORTS)
    try:
        async with Client(bridge(data_dir)) as client:
            answer = await client.call_tool("answer", {"url": seed, "query": "When are valves checked?"})
            assert SEED_ANSWER in text_of(answer)
            for tool, arguments in (
                ("search", {"query": "valves"}),
                ("kb.search", {"query": "valves"}),
                ("status", {}),
            ):
                assert not (await client.call_tool(tool, arguments)).is_error
    finally:
        program.stop()
    said = (tmp_path / "data.stderr").read_text("utf-8")
    assert "app.orchestration" in imported(said), "modules loaded later are named too"
    assert not of_shared_libraries(said)


async def test_one_process_serves_two_bridges_and_http(application: Application, site: Site) -> None:
    seed = handbook(site)
    async with (
        Client(bridge(application.data_dir)) as first,
        Client(bridge(application.data_dir), mode="legacy") as second,
        http_client(application) as third,
    ):
        await first.call_tool("ingest", {"url": seed})
        calls = [
            client.call_tool("search", {"query": "valves checked"})
            for client in (first, second, third)
            for _ in range(3)
        ]
        for result in await asyncio.gather(*calls):
            assert SEED_ANSWER in text_of(result)
        tools = [
            [tool.model_dump(mode="json") for tool in (await c.list_tools()).tools] for c in (first, second, third)
        ]
        assert tools[0] == tools[1] == tools[2]
    assert _processes_with_open(application.data_dir / "corpus.db") == [application.process.pid]


def _processes_with_open(file: Path) -> list[int]:
    """Return the IDs of processes with the file open (Linux)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if any(link.is_symlink() and link.readlink() == file for link in (process / "fd").iterdir()):
                found.append(int(process.name))
    return found


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/forbidden", "BACKEND_UNAVAILABLE"),
        ("/missing", "BACKEND_UNAVAILABLE"),
        ("/broken", "BACKEND_UNAVAILABLE"),
        ("/hang", "TIMEOUT"),
        ("/loop", "BACKEND_UNAVAILABLE"),
        ("/endless", "BUDGET_EXCEEDED"),
        ("/bomb", "BUDGET_EXCEEDED"),
        ("/skeleton", "BACKEND_UNAVAILABLE"),
        ("/login", "BACKEND_UNAVAILABLE"),
    ],
)
async def test_a_bad_page_is_a_clear_error_in_bounded_time(
    application: Application, site: Site, path: str, code: str
) -> None:
    site.page("/forbidden", "no", status=403)
    site.page("/broken", "no", status=500)
    site.hang("/hang")
    site.redirect("/loop", "/loop")
    site.endless("/endless")
    site.bomb("/bomb", 64)
    site.page("/skeleton", SKELETON)
    site.page("/login", SIGN_IN)
    async with http_client(application) as client:
        started = time.monotonic()
        result = await client.call_tool("answer", {"url": site.url(path), "query": "anything"})
        assert time.monotonic() - started < 60
        text = text_of(result)
        assert result.is_error and text.startswith("[ERROR]") and f"({code})" in text and "Next step:" in text
        status = text_of(await client.call_tool("status", {"source_url": site.url(path)}))
        assert "not indexed" in status


def test_the_corpus_is_sound_after_bad_pages(application: Application) -> None:
    assert webrag("verify", data_dir=application.data_dir).returncode == 0


async def test_a_token_a_known_host_and_no_origin_are_required(application: Application) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    good = {"Authorization": "Bearer test-token"}
    async with httpx2.AsyncClient(trust_env=False, verify=False) as http:
        assert (await http.post(application.url, json=body)).status_code == 401
        assert (await http.post(application.url, json=body, headers={"Authorization": "Bearer no"})).status_code == 401
        for header in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
            assert (await http.post(application.url, json=body, headers=good | header)).status_code == 403
        assert (await http.post(application.url, json=body, headers=good | {"Host": "evil.example"})).status_code == 421
        plain = await http.post(application.url, json=body, headers=good)
        assert plain.status_code == 200 and plain.json()["result"]["tools"]
        missing = await http.get(application.url.replace("/mcp", "/.well-known/oauth-protected-resource"), headers=good)
        assert missing.status_code == 404 and missing.json()


async def test_the_bridge_survives_a_restart_of_the_program(tmp_path: Path, guide_file: Path, site: Site) -> None:
    seed, data_dir = handbook(site), with_guide(tmp_path / "data", guide_file)
    first = start(data_dir)
    async with Client(bridge(data_dir), mode="legacy") as client:
        await client.call_tool("ingest", {"url": seed})
        first.stop()
        second = start(data_dir)
        try:
            assert SEED_ANSWER in text_of(await client.call_tool("search", {"query": "When are valves checked?"}))
        finally:
            second.stop()


async def test_the_bridge_starts_the_program_and_it_ends_when_nobody_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    data_dir = tmp_path / "data"
    async with Client(bridge(data_dir)) as client:
        assert "[CORPUS STATUS]" in text_of(await client.call_tool("status", {}))
        runtime = data_dir / "runtime.json"
        assert stat.S_IMODE(runtime.stat().st_mode) == 0o600
        pid = json.loads(runtime.read_text())["pid"]
    stopped = webrag("status", data_dir=data_dir)
    assert stopped.returncode == 0, stopped.stderr
    os.kill(pid, 15)
    deadline = time.monotonic() + 60
    while read_runtime(data_dir) is not None and time.monotonic() < deadline:  # noqa: ASYNC110 (another process)
        await asyncio.sleep(0.05)
    assert read_runtime(data_dir) is None


def test_a_second_program_on_the_same_data_reports_the_address_of_the_first(application: Application) -> None:
    second = webrag("serve", "--transport", "streamable-http", "--port", "0", data_dir=application.data_dir)
    assert second.returncode != 0 and application.url.rsplit("/", 1)[0] in second.stderr


def test_the_command_line_gives_the_same_answer_with_and_without_a_running_program(
    tmp_path: Path, guide_file: Path, site: Site
) -> None:
    seed, data_dir = handbook(site), with_guide(tmp_path / "data", guide_file)
    question = ["answer", seed, "-q", "How quickly must a cracked seal be exchanged?"]
    alone = webrag(*question, "--json", data_dir=data_dir)
    assert alone.returncode == 0, alone.stderr
    with running(data_dir):
        beside = webrag(*question, "--json", data_dir=data_dir)
        printed = webrag(*question, data_dir=data_dir)
    results = [json.loads(done.stdout) for done in (alone, beside)]
    for result in results:
        assert result["seed_url"] == seed and LINKED_ANSWER in json.dumps(result["chunks"])
        assert {"chunks", "citations", "expansion_steps", "corpus_stats", "timing", "final_decision"} <= result.keys()
    assert LINKED_ANSWER in printed.stdout and printed.stdout.startswith("[SOURCES]")
    failed = webrag("answer", site.url("/missing"), "-q", "anything", data_dir=data_dir)
    assert failed.returncode == 1 and "404" in failed.stderr and "Traceback" not in failed.stderr


@pytest.mark.timeout(400)
def test_killed_while_reading_several_times_the_corpus_stays_sound(
    tmp_path: Path, guide_file: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    data_dir = with_guide(tmp_path / "data", guide_file)
    filler = "".join(
        f"<h2>Part {n}</h2><p>{'Many words about part and whole stand here. ' * 20}</p>" for n in range(40)
    )
    for number in range(5 * KILLS):
        site.page(f"/p{number}.html", html(f"Page {number}", f"Number {number} is here.", filler))
    for round_ in range(KILLS):
        with running(data_dir) as application:
            paths = [f"/p{5 * round_ + number}.html" for number in range(5)]
            call = _post(application, {"method": "ingest", "params": {"urls": [site.url(path) for path in paths]}})
            wait_until(lambda paths=paths, least=round_ + 1: sum(map(site.count, paths)) >= least)
            time.sleep(0.06 * round_)
            if round_ == KILLS - 1:
                wait_until(lambda: bool(_stored(data_dir, site, capsys)))
            application.kill()
            call.close()
        assert main(["verify", "--data-dir", str(data_dir)]) == 0, capsys.readouterr()
    pages = _stored(data_dir, site, capsys)
    assert 0 < len(pages) <= 5 * KILLS
    with running(data_dir):
        found = webrag("search", "Which number is here?", "--url", pages[0], data_dir=data_dir)
        assert found.returncode == 0 and pages[0] in found.stdout and "is here." in found.stdout


def _stored(data_dir: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the stored pages of the site from the command line."""
    capsys.readouterr()
    assert main(["status", "--json", "--data-dir", str(data_dir)]) == 0
    urls = [document["url"] for document in json.loads(capsys.readouterr().out)["documents"]]
    return [url for url in urls if url.startswith(site.url("/p"))]


def wait_until(fact: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _post(application: Application, body: dict[str, object]) -> http.client.HTTPConnection:
    """Send a control call and ignore its response. Closing the connection would cancel it."""
    port = int(application.url.rsplit(":", 1)[1].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Authorization": "Bearer test-token", "Content-Type": "application/json"}
    connection.request("POST", "/control/call", json.dumps(body), headers)
    return connection
