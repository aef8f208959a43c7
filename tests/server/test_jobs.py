"""Crawls and jobs for an assistant: requests, reports and limits."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps
from app.errors import FileAccessError, InvalidArgumentError, InvalidURLError, WebRAGError
from app.events import no_progress
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.library.job_records import ItemState, Job, JobCounts, JobItem, JobKind, JobState
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolOutput
from app.server.render.text import Budget
from app.server.tools import build_registry
from app.server.tools.ingest import TOOL_CRAWL_DEFAULT_PAGES, TOOL_CRAWL_DEPTH, TOOL_CRAWL_PAGES, job_followed
from app.server.tools.status import (
    MAX_JOB_FAILURES_SHOWN,
    MAX_JOB_LINES_SHOWN,
    JobReport,
    check_after,
    crawl_text,
    job_line,
    job_report,
    job_text,
    progress_text,
)
from app.settings import Settings
from app.text.terms import estimate_tokens
from tests.server import results
from tests.server.fake_engine import FakeEngine
from tests.server.golden import assert_golden
from tests.server.results import ROOMY, count
from tests.server.transports import until
from tests.support.jobs import SITE, changed, items, job

CALLER = Caller(name="claude-ai", key="k")
ENDED = job(7, JobState.DONE, counts=JobCounts(stored=3, skipped=1, failed=1))
FAILED = job(7, JobState.FAILED, detail="10 of 10 pages failed.", counts=JobCounts(waiting=31, failed=10))


def impatient(seconds: float = 0.05) -> FakeEngine:
    return FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_soft_deadline=seconds))


async def called(engine: FakeEngine, tool: str, arguments: dict[str, Any], told: list[str] | None = None) -> ToolOutput:
    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        if told is not None:
            told.append(detail)

    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    return await dispatcher.call(tool, arguments, CALLER, progress=progress)


def shown(report: JobReport, budget: Budget = ROOMY) -> str:
    return job_text(report, opening="[CORPUS STATUS]", budget=budget, count=count)


def test_the_text_of_a_job_matches_the_golden_file() -> None:
    read = tuple(items(*[ItemState.STORED] * 3))
    failed = (JobItem(SITE + "gone.html", 1, ItemState.FAILED, "The site answered with 404."),)
    assert_golden("job_running.txt", shown(JobReport(job(), read, failed, 36.0)))
    assert_golden("job_done.txt", shown(JobReport(ENDED, read, failed)))
    assert_golden("crawl_failed.txt", crawl_text(JobReport(FAILED, (), failed), budget=ROOMY, count=count))
    paused = job(8, JobState.PAUSED, kind=JobKind.FOLDER, target="/home/ada/notes", counts=JobCounts(waiting=4))
    assert_golden("job_paused.txt", shown(JobReport(paused)))


async def test_a_crawl_reports_its_steps_and_pages() -> None:
    engine = FakeEngine()
    engine.jobs.pages[7] = items(ItemState.STORED, ItemState.STORED, ItemState.STORED, ItemState.FAILED)
    engine.jobs.steps = [changed(job(), 36.0)]
    engine.jobs.ending = ENDED
    told: list[str] = []
    reply = await called(
        engine,
        "ingest",
        {"url": SITE, "refresh": True, "crawl": {"scope": "host", "max_pages": 40, "max_depth": 1}},
        told,
    )
    assert engine.jobs.asked[0] == ("crawl", SITE, CrawlOptions(CrawlScope.HOST, 40, 1, True))
    assert reply.text.startswith(f"[INGESTED]\nJob 7: crawl of {SITE} — done\nPages: 5 of 5 done: 3 stored, ")
    assert f"- {SITE}page3.html — The site answered with 404." in reply.text
    assert f"- {SITE}page0.html\n" in reply.text
    assert "`search`" in reply.text
    assert not reply.is_error
    assert told == [f"Crawling {SITE}: 23 of 41 pages, 2 failed, about 36 s left"]


async def test_a_longer_crawl_continues_in_the_background() -> None:
    engine = impatient()
    began = time.monotonic()
    reply = await called(engine, "ingest", {"url": SITE, "crawl": {"max_pages": None}})
    assert time.monotonic() - began < 15
    options = CrawlOptions(CrawlScope.SUBPAGES, TOOL_CRAWL_DEFAULT_PAGES, caps.DEFAULT_CRAWL_DEPTH, False)
    assert engine.jobs.asked[0] == ("crawl", SITE, options)
    assert "Call `status` with job_id=7 in 30 s" in reply.text
    assert not reply.is_error


async def test_a_crawl_that_read_nothing_is_an_error() -> None:
    engine = FakeEngine()
    engine.jobs.ending = FAILED
    reply = await called(engine, "ingest", {"url": SITE, "crawl": {}})
    assert reply.is_error
    assert reply.text.startswith("[ERROR]\nThe crawl could not read any page.")
    assert "10 of 10 pages failed." in reply.text


class AddingPackages:
    """Starts a job for each package, and records what the user allows."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def begin_for_assistant(self, name: str, allowed: str) -> Job:
        self.asked.append((name, allowed))
        return job(7, JobState.QUEUED, kind=JobKind.PACKAGES, target=name)


