"""Crawls, folders, files and backups with the real program: with the data directory to itself, or next to a running instance."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.cli import main
from app.corpus import Corpus
from app.engine import Engine, build_engine
from app.ingest.jobs import Jobs
from app.library.job_records import JobItem, JobKind
from app.paths import corpus_file
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import Settings, load_settings
from tests.cli.test_real import ROOT, command, serving
from tests.support.site import Exchange, Site

pytestmark = pytest.mark.real

PLACES = ("hives", "winter", "honey")


def article(name: str) -> str:
    text = f"The {name} of the bees are looked after in spring, and the {name} need a dry place. " * 6
    return (
        f"<html><head><title>About {name}</title></head><body><main><h1>{name}</h1><p>{text}</p></main></body></html>"
    )


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with a start page, three articles and a dead link, crawled without delays."""
    monkeypatch.setenv("WEBRAG_ALLOW_NETWORKS", "127.0.0.0/8")
    monkeypatch.setattr(caps, "HOST_REQUESTS_PER_SECOND", 1_000.0)
    with Site() as running:
        links = "".join(f'<li><a href="/guide/{name}">{name}</a></li>' for name in (*PLACES, "gone"))
        running.page(
            "/guide/", f"<html><body><main><h1>Bees</h1><p>All about bees.</p><ul>{links}</ul></main></body></html>"
        )
        for name in PLACES:
            running.page(f"/guide/{name}", article(name))
        yield running


@pytest.fixture
def answers(site: Site) -> threading.Event:
    """The articles are only returned after this event, so that no crawl ends before the test stops the command."""
    given = threading.Event()
    for name in PLACES:

        def answer(exchange: Exchange, body: bytes = article(name).encode()) -> None:
            given.wait(60)
            exchange.send(body)

        site.on(f"/guide/{name}", answer)
    return given


