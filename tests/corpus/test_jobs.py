"""Background jobs: their states, their items, and that nothing is lost or counted twice."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.corpus.records import Label, LabelKind
from app.errors import InvalidArgumentError, UnknownJobError
from app.library.job_records import ItemState, JobCounts, JobItem, JobKind, JobState
from tests.corpus.builders import DIMENSION, MODEL, document
from tests.corpus.job_worker import LINKS, START, linked

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://example.org/"


def pages(*names: str, depth: int = 1) -> list[JobItem]:
    return [JobItem(SITE + name, depth) for name in names]


@pytest.fixture
def job(corpus: Corpus) -> int:
    return corpus.jobs.add(JobKind.CRAWL, SITE, '{"max_pages": 9}').id


def test_a_new_job_is_queued_and_empty(corpus: Corpus, job: int) -> None:
    found = corpus.jobs.get(job)
    assert found is not None
    assert (found.kind, found.target, found.options) == (JobKind.CRAWL, SITE, '{"max_pages": 9}')
    assert (found.state, found.detail, found.counts) == (JobState.QUEUED, "", JobCounts())
    assert time.time() - found.created_at < 60
    assert (found.started_at, found.finished_at) == (None, None)
    assert corpus.jobs.get(job + 1) is None
    assert corpus.jobs.get(2**63) is None
    assert corpus.jobs.get(10**30) is None


def test_states_leave_their_times(corpus: Corpus, job: int) -> None:
    running = corpus.jobs.set_state(job, JobState.RUNNING)
    paused = corpus.jobs.set_state(job, JobState.PAUSED, "by you")
    again = corpus.jobs.set_state(job, JobState.RUNNING)
    ended = corpus.jobs.set_state(job, JobState.FAILED, "half of the pages failed")
    retried = corpus.jobs.set_state(job, JobState.QUEUED)
    assert running is not None
    assert paused is not None
    assert again is not None
    assert ended is not None
    assert retried is not None
    assert running.started_at is not None
    assert (paused.started_at, paused.detail, paused.finished_at) == (running.started_at, "by you", None)
    assert (again.started_at, again.detail) == (running.started_at, "")
    assert ended.finished_at is not None
    assert ended.finished_at >= running.started_at
    assert ended.detail == "half of the pages failed"
    assert (retried.finished_at, retried.started_at) == (None, running.started_at)
    assert corpus.jobs.set_state(job + 1, JobState.RUNNING) is None


def test_jobs_are_listed_newest_first_and_the_active_ones_apart(corpus: Corpus) -> None:
    ids = [corpus.jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(5)]
    corpus.jobs.set_state(ids[1], JobState.CANCELLED)
    corpus.jobs.set_state(ids[2], JobState.PAUSED)
    corpus.jobs.set_state(ids[4], JobState.DONE)
    assert [each.id for each in corpus.jobs.recent(9)] == ids[::-1]
    assert [each.id for each in corpus.jobs.recent(2)] == ids[:2:-1]
    assert [each.id for each in corpus.jobs.recent(9, active_only=True)] == [ids[3], ids[2], ids[0]]


def test_waiting_items_come_by_depth_and_then_in_the_order_of_arrival(corpus: Corpus, job: int) -> None:
    assert corpus.jobs.add_items(job, [*pages("z", "b", depth=2), *pages("y", "a"), *pages("b", depth=1)]) == 4
    assert [item.url[-1] for item in corpus.jobs.next_items(job, 9)] == ["y", "a", "z", "b"]
    corpus.jobs.finish_item(job, SITE + "y", ItemState.STORED)
    assert corpus.jobs.next_items(job, 2) == [*pages("a"), *pages("z", depth=2)]
    assert corpus.jobs.next_items(job + 1, 9) == []


def test_a_finished_page_brings_what_it_links_to_up_to_the_limit(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, pages("start", depth=0))
    found = pages("start", "a", "a", "b", "c")
    assert corpus.jobs.finish_item(job, SITE + "start", ItemState.STORED, found=found, limit=3) == 2
    assert corpus.jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500", found=pages("d"), limit=3) == 0
    assert corpus.jobs.finish_item(job, SITE + "b", ItemState.UNCHANGED, found=pages("d")) == 1
    assert corpus.jobs.items(job, limit=9) == [
        JobItem(SITE + "start", 0, ItemState.STORED),
        JobItem(SITE + "a", 1, ItemState.FAILED, "HTTP 500"),
        JobItem(SITE + "b", 1, ItemState.UNCHANGED),
        JobItem(SITE + "d", 1),
    ]


def test_items_may_be_added_as_skipped(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, [JobItem(SITE + "private", 1, ItemState.SKIPPED, "robots.txt")])
    found = corpus.jobs.get(job)
    assert found is not None
    assert found.counts == JobCounts(skipped=1)
    assert corpus.jobs.next_items(job, 9) == []


def test_a_job_never_holds_more_items_than_the_cap(corpus: Corpus, job: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_JOB_ITEMS", 3)
    assert corpus.jobs.add_items(job, pages("a", "b")) == 2
    assert corpus.jobs.finish_item(job, SITE + "a", ItemState.STORED, found=pages("c", "d"), limit=99) == 1
    assert corpus.jobs.add_items(job, pages("e")) == 0


def test_items_are_listed_by_state_and_in_pages(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, pages("a", "b", "c", "d"))
    corpus.jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500")
    corpus.jobs.finish_item(job, SITE + "c", ItemState.SKIPPED, "noindex")
    listed = corpus.jobs.items(job, states=(ItemState.FAILED, ItemState.SKIPPED), limit=9)
    assert [(item.url[-1], item.reason) for item in listed] == [("a", "HTTP 500"), ("c", "noindex")]
    assert [item.url[-1] for item in corpus.jobs.items(job, limit=2, offset=1)] == ["b", "c"]
    assert corpus.jobs.items(job, states=(ItemState.STORED,), limit=9) == []


def test_failed_items_wait_again(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, pages("a", "b", "c"))
    corpus.jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500")
    corpus.jobs.finish_item(job, SITE + "b", ItemState.SKIPPED, "noindex")
    assert corpus.jobs.retry(job) == 1
    assert corpus.jobs.next_items(job, 9) == pages("a", "c")
    assert corpus.jobs.retry(job) == 0


def test_an_unknown_job_or_page_is_an_error(corpus: Corpus, job: int) -> None:
    calls: tuple[Callable[[], object], ...] = (
        lambda: corpus.jobs.add_items(job + 1, pages("a")),
        lambda: corpus.jobs.finish_item(job, SITE + "never added", ItemState.STORED, found=pages("a")),
        lambda: corpus.jobs.retry(job + 1),
    )
    for call in calls:
        with pytest.raises(UnknownJobError, match=r"no job \d"):
            call()
    assert corpus.jobs.items(job, limit=9) == []


def test_the_oldest_ended_jobs_are_forgotten_and_active_ones_never(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_JOBS_KEPT", 2)
    ids = [corpus.jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(5)]
    corpus.jobs.add_items(ids[1], pages("a"))
    for job_id in ids[1:]:
        corpus.jobs.set_state(job_id, JobState.DONE)
    assert [each.id for each in corpus.jobs.recent(9)] == [ids[4], ids[3], ids[0]]
    assert corpus.jobs.items(ids[1], limit=9) == []


def test_ended_jobs_with_many_pages_are_forgotten_sooner(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.jobs.MAX_ENDED_JOB_ITEMS", 4)
    ids = [corpus.jobs.add(JobKind.CRAWL, str(number), "{}").id for number in range(3)]
    for job_id, names in zip(ids, ("ab", "abc", "abcde"), strict=True):
        corpus.jobs.add_items(job_id, pages(*names))
    corpus.jobs.set_state(ids[0], JobState.DONE)
    corpus.jobs.set_state(ids[1], JobState.DONE)
    assert [each.id for each in corpus.jobs.recent(9)] == [ids[2], ids[1]]
    corpus.jobs.set_state(ids[2], JobState.DONE)
    assert [each.id for each in corpus.jobs.recent(9)] == [ids[2]]


Step = tuple[str, int, ItemState]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["add", "finish", "retry"]), st.integers(0, 11), st.sampled_from(ItemState))),
    st.integers(0, 12),
)
def test_counts_are_those_of_the_items_whatever_happens(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step], limit: int
) -> None:
    corpus = Corpus.open(tmp_path_factory.mktemp("jobs") / "c.db", dimension=DIMENSION, model=MODEL)
    job_id = corpus.jobs.add(JobKind.CRAWL, SITE, "{}").id
    corpus.jobs.add_items(job_id, pages("0", depth=0))
    for what, number, state in steps:
        known = [item.url for item in corpus.jobs.items(job_id, limit=99)]
        if what == "add":
            found = pages(str(number), str(number + 1))
            corpus.jobs.finish_item(job_id, known[number % len(known)], state, found=found, limit=limit)
        elif what == "finish":
            corpus.jobs.finish_item(job_id, known[number % len(known)], state)
        else:
            corpus.jobs.retry(job_id)
    listed = [item.state for item in corpus.jobs.items(job_id, limit=99)]
    job = corpus.jobs.get(job_id)
    assert job is not None
    assert job.counts == JobCounts(**{state.value: listed.count(state) for state in ItemState})
    assert job.counts.total == len(listed) <= max(limit, 1)
    assert corpus.verify() == []
    corpus.close()


def test_a_job_whose_process_is_killed_loses_no_page(path: Path) -> None:
    """Every page that is done has stored its document, and its links are items."""
    command = [sys.executable, "-m", "tests.corpus.job_worker", str(path)]
    done = 0
    for kill in range(3):
        worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "working\n"
        time.sleep(0.04 + 0.05 * kill)
        worker.kill()
        worker.communicate()
        corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
        assert corpus.verify() == []
        [job] = corpus.jobs.recent(9)
        items = {item.url: item for item in corpus.jobs.items(job.id, limit=caps.MAX_JOB_ITEMS)}
        finished = [item for item in items.values() if item.state is ItemState.STORED]
        assert START in items
        assert {url for item in finished for url in linked(item.url)} <= items.keys()
        assert all(corpus.documents.summary(item.url) is not None for item in finished)
        assert job.counts.total == len(items) == 1 + LINKS * len(finished)
        assert len(finished) > done
        done = len(finished)
        corpus.close()


def test_a_job_that_ends_while_the_clock_is_behind_is_the_newest_all_the_same(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_JOBS_KEPT", 2)
    ids = [corpus.jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(3)]
    for job_id, moment in zip(ids, (5_000.0, 9_000.0, 100.0), strict=True):
        monkeypatch.setattr("app.corpus.jobs.time.time", lambda moment=moment: moment)
        ended = corpus.jobs.set_state(job_id, JobState.DONE)
        assert ended is not None
        assert ended.state is JobState.DONE
    assert [each.id for each in corpus.jobs.recent(9)] == [ids[2], ids[1]]


def test_what_a_job_reads_goes_into_its_collection(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, pages("a", "b", "c", "d"))
    ids = {name: corpus.documents.store(document(SITE + name, [f"Page {name}."])).document_id for name in "abc"}
    corpus.jobs.finish_item(job, SITE + "a", ItemState.STORED)
    assert corpus.jobs.collect(job, "Thesis") == [ids["a"]]
    corpus.jobs.finish_item(job, SITE + "b", ItemState.UNCHANGED)
    corpus.jobs.finish_item(job, SITE + "c", ItemState.FAILED, "gone")
    corpus.jobs.finish_item(job, SITE + "d", ItemState.STORED)
    assert corpus.labels.all() == [Label(LabelKind.COLLECTION, "Thesis", 2)]
    found = corpus.jobs.get(job)
    assert found is not None and found.options == '{"max_pages": 9}', "who runs the job sees the options of before"
    corpus.labels.rename(LabelKind.COLLECTION, "Thesis", "Book")
    corpus.jobs.retry(job)
    corpus.jobs.finish_item(job, SITE + "c", ItemState.STORED)
    assert corpus.labels.all() == [Label(LabelKind.COLLECTION, "Book", 3)]
    corpus.labels.delete(LabelKind.COLLECTION, "Book")
    corpus.jobs.finish_item(job, SITE + "a", ItemState.STORED)
    assert corpus.labels.all() == []
    with pytest.raises(UnknownJobError):
        corpus.jobs.collect(job + 1, "Other")
    with pytest.raises(InvalidArgumentError):
        corpus.jobs.collect(job, " ")
    assert corpus.labels.all() == []