async def test_a_package_is_added_instead_of_a_page() -> None:
    packages = AddingPackages()
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_add_packages="any"), packages=packages)
    engine.jobs.pages[7] = [JobItem("pypi/flask@3.1.3", 0, ItemState.STORED)]
    engine.jobs.ending = job(7, JobState.DONE, kind=JobKind.PACKAGES, target="flask@3.1.3", counts=JobCounts(stored=1))
    reply = await called(engine, "ingest", {"library": "flask@3.1.3"})
    assert packages.asked == [("flask@3.1.3", "any")]
    assert_golden("ingest_package.txt", reply.text)
    engine.jobs.pages[7] = [JobItem("pypi/flask@3.1.3", 0, ItemState.FAILED, "The site does not respond.")]
    engine.jobs.ending = replace(engine.jobs.ending, counts=JobCounts(failed=1))
    reply = await called(engine, "ingest", {"library": "flask@3.1.3"})
    assert reply.is_error
    assert_golden("ingest_package_failed.txt", reply.text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "Pass either `url` or `library`"),
        ({"url": SITE, "library": "flask"}, "Pass either `url` or `library`"),
        ({"library": "flask", "crawl": {}}, "Pass either `url` or `library`"),
        ({"url": [SITE, results.OTHER], "crawl": {}}, "A crawl starts at one page, but 2 URLs"),
        ({"url": SITE, "crawl": {"max_pages": TOOL_CRAWL_PAGES + 1}}, "`crawl.max_pages` must be at most 200"),
        ({"url": SITE, "crawl": {"max_depth": TOOL_CRAWL_DEPTH + 1}}, "`crawl.max_depth` must be at most 3"),
        ({"url": SITE, "crawl": {"scope": "web"}}, "`crawl.scope` must be one of page, subpages, host"),
        ({"url": SITE, "crawl": {"pages": 3}}, "`crawl.pages` is not a parameter"),
        ({"url": SITE, "crawl": True}, "`crawl` must be an object"),
    ],
)
async def test_a_crawl_beyond_the_limits_is_refused(arguments: dict[str, Any], words: str) -> None:
    engine = FakeEngine()
    reply = await called(engine, "ingest", arguments)
    assert reply.is_error
    assert "INVALID_ARGUMENT" in reply.text
    assert words in reply.text
    assert engine.jobs.asked == []


class Refusing(FakeEngine):
    """A crawl cannot start at any address."""

    def __init__(self, error: WebRAGError) -> None:
        super().__init__()

        async def refuse(url: str, options: CrawlOptions) -> Job:
            raise error

        self.jobs.crawl = refuse  # type: ignore[method-assign]


@pytest.mark.parametrize("error", [InvalidURLError("No web address."), FileAccessError("Not in a folder.")])
async def test_an_impossible_start_of_a_crawl_is_reported_like_an_unreadable_page(error: WebRAGError) -> None:
    reply = await called(Refusing(error), "ingest", {"url": SITE, "crawl": {}})
    assert reply.is_error
    assert reply.text.startswith("[ERROR]\nThe page could not be read.")
    assert f"- {SITE} — not read: {error.message} (INVALID_ARGUMENT)" in reply.text
    assert f"Next step: {error.hint}" in reply.text
    assert "database" not in reply.text