def wait_for_an_article(site: Site, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not any(site.count(f"/guide/{name}") for name in PLACES):
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_site_is_crawled_completely_without_an_instance(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--json", "--data-dir", str(tmp_path / "d")]
    assert main(["crawl", site.url("/guide/"), "--preview", *option]) == 0
    assert printed(capsys)["known"] >= 1
    assert main(["crawl", site.url("/guide/"), *option]) == 0
    report = printed(capsys)
    assert (report["job"]["state"], report["job"]["counts"]["stored"]) == ("done", 4)
    assert [item["url"] for item in report["failed"]] == [site.url("/guide/gone")]
    assert main(["search", "Where are hives kept dry?", "--mode", "meaning", "--top-k", "3", *option]) == 0
    assert any(site.url("/guide/hives") == hit["chunk"]["url"] for hit in printed(capsys)["chunks"])
    site.page("/guide/gone", article("swarms"))
    assert main(["jobs", "1", "--retry", *option]) == 0
    assert printed(capsys)["job"]["counts"]["failed"] == 0
    assert main(["export", site.url("/guide/"), str(tmp_path / "out"), *option]) == 0
    assert len(printed(capsys)["files"]) == 5


@pytest.mark.parametrize(
    "words", [["ingest"], ["ingest", "--refresh"], ["answer", "--question", "Where are hives kept?"]]
)
def test_a_slow_page_is_waited_for_if_no_other_process_reads_it(
    words: list[str],
    site: Site,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_go, read_on = site.held_back("/guide/late", article("hives")), Jobs.read_on

    async def release(self: Jobs, url: str, refresh: bool) -> int:
        job_id = await read_on(self, url, refresh)
        let_go.set()
        return job_id

    monkeypatch.setattr(Jobs, "read_on", release)
    monkeypatch.setenv("MCP_SOFT_DEADLINE", "2")
    command, *rest = words
    assert main([command, site.url("/guide/late"), *rest, "--data-dir", str(tmp_path / "d")]) == 0
    said = capsys.readouterr()
    assert let_go.is_set()
    assert "still being read" not in said.out + said.err
    assert main(["jobs", "--json", "--data-dir", str(tmp_path / "d")]) == 0
    assert [report["job"]["state"] for report in printed(capsys)] == ["done"]


def test_an_interrupted_crawl_resumes(
    site: Site, answers: threading.Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    process = subprocess.Popen(
        command("crawl", site.url("/guide/"), "--data-dir", str(data)),
        cwd=ROOT,
        env={**os.environ, "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_an_article(site, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    answers.set()
    assert "`webrag jobs ID --wait` resumes it" in err
    assert main(["jobs", "1", "--wait", "--json", "--data-dir", str(data)]) == 0
    assert printed(capsys)["job"]["counts"]["stored"] == 4
    assert site.count("/guide/") == 1


def test_a_command_only_works_on_its_own_jobs(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, notes = tmp_path / "d", tmp_path / "notes"
    option = ["--json", "--data-dir", str(data)]
    notes.mkdir()
    (notes / "a.md").write_text("# Swarms\n\nA swarm leaves in May.\n")
    assert main(["folder", "add", str(notes), *option]) == 0
    assert main(["status", *option]) == 0
    capsys.readouterr()
    corpus = Corpus.open(corpus_file(data), dimension=384, model="")
    waiting = corpus.jobs.add(JobKind.PAGES, "a list", "{}")
    corpus.jobs.add_items(waiting.id, [JobItem(site.url("/guide/hives"), 0)])
    corpus.close()
    (notes / "b.md").write_text("# Wax\n\nWax melts at 62 degrees.\n")
    page = tmp_path / "page.md"
    page.write_text("# Queens\n\nA queen lives for years.\n")
    for words in (["search", "swarm"], ["verify"], ["backup", str(tmp_path / "b.db")], ["import", str(page)]):
        assert main([*words, *option]) == 0
    capsys.readouterr()
    assert not site.requests
    assert main(["folder", "list", *option]) == 0
    assert printed(capsys)[0]["documents"] == 1
    assert main(["jobs", *option]) == 0
    assert [entry["job"]["state"] for entry in printed(capsys)] == ["queued", "done"]
    assert main(["jobs", str(waiting.id), "--wait", *option]) == 0
    assert printed(capsys)["job"]["counts"]["stored"] == 1


def test_files_folders_and_bookmarks_are_read_and_stored(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--json", "--data-dir", str(tmp_path / "d")]
    notes = tmp_path / "notes"
    (notes / "sub").mkdir(parents=True)
    (notes / "swarm.md").write_text("# Swarms\n\nA swarm leaves in May.\n")
    (notes / "sub" / "wax.txt").write_text("Wax melts at 62 degrees.\n")
    marks = tmp_path / "bookmarks.html"
    links = "".join(f'<DT><A HREF="{site.url("/guide/" + name)}">{name}</A>\n' for name in PLACES)
    marks.write_text(f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>B</TITLE><DL><p>{links}</DL>")
    page = tmp_path / "page.html"
    page.write_text(article("queens"))
    assert main(["import", str(marks), str(page), *option]) == 0
    from_marks, from_page = printed(capsys)
    assert (from_marks["job"]["state"], from_marks["job"]["counts"]["stored"]) == ("done", 3)
    assert from_page["page"]["title"] == "About queens"
    assert main(["folder", "add", str(notes), *option]) == 0
    assert printed(capsys)["job"]["counts"]["stored"] == 2
    assert main(["folder", "list", *option]) == 0
    assert printed(capsys)[0]["documents"] == 2
    backup = tmp_path / "backup.db"
    assert main(["backup", str(backup), *option]) == 0
    assert main(["folder", "remove", str(notes), *option]) == 0
    capsys.readouterr()
    assert main(["restore", str(backup), *option]) == 0
    assert printed(capsys)["kept"]
    assert main(["status", (notes / "swarm.md").as_uri(), *option]) == 0
    assert printed(capsys)["documents"][0]["kind"] == "file"
    assert main(["folder", "list", *option]) == 0
    assert printed(capsys)[0]["documents"] == 2
    assert main(["verify", *option]) == 0


def test_an_instance_continues_when_the_waiting_command_is_stopped(
    site: Site, answers: threading.Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--json", "--data-dir", str(tmp_path)]
    with serving(tmp_path):
        waiting = subprocess.Popen(
            command("crawl", site.url("/guide/"), "--wait", "--data-dir", str(tmp_path)),
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for_an_article(site, waiting)
        waiting.send_signal(signal.SIGINT)
        _, err = waiting.communicate(timeout=60)
        assert waiting.returncode == 130, err
        assert err == "The job continues in WebRAG. `webrag jobs` shows it.\n"
        assert main(["restore", str(tmp_path / "corpus.db"), "--data-dir", str(tmp_path)]) == 1
        assert "WebRAG is running" in capsys.readouterr().err
        answers.set()
        assert main(["jobs", "1", "--wait", *option]) == 0
        assert printed(capsys)["job"]["counts"]["stored"] == 4


@pytest.fixture
def settings(site: Site, tmp_path: Path) -> Settings:
    return load_settings({"mcp_soft_deadline": 20.0}, data_dir=tmp_path / "data")


async def called(engine: Engine, tool: str, arguments: dict[str, Any], told: list[str]) -> str:
    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        told.append(detail)

    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    reply = await dispatcher.call(tool, arguments, Caller(name="claude-ai", key="k"), progress=progress)
    return reply.text


async def test_an_assistant_crawls_a_site_and_controls_its_job(site: Site, settings: Settings) -> None:
    engine = build_engine(settings)
    await engine.start()
    try:
        told: list[str] = []
        text = await called(engine, "ingest", {"url": site.url("/guide/"), "crawl": {"max_pages": 20}}, told)
        assert "4 stored, 1 failed" in text
        assert f"- {site.url('/guide/gone')} — " in text
        assert any(line.startswith(f"Crawling {site.url('/guide/')}: ") for line in told)
        assert "4 stored, 1 failed" in await called(engine, "status", {"job_id": 1}, told)
        assert "Jobs under way" not in await called(engine, "status", {}, told)
    finally:
        await engine.stop()
