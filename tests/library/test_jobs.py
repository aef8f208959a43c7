"""Background jobs of every store: states and items, without loss or double counting."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import caps
from app.errors import UnknownJobError
from app.library.job_records import ItemState, JobCounts, JobItem, JobKind, JobState
from app.library.protocol import Jobs, LibraryWriter

SITE = "https://example.org/"


def pages(*names: str, depth: int = 1) -> list[JobItem]:
    return [JobItem(SITE + name, depth) for name in names]


@pytest.fixture
def jobs(opened: LibraryWriter, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    """The jobs of a store, none of which is active and at most one exists."""
    with monkeypatch.context() as patch:
        patch.setattr(caps, "MAX_JOBS_KEPT", 1)
        for job in opened.jobs.recent(999):
            opened.jobs.set_state(job.id, JobState.CANCELLED)
    return opened.jobs


@pytest.fixture
def job(jobs: Jobs) -> int:
    return jobs.add(JobKind.CRAWL, SITE, '{"max_pages": 9}').id


def listed(jobs: Jobs, ids: list[int], limit: int = 99, *, active_only: bool = False) -> list[int]:
    """Return the given jobs that are listed, in the order of the list."""
    return [job.id for job in jobs.recent(limit, active_only=active_only) if job.id in ids]


def test_a_new_job_is_queued_and_empty(jobs: Jobs, job: int) -> None:
    found = jobs.get(job)
    assert found is not None
    assert (found.kind, found.target, found.options) == (JobKind.CRAWL, SITE, '{"max_pages": 9}')
    assert (found.state, found.detail, found.counts) == (JobState.QUEUED, "", JobCounts())
    assert time.time() - found.created_at < 60
    assert (found.started_at, found.finished_at) == (None, None)
    assert jobs.get(job + 1) is None
    assert jobs.get(2**63) is None
    assert jobs.get(10**30) is None


def test_states_set_their_times(jobs: Jobs, job: int) -> None:
    running = jobs.set_state(job, JobState.RUNNING)
    paused = jobs.set_state(job, JobState.PAUSED, "by you")
    again = jobs.set_state(job, JobState.RUNNING)
    ended = jobs.set_state(job, JobState.FAILED, "half of the pages failed")
    retried = jobs.set_state(job, JobState.QUEUED)
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
    assert jobs.set_state(job + 1, JobState.RUNNING) is None


def test_jobs_are_listed_newest_first_and_active_ones_separately(jobs: Jobs) -> None:
    ids = [jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(5)]
    jobs.set_state(ids[1], JobState.CANCELLED)
    jobs.set_state(ids[2], JobState.PAUSED)
    jobs.set_state(ids[4], JobState.DONE)
    assert listed(jobs, ids) == ids[::-1]
    assert listed(jobs, ids, 2) == ids[:2:-1]
    assert listed(jobs, ids, active_only=True) == [ids[3], ids[2], ids[0]]


def test_waiting_items_are_ordered_by_depth_and_arrival(jobs: Jobs, job: int) -> None:
    assert jobs.add_items(job, [*pages("z", "b", depth=2), *pages("y", "a"), *pages("b", depth=1)]) == 4
    assert [item.url[-1] for item in jobs.next_items(job, 9)] == ["y", "a", "z", "b"]
    jobs.finish_item(job, SITE + "y", ItemState.STORED)
    assert jobs.next_items(job, 2) == [*pages("a"), *pages("z", depth=2)]
    assert jobs.next_items(job + 1, 9) == []


def test_a_finished_page_adds_its_links_up_to_the_limit(jobs: Jobs, job: int) -> None:
    jobs.add_items(job, pages("start", depth=0))
    found = pages("start", "a", "a", "b", "c")
    assert jobs.finish_item(job, SITE + "start", ItemState.STORED, found=found, limit=3) == 2
    assert jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500", found=pages("d"), limit=3) == 0
    assert jobs.finish_item(job, SITE + "b", ItemState.UNCHANGED, found=pages("d")) == 1
    assert jobs.items(job, limit=9) == [
        JobItem(SITE + "start", 0, ItemState.STORED),
        JobItem(SITE + "a", 1, ItemState.FAILED, "HTTP 500"),
        JobItem(SITE + "b", 1, ItemState.UNCHANGED),
        JobItem(SITE + "d", 1),
    ]


def test_items_can_be_added_as_skipped(jobs: Jobs, job: int) -> None:
    jobs.add_items(job, [JobItem(SITE + "private", 1, ItemState.SKIPPED, "robots.txt")])
    found = jobs.get(job)
    assert found is not None
    assert found.counts == JobCounts(skipped=1)
    assert jobs.next_items(job, 9) == []


def test_the_items_of_a_job_are_limited(jobs: Jobs, job: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_JOB_ITEMS", 3)
    assert jobs.add_items(job, pages("a", "b")) == 2
    assert jobs.finish_item(job, SITE + "a", ItemState.STORED, found=pages("c", "d"), limit=99) == 1
    assert jobs.add_items(job, pages("e")) == 0


def test_items_are_listed_by_state_and_in_pages(jobs: Jobs, job: int) -> None:
    jobs.add_items(job, pages("a", "b", "c", "d"))
    jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500")
    jobs.finish_item(job, SITE + "c", ItemState.SKIPPED, "noindex")
    left = jobs.items(job, states=(ItemState.FAILED, ItemState.SKIPPED), limit=9)
    assert [(item.url[-1], item.reason) for item in left] == [("a", "HTTP 500"), ("c", "noindex")]
    assert [item.url[-1] for item in jobs.items(job, limit=2, offset=1)] == ["b", "c"]
    assert jobs.items(job, states=(ItemState.STORED,), limit=9) == []


def test_failed_items_can_be_queued_again(jobs: Jobs, job: int) -> None:
    jobs.add_items(job, pages("a", "b", "c"))
    jobs.finish_item(job, SITE + "a", ItemState.FAILED, "HTTP 500")
    jobs.finish_item(job, SITE + "b", ItemState.SKIPPED, "noindex")
    assert jobs.retry(job) == 1
    assert jobs.next_items(job, 9) == pages("a", "c")
    assert jobs.retry(job) == 0


def test_an_unknown_job_or_page_raises_an_error(jobs: Jobs, job: int) -> None:
    calls: tuple[Callable[[], object], ...] = (
        lambda: jobs.add_items(job + 1, pages("a")),
        lambda: jobs.finish_item(job, SITE + "never added", ItemState.STORED, found=pages("a")),
        lambda: jobs.retry(job + 1),
    )
    for call in calls:
        with pytest.raises(UnknownJobError, match=r"Job \d"):
            call()
    assert jobs.items(job, limit=9) == []


def test_the_oldest_ended_jobs_are_deleted_but_never_active_ones(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_JOBS_KEPT", 2)
    ids = [jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(5)]
    jobs.add_items(ids[1], pages("a"))
    for job_id in ids[1:]:
        jobs.set_state(job_id, JobState.DONE)
    assert listed(jobs, ids) == [ids[4], ids[3], ids[0]]
    assert jobs.items(ids[1], limit=9) == []


def test_ended_jobs_with_many_pages_are_deleted_earlier(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.jobs.MAX_ENDED_JOB_ITEMS", 4)
    monkeypatch.setattr("app.pg.jobs.MAX_ENDED_JOB_ITEMS", 4)
    ids = [jobs.add(JobKind.CRAWL, str(number), "{}").id for number in range(3)]
    for job_id, names in zip(ids, ("ab", "abc", "abcde"), strict=True):
        jobs.add_items(job_id, pages(*names))
    jobs.set_state(ids[0], JobState.DONE)
    jobs.set_state(ids[1], JobState.DONE)
    assert listed(jobs, ids) == [ids[2], ids[1]]
    jobs.set_state(ids[2], JobState.DONE)
    assert listed(jobs, ids) == [ids[2]]


def test_a_job_must_be_claimed_to_run(jobs: Jobs, job: int) -> None:
    for _ in range(2):
        acting = jobs.claim(job)
        assert acting is not None
        with acting:
            assert jobs.add_items(job, pages("a")) in (0, 1)
    assert jobs.claim(job + 1) is None


Step = tuple[str, int, ItemState]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "finish", "retry"]), st.integers(0, 11), st.sampled_from(ItemState)),
        max_size=12,
    ),
    st.integers(0, 12),
)
def test_counts_always_match_the_items(jobs: Jobs, steps: list[Step], limit: int) -> None:
    job_id = jobs.add(JobKind.CRAWL, SITE, "{}").id
    jobs.add_items(job_id, pages("0", depth=0))
    for what, number, state in steps:
        known = [item.url for item in jobs.items(job_id, limit=99)]
        if what == "add":
            found = pages(str(number), str(number + 1))
            jobs.finish_item(job_id, known[number % len(known)], state, found=found, limit=limit)
        elif what == "finish":
            jobs.finish_item(job_id, known[number % len(known)], state)
        else:
            jobs.retry(job_id)
    states = [item.state for item in jobs.items(job_id, limit=99)]
    job = jobs.get(job_id)
    assert job is not None
    assert job.counts == JobCounts(**{state.value: states.count(state) for state in ItemState})
    assert job.counts.total == len(states) <= max(limit, 1)