async def test_without_crawl_only_the_given_pages_are_read() -> None:
    engine = FakeEngine()
    await called(engine, "ingest", {"url": SITE, "crawl": None})
    assert engine.asked == [{"urls": (SITE,), "refresh": False}]
    assert engine.jobs.asked == []


async def test_an_error_at_startup_is_reported_unchanged() -> None:
    engine = FakeEngine()
    engine.jobs.failure = InvalidArgumentError("Private addresses are blocked.", hint="Allow it in Settings.")
    reply = await called(engine, "ingest", {"url": SITE, "crawl": {}})
    assert reply.is_error
    assert "Next step: Allow it in Settings." in reply.text


async def test_status_shows_one_job() -> None:
    engine = FakeEngine()
    engine.jobs.known[7] = job()
    engine.jobs.pages[7] = items(*[ItemState.FAILED] * 2, *[ItemState.STORED] * 21)
    text = (await called(engine, "status", {"job_id": 7})).text
    assert text.startswith("[CORPUS STATUS]\nJob 7: ")
    assert "Not read (2):" in text
    reply = await called(engine, "status", {"job_id": 8})
    assert reply.is_error
    assert "There is no job 8." in reply.text


async def test_the_remaining_time_comes_from_the_jobs() -> None:
    engine = FakeEngine()
    engine.jobs.known[7] = job()
    engine.jobs.left[7] = 7.0
    assert "about 7 s left. Call `status` with job_id=7 in 10 s" in (await called(engine, "status", {"job_id": 7})).text
    assert "about 7 s left" in (await called(engine, "status", {})).text
    engine.jobs.left.clear()
    assert "left" not in (await called(engine, "status", {"job_id": 7})).text
    assert "left" not in (await called(engine, "status", {})).text.split("Active jobs:")[1].split("\n\n")[0]


async def test_a_crawl_of_only_the_start_page_is_a_crawl() -> None:
    engine = FakeEngine()
    engine.jobs.ending = ENDED
    await called(engine, "ingest", {"url": SITE, "crawl": {"max_depth": 0}})
    assert engine.jobs.asked[0][2] == CrawlOptions(CrawlScope.SUBPAGES, TOOL_CRAWL_DEFAULT_PAGES, 0, False)


async def test_status_lists_active_jobs() -> None:
    engine = FakeEngine()
    engine.jobs.known = {7: job(), 8: ENDED, 9: job(9, JobState.PAUSED), 10: job(10, JobState.QUEUED)}
    lines = (await called(engine, "status", {"include_urls": False})).text.splitlines()
    place = lines.index("Active jobs:")
    assert [line[:8] for line in lines[place + 1 :]] == ["- Job 10", "- Job 9:", "- Job 7:"]
    engine.jobs.known = {number: job(number) for number in range(1, 21)}
    text = (await called(engine, "status", {"include_urls": False})).text
    assert text.count("\n- Job ") == MAX_JOB_LINES_SHOWN
    assert text.endswith(f"... and {20 - MAX_JOB_LINES_SHOWN} more")


async def test_the_newest_failures_are_shown() -> None:
    engine = FakeEngine()
    many = items(*[ItemState.FAILED] * 40)
    engine.jobs.pages[7] = many
    report = await job_report(engine.jobs, job(counts=JobCounts(failed=40)))
    assert report.failed == tuple(many[-MAX_JOB_FAILURES_SHOWN:])
    assert f"... {40 - MAX_JOB_FAILURES_SHOWN} earlier, then:" in shown(report)


async def test_the_newest_skipped_ones_are_shown_with_their_reasons() -> None:
    engine = FakeEngine()
    many = items(*[ItemState.SKIPPED] * 40)
    engine.jobs.pages[7] = [*many[:-1], replace(many[-1], reason="Larger than 64 MB.")]
    report = await job_report(engine.jobs, job(counts=JobCounts(skipped=40)))
    assert len(report.skipped) == MAX_JOB_FAILURES_SHOWN
    text = shown(report)
    assert "Skipped (40):" in text and f"- {SITE}page39.html — Larger than 64 MB." in text
    assert "page29.html" not in text and "page30.html" in text


def test_a_job_that_waits_for_its_site_reports_it() -> None:
    waiting = job(detail="waiting because docs.example.org asked for fewer requests")
    assert job_line(JobReport(waiting)).endswith(", waiting because docs.example.org asked for fewer requests")
    assert progress_text(changed(waiting)).endswith(", waiting because docs.example.org asked for fewer requests")
    assert f"Note: {waiting.detail}" in shown(JobReport(waiting))


async def test_steps_of_other_jobs_are_not_sent_and_floods_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.tools.ingest.JOB_PROGRESS_SECONDS", 0.02)
    engine, told = FakeEngine(), []
    engine.jobs.known[7] = job()

    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        told.append(detail)

    async def flood() -> None:
        for done in range(200):
            engine.bus.publish(changed(job(9)))
            engine.bus.publish(changed(job(counts=JobCounts(stored=done, waiting=200 - done))))
            await asyncio.sleep(0.0005)

    following = asyncio.create_task(job_followed(engine, engine.jobs.known[7], 60, progress))
    began = time.monotonic()
    await flood()
    await until(lambda: told[-1:] == [f"Crawling {SITE}: 199 of 200 pages"])
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    assert 1 <= len(told) < 3 + (time.monotonic() - began) / 0.02
    engine.bus.publish(changed(job()))
    await job_followed(engine, engine.jobs.known[7], 0.0, no_progress)


@pytest.mark.parametrize(
    ("left", "seconds"),
    [(36.0, 40), (0.0, 10), (9_000.0, 300), (None, 30)],
)
def test_a_model_learns_when_to_check_again(left: float | None, seconds: int) -> None:
    assert check_after(left) == seconds


def test_lines_say_what_matters() -> None:
    line = f"Job 7: crawl of {SITE} — running, 23 of 41 pages, 2 failed"
    assert job_line(JobReport(job(), seconds_left=36.0)) == f"{line}, about 36 s left"
    assert job_line(JobReport(job())) == line
    assert job_line(JobReport(ENDED)) == f"Job 7: crawl of {SITE} — done, 5 of 5 pages, 1 failed"
    folder = job(kind=JobKind.FOLDER, target="/n", counts=JobCounts(waiting=1))
    assert job_line(JobReport(folder)) == "Job 7: folder /n — running, 0 of 1 file"
    paused = changed(replace(folder, state=JobState.PAUSED), 3.0)
    assert progress_text(paused) == "Reading /n: 0 of 1 file, paused"


lines = st.text(max_size=300)
reports = st.builds(
    JobReport,
    st.builds(
        lambda state, kind, target, detail, counts: job(
            state=state, kind=kind, target=target, detail=detail, counts=counts
        ),
        st.sampled_from(JobState),
        st.sampled_from(JobKind),
        st.one_of(lines, st.sampled_from(["[EVIDENCE]", "x\n[ERROR]\n"])),
        lines,
        st.builds(JobCounts, *[st.integers(0, 50_000)] * 6),
    ),
    st.lists(st.builds(JobItem, lines, st.just(1), st.just(ItemState.STORED)), max_size=20).map(tuple),
    st.lists(st.builds(JobItem, lines, st.just(1), st.just(ItemState.FAILED), lines), max_size=10).map(tuple),
    skipped=st.lists(st.builds(JobItem, lines, st.just(1), st.just(ItemState.SKIPPED), lines), max_size=10).map(tuple),
)
budgets = st.builds(
    Budget, tokens=st.integers(1, 3_000), characters=st.integers(1, 12_000), bytes=st.integers(1, 16_000)
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports, budgets, st.sampled_from([estimate_tokens, len]))
def test_no_job_exceeds_its_budget(report: JobReport, budget: Budget, counter: Any) -> None:
    for text in (
        crawl_text(report, budget=budget, count=counter),
        job_text(report, opening="[CORPUS STATUS]", budget=budget, count=counter),
    ):
        assert budget.holds(text, counter)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports)
def test_every_job_report_names_the_next_step(report: JobReport) -> None:
    text = shown(report)
    assert text.startswith("[CORPUS STATUS]\nJob 7: ")
    assert "[EVIDENCE]" not in text.replace("\\[EVIDENCE]", "").splitlines()
    assert any(
        word in text.splitlines()[-1] for word in ("`search`", "`search_docs`", "`status`", "paused", "Tell the user")
    )
